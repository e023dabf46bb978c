//! SPIN's command line. What stands before `-run` is for `spin`, what stands behind
//! it for the C compiler and for `pan`. Each flag is done, or noted to have no
//! effect, or refused with what to write instead; none is passed over in silence.

use super::{pan, table};
use pipeline::spin::{Cycles, Form, Meaning, Verification};

/// What is to be done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Mode {
    /// No flag says otherwise: a random run.
    #[default]
    Random,
    /// `-a`
    Generate,
    /// `-run`, `-search`
    Verify,
    /// `-t`, `-k`, `-replay`
    Replay,
    /// `-I`
    Preprocess,
    /// `-V`
    Version,
    /// `--help`
    Help,
}

/// Which trail is meant.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) enum TrailFile {
    /// `FILE.trail`
    #[default]
    First,
    /// `FILEn.trail`
    Numbered(u32),
    /// Any file.
    Named(String),
}

/// A command line, understood.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Asked {
    pub(super) mode: Mode,
    pub(super) file: String,
    pub(super) defines: Vec<(String, Option<String>)>,
    pub(super) form: Form,
    pub(super) meaning: Meaning,
    pub(super) trail: TrailFile,
    pub(super) seed: Option<u64>,
    /// `-h`: print the seed.
    pub(super) tell_seed: bool,
    pub(super) verification: Verification,
    /// `-safety`, `-DSAFETY`: no cycles.
    pub(super) no_cycles: bool,
    /// `-e`: a trail for each error.
    pub(super) all_trails: bool,
    /// `-tSUF` of pan: trails end in this instead of `trail`.
    pub(super) suffix: Option<String>,
    /// `-x`: an old trail is kept.
    pub(super) keep_trail: bool,
    /// `--spin-exit`: 0 where pan ends with 0.
    pub(super) spin_exit: bool,
    /// What had no effect, and why.
    pub(super) notes: Vec<String>,
}

/// The words that are left to read.
pub(super) struct Words {
    words: Vec<String>,
    next: usize,
}

impl Words {
    /// The word behind a flag that needs one.
    pub(super) fn argument(&mut self, flag: &str, what: &str) -> Result<String, String> {
        // The last word is the model.
        if self.next + 1 >= self.words.len() {
            return Err(format!("{flag} needs {what}"));
        }
        self.next += 1;
        Ok(self.words[self.next - 1].clone())
    }

    /// A number glued to its flag, or the next word if it is one.
    pub(super) fn number(&mut self, flag: &str, glued: &str) -> Result<u64, String> {
        let next = self.words.get(self.next).filter(|_| self.next + 1 < self.words.len());
        let separate = next.filter(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
        let text = match (glued, separate) {
            ("", Some(word)) => {
                self.next += 1;
                word.as_str()
            }
            _ => glued,
        };
        text.parse().map_err(|_| format!("{flag} needs a number, as {flag}100"))
    }
}

/// Reads a command line; what is wrong with it, in words.
pub(super) fn read(typed: &[String]) -> Result<Asked, String> {
    let mut asked = Asked::default();
    let mut words = Words { words: typed.to_vec(), next: 0 };
    let mut is_run = false;
    while let Some(word) = words.words.get(words.next).cloned() {
        words.next += 1;
        match word.as_str() {
            "--help" => asked.mode = Mode::Help,
            "--spin-exit" => asked.spin_exit = true,
            "-run" | "-search" => {
                is_run = true;
                asked.mode = Mode::Verify;
            }
            _ if word == "-" || !word.starts_with('-') => {
                if !asked.file.is_empty() {
                    return Err(format!("two models, {} and {word}; one at a time", asked.file));
                }
                asked.file = word;
            }
            _ if is_run => pan::flag(&word, &mut words, &mut asked)?,
            _ => flag(&word, &mut words, &mut asked)?,
        }
    }
    if asked.file.is_empty() && !matches!(asked.mode, Mode::Version | Mode::Help) {
        return Err("no model is named (argos spin --help)".to_owned());
    }
    if asked.no_cycles {
        safety_only(&mut asked.verification)?;
    }
    asked.verification.meaning = asked.meaning;
    asked.verification.options.defines.clone_from(&asked.defines);
    Ok(asked)
}

/// A flag of `spin`.
fn flag(word: &str, words: &mut Words, asked: &mut Asked) -> Result<(), String> {
    if let Some(entry) = table::find(table::SPIN, word) {
        return entry.settle(word, asked);
    }
    if pan::is_of_pan_only(word) {
        return pan::flag(word, words, asked);
    }
    match word {
        "-replay" => asked.mode = Mode::Replay,
        "-k" => {
            asked.mode = Mode::Replay;
            asked.trail = TrailFile::Named(words.argument("-k", "the name of a trail")?);
        }
        _ => return lettered(word, words, asked),
    }
    Ok(())
}

/// `-safety`: as in pan, nobody can ask for cycles beside it.
fn safety_only(verification: &mut Verification) -> Result<(), String> {
    if verification.cycles != Cycles::Unsaid || verification.fair {
        return Err("-a, -l and -f are for cycles, and -safety (-DSAFETY) is for none".to_owned());
    }
    verification.cycles = Cycles::None;
    Ok(())
}

/// A flag of one letter, perhaps with something glued to it.
fn lettered(word: &str, words: &mut Words, asked: &mut Asked) -> Result<(), String> {
    let mut letters = word[1..].chars();
    let (Some(letter), rest) = (letters.next(), letters.as_str()) else {
        return Err(unknown(word));
    };
    match letter {
        'D' => asked.defines.push(define(rest, words)?),
        'U' => asked.defines.retain(|(name, _)| name != rest),
        'n' => asked.seed = Some(words.number("-n", rest)?),
        'u' => asked.form.steps_max = Some(words.number("-u", rest)?),
        'j' => asked.form.skip = words.number("-j", rest)?,
        'q' => drop(asked.form.hidden_queues.insert(words.number("-q", rest)? as usize)),
        't' => {
            asked.mode = Mode::Replay;
            let number = || rest.parse().map_err(|_| format!("{word}: -tN takes a number"));
            asked.trail =
                if rest.is_empty() { TrailFile::First } else { TrailFile::Numbered(number()?) };
        }
        // `-pgl` is `-p -g -l`, in SPIN too.
        _ if !rest.is_empty() && word.chars().skip(1).all(|letter| "pglrsc".contains(letter)) => {
            for letter in word.chars().skip(1) {
                switch(letter, asked);
            }
        }
        _ if rest.is_empty() && switch(letter, asked) => {}
        _ => return Err(unknown(word)),
    }
    Ok(())
}

/// A flag without a value; whether there is one of this letter.
fn switch(letter: char, asked: &mut Asked) -> bool {
    let form = &mut asked.form;
    match letter {
        'a' if asked.mode == Mode::Random => asked.mode = Mode::Generate,
        'a' => {}
        'p' => form.statements = true,
        'g' => form.globals = true,
        'l' => form.locals = true,
        'r' => form.receives = true,
        's' => form.sends = true,
        'c' => form.columns = true,
        'T' => form.flush_left = true,
        'b' => form.silent = true,
        'B' => form.no_final_state = true,
        'h' => asked.tell_seed = true,
        'I' => asked.mode = Mode::Preprocess,
        'V' => asked.mode = Mode::Version,
        'm' => asked.meaning.lossy_sends = true,
        'J' => asked.meaning.inner_unless_first = true,
        _ => return false,
    }
    true
}

/// `NAME` or `NAME=VALUE`, glued or as the next word.
fn define(glued: &str, words: &mut Words) -> Result<(String, Option<String>), String> {
    let text = match glued {
        "" => words.argument("-D", "a name, as -DN=3")?,
        _ => glued.to_owned(),
    };
    crate::args::define(&text)
}

pub(super) fn unknown(word: &str) -> String {
    format!("{word} is no flag of spin, or not at this place (argos spin --help lists them)")
}
