//! Flags that do nothing here, and flags that cannot be done, each with its reason.

use super::flags::Asked;

/// What becomes of a flag.
pub(super) enum Fate {
    /// It asks for what is done anyway.
    Granted,
    /// It has no effect; why.
    Idle(&'static str),
    /// It is refused; what to write instead.
    Refused(&'static str),
}

/// A flag, by itself or by how it begins.
pub(super) struct Entry {
    name: &'static str,
    /// Something may be glued to it.
    prefix: bool,
    fate: Fate,
}

use Fate::{Granted, Idle, Refused};

const fn flag(name: &'static str, fate: Fate) -> Entry {
    Entry { name, prefix: false, fate }
}

const fn prefix(name: &'static str, fate: Fate) -> Entry {
    Entry { name, prefix: true, fate }
}

/// The entry for a flag.
pub(super) fn find(table: &'static [Entry], word: &str) -> Option<&'static Entry> {
    let exact = table.iter().find(|entry| !entry.prefix && entry.name == word);
    exact.or_else(|| table.iter().find(|entry| entry.prefix && word.starts_with(entry.name)))
}

impl Entry {
    /// Whether it is known to do something, or nothing, or to be impossible.
    pub(super) fn settle(&self, word: &str, asked: &mut Asked) -> Result<(), String> {
        match self.fate {
            Granted => {}
            Idle(why) => asked.notes.push(format!("{word} has no effect: {why}")),
            Refused(instead) => return Err(format!("{word} cannot be done: {instead}")),
        }
        Ok(())
    }
}

const NO_CLAIM_FILE: &str = "put the claim, or `ltl NAME { ... }`, into the model";
const NO_COMPILER: &str = "nothing is compiled";
const EXACT: &str = "every state is stored whole, so nothing is missed";
const ORDER: &str = "the order of the search is that of pan without this flag; a complete search \
                     finds the same in any order";
const SINGLE: &str = "the search has one thread";
const GROWS: &str = "the table of states grows as it needs to";

/// Flags of `spin`.
pub(super) const SPIN: &[Entry] = &[
    flag("-o1", Granted),
    flag("-o2", Granted),
    flag("-o3", Granted),
    flag("-o4", Idle("it changes how pan handles rendezvous, not what it finds")),
    flag("-o5", Idle("it makes the code of pan smaller, and there is none")),
    flag("-o6", Refused("priorities are those of SPIN 6.2 and later; take them out of the model")),
    flag("-o7", Refused("a line end may end a statement, as in SPIN 6.3 and later; write the `;`")),
    flag("-O", Idle("a local variable may have the name of a global one anyway")),
    flag("-v", Idle("there are no further warnings; `argos check --warnings` lists remarks")),
    flag("-w", Idle("-g and -l show all there is")),
    flag(
        "-A",
        Refused("there is no slicing; `argos check --warnings` lists what is never executed"),
    ),
    flag("-C", Refused("write `argos show FILE`")),
    flag("-d", Refused("write `argos show FILE`")),
    flag("-e", Refused("all claims of a model are checked by `argos check FILE`, one by one")),
    flag("-L", Refused("there is no product of claims; `argos check FILE` checks each")),
    flag("-i", Refused("write `argos sim -i FILE`")),
    flag(
        "-M",
        Refused(
            "write `argos check --trace RUN.json FILE`, then `argos replay RUN.json --format svg`",
        ),
    ),
    flag("-pp", Refused("models are not reformatted")),
    flag("-f", Refused(NO_CLAIM_FILE)),
    flag("-F", Refused(NO_CLAIM_FILE)),
    flag("-N", Refused(NO_CLAIM_FILE)),
    prefix("-E", Refused("the preprocessor is built in; -D and -U are for it")),
    prefix("-P", Refused("the preprocessor is built in")),
    prefix("-S", Idle("nothing is generated, so nothing is separated")),
    flag("-x", Refused("it is for a window around SPIN")),
    flag("-X", Refused("it is for a window around SPIN")),
    flag("-Y", Refused("it is for a window around SPIN")),
    flag("-Z", Refused("it is for a window around SPIN")),
];

/// Flags of `pan`, and of the C compiler behind `-run`.
pub(super) const PAN: &[Entry] = &[
    flag("-noreduce", Granted),
    flag("-DNOREDUCE", Granted),
    flag("-DXUSAFE", Granted),
    flag("-DNOFAIR", Granted),
    flag("-DREACH", Granted),
    flag("-bfspar", Refused("write -bfs; the search has one thread")),
    flag("-bcs", Idle("context switches are not bounded: the search is complete")),
    flag("-DBCS", Idle("context switches are not bounded: the search is complete")),
    flag("-dfspar", Idle(SINGLE)),
    prefix("-DNCORE", Idle(SINGLE)),
    flag("-DBFS_PAR", Refused("write -DBFS; the search has one thread")),
    flag("-bitstate", Idle(EXACT)),
    flag("-bit", Idle(EXACT)),
    prefix("-biterate", Idle(EXACT)),
    prefix("-swarm", Idle(EXACT)),
    flag("-collapse", Idle(EXACT)),
    flag("-hc", Idle(EXACT)),
    flag("-DBITSTATE", Idle(EXACT)),
    flag("-DCOLLAPSE", Idle(EXACT)),
    prefix("-DHC", Idle(EXACT)),
    prefix("-DMA=", Idle(EXACT)),
    prefix("-DVECTORSZ", Idle("states are as long as they need to be")),
    prefix("-DNFAIR", Idle("fairness has no limit of that kind")),
    prefix("-DT_RAND", Idle(ORDER)),
    prefix("-DP_RAND", Idle(ORDER)),
    prefix("-DRANDOMIZE", Idle(ORDER)),
    flag("-DREVERSE", Idle(ORDER)),
    flag("-DT_REVERSE", Idle(ORDER)),
    flag("-DPRINTF", Idle("what a model prints is shown by `argos spin -t`")),
    flag("-DCHECK", Idle("it makes pan tell about itself")),
    flag("-DVERBOSE", Idle("it makes pan tell about itself")),
    flag("-DSDUMP", Idle("it makes pan tell about itself")),
    flag("-DPEG", Idle("it makes pan tell about itself")),
    flag("-DVAR_RANGES", Refused("ranges of variables are not recorded")),
    flag("-DNOBOUNDCHECK", Refused("an index is always checked")),
    flag("-link", Refused("embedded C is not executed")),
    prefix("-O", Idle(NO_COMPILER)),
    prefix("-W", Idle(NO_COMPILER)),
    prefix("-std", Idle(NO_COMPILER)),
    prefix("-march", Idle(NO_COMPILER)),
    flag("-pthread", Idle(NO_COMPILER)),
    flag("-lm", Idle(NO_COMPILER)),
    flag("-t_reverse", Idle(ORDER)),
    flag("-p_reverse", Idle(ORDER)),
    flag("-p_permute", Idle(ORDER)),
    prefix("-p_rotate", Idle(ORDER)),
    prefix("-p_normal", Idle(ORDER)),
    flag("-rhash", Idle(ORDER)),
    flag("-hash", Idle(GROWS)),
    prefix("-h", Idle(GROWS)),
    prefix("-w", Idle(GROWS)),
    prefix("-k", Idle(EXACT)),
    prefix("-RS", Idle("nothing of this search is random")),
    prefix("-M", Idle(EXACT)),
    prefix("-G", Idle(EXACT)),
    flag("-v", Idle("file names are shown anyway")),
    flag("-T", Idle("trails are written like any other file")),
    flag("-d", Refused("write `argos show FILE`")),
    flag("-D", Refused("write `argos show --format dot FILE`")),
    prefix("-r", Refused("write `argos spin -t -p FILE`")),
    flag("-C", Refused("write `argos spin -t -c FILE`")),
    flag("-S", Refused("write `argos spin -t FILE`")),
    flag("-g", Refused("write `argos replay RUN.json --format svg`")),
    prefix("-P", Refused("write `argos spin -t -p FILE`, and choose the lines of the process")),
    prefix("-L", Refused("the number of context switches is not bounded")),
    prefix("-Z", Refused("threads are not used here")),
];
