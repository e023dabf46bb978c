//! What holds of every screen, whatever it shows.

use super::{ascii, colored, look, narrow, samples, without_codes};
use report::{Look, Report, TraceForm, channels, machine, render, sizes, width};

const FORMS: [TraceForm; 3] = [TraceForm::Columns, TraceForm::Chart, TraceForm::Steps];

fn every_screen(look: &Look) -> Vec<(String, String)> {
    let mut out = Vec::new();
    for (name, report) in samples::all() {
        for form in FORMS {
            let look = Look { form, warnings: true, ..*look };
            out.push((format!("{name} {form:?}"), render(&report, &look)));
        }
        out.push((format!("{name} sizes"), sizes(&report.machines, look)));
        out.push((format!("{name} channels"), channels(&report.channels, look)));
        let tables = report.machines.iter().map(|m| machine(m, look));
        out.push((format!("{name} machines"), tables.collect()));
    }
    out
}

#[test]
fn colour_never_changes_the_text() {
    let plain = every_screen(&Look::default());
    let color = every_screen(&colored(Look::default()));
    for ((name, plain), (_, color)) in plain.iter().zip(&color) {
        assert_eq!(*plain, without_codes(color), "{name}");
        assert!(!plain.contains('\x1b'), "{name}");
    }
}

#[test]
fn screens_stay_within_the_terminal() {
    let mut wide = Vec::new();
    for columns in [40, 60, 80, 100, 140] {
        for (name, text) in every_screen(&narrow(Look::default(), columns)) {
            let tables = ["channels", "machines", "sizes"];
            let fixed = tables.iter().any(|table| name.ends_with(table));
            for line in text.lines() {
                let fits = width(line) <= columns || (fixed && columns < 80);
                if !fits {
                    wide.push(format!("{name} at {columns}: {} columns\n{line}", width(line)));
                }
            }
        }
    }
    assert!(wide.is_empty(), "{}", wide.join("\n"));
}

/// Characters of the model's own texts, which no alphabet of ours may change.
fn own_characters(report: &Report) -> String {
    serde_json::to_string(report).expect("reports are JSON")
}

#[test]
fn ascii_screens_are_ascii() {
    for (name, report) in samples::all() {
        let own = own_characters(&report);
        for form in FORMS {
            let text = render(&report, &Look { warnings: true, ..ascii(look(form)) });
            let strange = text.chars().find(|c| !c.is_ascii() && !own.contains(*c));
            assert_eq!(strange, None, "{name} {form:?}\n{text}");
        }
    }
}

#[test]
fn the_first_word_is_the_verdict_and_no_line_ends_in_blanks() {
    for (name, text) in every_screen(&Look::default()) {
        let words = ["HOLDS  ", "VIOLATED  ", "INCOMPLETE  ", "ERROR  "];
        let screen = FORMS.iter().any(|form| name.ends_with(&format!("{form:?}")));
        assert!(!screen || words.iter().any(|word| text.starts_with(word)), "{name}");
        assert!(text.lines().all(|line| !line.ends_with(' ')), "{name}\n{text}");
        assert!(!text.contains("\n\n\n"), "{name}\n{text}");
    }
}

/// Words that would claim more than was done (the table of words to avoid).
#[test]
fn nothing_sounds_surer_than_it_is() {
    for (name, report) in samples::all() {
        let text = render(&report, &Look::default()).to_lowercase();
        for word in ["passed", "success", "errors: 0", "dead code", "minimal ", "verified"] {
            assert!(!text.contains(word), "{name} says {word}");
        }
        if !report.complete {
            assert!(!text.contains("all 86 reachable"), "{name}");
            assert!(!text.contains("never executed"), "{name}");
        }
    }
}

#[test]
fn phrasing_twice_changes_nothing() {
    let mut report = samples::holds();
    let once = report.clone();
    report::phrase(&mut report, &super::story::setting());
    assert_eq!(report, once);
}

#[test]
fn the_sentences_of_a_report() {
    let mut text = String::new();
    for (name, report) in samples::all().into_iter().filter(|(name, _)| *name != "hostile") {
        text += &format!("{name}\n  {}\n", report.headline);
        report.established.iter().for_each(|line| text += &format!("  + {line}\n"));
        report.assumptions.iter().for_each(|line| text += &format!("  ~ {line}\n"));
        report.remarks.iter().for_each(|line| text += &format!("  {}: {}\n", line.head, line.text));
    }
    super::golden("sentences", &text);
}
