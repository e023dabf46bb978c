//! The texts that are read with a model: what is defined, and what stands behind it.

use super::Options;
use base::Purpose;
use preprocess::Further;

impl Options {
    /// The part that decides what the text means.
    pub(crate) fn preprocess(&self) -> preprocess::Options {
        let text = |text: &String, name: &str, purpose| Further::Text {
            name: name.to_owned(),
            text: text.clone(),
            purpose,
        };
        let texts = self.ltl.iter().map(|formula| text(formula, "--ltl", None));
        let files = self.ltl_files.iter().cloned().map(Further::File);
        let of = |purpose: Purpose, all: &[String]| {
            let all = all.iter().map(|it| text(it, purpose.option(), Some(purpose)));
            all.collect::<Vec<_>>()
        };
        let invariants = of(Purpose::Invariant, &self.invariants);
        let covers = of(Purpose::Cover, &self.covers);
        let of_runs = of(Purpose::Until, &self.until).into_iter();
        let of_runs = of_runs.chain(of(Purpose::Break, &self.breaks));
        let of_runs = of_runs.chain(of(Purpose::Target, self.target.as_slice()));
        let further = texts.chain(files).chain(invariants).chain(covers).chain(of_runs).collect();
        // What is left then are line markers; macros must not be expanded twice.
        if self.cpp.is_some() {
            return preprocess::Options { further, ..preprocess::Options::default() };
        }
        preprocess::Options {
            defines: self.defines.clone(),
            include_paths: self.include_paths.clone(),
            further,
        }
    }
}
