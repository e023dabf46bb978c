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

/// Flags with one fate; to those that end in `*` something may be glued.
pub(super) struct Entry {
    names: &'static str,
    fate: Fate,
}

use Fate::{Granted, Idle, Refused};

const fn entry(names: &'static str, fate: Fate) -> Entry {
    Entry { names, fate }
}

/// The entry for a flag.
pub(super) fn find(table: &'static [Entry], word: &str) -> Option<&'static Entry> {
    let begins = |name: &str| name.strip_suffix('*').is_some_and(|start| word.starts_with(start));
    let exact = table.iter().find(|entry| entry.names.split(' ').any(|name| name == word));
    exact.or_else(|| table.iter().find(|entry| entry.names.split(' ').any(begins)))
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
    entry("-o1 -o2 -o3", Granted),
    entry("-o4", Idle("it changes how pan handles rendezvous, not what it finds")),
    entry("-o5", Idle("it makes the code of pan smaller, and there is none")),
    entry("-o6", Refused("priorities are those of SPIN 6.2 and later; take them out of the model")),
    entry(
        "-o7",
        Refused("a line end may end a statement, as in SPIN 6.3 and later; write the `;`"),
    ),
    entry("-O", Idle("a local variable may have the name of a global one anyway")),
    entry("-v", Idle("there are no further warnings; `argos check --warnings` lists remarks")),
    entry("-w", Idle("-g and -l show all there is")),
    entry(
        "-A",
        Refused("there is no slicing; `argos check --warnings` lists what is never executed"),
    ),
    entry("-C -d", Refused("write `argos show FILE`")),
    entry("-e", Refused("all claims of a model are checked by `argos check FILE`, one by one")),
    entry("-L", Refused("there is no product of claims; `argos check FILE` checks each")),
    entry("-i", Refused("write `argos sim -i FILE`")),
    entry(
        "-M",
        Refused(
            "write `argos check --trace RUN.json FILE`, then `argos replay RUN.json --format svg`",
        ),
    ),
    entry("-pp", Refused("models are not reformatted")),
    entry("-f -F -N", Refused(NO_CLAIM_FILE)),
    entry("-E*", Refused("the preprocessor is built in; -D and -U are for it")),
    entry("-P*", Refused("the preprocessor is built in")),
    entry("-S*", Idle("nothing is generated, so nothing is separated")),
    entry("-x -X -Y -Z", Refused("it is for a window around SPIN")),
];

/// Flags of `pan`, and of the C compiler behind `-run`.
pub(super) const PAN: &[Entry] = &[
    entry("-noreduce -DNOREDUCE -DXUSAFE -DNOFAIR -DREACH", Granted),
    entry("-bfspar", Refused("write -bfs; the search has one thread")),
    entry("-bcs -DBCS", Idle("context switches are not bounded: the search is complete")),
    entry("-dfspar -DNCORE*", Idle(SINGLE)),
    entry("-DBFS_PAR", Refused("write -DBFS; the search has one thread")),
    entry(
        "-bitstate -bit -biterate* -swarm* -collapse -hc -DBITSTATE -DCOLLAPSE -DHC* -DMA=* -k* \
         -M* -G*",
        Idle(EXACT),
    ),
    entry("-DVECTORSZ*", Idle("states are as long as they need to be")),
    entry("-DNFAIR*", Idle("fairness has no limit of that kind")),
    entry(
        "-DT_RAND* -DP_RAND* -DRANDOMIZE* -DREVERSE -DT_REVERSE -t_reverse -p_reverse -p_permute \
         -p_rotate* -p_normal* -rhash",
        Idle(ORDER),
    ),
    entry("-DPRINTF", Idle("what a model prints is shown by `argos spin -t`")),
    entry("-DCHECK -DVERBOSE -DSDUMP -DPEG", Idle("it makes pan tell about itself")),
    entry("-DVAR_RANGES", Refused("ranges of variables are not recorded")),
    entry("-DNOBOUNDCHECK", Refused("an index is always checked")),
    entry("-link", Refused("embedded C is not executed")),
    entry("-O* -W* -std* -march* -pthread -lm", Idle(NO_COMPILER)),
    entry("-hash -h* -w*", Idle(GROWS)),
    entry("-RS*", Idle("nothing of this search is random")),
    entry("-v", Idle("file names are shown anyway")),
    entry("-T", Idle("trails are written like any other file")),
    entry("-d", Refused("write `argos show FILE`")),
    entry("-D", Refused("write `argos show --format dot FILE`")),
    entry("-r*", Refused("write `argos spin -t -p FILE`")),
    entry("-C", Refused("write `argos spin -t -c FILE`")),
    entry("-S", Refused("write `argos spin -t FILE`")),
    entry("-g", Refused("write `argos replay RUN.json --format svg`")),
    entry("-P*", Refused("write `argos spin -t -p FILE`, and choose the lines of the process")),
    entry("-L*", Refused("the number of context switches is not bounded")),
    entry("-Z*", Refused("threads are not used here")),
];
