//! `argos spin`: the command line of SPIN and of its verifier. Standard output is in
//! SPIN's form; everything of ours goes to standard error.

mod flags;
mod pan;
mod table;

use crate::args::ProgressForm;
use crate::host::Machine;
use crate::output::{complain, internal_error, model_name, read_file, refuse, save, say};
use flags::{Asked, Mode, TrailFile};
use pipeline::spin::{self, EdgeRun, Ended, SpinError, SpinModel, Trail, Verified};
use pipeline::{Options, Search, Source};
use report::{Language, Look};

/// Runs the command that was typed behind `argos spin`.
pub(crate) fn run(typed: &[String]) -> u8 {
    let asked = match flags::read(typed) {
        Ok(asked) => asked,
        Err(problem) => {
            return refuse(&problem);
        }
    };
    let spin_exit = asked.spin_exit;
    let code = done(&asked).unwrap_or_else(|code| code);
    match code {
        1 | 4 if spin_exit => 0,
        code => code,
    }
}

fn done(asked: &Asked) -> Result<u8, u8> {
    match asked.mode {
        Mode::Help => return Ok(crate::help::run(Some("spin"))),
        Mode::Version => {
            let version = env!("CARGO_PKG_VERSION");
            say(&format!("argos {version}, in the form of Spin Version 6.5.2\n"));
            return Ok(0);
        }
        _ => {}
    }
    let bytes = read_file(&asked.file)?;
    let file = model_name(&asked.file);
    let source = Source { language: Language::Promela, ..Source::new(file, &bytes) };
    let host = Machine::deaf().reading(&asked.file);
    let options = Options { defines: asked.defines.clone(), ..Options::default() };
    if asked.mode == Mode::Preprocess {
        return preprocessed(source, &options, &host);
    }
    let loaded = pipeline::load(source, &options, &host);
    let Some(spin) = SpinModel::new(&loaded) else {
        say(&report::diagnostics(&loaded.errors(), &loaded.sources, &Look::default()));
        return Ok(3);
    };
    for note in &asked.notes {
        complain(note);
    }
    let model = Model { asked, file, spin };
    match asked.mode {
        Mode::Generate => {
            complain(&format!(
                "{file} is read without errors; nothing has to be generated or compiled: \
                 argos spin -run {file}"
            ));
            Ok(0)
        }
        Mode::Verify => model.verify(),
        Mode::Replay => model.replay(),
        _ => model.random(),
    }
}

/// The text after the preprocessor.
fn preprocessed(source: Source<'_>, options: &Options, host: &Machine) -> Result<u8, u8> {
    let text = pipeline::preprocessed(source, options, host);
    match text {
        Ok(text) => {
            complain("the text behind the preprocessor; calls of `inline` are not expanded in it");
            say(&text);
            Ok(0)
        }
        Err((diagnostics, sources)) => {
            say(&report::diagnostics(&diagnostics, &sources, &Look::default()));
            Ok(3)
        }
    }
}

/// A model that was read, and what to do with it.
struct Model<'a> {
    asked: &'a Asked,
    file: &'a str,
    spin: SpinModel<'a>,
}

impl Model<'_> {
    fn verify(&self) -> Result<u8, u8> {
        let mut verification = self.asked.verification.clone();
        if verification.options.search == Search::Auto {
            verification.options.search = Search::Dfs;
        }
        let mut machine = Machine::new(ProgressForm::Auto, verification.options.memory);
        let verified = spin::verify(self.spin, &verification, &mut machine);
        machine.finish();
        let verified = verified.map_err(|refusal| refuse(&refusal.to_string()))?;
        if let Some(claim) = &verified.claim {
            say(&format!("pan: ltl formula {claim}\n"));
        }
        let written = self.errors(&verified)?;
        say(&verified.summary);
        self.remarks(&verified, written);
        Ok(verified.exit_code())
    }

    /// Prints the errors and writes their trails; how many were written.
    fn errors(&self, verified: &Verified) -> Result<usize, u8> {
        let mut written = 0;
        for (index, error) in verified.errors.iter().enumerate() {
            say(&format!("pan:{}: {}\n", index + 1, error.message));
            let wanted = index == 0 || self.asked.all_trails;
            if wanted && self.trail(error, index + 1)? {
                written += 1;
            }
        }
        Ok(written)
    }

    fn trail(&self, error: &SpinError, number: usize) -> Result<bool, u8> {
        let Some(trail) = &error.trail else { return Ok(false) };
        let suffix = self.asked.suffix.as_deref().unwrap_or("trail");
        let number = if self.asked.all_trails { number.to_string() } else { String::new() };
        let name = format!("{}{number}.{suffix}", self.asked.file);
        if self.asked.keep_trail && std::path::Path::new(&name).exists() {
            complain(&format!("{name} is there already and was kept (-x)"));
            return Ok(false);
        }
        save(&trail.text(), &name)?;
        say(&format!("pan: wrote {name}\n"));
        Ok(true)
    }

    /// What SPIN does not say, and what its user should know.
    fn remarks(&self, verified: &Verified, written: usize) {
        for words in verified.open.iter().chain(&verified.notes) {
            complain(words);
        }
        if let Some(fault) = &verified.internal_error {
            complain(&internal_error(self.file, fault));
        }
        if written < usize::from(!verified.errors.is_empty()) && !self.asked.keep_trail {
            complain("no trail was written: SPIN's numbers for the statements are not known here");
        }
        let code = verified.exit_code();
        if matches!(code, 1 | 4) && !self.asked.spin_exit {
            complain(&format!("exit code {code} (pan: 0); --spin-exit gives 0"));
        }
    }

    fn replay(&self) -> Result<u8, u8> {
        let name = match &self.asked.trail {
            TrailFile::First => format!("{}.trail", self.asked.file),
            TrailFile::Numbered(number) => format!("{}{number}.trail", self.asked.file),
            TrailFile::Named(name) => name.clone(),
        };
        let bytes = read_file(&name)?;
        let text = String::from_utf8_lossy(&bytes);
        let trail = Trail::parse(&text)
            .map_err(|problem| refuse(&format!("{name} is no trail of SPIN: {problem}")))?;
        let meaning = self.asked.meaning;
        match self.spin.follow(&trail, meaning) {
            Ok(run) => {
                say(&self.text(&run, Ended::Trail));
                for note in self.spin.notes(&trail, &run) {
                    complain(note);
                }
                let violated = self.spin.violated(&run);
                for name in &violated {
                    complain(&format!("this run violates ltl {name}"));
                }
                Ok(u8::from(!violated.is_empty() || self.spin.is_wrong(&run)))
            }
            Err(lost) => {
                if let Some(run) = &lost.run {
                    say(&self.text(run, Ended::Trail));
                }
                Err(refuse(&format!(
                    "{name} does not fit {}: {}. A trail is for one text, and for the flags -m \
                     and -J it was made with",
                    self.file, lost.reason
                )))
            }
        }
    }

    fn text(&self, run: &EdgeRun, ended: Ended) -> String {
        self.spin.text(run, &self.asked.form, ended)
    }

    fn random(&self) -> Result<u8, u8> {
        let seed = self.asked.seed.unwrap_or_else(crate::sim::fresh_seed);
        let (form, meaning) = (&self.asked.form, self.asked.meaning);
        // A random run of a model that goes on for ever must end.
        let steps_max = form.steps_max.unwrap_or(STEPS_MAX);
        let found = spin::random(self.spin, meaning, seed, Some(steps_max));
        let Some((run, ended)) = found else {
            complain(&format!("the initial values of {} fail (argos check says how)", self.file));
            return Ok(1);
        };
        if self.spin.has_claims() {
            say("warning: never claim not used in random simulation\n");
        }
        say(&self.text(&run, ended));
        if self.asked.tell_seed {
            say(&format!("seed used: -n{seed}\n"));
        } else if self.asked.seed.is_none() {
            complain(&format!("a random run; -n{seed} gives it again"));
        }
        Ok(u8::from(self.spin.is_wrong(&run)))
    }
}

/// Steps of a random run unless `-u` says otherwise.
const STEPS_MAX: u64 = 10_000;

/// What `argos spin --help` adds to the usage line.
pub(crate) const HELP: &str = include_str!("spin/help.txt");
