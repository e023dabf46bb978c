//! Random PROMELA models: argos and SPIN on each of them.
//!
//! In: seeds. Out: what came of each, and a smaller model for every disagreement.
//! The same seed gives the same model on every machine.

mod batch;
mod known;
mod shrink;

pub use batch::{Outcome, judge};
pub use known::KNOWN;
pub use shrink::keep;

use crate::finding::spin::{self, Recipe};
use crate::finding::{Finding, argos};
use crate::limits::{Clock, Limits};
use crate::promela::whole::{Piece, print};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A model that needs more is too large to be worth it.
const LIMITS: Limits = Limits { seconds: 5, clock: Clock::Processor, memory_kb: 1024 * 1024 };
const VERIFY: [&str; 5] = ["./pan", "-c0", "-n", "-m10000", "-w16"];
/// The memory of the verifier, in MB: some 100 000 states.
const SMALL: &str = "-DMEMLIM=16";

/// Rules other than the usual ones, by the flags of both: a full channel loses what is sent, the
/// inner of two escapes goes first, a proper end has no messages left.
struct Rule {
    spin: &'static [&'static str],
    pan: &'static [&'static str],
    argos: &'static [&'static str],
    /// Only models with this have a chance to differ by it.
    needs: &'static str,
    /// SPIN takes an escape once for each option of the choice it interrupts: the states are the
    /// same, with more transitions between them, and errors are met more often.
    repeats: bool,
}

const USUAL: Rule = Rule { spin: &[], pan: &[], argos: &[], needs: "", repeats: false };
const RULES: [Rule; 3] = [
    Rule { spin: &["-m"], argos: &["--lossy"], needs: "!", ..USUAL },
    Rule { pan: &["-J"], argos: &["--inner-unless"], needs: "unless", repeats: true, ..USUAL },
    Rule { pan: &["-q"], argos: &["--queues-empty"], needs: "!", ..USUAL },
];

/// What the comparison of a model says.
#[derive(Debug)]
pub enum Judgement {
    /// The same figures and errors.
    Agrees {
        /// How many states SPIN stores.
        states: u64,
        /// The kinds of errors.
        kinds: Vec<String>,
    },
    /// SPIN does not take the model.
    Refused(String),
    /// The search of one of the two is not complete.
    Large(String),
    /// They differ for a known reason.
    Known {
        /// Its name.
        name: &'static str,
        /// What each says.
        told: String,
    },
    /// They differ.
    Differs {
        /// In which way.
        way: String,
        /// What each says.
        told: String,
    },
}

impl Judgement {
    /// This and another agreement are one; of anything else the other counts.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Agrees { kinds: mut all, .. }, Self::Agrees { states, kinds }) => {
                all.extend(kinds);
                all.sort();
                all.dedup();
                Self::Agrees { states, kinds: all }
            }
            (_, other) => other,
        }
    }

    /// Whether there was something to compare.
    pub fn compared(&self) -> bool {
        !matches!(self, Self::Refused(_) | Self::Large(_))
    }
}

/// The two tools.
pub struct Judge {
    argos: PathBuf,
    /// There is `tcc`.
    quick: bool,
    folder: PathBuf,
    next: AtomicUsize,
}

impl Judge {
    /// Judges with this argos, in a folder for scratch files.
    pub fn new(argos: &Path, folder: &Path) -> Self {
        Self {
            argos: argos.to_owned(),
            quick: crate::spin::has_tcc(),
            folder: folder.to_owned(),
            next: AtomicUsize::new(0),
        }
    }

    /// Compares a model, with its claim and, if it has one, without; and by the rules that matter
    /// to it.
    pub fn model(&self, model: &[Piece]) -> Judgement {
        let text = print(model);
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let file = self.folder.join(format!("random-{}-{number}.pml", std::process::id()));
        if let Err(error) = fs::write(&file, &text) {
            let told = format!("{}: {error}", file.display());
            return Judgement::Differs { way: "no file".to_owned(), told };
        }
        let claimed = text.contains("never {");
        let mut judgement = self.file(model, &file, &USUAL, claimed);
        let further = RULES.iter().filter(|rule| text.contains(rule.needs));
        for rule in claimed.then_some(&USUAL).into_iter().chain(further) {
            if matches!(judgement, Judgement::Agrees { .. }) {
                judgement = judgement.and(self.file(model, &file, rule, false));
            }
        }
        // What cannot be removed is left to the system's own cleaning.
        let _ = fs::remove_file(&file);
        judgement
    }

    /// What each of the two says about a file, its claim included.
    pub fn describe(&self, file: &Path) -> String {
        let (spin, ours) = self.findings(file, &USUAL, true, &["gcc", "-O0", "-fwrapv"]);
        both(&spin, &ours)
    }

    fn file(&self, model: &[Piece], file: &Path, rule: &Rule, claim: bool) -> Judgement {
        if self.quick {
            let judgement = self.compiled(model, file, (rule, claim), &["tcc"]);
            let sure = !matches!(judgement, Judgement::Differs { .. });
            if sure {
                return judgement;
            }
        }
        self.compiled(model, file, (rule, claim), &["gcc", "-O0", "-fwrapv"])
    }

    fn compiled(
        &self,
        model: &[Piece],
        file: &Path,
        (rule, claim): (&Rule, bool),
        compiler: &[&str],
    ) -> Judgement {
        let mut compiler = compiler.to_vec();
        if known::priorities(model) {
            compiler.push("-DNOCOMP");
        }
        let (spin, ours) = self.findings(file, rule, claim, &compiler);
        let refused = says(&spin, &["refuses", "not compile"]);
        if !spin.read || spin.counts.is_none() && refused {
            return Judgement::Refused(spin.remark.unwrap_or_default());
        }
        if is_large(&spin) {
            return Judgement::Large(spin.remark.unwrap_or_default());
        }
        verdict(model, &spin, &ours, (rule, claim))
    }

    fn findings(
        &self,
        file: &Path,
        rule: &Rule,
        claim: bool,
        compiler: &[&str],
    ) -> (Finding, Finding) {
        let mut compiler = [compiler, &[SMALL]].concat();
        let mut options = vec!["--spin-counts", "--all-errors", "--search", "dfs"];
        options.extend(rule.argos);
        if !claim {
            compiler.push("-DNOCLAIM");
            options.push("--no-claims");
        }
        let generate = [&crate::spin::GENERATE, rule.spin].concat();
        let verify = [&VERIFY, rule.pan].concat();
        let recipe = Recipe {
            generate: &generate,
            compiler: &compiler,
            options: spin::WHOLE,
            verify: &verify,
        };
        let spin = spin::verify(file, &recipe, LIMITS);
        if spin.counts.is_none() && !says(&spin, &["killed"]) || is_large(&spin) {
            return (spin, Finding::default());
        }
        let ours = argos::check(&self.argos, file, &options, LIMITS);
        (spin, ours)
    }
}

/// Whether the verifier ran into a limit.
fn is_large(spin: &Finding) -> bool {
    says(spin, &["out of time", "out of depth", "out of memory", "vector too small", "too many"])
}

fn says(finding: &Finding, words: &[&str]) -> bool {
    let remark = finding.remark.as_deref().unwrap_or_default();
    words.iter().any(|words| remark.contains(words))
}

fn verdict(
    model: &[Piece],
    spin: &Finding,
    ours: &Finding,
    (rule, claim): (&Rule, bool),
) -> Judgement {
    let stored = |finding: &Finding| finding.counts.map(|[stored, ..]| stored);
    let same_counts = spin.counts == ours.counts || rule.repeats && stored(spin) == stored(ours);
    // Behind a claim SPIN meets the same error many times.
    let same_errors = claim
        || rule.repeats && spin.errors > ours.errors
        || spin.errors == ours.errors
        || spin.errors > ours.errors && known::is_counted_twice(model, spin);
    if spin.complete && ours.complete && same_counts && spin.kinds == ours.kinds && same_errors {
        let states = spin.counts.map_or(0, |[stored, ..]| stored);
        return Judgement::Agrees { states, kinds: spin.kinds.iter().cloned().collect() };
    }
    match known::difference(model, spin, ours) {
        Some(name) => Judgement::Known { name, told: both(spin, ours) },
        None => Judgement::Differs { way: way(spin, ours), told: both(spin, ours) },
    }
}

/// What is the same while a disagreement shrinks.
fn way(spin: &Finding, ours: &Finding) -> String {
    let kinds: Vec<&String> = spin.kinds.symmetric_difference(&ours.kinds).collect();
    format!(
        "counts {} errors {} kinds {kinds:?} {:?} {:?}",
        spin.counts == ours.counts,
        spin.errors == ours.errors,
        spin.remark,
        ours.remark
    )
}

fn both(spin: &Finding, ours: &Finding) -> String {
    format!("SPIN {}; argos {}", told(spin), told(ours))
}

/// A finding in one line.
fn told(finding: &Finding) -> String {
    let [stored, matched, transitions] = finding.counts.unwrap_or_default();
    let kinds: Vec<&str> = finding.kinds.iter().map(String::as_str).collect();
    let errors = finding.errors.map_or("?".to_owned(), |errors| errors.to_string());
    let mut text = format!("{stored}/{matched}/{transitions}, {errors} errors");
    if !kinds.is_empty() {
        text.push_str(&format!(" ({})", kinds.join(", ")));
    }
    if let Some(remark) = &finding.remark {
        text.push_str(&format!(", {remark}"));
    }
    text
}
