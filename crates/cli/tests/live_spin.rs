//! Formulas without fairness: argos and SPIN's verifier agree on random models and on models of
//! the SPIN package. Needs `spin` and `gcc`; `tcc` makes it faster.
//!
//! What SPIN is known to get wrong is left out: acceptance labels of processes count in its
//! formulas, and `_nr_pr` counts the claim (`corpus/live`).

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use testkit::limits::{Clock, Limits};
use testkit::promela::endless;
use testkit::spin::{self, Verifier};
use testkit::{argos, folder_with, for_seeds};

/// Random models if there is `tcc`, and if not: `gcc` takes a second for each.
const MODELS: [u64; 2] = [500, 60];
/// Formulas of each.
const FORMULAS: usize = 3;

/// Models of the package that are decided in a moment.
const PACKAGE: [&str; 6] =
    ["train.pml", "mobile2.pml", "diskhead.pml", "salesman1.pml", "salesman2.pml", "zune.pml"];

const LIMITS: Limits = Limits { seconds: 4, clock: Clock::Processor, memory_kb: 2 * 1024 * 1024 };

/// Whether each formula is violated.
type Verdicts = BTreeMap<String, bool>;

/// What SPIN says; `None` if it refuses the model or runs into a limit.
fn by_spin(model: &Path, formulas: &[String], compiler: &[&str]) -> Option<Verdicts> {
    let compile = [compiler, &["-w", "-DNOREDUCE", "-o", "pan", "pan.c"]].concat();
    let verifier = Verifier::build(model, &compile, LIMITS).ok()?;
    let mut verdicts = Verdicts::new();
    for formula in formulas {
        let command = ["./pan", "-a", "-m100000", "-w18", "-N", formula.as_str()];
        let ran = verifier.run(&command).ok()?;
        let figures = spin::figures(&ran).ok()?;
        let violated = figures.errors? > 0;
        if !violated && figures.cut.is_some() {
            return None;
        }
        verdicts.insert(formula.clone(), violated);
    }
    Some(verdicts)
}

/// What argos says.
fn by_argos(model: &Path, formulas: &[String]) -> Verdicts {
    let (code, report) = argos::check(model, &[]);
    assert_ne!(code, 5, "{}", fs::read_to_string(model).unwrap_or_default());
    let properties = report["properties"].as_array().expect("a list of properties");
    let verdict = |formula: &String| {
        let name = format!("ltl {formula}");
        let property = properties.iter().find(|it| it["name"] == name.as_str());
        let verdict = property.and_then(|it| it["verdict"].as_str()).expect("a verdict");
        assert_ne!(verdict, "unknown", "{formula} of {}", model.display());
        (formula.clone(), verdict == "violated")
    };
    formulas.iter().map(verdict).collect()
}

/// The names of the formulas of a model.
fn formulas(text: &str) -> Vec<String> {
    let named = text.lines().filter_map(|line| line.trim().strip_prefix("ltl "));
    let names = named.filter_map(|rest| rest.split_whitespace().next());
    names.map(|name| if name == "{" { "ltl_0" } else { name }.to_owned()).collect()
}

/// The quickest there is.
fn compiler() -> &'static [&'static str] {
    if spin::has_tcc() { &["tcc"] } else { &["gcc", "-O0", "-fwrapv"] }
}

#[test]
fn random_models_have_the_verdicts_of_spin() {
    let names: Vec<String> = (0..FORMULAS).map(|number| format!("z{number}")).collect();
    let models = MODELS[usize::from(!spin::has_tcc())];
    let (mut compared, mut violated) = (0, 0);
    for_seeds(0..models, |_, random| {
        let formulas = endless::formulas(random, FORMULAS, false, &endless::PORTABLE);
        let text = endless::model(random, true) + &formulas;
        let folder = folder_with("random.pml", &text).expect("a folder for a model");
        let model = folder.path().join("random.pml");
        let Some(theirs) = by_spin(&model, &names, compiler()) else { return };
        let ours = by_argos(&model, &names);
        assert_eq!(ours, theirs, "argos, then SPIN: which is violated\n{text}");
        compared += 1;
        violated += ours.values().filter(|violated| **violated).count();
    });
    assert!(compared * 10 >= models * 8, "{compared} models compared; is spin installed?");
    let all = compared as usize * FORMULAS;
    assert!(violated * 5 > all && violated * 5 < all * 4, "{violated} of {all} are violated");
}

#[test]
fn models_of_the_package_have_the_verdicts_of_spin() {
    for name in PACKAGE {
        let text = spin::installed(&format!("LTL/{name}")).expect("spin is installed");
        let formulas = formulas(&text);
        let folder = folder_with(name, &text).expect("a folder for a model");
        let model = folder.path().join(name);
        let theirs = by_spin(&model, &formulas, &["gcc", "-O1"]).expect("SPIN decides it");
        assert_eq!(by_argos(&model, &formulas), theirs, "{name}: argos, then SPIN");
    }
}
