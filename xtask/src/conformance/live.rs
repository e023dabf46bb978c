//! `cargo xtask conformance --live`: every formula of the folder `LTL` of the SPIN package,
//! decided by `pan -a` and by argos.

use super::{Arguments, Set, each};
use serde_json::Value;
use std::fs;
use std::path::Path;
use testkit::limits::{Limits, Ran};
use testkit::spin::{self, Verifier};
use testkit::{argos, folder_with};

const BEGIN: &str =
    "<!-- formulas: begin; written by `cargo xtask conformance --live`, do not edit -->";
const END: &str = "<!-- formulas: end -->";

const GENERATE: [&str; 2] = ["spin", "-a"];
const COMPILE: [&str; 7] = ["gcc", "-O1", "-w", "-DNOREDUCE", "-o", "pan", "pan.c"];
const VERIFY: [&str; 4] = ["./pan", "-a", "-m1000000", "-w22"];

/// What a tool says of a formula.
#[derive(Clone, PartialEq, Eq)]
enum Answer {
    Holds,
    Violated,
    /// The model has another error, which keeps it from an answer.
    Error(String),
    Open(String),
}

impl Answer {
    fn text(&self) -> String {
        match self {
            Self::Holds => "holds".to_owned(),
            Self::Violated => "violated".to_owned(),
            Self::Error(what) => format!("error: {what}"),
            Self::Open(why) => format!("- ({why})"),
        }
    }

    /// Whether both say the same; none if one of them says nothing.
    fn agrees(&self, other: &Self) -> Option<bool> {
        match (self, other) {
            (Self::Open(_), _) | (_, Self::Open(_)) => None,
            (Self::Error(_), Self::Error(_)) => Some(true),
            _ => Some(self == other),
        }
    }
}

/// A formula of a model.
struct Row {
    model: String,
    formula: String,
    spin: Answer,
    ours: Answer,
}

/// What has to be said about a model.
const REMARKS: [(&str, &str); 4] = [
    (
        "LTL/ltl_example.pml",
        "`q` is a channel variable that never gets a channel, so `len(q)` means nothing in any \
         state. Both report an error of the model and give no verdict on the formula; argos \
         names the proposition and lists it under `no bad channel`.",
    ),
    (
        "LTL/ltl_gen.pml",
        "has no formula: it is a generator, which prints random formulas when it is simulated. \
         Its states are too many for both tools.",
    ),
    (
        "LTL/patterns.pml",
        "The SPIN of this machine is built without the operator `X` and refuses the whole file \
         because of it. It was given the file without the formulas that contain `X`; argos \
         decides those as well. The variables of the model are 0 in every state, so each verdict \
         can be checked by hand.",
    ),
    (
        "LTL/pftp.pml",
        "`pan` compiled with its reduction stops with an error: the formulas ask for the contents \
         of channels that the model declares with `xr` and `xs`. With `-DNOREDUCE` it decides \
         them. argos has no reduction that could be wrong here.",
    ),
];

/// Compares; the part of the document, and whether no answers differ.
pub(super) fn compare(
    set: &Set,
    binary: &Path,
    arguments: &Arguments,
) -> Result<(String, bool), String> {
    let mut rows: Vec<Row> = each(set, arguments, |model: &Path, name: String| {
        let wanted = name.starts_with("LTL/") && has_formulas(model);
        let rows = wanted.then(|| rows(model, &name, binary, arguments.limits()));
        rows.unwrap_or_default()
    })
    .into_iter()
    .flatten()
    .collect();
    rows.sort_by(|a, b| a.model.cmp(&b.model));
    let good = rows.iter().all(|row| row.spin.agrees(&row.ours) != Some(false));
    Ok((section(&rows, &spin::version()?, arguments), good))
}

fn has_formulas(model: &Path) -> bool {
    let text = fs::read_to_string(model).unwrap_or_default();
    text.lines().any(|line| line.split_whitespace().any(|word| word == "ltl"))
}

fn rows(model: &Path, name: &str, binary: &Path, limits: Limits) -> Vec<Row> {
    let ours = by_argos(model, binary, limits);
    let formulas: Vec<&str> = ours.iter().map(|(formula, _)| formula.as_str()).collect();
    let theirs = by_spin(model, &formulas, limits);
    eprintln!("{name}: {} formulas", formulas.len());
    let row = |((formula, ours), spin)| Row { model: name.to_owned(), formula, spin, ours };
    ours.clone().into_iter().zip(theirs).map(row).collect()
}

/// The formulas of a model and what argos says of them.
fn by_argos(model: &Path, binary: &Path, limits: Limits) -> Vec<(String, Answer)> {
    let report = match argos::limited_check(binary, model, &[], limits) {
        Ok((report, _)) => report,
        Err(failure) => return vec![("-".to_owned(), Answer::Open(failure.remark()))],
    };
    let none = Vec::new();
    let properties = report["properties"].as_array().unwrap_or(&none).iter();
    properties
        .filter(|property| property["kind"] == "ltl")
        .map(|property| {
            let name = property["name"].as_str().unwrap_or_default();
            let name = name.strip_prefix("ltl ").unwrap_or(name).to_owned();
            (name, answer(property, &report))
        })
        .collect()
}

fn answer(property: &Value, report: &Value) -> Answer {
    match property["verdict"].as_str() {
        Some("holds") => Answer::Holds,
        Some("violated") => Answer::Violated,
        _ => match property["note"].as_str() {
            Some(note) => Answer::Error(note.rsplit(": ").next().unwrap_or(note).to_owned()),
            None => Answer::Open(format!("INCOMPLETE: {}", argos::reasons(report).join(", "))),
        },
    }
}

/// What SPIN says of these formulas, in order.
fn by_spin(model: &Path, formulas: &[&str], limits: Limits) -> Vec<Answer> {
    let text = fs::read_to_string(model).unwrap_or_default();
    let open = |remark: &str| formulas.iter().map(|_| Answer::Open(remark.to_owned())).collect();
    let whole = Verifier::generate(model, &GENERATE, &COMPILE, limits);
    let (verifier, left_out) = match whole {
        Ok(verifier) => (verifier, Vec::new()),
        Err(refused) if refused.remark.ends_with("saw 'X'") => {
            let (text, left_out) = without_next(&text);
            let Ok(folder) = folder_with("model.pml", text) else { return open("not run") };
            let path = folder.path().join("model.pml");
            match Verifier::generate(&path, &GENERATE, &COMPILE, limits) {
                Ok(verifier) => (verifier, left_out),
                Err(refused) => return open(&refused.remark),
            }
        }
        Err(refused) => return open(&refused.remark),
    };
    let decide = |formula: &&str| match left_out.iter().any(|name| name == formula) {
        true => Answer::Open("SPIN refuses `X`".to_owned()),
        false => decided(&verifier, formula),
    };
    formulas.iter().map(decide).collect()
}

/// The text without the formulas that contain `X`, and the names of those.
fn without_next(text: &str) -> (String, Vec<String>) {
    let formula = |line: &str| -> Option<(String, bool)> {
        let (_, rest) = line.split_once("ltl ")?;
        let (name, body) = rest.split_once('{')?;
        let mut words = body.split(|c: char| !c.is_alphanumeric());
        Some((name.trim().to_owned(), words.any(|word| word == "X")))
    };
    let mut left_out = Vec::new();
    let kept = text.lines().filter(|line| match formula(line) {
        Some((name, true)) => {
            left_out.push(name);
            false
        }
        _ => true,
    });
    let kept: String = kept.map(|line| format!("{line}\n")).collect();
    (kept, left_out)
}

fn decided(verifier: &Verifier, formula: &str) -> Answer {
    let ran = verifier.run(&[&VERIFY[..], &["-N", formula]].concat());
    let read = ran.and_then(|ran| Ok((spin::figures(&ran)?, ran)));
    let (figures, ran) = match read {
        Ok(read) => read,
        Err(obstacle) => return Answer::Open(obstacle.remark),
    };
    match (figures.errors, figures.cut) {
        (Some(0), None | Some(spin::ROUNDED)) => Answer::Holds,
        (Some(0) | None, cut) => Answer::Open(cut.unwrap_or("no figures").to_owned()),
        (Some(_), _) => violated(&ran),
    }
}

/// An error of the claim, or another one.
fn violated(ran: &Ran) -> Answer {
    let told = ran.text.lines().find_map(|line| line.strip_prefix("pan:1: "));
    let told = told.unwrap_or_default().split(" (at depth").next().unwrap_or_default().trim();
    let of_claim = ["acceptance cycle", "end state in claim", "assertion violated"];
    match of_claim.iter().any(|words| told.starts_with(words)) {
        true => Answer::Violated,
        false => Answer::Error(told.to_owned()),
    }
}

fn section(rows: &[Row], version: &str, arguments: &Arguments) -> String {
    let count = |wanted: Option<bool>| {
        rows.iter().filter(|row| row.spin.agrees(&row.ours) == wanted).count()
    };
    let Limits { seconds, memory_kb, .. } = arguments.limits();
    let mut text = format!(
        "## Formulas of the SPIN package\n\n\
         {} formulas; {} with the same answer, {} not, {} without an answer of both.\n\n\
         Generated by `cargo xtask conformance --live{}`; each side had {seconds} s of processor\n\
         time and {} GB for each model or formula. SPIN is `{version}`:\n\n\
         ```text\n{} MODEL\n{}\n{} -N FORMULA\nargos check MODEL\n```\n\n\
         | model | formula | SPIN | argos | same |\n|---|---|---|---|---|\n",
        rows.len(),
        count(Some(true)),
        count(Some(false)),
        count(None),
        super::limit(arguments.limits()),
        memory_kb / (1024 * 1024),
        GENERATE.join(" "),
        COMPILE.join(" "),
        VERIFY.join(" "),
    );
    rows.iter().for_each(|each| text.push_str(&line(each)));
    text.push('\n');
    for (model, remark) in REMARKS {
        text.push_str(&format!("- `{model}`: {remark}\n"));
    }
    text
}

fn line(row: &Row) -> String {
    let same = match row.spin.agrees(&row.ours) {
        Some(true) => "yes",
        Some(false) => "NO",
        None => "-",
    };
    let cells = [&row.model, &row.formula, &row.spin.text(), &row.ours.text()];
    let cells = cells.map(|cell| cell.replace('|', "\\|"));
    format!("| {} | {same} |\n", cells.join(" | "))
}

/// The document with another part about formulas, at its end if it has none.
pub(super) fn inserted(document: &str, section: &str) -> String {
    let rest = document.split_once(BEGIN).map_or(document, |(head, _)| head);
    format!("{}\n\n{BEGIN}\n\n{section}\n{END}\n", rest.trim_end())
}

/// The part about formulas of a document.
pub(super) fn kept(document: &str) -> Option<&str> {
    let (_, rest) = document.split_once(BEGIN)?;
    Some(rest.split_once(END)?.0.trim())
}

#[cfg(test)]
mod tests {
    use super::{Answer, inserted, kept, violated, without_next};
    use testkit::limits::Ran;

    #[test]
    fn formulas_with_next_are_taken_out() {
        let text = "ltl a { [] X p }\nbyte X1;\nltl b { [] (X1 == 1) }\n";
        let (kept, left_out) = without_next(text);
        assert_eq!(kept, "byte X1;\nltl b { [] (X1 == 1) }\n");
        assert_eq!(left_out, ["a"]);
    }

    #[test]
    fn an_error_of_the_model_is_no_verdict() {
        let said = |text: &str| violated(&Ran { text: text.to_owned(), ..Ran::default() });
        assert!(said("pan:1: acceptance cycle (at depth 4)\n") == Answer::Violated);
        let other = said("pan:1: ref to uninitialized chan name (at depth 0)\n");
        assert_eq!(other.text(), "error: ref to uninitialized chan name");
        assert_eq!(other.agrees(&Answer::Error("bad channel".to_owned())), Some(true));
        assert_eq!(other.agrees(&Answer::Holds), Some(false));
        assert_eq!(Answer::Open("late".to_owned()).agrees(&Answer::Holds), None);
    }

    #[test]
    fn the_part_about_formulas_is_replaced_and_kept() {
        let once = inserted("# Title\n\nrows\n", "first");
        let twice = inserted(&once, "second");
        assert!(twice.starts_with("# Title\n\nrows\n\n<!--") && !twice.contains("first"));
        assert_eq!(kept(&twice), Some("second"));
        assert_eq!(kept("# Title\n"), None);
    }
}
