//! Pages of each kind of result and of each command.

use crate::{DARK, LIGHT, NARROW, assert_fits, assert_quiet, folder, opened, page, position};
use std::fs;
use testkit::argos::run;
use testkit::browser::{Browser, Window};

#[test]
fn a_lasso_goes_round() {
    let mut browser = opened("lasso", &["check", "corpus/live/gf_imp.pml", "--only", "ltl plain"]);
    assert_eq!(position(&mut browser), (4, 7));
    assert_eq!(browser.count("svg .loop"), 1);
    assert_eq!(browser.text(".row.tail .action"), "steps 4 to 7 repeat for ever");
    assert!(browser.count(".row .truth") > 0, "propositions have columns");
    let truths = browser.eval(
        "[...document.querySelectorAll('#step4 .truth')].map(it => it.getAttribute('aria-label'))",
    );
    let inspected = browser.text(".truths");
    for (at, truth) in truths.as_array().expect("a list").iter().enumerate() {
        let line = inspected.lines().nth(at).unwrap_or_default();
        assert!(line.ends_with(truth.as_str().unwrap_or("?")), "{inspected}: {truths}");
    }
    assert!(browser.text(".position").ends_with("round 1"));
    for _ in 0..4 {
        browser.key("ArrowRight");
    }
    assert_eq!(position(&mut browser), (4, 7), "behind its end it begins again");
    assert!(browser.text(".position").ends_with("round 2"));
    browser.click("button[title^=last]");
    assert_eq!(position(&mut browser), (7, 7));
    assert_quiet(&mut browser, "lasso");
}

#[test]
fn a_deadlock_names_who_waits() {
    let mut browser = opened("deadlock", &["check", "corpus/faulty/philosophers.pml"]);
    let waits = browser.eval("[...document.querySelectorAll('#why tbody tr')].map(row => [row.className, row.innerText])");
    let waits = waits.as_array().expect("a list").clone();
    assert_eq!(waits.len(), 11);
    assert_eq!(waits.iter().filter(|row| row[0] == "culprit").count(), 10);
    assert!(
        waits[1][1].as_str().is_some_and(|text| text.contains("fork[1] is empty")),
        "{waits:?}"
    );
    assert_eq!(browser.text(".row.tail.bad .action"), "nothing can move");
    assert_eq!(browser.count(".rows svg .cross"), 10, "a bar for each culprit, no cross on a step");
    assert_eq!(browser.count(".row.bad[data-step]"), 0);
    browser.click("#why tbody tr:nth-child(2) .link");
    assert_eq!(browser.text(".source .now .no").trim(), "11", "and the source comes into sight");
    assert_quiet(&mut browser, "deadlock");
}

/// What is never executed is dimmed where it stands, also within a line.
#[test]
fn what_has_no_effect_is_dimmed() {
    let model = "mtype = { ack, nak };\nchan d = [1] of { mtype };\nbool r;\n\
        active proctype answerer() { do :: d!ack od }\n\
        active proctype A() { do :: if :: d?ack :: d?nak fi :: r -> skip od }\n\
        proctype Idle() { r = true }\nltl idle { [](r -> <>!r) }\n";
    let file = folder().join("dimmed.pml");
    fs::write(&file, model).expect("the scratch directory is ours");
    let mut browser = opened("dimmed", &["check", file.to_str().expect("a plain name")]);
    let dimmed =
        browser.eval("[...document.querySelectorAll('.source .dim')].map(it => it.innerText)");
    assert_eq!(dimmed, serde_json::json!(["d?nak", "r", "skip"]));
    assert_quiet(&mut browser, "dimmed");
}

/// Names stay whole where who waits for what is told, and a window that has room for all rows
/// shows them all.
#[test]
fn a_table_of_waits_keeps_names_whole() {
    let model = "chan c = [0] of { byte }, d = [0] of { byte };\n\
        active proctype busarbiter() { byte i; do :: i < 30 -> i++ :: else -> break od;\n\
        in_the_middle: if :: c?1 :: c?2 :: c?3 :: c?4 :: c?5 :: c?6 :: c?7 :: c?8 :: d?1 :: d?2 fi }\n\
        active proctype other() { c?9 }\n";
    let file = folder().join("arbiter.pml");
    fs::write(&file, model).expect("the scratch directory is ours");
    let mut browser = opened("arbiter", &["check", file.to_str().expect("a plain name")]);
    for window in [LIGHT, NARROW] {
        browser.resize(window);
        browser.settle();
        // One line each: a name that was broken has several boxes.
        let boxes = browser.eval(
            "[...document.querySelectorAll('#why .whole')].map(it => {
               const range = document.createRange();
               range.selectNodeContents(it);
               return new Set([...range.getClientRects()].map(box => box.top)).size;
             })",
        );
        let boxes = boxes.as_array().expect("a list").clone();
        assert!(boxes.len() >= 3 && boxes.iter().all(|count| *count == 1), "{boxes:?}");
        assert_fits(&mut browser, "waits");
    }
    browser.resize(Window { height: 3_000, ..NARROW });
    browser.settle();
    let rows = browser.count(".row[data-step]");
    assert_eq!(
        rows,
        position(&mut browser).1 + 1,
        "all rows are there, the initial state included"
    );
    assert_quiet(&mut browser, "waits");
}

/// What could have been done instead is what the reference interpreter offers there.
#[test]
fn alternatives_of_a_program_are_those_of_its_interpreter() {
    let model = "byte n;\nactive [2] proctype P() { if :: n++ :: n = n + 2 fi; assert(n != 4) }\n";
    let file = folder().join("others.pml");
    fs::write(&file, model).expect("the scratch directory is ours");
    let mut browser = opened("others", &["check", file.to_str().expect("a plain name")]);
    browser.key("ArrowLeft");
    browser.click("[data-step='1']");
    let others =
        browser.eval("[...document.querySelectorAll('.others li')].map(it => it.innerText).sort()");
    let step = browser.text(".inspector h3");
    let all = ["P:0: n = n + 2", "P:0: n++", "P:1: n = n + 2", "P:1: n++"];
    let taken = all.iter().find(|it| step.contains(&it.replacen(": ", ", ", 1)));
    let taken = taken.unwrap_or_else(|| panic!("{step}"));
    let wanted: Vec<&str> = all.into_iter().filter(|it| it != taken).collect();
    assert_eq!(others, serde_json::json!(wanted), "{step}");
}

/// Light and dark, wide and narrow: nothing sticks out, nothing is complained about.
#[test]
fn pages_fit_their_windows() {
    let pages = [
        ("fits_violated", &["check", "corpus/papers/abp_a3.argos"][..]),
        ("fits_deadlock", &["check", "corpus/faulty/philosophers.pml"]),
        ("fits_lasso", &["check", "corpus/live/many_atoms.argos"]),
        ("fits_holds", &["check", "corpus/papers/abp_a4.argos"]),
        ("fits_error", &["check", "corpus/bad/arrays.argos"]),
        ("fits_incomplete", &["check", "corpus/papers/nbs.argos", "--depth", "5"]),
        ("fits_cover", &["check", "corpus/papers/abp_a4.argos", "--cover", "len(link) == 1"]),
        ("fits_backward", &["backward", "corpus/papers/b84_setup.argos"]),
        ("fits_sim", &["sim", "corpus/papers/abp.argos", "--seed", "3"]),
        ("fits_index", &["check", "corpus/faulty", "--time", "5s"]),
    ];
    let mut browser = Browser::start(LIGHT);
    for (name, arguments) in pages {
        let (file, _) = page(name, arguments);
        browser.open(&file);
        for window in [LIGHT, DARK, NARROW] {
            browser.resize(window);
            browser.settle();
            let what = format!("{name} {window:?}");
            assert_fits(&mut browser, &what);
            assert!(browser.text("header").len() > 10, "{what}");
            for pane in ["m", "s"] {
                browser.key(pane);
            }
            assert_quiet(&mut browser, &what);
            if let Some(folder) = std::env::var_os("ARGOS_PICTURES") {
                let shade = if window.dark { "dark" } else { "light" };
                let picture = format!("{name}-{}-{shade}.png", window.width);
                browser.picture(&std::path::Path::new(&folder).join(picture));
            }
        }
    }
}

#[test]
fn several_models_have_an_index() {
    let mut browser = opened(
        "index",
        &[
            "check",
            "corpus/papers/abp_a3.argos",
            "corpus/papers/abp_a4.argos",
            "corpus/faulty/philosophers.pml",
            "none.pml",
        ],
    );
    assert_eq!(browser.count("#index tr"), 4);
    assert!(browser.text("#index").contains("cannot be read"));
    assert!(browser.text("#index tr:nth-child(3)").contains("abp_a4"), "those that hold come last");
    let first = browser.text("header .sentence");
    browser.click("#index tr:nth-child(3) button");
    assert_eq!(browser.text("h1"), "✓ HOLDS");
    assert_ne!(browser.text("header .sentence"), first);
    assert!(browser.count(".alone .source .line") > 10, "its text is shown without a run");
    browser.click("#index tr:nth-child(1) button");
    assert!(position(&mut browser).1 > 0);
    assert_quiet(&mut browser, "index");
}

#[test]
fn several_errors_have_a_choice() {
    let (file, _) = page("several", &["check", "corpus/papers/nbs.argos", "--all-errors"]);
    let mut browser = Browser::start(LIGHT);
    browser.open(&file);
    let runs = browser.count("#runs option");
    assert!(runs > 1, "{runs}");
    let first = browser.text("#why .sentence");
    browser.eval("const it = document.querySelector('#runs'); it.value = it.options.length - 1; it.dispatchEvent(new Event('change'))");
    browser.settle();
    assert_eq!(browser.count("#runs option"), runs);
    assert!(!browser.text("#why .sentence").is_empty() && !first.is_empty());
    assert_quiet(&mut browser, "several");
}

#[test]
fn saved_runs_and_simulations_are_pages_too() {
    let saved = folder().join("page_saved.json");
    let saved = saved.to_str().expect("a plain name");
    run(&["check", "corpus/live/gf_imp.pml", "--trace", saved]);
    let mut browser = opened("replayed", &["replay", saved]);
    assert_eq!(browser.text("h1"), "✗ VIOLATED");
    assert_eq!(browser.count("svg .loop"), 1);
    assert!(browser.count(".row .truth") > 0, "what was judged is kept");
    assert_eq!(browser.count("#requirements"), 0);
    assert_quiet(&mut browser, "replayed");
    let (file, run) =
        page("simulated", &["sim", "corpus/papers/abp.argos", "--seed", "3", "--length", "30"]);
    browser.open(&file);
    assert_eq!(browser.text("h1"), "RUN");
    assert_eq!(position(&mut browser), (30, 30));
    assert!(run.text.contains(&browser.text("header .sentence")), "{}", run.text);
    browser.key("m");
    assert_eq!(browser.count(".picture .node.now"), 1);
    assert_quiet(&mut browser, "simulated");
}

#[test]
fn a_backward_execution_is_a_page_too() {
    let mut browser = opened("backward", &["backward", "corpus/papers/b84_setup.argos"]);
    assert_eq!(browser.count("#candidates tr"), 62);
    assert_eq!(browser.count("#candidates .link"), 1);
    assert_eq!(position(&mut browser), (8, 8));
    browser.click("#candidates .link");
    assert_eq!(browser.text(".row.tail .action"), "nothing can move");
    assert_quiet(&mut browser, "backward");
    let target = ["backward", "corpus/papers/b84_setup.argos", "--target", "sender@end"];
    let (file, run) = page("target", &target);
    browser.open(&file);
    assert!(
        run.text.contains(&browser.text("h1").replace("✓ ", "").replace("? ", "")),
        "{}",
        run.text
    );
    assert_quiet(&mut browser, "target");
}

/// Contrast of each pair of colours that text has, by the formula of WCAG 2.
#[test]
fn text_can_be_read_in_both_shades() {
    let mut browser = opened("contrast", &["check", "corpus/papers/abp_a3.argos"]);
    let script = "(() => {
      const style = getComputedStyle(document.documentElement);
      const shade = name => {
        const hex = style.getPropertyValue(name).trim();
        const parts = [1, 3, 5].map(at => parseInt(hex.slice(at, at + 2), 16) / 255);
        const [r, g, b] = parts.map(it => it <= 0.03928 ? it / 12.92 : ((it + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const pairs = [];
      for (const text of ['--ink', '--mute', '--message', '--bad', '--good', '--care', '--time'])
        for (const back of ['--bg', '--panel']) pairs.push([text, back]);
      pairs.push(['--bad', '--bad-bg'], ['--good', '--good-bg'], ['--care', '--care-bg'],
                 ['--ink', '--selected'], ['--ink', '--bad-bg'], ['--mute', '--selected']);
      return pairs.map(([text, back]) => {
        const [low, high] = [shade(text), shade(back)].sort((a, b) => a - b);
        return [text, back, (high + 0.05) / (low + 0.05)];
      });
    })()";
    for window in [LIGHT, DARK] {
        browser.resize(window);
        browser.settle();
        for pair in browser.eval(script).as_array().expect("a list") {
            assert!(pair[2].as_f64() >= Some(4.5), "{window:?}: {pair}");
        }
    }
}
