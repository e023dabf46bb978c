//! `argos sim`: one run at a time by the reference interpreters: random, chosen step by step
//! with the way back, or along a saved run.

use crate::subject::MachineForm;
use crate::{Loaded, Options};
use base::Purpose;
use report::Machine;
use trace::{Run, RunRules};

/// A run of a model at its start, by rules that were saved or by the ordinary ones; `None` if
/// the text has errors. A model whose initial values fail has no start: the failure is said in
/// words.
pub fn simulate<'a>(
    loaded: &'a Loaded,
    options: &Options,
    saved: Option<&RunRules>,
) -> Option<Result<Box<dyn Run + 'a>, String>> {
    let rules = saved.cloned().unwrap_or(RunRules { ordinary: true, ..RunRules::default() });
    let run = loaded.subject.as_ref()?.run(options, &rules, &loaded.sources);
    Some(run.map_err(|failure| failure.message))
}

/// The predicates of this purpose by their numbers, as they are written.
pub fn predicates(loaded: &Loaded, purpose: Purpose) -> Vec<(usize, String)> {
    let all = loaded.subject.as_ref().map_or_else(Vec::new, |subject| subject.predicates());
    let all = all.into_iter().enumerate().filter(|(_, (other, _))| *other == purpose);
    let words = |span| loaded.sources.text(span).split_whitespace().collect::<Vec<_>>().join(" ");
    all.map(|(number, (_, span))| (number, words(span))).collect()
}

/// The machines of a model as they are written.
pub fn machines(loaded: &Loaded) -> Vec<Machine> {
    let subject = loaded.subject.as_ref();
    let written = MachineForm::Written(None);
    subject.map_or_else(Vec::new, |subject| subject.machines(written, &loaded.sources))
}
