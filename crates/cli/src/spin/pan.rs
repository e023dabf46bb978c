//! The flags of `pan` and of the C compiler: those that follow `-run`.

use super::flags::{Asked, Words, unknown};
use super::table;
use pipeline::Search;
use pipeline::spin::{Cycles, Errors};

/// Flags that mean the same wherever they stand, for `spin` has none like them.
pub(super) fn is_of_pan_only(word: &str) -> bool {
    let known = ["-noclaim", "-noreduce", "-bfs", "-safety", "-ltl", "-collapse", "-bitstate"];
    known.contains(&word)
}

/// A flag behind `-run`.
pub(super) fn flag(word: &str, words: &mut Words, asked: &mut Asked) -> Result<(), String> {
    if named(word, words, asked)? {
        return Ok(());
    }
    if let Some(rest) = word.strip_prefix("-D").filter(|rest| !rest.is_empty()) {
        return defined(word, rest, asked);
    }
    // `-o1` to `-o7` are for spin, wherever they stand.
    let of_spin = word.starts_with("-o").then(|| table::find(table::SPIN, word)).flatten();
    match of_spin.or_else(|| table::find(table::PAN, word)) {
        Some(entry) => entry.settle(word, asked),
        None => lettered(word, words, asked),
    }
}

/// Flags of several letters that do something; whether it is one.
fn named(word: &str, words: &mut Words, asked: &mut Asked) -> Result<bool, String> {
    match word {
        "-noclaim" => asked.verification.no_claim = true,
        "-safety" => asked.no_cycles = true,
        "-bfs" => asked.verification.options.search = Search::Bfs,
        "-ltl" => asked.verification.claim = Some(words.argument("-ltl", "the name of a formula")?),
        "-N" => asked.verification.claim = Some(words.argument("-N", "the name of a claim")?),
        _ => return Ok(false),
    }
    Ok(true)
}

/// A macro for the C compiler.
fn defined(word: &str, rest: &str, asked: &mut Asked) -> Result<(), String> {
    let (name, value) = rest.split_once('=').unwrap_or((rest, ""));
    match name {
        "NOCLAIM" => asked.verification.no_claim = true,
        "BFS" => asked.verification.options.search = Search::Bfs,
        "SAFETY" => asked.no_cycles = true,
        "NP" => asked.verification.cycles = Cycles::Progress,
        "MEMLIM" => {
            let megabytes: u64 =
                value.parse().map_err(|_| format!("{word}: -DMEMLIM=N takes megabytes"))?;
            asked.verification.options.memory = megabytes.checked_mul(1 << 20);
        }
        _ => match table::find(table::PAN, word) {
            Some(entry) => return entry.settle(word, asked),
            None => {
                return Err(format!(
                    "{word} behind -run is for the C compiler, which is not called; a macro of \
                     the model stands before -run"
                ));
            }
        },
    }
    Ok(())
}

/// A flag of one letter, perhaps with something glued to it.
fn lettered(word: &str, words: &mut Words, asked: &mut Asked) -> Result<(), String> {
    let mut letters = word[1..].chars();
    let (letter, rest) = (letters.next().unwrap_or('-'), letters.as_str());
    let verification = &mut asked.verification;
    match (letter, rest) {
        ('m', _) => verification.options.depth = Some(words.number("-m", rest)?),
        ('c', _) => match words.number("-c", rest)? {
            1 => verification.errors = Errors::First,
            count => {
                verification.errors = Errors::All;
                if count > 1 {
                    asked.notes.push(format!("-c{count}: all errors are looked for, as by -c0"));
                }
            }
        },
        ('Q', _) => verification.options.time = Some(words.number("-Q", rest)? as f64 * 60.0),
        ('t', _) if !rest.is_empty() => asked.suffix = Some(rest.to_owned()),
        (_, "") => return switch(letter, word, asked),
        _ => return Err(unknown(word)),
    }
    Ok(())
}

/// One search is for one kind of cycle.
const A_BESIDE_L: &str = "-a has no effect beside -l: non-progress cycles are looked for";

fn switch(letter: char, word: &str, asked: &mut Asked) -> Result<(), String> {
    let verification = &mut asked.verification;
    match letter {
        'a' if verification.cycles == Cycles::Progress => asked.notes.push(A_BESIDE_L.to_owned()),
        'a' => verification.cycles = Cycles::Acceptance,
        'l' => {
            if verification.cycles == Cycles::Acceptance {
                asked.notes.push(A_BESIDE_L.to_owned());
            }
            verification.cycles = Cycles::Progress;
        }
        'f' => verification.fair = true,
        'A' => verification.ignore_assertions = true,
        'E' => verification.ignore_end_states = true,
        'b' => verification.depth_is_error = true,
        'n' => verification.no_unreached = true,
        'i' | 'I' => verification.options.shortest = true,
        'q' => asked.meaning.queues_empty = true,
        'J' => asked.meaning.inner_unless_first = true,
        'x' => asked.keep_trail = true,
        'e' => {
            asked.all_trails = true;
            verification.errors = Errors::All;
        }
        'V' => asked.mode = super::flags::Mode::Version,
        _ => return Err(unknown(word)),
    }
    Ok(())
}
