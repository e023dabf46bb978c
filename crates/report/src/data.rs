//! The report as data; its serialised form is the JSON contract (`schema` 1).

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use trace::{Channel, Guard, Kind, Location, Reception, RunRules, Scenario, Wait};

/// Everything one run of `check` found out.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Report {
    /// Version of this structure.
    pub schema: u32,
    /// Always `argos`.
    pub tool: String,
    /// Version of the tool.
    pub version: String,
    /// The file as the user named it.
    pub model: String,
    /// SHA-256 of all texts of the model, in hex.
    pub model_sha256: String,
    /// Its language.
    pub language: Language,
    /// The command that repeats the run.
    pub command: String,
    /// The verdict of the whole run.
    pub verdict: Verdict,
    /// The sentence after the verdict and the file.
    pub headline: String,
    /// Whether everything asked was searched.
    pub complete: bool,
    /// Why not: `first-error`, `depth`, `time`, `memory`, `interrupted`, `partial`.
    pub why_incomplete: Vec<String>,
    /// Everything needed to repeat the run.
    pub options: serde_json::Value,
    /// What was established, one sentence each.
    pub established: Vec<String>,
    /// Under which assumptions, one sentence each.
    pub assumptions: Vec<String>,
    /// Further lines under the verdict: label and text (`why`, `means`, `try`, `note`, ...).
    pub remarks: Vec<Line>,
    /// Processes in declaration order, then assertions.
    pub machines: Vec<Machine>,
    /// Channels in declaration order.
    pub channels: Vec<Channel>,
    /// Every requirement with its verdict.
    pub properties: Vec<Property>,
    /// The first error, or all distinct ones with `--all-errors`.
    pub errors: Vec<ErrorEntry>,
    /// A run to each state that was asked for and is reached.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub witnesses: Vec<ErrorEntry>,
    /// Warnings about the model.
    pub warnings: Vec<Finding>,
    /// Errors of the model's text (exit code 3).
    pub diagnostics: Vec<Finding>,
    /// One entry per search.
    pub runs: Vec<SearchEntry>,
    /// Statements never executed in a complete search.
    pub unreached: Vec<Unreached>,
    /// Formulas, assertions and messages that a complete search shows to be without effect.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unused: Vec<Unused>,
    /// The answers of the gates asked for by `--fail-on`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gates: Vec<GateResult>,
    /// The figures.
    pub stats: Stats,
    /// The texts the report points into.
    pub sources: Vec<Source>,
}

/// The language of a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// Argos.
    Argos,
    /// PROMELA.
    Promela,
}

/// The verdict of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Everything asked was checked, completely, and holds.
    Holds,
    /// At least one requirement fails.
    Violated,
    /// Nothing found, but not everything was searched.
    Incomplete,
    /// The service that was asked for can be performed: some run does.
    Possible,
    /// It cannot: checked completely.
    Impossible,
    /// The model is wrong; nothing was checked.
    Error,
}

/// A label and a text: `searched  all 86 reachable states`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Line {
    /// The label of the left column.
    pub head: String,
    /// The text; may have several lines.
    pub text: String,
}

/// A process or assertion as a machine.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Machine {
    /// Its name.
    pub name: String,
    /// States before equivalence.
    pub states_raw: usize,
    /// States after equivalence.
    pub states: usize,
    /// Whether it is an assertion.
    pub assertion: bool,
    /// The line it is declared at.
    pub line: u32,
    /// Its graph (the un-minimised one: traces refer to its nodes).
    pub graph: Graph,
}

/// A machine as nodes and edges.
#[derive(Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
pub struct Graph {
    /// In order of state number; the first one is the start unless marked.
    pub nodes: Vec<GraphNode>,
    /// In order of source node, then source text.
    pub edges: Vec<GraphEdge>,
}

/// A state of a machine.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GraphNode {
    /// `s1`, `s2`, ...; `end` for the end state.
    pub id: String,
    /// The line of its statement.
    pub line: u32,
    /// All lines it stands for, when it stands for several states.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<u32>,
    /// The label before it, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Whether the machine starts here.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub start: bool,
    /// Whether it is the end state or has an `end` label.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub end: bool,
    /// Whether a loop can start here (goto target or `do`).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub labelled: bool,
    /// Whether no path of the machine leads here.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unreachable: bool,
}

/// An edge of a machine.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GraphEdge {
    /// Node it leaves.
    pub from: String,
    /// Node it reaches.
    pub to: String,
    /// The statement.
    pub action: String,
    /// `send`, `receive`, `tau`, `internal`.
    pub kind: trace::EventKind,
    /// The file of the statement, when it is not the model itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line of the statement.
    pub line: u32,
    /// Whether the search executed it; absent when unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub executed: Option<bool>,
}

/// Verdict of one requirement.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PropertyVerdict {
    /// Checked completely, never fails.
    Holds,
    /// Fails.
    Violated,
    /// Not decided.
    Unknown,
    /// A state that was asked for can be reached.
    Reached,
    /// It cannot: checked completely.
    Unreached,
}

/// One requirement.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Property {
    /// `assert 1`, `no deadlock`, ...
    pub name: String,
    /// What kind.
    pub kind: Kind,
    /// Its verdict.
    pub verdict: PropertyVerdict,
    /// Where it stands, for an assertion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Its text, for an assertion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// A remark, as "its end is unreachable, so ending early is not checked".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Index of the error that shows it fails.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<usize>,
    /// Index of the witness that reaches it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<usize>,
}

/// One error with its run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ErrorEntry {
    /// What kind.
    pub kind: Kind,
    /// Its type for grouping: class, process, control state, channel, message.
    #[serde(rename = "type")]
    pub group: String,
    /// What happened, in one sentence.
    pub message: String,
    /// The process to blame, if one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub process: Option<String>,
    /// Where.
    pub location: Location,
    /// Length of the run.
    pub steps: usize,
    /// Sends and timeouts in it.
    pub events: usize,
    /// What is known of its length: `shortest`, `shortened from 40`, `first found`.
    pub length: String,
    /// Its context switches, where no run of as few steps has fewer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub switches: Option<u64>,
    /// Whether the reference interpreter re-executed it.
    pub replayed: bool,
    /// Explanations: label and text (`allows`, `sends`, `likely`, ...).
    pub why: Vec<Line>,
    /// The wait-for table, when nothing can move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waits: Option<Vec<Wait>>,
    /// PROMELA, when nothing can move: messages that a waiting process is not
    /// ready for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unspecified: Vec<Reception>,
    /// The run.
    #[serde(flatten)]
    pub scenario: Scenario,
    /// First step of the part that repeats (0-based); none for safety errors.
    pub cycle_start: Option<usize>,
    /// The system stops at the end of the run, and its last state repeats for ever.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stays: bool,
    /// Whether the error could be avoided on the way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub avoidable: Option<Avoidable>,
    /// The last step (0-based) in whose place another one could still avoid the error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_return: Option<usize>,
    /// That other step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instead: Option<Instead>,
    /// The atomic propositions of the property, as they are written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub atoms: Vec<String>,
    /// Which of them hold in the initial state, `T` or `F` each.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub initial_truth: String,
    /// PROMELA: which of the executable steps was taken, from 0, state by state.
    /// With it the run can be executed again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<u32>,
    /// PROMELA: by which rules the run is executed.
    #[serde(flatten)]
    pub rules: RunRules,
}

/// Whether an error can be avoided.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Avoidable {
    /// Up to the point of no return.
    Until,
    /// Every run of the model ends in it.
    Never,
    /// Of an infinite run: at every step of it.
    Always,
    /// That is not decided.
    Unknown,
}

/// A step that avoids an error.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Instead {
    /// Who moves.
    pub process: String,
    /// The statement.
    pub action: String,
    /// Its file, when it is not the model itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Its line.
    pub line: u32,
    /// Its column.
    pub column: u32,
    /// What can come of it: `endless`, `end`, `other-error`, `satisfies`.
    pub then: String,
}

/// A diagnostic in the report.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Finding {
    /// Stable id.
    pub id: String,
    /// `error`, `warning`, `remark`.
    pub severity: String,
    /// One sentence.
    pub message: String,
    /// File.
    pub file: String,
    /// Line.
    pub line: u32,
    /// Column.
    pub column: u32,
    /// What to do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The text at the place, without line breaks.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// Facts that explain it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Further places.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<Related>,
}

/// A further place of a finding.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Related {
    /// File.
    pub file: String,
    /// Line.
    pub line: u32,
    /// Column.
    pub column: u32,
    /// The text at the place, without line breaks.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// What to say there.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub message: String,
}

/// One search.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SearchEntry {
    /// What it was for.
    pub name: String,
    /// States stored.
    pub states: u64,
    /// States + matched.
    pub transitions: u64,
    /// Whether it was complete.
    pub complete: bool,
    /// The reductions that made a difference: `hide`, `dead-reset`, `merge`.
    #[serde(default)]
    pub reductions: Vec<String>,
}

/// A statement never executed in a complete search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Unreached {
    /// Its process.
    pub process: String,
    /// Its file, when it is not the model itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Its line.
    pub line: u32,
    /// Its column.
    pub column: u32,
    /// The statement.
    pub statement: String,
    /// Its process came to it and waited, or never came. Absent where an error ended runs before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocked: Option<bool>,
    /// Of one that was waited for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guard: Option<Guard>,
}

/// What of a model has no effect, by a complete search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Unused {
    /// What it is.
    pub kind: UnusedKind,
    /// Its name: that of the requirement, or the event, as `link!msg1`.
    pub name: String,
    /// What is to be said, in one sentence.
    pub text: String,
    /// Where it stands, if it stands in the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<Location>,
}

/// What kind of part has no effect.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UnusedKind {
    /// A formula that holds because a premise never occurs.
    Ltl,
    /// An assertion that sees none of its events.
    Assertion,
    /// A message that is never sent.
    Send,
    /// A message that is sent and never received.
    Receive,
}

/// The answer of a gate.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GateResult {
    /// `unreached`, `vacuous`, `warning`, `cover`.
    pub gate: String,
    /// The answer.
    pub verdict: GateVerdict,
    /// What it refuses, in words.
    pub what: String,
    /// Each case of it.
    pub reasons: Vec<String>,
}

impl GateResult {
    /// Why it does not let a check pass, in one line; its reasons are the cases.
    pub fn refusal(&self) -> Option<String> {
        let what = &self.what;
        match self.verdict {
            GateVerdict::Passed => None,
            GateVerdict::Failed => Some(format!("{what}: {}", self.reasons.len())),
            GateVerdict::Unknown => Some(format!("whether there are {what} is not decided")),
        }
    }
}

/// Whether a gate lets a check pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GateVerdict {
    /// It does.
    Passed,
    /// It does not.
    Failed,
    /// That is not decided: not everything was searched.
    Unknown,
}

/// The figures of a search, as in the tables of Godefroid, Holzmann and Pirottin 1995.
#[derive(Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
pub struct Stats {
    /// Distinct states.
    pub states: u64,
    /// Edges to a state already there, or into an error.
    pub matched: u64,
    /// states + matched.
    pub transitions: u64,
    /// Longest path in edges.
    pub depth: u64,
    /// Distinct states at the depth bound that were not expanded.
    pub truncated: u64,
    /// Error states or violating steps by kind.
    pub errors: IndexMap<String, u64>,
    /// States a bounded cache dropped.
    pub evictions: u64,
    /// States analysed again after they were dropped.
    pub recreated: u64,
    /// What became of the cache, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache: Option<CacheStats>,
    /// Seconds per stage.
    pub seconds: Seconds,
    /// States per second of search.
    pub states_per_second: u64,
    /// States a lossy store has probably left out; none for an exact store.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub omitted_expected: Option<f64>,
    /// Bytes of the state store.
    pub store_bytes: u64,
    /// The same per state.
    pub bytes_per_state: f64,
    /// Largest memory use of the process.
    pub peak_rss_bytes: u64,
    /// Threads of the search.
    pub threads: u32,
}

/// The figures of a state-space cache (Holzmann 1987, section 5).
#[derive(Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
pub struct CacheStats {
    /// How many states it holds.
    pub states_max: u64,
    /// Whether the states created again were counted; else hashes told them, and some
    /// are too many.
    pub recreated_exact: bool,
    /// At the end almost every state created had been created before.
    pub explodes: bool,
    /// At n - 1: of the states visited n times, the share visited again; the last one
    /// stands for all that were visited more often. Empty unless asked for.
    pub revisits: Vec<f64>,
}

/// Seconds per stage.
#[derive(Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
pub struct Seconds {
    /// All of it.
    pub total: f64,
    /// Text to model.
    pub parse: f64,
    /// Model to machines and successor functions.
    pub compile: f64,
    /// The search.
    pub search: f64,
    /// From the start until the first error was found, if one was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_error: Option<f64>,
}

/// A text of the model.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Source {
    /// Its name.
    pub file: String,
    /// Its text.
    pub text: String,
}

/// The settings the assumptions speak of.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Setting {
    /// `last`, `empty`, `any`, `off`; `None` if the model has no timeout.
    pub timeout: Option<String>,
    /// `any` or `else`; `None` if the model has no default receive.
    pub default_receive: Option<String>,
    /// `inline` or `step`; `None` if no option of the model begins with a call.
    pub calls: Option<String>,
    /// `strict` or `home`.
    pub end: String,
    /// Set when `--capacity N` overrides all channels.
    pub capacity_override: Option<u32>,
    /// Set when some channel has no size of its own and got `--capacity-default`.
    pub capacity_default: Option<u32>,
    /// `auto`, `exhaustive`, `dfs`, `bfs`.
    pub search: String,
    /// `full`, `labelled`, `path`.
    pub store: String,
    /// The depth bound.
    pub depth: Option<u64>,
    /// `--memory`, in bytes.
    pub memory: Option<u64>,
    /// `--time`, in seconds.
    pub time: Option<f64>,
    /// Whether all errors were asked for.
    pub all_errors: bool,
    /// `--error-type`: of which type of error a run is shown.
    pub error_type: Option<u32>,
    /// `--lossy`.
    pub lossy: bool,
    /// `--queues-empty`.
    pub queues_empty: bool,
    /// `--inner-unless`.
    pub inner_unless: bool,
    /// Only runs that are fair in this way count: `weak` or `strong`.
    pub fair: Option<String>,
    /// `--fairness-spin`.
    pub fairness_spin: bool,
    /// `--reduce`, in its word.
    pub reduce: String,
    /// `--replace`, in its word.
    pub replace: String,
    /// `--within`: a service was asked for, and no requirement.
    pub within: bool,
    /// `--spin-counts`, with which no cycles are looked for.
    pub spin_counts: bool,
    /// Only what lies ahead of the state behind a run of so many steps was searched.
    pub ahead: Option<usize>,
}
