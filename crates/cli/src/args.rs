//! What can be typed. One field per option, its help beside it; every option
//! ends in `pipeline::Options` or in how the result is shown.

use crate::about::{about, about_reduction, explained, words};
use crate::quantity::{bytes, place, positive, seconds, threads, whole, within};
use clap::{Args, Parser, Subcommand, ValueEnum};
use pipeline::{
    Calls, Default_, Dependency, End, Engine, Fair, Options, Reduce, Replace, Search, Store,
    Timeout,
};

mod formulas;
mod outputs;
mod result;
mod serve;
mod show;
mod test;
mod traces;

use formulas::FormulaArguments;
use outputs::OutputArguments;
pub(crate) use result::ResultArguments;
pub(crate) use serve::ServeArguments;
pub(crate) use show::{ShowArguments, ShowFormat};
pub(crate) use test::TestArguments;
pub(crate) use traces::{TraceFormat, TracesArguments};

const GLOSSARY: &str = "docs/glossary.md explains the terms.";

/// Finds out how a protocol can go wrong.
///
/// Write a model of the protocol, then: argos check MODEL.argos
#[derive(Parser)]
#[command(
    name = "argos",
    version,
    disable_help_subcommand = true,
    max_term_width = 100,
    after_help = "docs/glossary.md explains the terms."
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Check every requirement of a model (`argos FILE` is short for it)
    #[command(after_help = GLOSSARY)]
    Check(Box<CheckArguments>),
    /// Check models that say at their head what to expect, like a test suite
    Test(TestArguments),
    /// Write each distinct violation as a run, or runs to where a predicate holds
    Traces(TracesArguments),
    /// Show the machines of a model, or the automaton of a formula: tables, DOT, SVG, sizes
    Show(ShowArguments),
    /// Run a model: random, step by step, or along a saved run
    Sim(SimArguments),
    /// Explore a model in the browser: take steps, go back, edit, check from any state
    Serve(ServeArguments),
    /// Execute a saved run again and draw it: columns, steps, chart, SVG, Mermaid
    Replay(ReplayArguments),
    /// Execute a model backwards from its potential errors, or from a state you name
    Backward(BackwardArguments),
    /// Repeat the measurements of the papers: tables, figures, and where they agree
    Experiments(crate::experiments::ExperimentsArguments),
    /// Accept SPIN's command line and print results in SPIN's format
    #[command(after_long_help = crate::spin::HELP, disable_help_flag = true)]
    Spin {
        /// Flags of spin, then -run and those of pan, then the model
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "FLAGS... FILE")]
        words: Vec<String>,
    },
    /// Print the completions of a shell, to be saved where it looks for them
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page of argos or of one of its commands, for `man -l -`
    Man {
        /// A command, such as check
        command: Option<String>,
    },
    /// Explain a diagnostic, as in `argos help A0012`, or a command
    Help {
        /// An id like A0012, or a command
        topic: Option<String>,
    },
}

/// What the text of a model means.
#[derive(Args)]
#[command(next_help_heading = "Model")]
pub(crate) struct ModelArguments {
    /// Define a macro, as #define does; -D NAME is -D NAME=1
    ///
    /// With check, -D NAME=2..4 checks the model once for each number.
    #[arg(short = 'D', value_name = "NAME[=VALUE]", value_parser = define)]
    defines: Vec<(String, Option<String>)>,
    /// Search this directory for included files
    #[arg(short = 'I', value_name = "DIR")]
    include_paths: Vec<String>,
    /// Preprocess with this command, such as "gcc -E -x c"; it is given -D, -I and the file
    #[arg(long, value_name = "COMMAND")]
    cpp: Option<String>,
    /// The language, if the file name does not show it
    #[arg(long, value_name = "LANGUAGE")]
    pub(crate) lang: Option<Lang>,
    /// Slots of every channel, but never fewer than its initial messages
    #[arg(long, value_name = "N", value_parser = within::<1, 4096>)]
    capacity: Option<u32>,
    /// Slots of channels declared without a size
    #[arg(long, value_name = "N", default_value = "2",
          value_parser = within::<1, 4096>)]
    capacity_default: u32,
    /// When a timeout fires: last = only when nothing else can move, empty = when its channel
    /// is empty, any = always, off = never
    #[arg(long, default_value = "last", value_parser = words(Timeout::ALL, Timeout::word))]
    timeout: Timeout,
    /// What c?default takes: any = any message, else = one that no named receive there takes
    #[arg(long, default_value = "any", value_parser = words(Default_::ALL, Default_::word))]
    default: Default_,
    /// Where a process may properly stop: strict = at its end or an end label, home = also at its
    /// start while all channels are empty
    #[arg(long, default_value = "strict", value_parser = words(End::ALL, End::word))]
    end: End,
    /// When a call can be taken as an option: inline = when the first statement of the procedure
    /// can be executed, step = always, as a step of its own
    #[arg(long, default_value = "inline", value_parser = words(Calls::ALL, Calls::word))]
    calls: Calls,
    /// Do not merge equivalent states of a machine
    #[arg(long)]
    no_minimise: bool,
    /// PROMELA: a send to a full channel does not wait, its message is lost
    #[arg(long)]
    lossy: bool,
    /// PROMELA: report an error if a run ends with messages left in channels
    #[arg(long)]
    queues_empty: bool,
    /// PROMELA: try the innermost escape of nested unless statements first, not the outermost
    #[arg(long)]
    inner_unless: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Lang {
    /// Argos
    Argos,
    /// PROMELA, as SPIN 6.5.2 reads it
    Promela,
}

/// How something is printed.
#[derive(Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct LookArguments {
    /// Use colour
    #[arg(long, value_enum, default_value = "auto", value_name = "WHEN")]
    pub(crate) color: When,
    /// Draw with ASCII characters only
    #[arg(long)]
    pub(crate) ascii: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    Auto,
    Always,
    Never,
}

/// Whether and how progress is shown.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProgressForm {
    /// On a terminal, from half a second on
    Auto,
    /// In a pipe too, every half minute
    Always,
    /// Never
    Never,
    /// One JSON object per line, four a second
    Json,
}

/// How a run is drawn.
#[derive(Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct TraceArguments {
    /// Draw the run as a chart with a lane per process
    #[arg(long, conflicts_with = "steps")]
    pub(crate) chart: bool,
    /// List the run step by step with what changes
    #[arg(long)]
    pub(crate) steps: bool,
    /// Which columns come first
    #[arg(long, value_enum, default_value = "declared", value_name = "ORDER")]
    pub(crate) columns: Columns,
    /// Never leave out the middle of a long run
    #[arg(long)]
    pub(crate) whole: bool,
    /// Behind a run, list what its last state has otherwise than its first
    #[arg(long)]
    pub(crate) state: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Columns {
    /// Channels as declared
    Declared,
    /// Channels of the assertions first
    AssertionFirst,
}

#[derive(Args)]
pub(crate) struct CheckArguments {
    /// Models to check; - reads standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<String>,
    #[command(flatten)]
    pub(crate) search: SearchArguments,
    #[command(flatten)]
    formulas: FormulaArguments,
    #[command(flatten)]
    pub(crate) model: ModelArguments,
    #[command(flatten)]
    pub(crate) trace: TraceArguments,
    #[command(flatten)]
    pub(crate) look: LookArguments,
    #[command(flatten)]
    pub(crate) result: ResultArguments,
    #[command(flatten)]
    pub(crate) outputs: OutputArguments,
}

/// What is searched, and how far.
#[derive(Args)]
#[command(next_help_heading = "Search")]
pub(crate) struct SearchArguments {
    /// How the state space is searched; only the first five can establish HOLDS
    #[arg(long, default_value = "auto", value_parser = explained(Search::ALL, Search::word, about))]
    search: Search,
    /// Number of processes that --search scatter follows in each state; 1 if not given
    #[arg(long, value_name = "M", value_parser = positive)]
    keep: Option<u32>,
    /// Number of runs of --search random; 100 if not given
    #[arg(long, value_name = "N", value_parser = within::<1, 1_000_000>)]
    walks: Option<u32>,
    /// Seed to break ties at random, not by declaration; with --cache, of random replacement
    #[arg(long, value_name = "N", value_parser = whole)]
    seed: Option<u64>,
    /// Treat states as equal if they differ only in this part: process=NAME, channel=NAME,
    /// variable=NAME or variable=PROCESS:NAME. Errors found are real; what only the folded states
    /// lead to is missed: never HOLDS
    #[arg(long = "fold", value_name = "PART", value_parser = fold)]
    folds: Vec<String>,
    /// How visited states are stored: compact = every state, collapse compressed; full = every
    /// state, uncompressed; path = only the current path, labelled = only its loop states (slow:
    /// states are explored repeatedly; with --cache, the loop states that it holds as well); bitstate = a few bits per state, hash64 = a hash per state
    /// (lossy: never HOLDS)
    #[arg(long, default_value = "compact", value_parser = words(Store::ALL, Store::word))]
    store: Store,
    /// Which redundant steps are left out; verdicts are the same
    #[arg(long, default_value = "auto",
          value_parser = explained(Reduce::ALL, Reduce::word, about_reduction))]
    reduce: Reduce,
    /// For --reduce sleep, which operations on the same channel are dependent: paper = two sends,
    /// two receives, a test and either; fine = as paper, but a test only with what can change its
    /// result; syntactic = any two. All visit every state, with different numbers of transitions
    #[arg(long, default_value = "paper",
          value_parser = words(Dependency::ALL, Dependency::word))]
    dependency: Dependency,
    /// State-space cache: store at most N states and replace old ones when it is full; 0 = as many
    /// as --memory allows. A depth-first search that ends has visited every state (within --depth,
    /// of those that --search and --fold leave), with more transitions the smaller the cache; if
    /// the current path alone fills it, the verdict is INCOMPLETE
    #[arg(long, value_name = "N", value_parser = whole)]
    cache: Option<u64>,
    /// Which state a full cache replaces: random; round-robin; most, least = often visited, of
    /// those scanned; class = of the largest class of equally often visited ones; subtree = in the
    /// lower half of the search tree; type = reached by the highest type of step, of those scanned
    /// (1 jump, 2 receive, 3 send, 4 assignment, 5 other); avoid:T = not reached by type T
    #[arg(long, default_value = "random", value_parser = words(Replace::ALL, Replace::word),
          requires = "cache")]
    replace: Replace,
    /// Number of stored states scanned for one to replace
    #[arg(long, value_name = "K", default_value_t = pipeline::SCAN, requires = "cache",
          value_parser = positive)]
    scan: u32,
    /// Count replaced states that are visited again exactly; otherwise estimated by hashes
    #[arg(long, requires = "cache")]
    count_recreated: bool,
    /// Show how likely a further visit to a state is after N visits
    #[arg(long, requires = "cache")]
    revisits: bool,
    /// Depth bound, in steps; the verdict is INCOMPLETE if the bound is reached
    #[arg(long, value_name = "N", value_parser = whole)]
    depth: Option<u64>,
    /// Continue after the first error and list all distinct ones
    #[arg(long)]
    all_errors: bool,
    /// Show a run to an error of type N, as --all-errors numbers them, instead of the first run
    #[arg(long, value_name = "N", value_parser = positive, requires = "all_errors")]
    error_type: Option<u32>,
    /// Look for the shortest run to the error found (auto and bfs do so anyway)
    #[arg(long)]
    shortest: bool,
    /// States the search for a shorter run may store
    #[arg(long, value_name = "STATES", default_value_t = pipeline::SHORTEN_BUDGET, value_parser = whole)]
    shorten_budget: u64,
    /// Number of threads for searches in any order (exhaustive, auto); results are the same. auto =
    /// one, and from 100,000 states on as many as there are processors, without --reduce
    #[arg(long, value_name = "N", default_value = "auto", value_parser = threads)]
    threads: ::std::option::Option<std::num::NonZeroU32>,
    /// Memory limit, such as 500M or 8G; three quarters of the free memory if not given
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    memory: Option<u64>,
    /// Time limit, such as 30s, 10m or 2h
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    time: Option<f64>,
    /// How successors are computed: machine code, closures, or the reference interpreter (slow)
    #[arg(long, default_value = "jit", value_parser = words(Engine::ALL, Engine::word))]
    engine: Engine,
    /// No reduction of any kind, except minimisation
    #[arg(long)]
    plain: bool,
    /// PROMELA: do not merge statements that no other process can observe
    #[arg(long)]
    no_merge: bool,
    /// PROMELA: do not reset dead local variables
    #[arg(long)]
    no_dead_reset: bool,
    /// PROMELA: do not hide global variables that are never read
    #[arg(long)]
    no_hide: bool,
    /// PROMELA: explore and count states as SPIN's verifier does without its reductions
    #[arg(long)]
    spin_counts: bool,
    /// PROMELA: ignore never claims and ltl formulas
    #[arg(long)]
    no_claims: bool,
    /// Decide only this requirement, by its name in the report (may be repeated)
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Which infinite runs count for formulas, acceptance and progress: weak and strong fairness
    /// of processes leave those out in which a process that can move never does
    #[arg(long, default_value = "none", value_parser = words(Fair::ALL, Fair::word))]
    fair: Fair,
    /// Under fairness only the sender takes part in a rendezvous, as `pan -f` has it, and not
    /// both partners
    #[arg(long)]
    fairness_spin: bool,
    /// After an error, decide the other requirements while at most N states are stored for them
    #[arg(long, value_name = "N", default_value_t = pipeline::AFTER_ERROR, value_parser = whole)]
    after_error: u64,
}

#[derive(Args)]
pub(crate) struct SimArguments {
    /// The model; - reads standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: String,
    /// Choose each step yourself, forwards and backwards
    #[arg(long, short, conflicts_with = "follow")]
    pub(crate) interactive: bool,
    /// Follow a saved run, then continue as asked
    #[arg(long, value_name = "RUN.json")]
    pub(crate) follow: Option<String>,
    /// Seed of a random run; printed when it is not given
    #[arg(long, value_name = "N", value_parser = whole)]
    pub(crate) seed: Option<u64>,
    /// Maximum number of steps of a random run
    #[arg(long, value_name = "N", default_value = "50", value_parser = place)]
    pub(crate) length: usize,
    /// End the run in the first state in which this holds, as 'x == 3 && len(q) == 1'
    #[arg(long, value_name = "EXPR", conflicts_with = "interactive", allow_hyphen_values = true)]
    pub(crate) until: Option<String>,
    /// With -i: stop running ahead where this holds (may be repeated)
    #[arg(
        long = "break",
        value_name = "EXPR",
        requires = "interactive",
        allow_hyphen_values = true
    )]
    pub(crate) breaks: Vec<String>,
    /// Save the run, for `argos replay` and `--follow`
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<String>,
    /// Write the run to one HTML file that needs nothing else
    #[arg(long, value_name = "FILE.html")]
    pub(crate) report: Option<String>,
    #[command(flatten)]
    pub(crate) form: TraceArguments,
    #[command(flatten)]
    pub(crate) model: ModelArguments,
    #[command(flatten)]
    pub(crate) look: LookArguments,
}

#[derive(Args)]
pub(crate) struct ReplayArguments {
    /// A run saved by --trace, or a report saved by --json
    #[arg(value_name = "RUN.json")]
    pub(crate) file: String,
    /// Execute it in this model, not in the one saved with it
    #[arg(long, value_name = "FILE")]
    pub(crate) model: Option<String>,
    /// Which run of a report, from 1: errors, then what --cover asked for
    #[arg(long, value_name = "N", default_value = "1", value_parser = place)]
    pub(crate) error: usize,
    /// Draw as this instead of text
    #[arg(long, value_enum)]
    pub(crate) format: Option<Picture>,
    /// Colours of an SVG
    #[arg(long, value_enum, default_value = "auto")]
    pub(crate) theme: SvgTheme,
    /// Leave internal steps out of an SVG
    #[arg(long)]
    pub(crate) hide_internal: bool,
    /// Only these rows of an SVG, such as 10..40
    #[arg(long, value_name = "A..B", value_parser = crate::quantity::rows)]
    pub(crate) rows: Option<(usize, usize)>,
    /// Write to a file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<String>,
    /// Write the run to one HTML file that needs nothing else
    #[arg(long, value_name = "FILE.html")]
    pub(crate) report: Option<String>,
    /// Exit with 1 if the run ends in an error, as `argos check` does
    #[arg(long)]
    pub(crate) exit_verdict: bool,
    #[command(flatten)]
    pub(crate) form: TraceArguments,
    #[command(flatten)]
    pub(crate) look: LookArguments,
}

#[derive(Args)]
pub(crate) struct BackwardArguments {
    /// The model; - reads standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: String,
    /// Decide whether some state has this predicate: 'sender@wait && len(link) == 2 && bit != 1'
    #[arg(long, value_name = "EXPR")]
    pub(crate) target: Option<String>,
    /// Only these kinds of potential errors (comma-separated)
    #[arg(long, value_enum, value_delimiter = ',', value_name = "KIND", conflicts_with = "target")]
    pub(crate) only: Vec<Suspected>,
    /// Maximum number of steps back from an error; undecided beyond it
    #[arg(long, value_name = "N", value_parser = whole)]
    depth: Option<u64>,
    /// Maximum number of claimed states for one potential error
    #[arg(long, value_name = "N", value_parser = whole)]
    pub(crate) states: Option<u64>,
    /// Memory limit, such as 500M or 8G; three quarters of the free memory if not given
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    memory: Option<u64>,
    /// Time limit, such as 30s, 10m or 2h
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    time: Option<f64>,
    /// Maximum number of states of the forward search it is compared with
    #[arg(long, value_name = "N", default_value = "1000000", value_parser = whole)]
    pub(crate) forward_states: u64,
    /// Do not use invariants to exclude states
    #[arg(long)]
    pub(crate) no_invariants: bool,
    /// Do not reuse results of one potential error for another
    #[arg(long)]
    pub(crate) no_sharing: bool,
    /// Do not leave out states that a more general claim subsumes
    #[arg(long)]
    pub(crate) no_subsumption: bool,
    /// Also count the states that the method of 1984 explores, without these three
    #[arg(long)]
    pub(crate) compare: bool,
    /// List every potential error
    #[arg(long)]
    pub(crate) list: bool,
    /// Print the verdict line only
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// Print one JSON object and nothing else
    #[arg(long)]
    pub(crate) json: bool,
    /// Write everything to one HTML file that needs nothing else
    #[arg(long, value_name = "FILE.html")]
    pub(crate) report: Option<String>,
    /// Show progress on standard error
    #[arg(long, value_enum, default_value = "auto", value_name = "WHEN")]
    pub(crate) progress: ProgressForm,
    #[command(flatten)]
    pub(crate) model: ModelArguments,
    #[command(flatten)]
    pub(crate) trace: TraceArguments,
    #[command(flatten)]
    pub(crate) look: LookArguments,
}

/// A kind of potential error.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Suspected {
    /// No process can move and all channels are empty
    Deadlock,
    /// A message that its reader does not accept
    Reception,
    /// Every waiting process waits for room in a channel
    Send,
}

impl BackwardArguments {
    pub(crate) fn options(&self) -> Options {
        let (depth, memory, time) = (self.depth, self.memory, self.time);
        let target = self.target.clone();
        Options { depth, memory, time, target, ..self.model.options() }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Picture {
    Svg,
    Mermaid,
    Json,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SvgTheme {
    Auto,
    Light,
    Dark,
}

/// The options with these fields as they were typed.
macro_rules! typed {
    ($from:expr, $others:expr; $($field:ident)*) => {
        Options { $($field: $from.$field.clone(),)* ..$others }
    };
}

impl ModelArguments {
    pub(crate) fn options(&self) -> Options {
        typed!(
            self, Options::default();
            defines include_paths cpp capacity capacity_default timeout default end calls
            no_minimise lossy queues_empty inner_unless
        )
    }
}

impl CheckArguments {
    pub(crate) fn options(&self) -> Options {
        let options = typed!(
            self.search, self.model.options();
            search keep walks seed folds store reduce dependency cache replace scan
            count_recreated revisits depth all_errors error_type shortest shorten_budget threads memory time
            engine plain no_merge no_dead_reset no_hide spin_counts no_claims
            only fair fairness_spin after_error
        );
        let options = self.formulas.on(options);
        let lint_spin_portable = self.result.lint.is_some();
        let fail_on = self.result.fail_on.clone();
        let tells_guards = self.tells_guards();
        Options { lint_spin_portable, to_end: self.result.to_end, fail_on, tells_guards, ..options }
    }

    /// Whether something is written that lists the statements never executed.
    fn tells_guards(&self) -> bool {
        let ResultArguments { warnings, json, report, fail_on, .. } = &self.result;
        let lists =
            *warnings || *json || report.is_some() || fail_on.contains(&pipeline::Gate::Unreached);
        lists || self.outputs.github || self.outputs.sarif.is_some()
    }
}

/// Checks the form of a part; whether the model has it is seen later.
fn fold(text: &str) -> Result<String, String> {
    pipeline::fold(text).map(|_| text.to_owned())
}

pub(crate) fn define(text: &str) -> Result<(String, Option<String>), String> {
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name, Some(value.to_owned())),
        None => (text, None),
    };
    let is_name = name.chars().all(|c| c == '_' || c.is_alphanumeric())
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && !name.is_empty();
    if is_name { Ok((name.to_owned(), value)) } else { Err(format!("`{name}` is not a name")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }
}
