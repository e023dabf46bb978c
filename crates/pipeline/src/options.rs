//! What was asked: flat, serialisable, not yet judged. The command line, a saved
//! trace and an editor all end in this.

use automata::{BuildOptions, CallRule, DefaultRule, EndRule, Rules, TimeoutRule};
use report::{Language, Setting};
use serde::{Deserialize, Serialize};
use std::num::NonZeroU32;

mod choices;
mod texts;

pub use choices::{
    Calls, Check, Default_, Dependency, End, Engine, Fair, Gate, Reduce, Replace, Search, Store,
    Timeout,
};

/// Everything that decides a run, and so everything needed to repeat it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// `-D NAME[=VALUE]`.
    pub defines: Vec<(String, Option<String>)>,
    /// `-I DIR`.
    pub include_paths: Vec<String>,
    /// `--cpp COMMAND`: the text was preprocessed by it, macros and all.
    pub cpp: Option<String>,
    /// `--ltl FORMULA`.
    pub ltl: Vec<String>,
    /// `--ltl-file FILE`.
    pub ltl_files: Vec<String>,
    /// `--invariant EXPR`.
    pub invariants: Vec<String>,
    /// `--cover EXPR`.
    pub covers: Vec<String>,
    /// `backward --target EXPR`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// `--within NAME`: only the runs that this assertion allows are followed, up to its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<String>,
    /// `sim --until EXPR`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub until: Vec<String>,
    /// `sim --break EXPR`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub breaks: Vec<String>,
    /// `--search`.
    pub search: Search,
    /// `--store`.
    pub store: Store,
    /// `--reduce`.
    pub reduce: Reduce,
    /// `--dependency`.
    pub dependency: Dependency,
    /// `--cache N`: store so many states; 0 is as many as `--memory` leaves room for.
    pub cache: Option<u64>,
    /// `--replace`.
    pub replace: Replace,
    /// `--scan K`.
    pub scan: u32,
    /// `--count-recreated`.
    pub count_recreated: bool,
    /// `--revisits`.
    pub revisits: bool,
    /// `--keep M`: scatter searches follow so many processes.
    pub keep: Option<u32>,
    /// `--walks N`: random searches walk so often.
    pub walks: Option<u32>,
    /// `--seed N`: what breaks ties and draws lots.
    pub seed: Option<u64>,
    /// `--fold process=NAME`, `channel=NAME`, `variable=NAME`.
    pub folds: Vec<String>,
    /// `--engine`.
    pub engine: Engine,
    /// `--depth N`.
    pub depth: Option<u64>,
    /// `--capacity N`.
    pub capacity: Option<u32>,
    /// `--capacity-default N`.
    pub capacity_default: u32,
    /// `--timeout`.
    pub timeout: Timeout,
    /// `--default`.
    pub default: Default_,
    /// `--end`.
    pub end: End,
    /// `--calls`.
    pub calls: Calls,
    /// `--no-minimise`.
    pub no_minimise: bool,
    /// `--all-errors`.
    pub all_errors: bool,
    /// `--error-type N`: the run shown is one of the type with this number.
    pub error_type: Option<u32>,
    /// `--shortest`.
    pub shortest: bool,
    /// `--threads`; none is `auto`: one until a search is large, then one for each processor.
    pub threads: Option<NonZeroU32>,
    /// `--memory`, in bytes.
    pub memory: Option<u64>,
    /// `--time`, in seconds.
    pub time: Option<f64>,
    /// `--spin-counts`: explore and count as SPIN's verifier does.
    pub spin_counts: bool,
    /// `--lint spin-portable`: remark on what SPIN would refuse.
    pub lint_spin_portable: bool,
    /// `--plain`: no reduction of any kind.
    pub plain: bool,
    /// `--no-merge`: every statement is a step.
    pub no_merge: bool,
    /// `--no-dead-reset`: dead variables keep their values.
    pub no_dead_reset: bool,
    /// `--no-hide`: globals that nothing reads tell states apart.
    pub no_hide: bool,
    /// `--no-claims`: leave never claims and formulas out.
    pub no_claims: bool,
    /// `--lossy`: a send to a full channel loses its message.
    pub lossy: bool,
    /// `--queues-empty`: no message may be left where a program ends.
    pub queues_empty: bool,
    /// `--inner-unless`: of nested escapes the innermost is asked first.
    pub inner_unless: bool,
    /// `--to-end`: follow a violating run on to where it rests (Holzmann 1985).
    pub to_end: bool,
    /// Only these requirements are decided, by their names; all if there are none.
    pub only: Vec<String>,
    /// Which infinite runs count.
    pub fair: Fair,
    /// `--check`: what is looked for only if somebody asks.
    pub checks: Vec<Check>,
    /// `--fairness-spin`: of a rendezvous only the sender is a step that fairness counts.
    pub fairness_spin: bool,
    /// After the first error, go on for the other requirements while the check has stored at
    /// most so many states; with 0 stop at once.
    pub after_error: u64,
    /// States a search for a shorter trace may store.
    pub shorten_budget: u64,
    /// Argos: every label is a state, for whoever chooses steps and asks where a process is.
    #[serde(skip)]
    pub keeps_labels: bool,
    /// Of statements never executed it is looked up what kept those from being so to which some
    /// process came: for whoever shows it.
    #[serde(skip)]
    pub tells_guards: bool,
    /// `--fail-on`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fail_on: Vec<Gate>,
}

/// How many states the search for a shorter trace may store unless told
/// otherwise. Counted in states, never in seconds: the answer must not depend on
/// how busy the machine is.
pub const SHORTEN_BUDGET: u64 = 1_000_000;

/// After an error a check goes on while it has stored at most so many states.
pub const AFTER_ERROR: u64 = 1_000_000;

impl Default for Options {
    fn default() -> Self {
        Self {
            defines: Vec::new(),
            include_paths: Vec::new(),
            cpp: None,
            ltl: Vec::new(),
            ltl_files: Vec::new(),
            invariants: Vec::new(),
            covers: Vec::new(),
            target: None,
            within: None,
            until: Vec::new(),
            breaks: Vec::new(),
            search: Search::Auto,
            store: Store::Compact,
            reduce: Reduce::Auto,
            dependency: Dependency::Paper,
            cache: None,
            replace: Replace::Random,
            scan: search::SCAN,
            count_recreated: false,
            revisits: false,
            keep: None,
            walks: None,
            seed: None,
            folds: Vec::new(),
            engine: Engine::Jit,
            depth: None,
            capacity: None,
            capacity_default: 2,
            timeout: Timeout::Last,
            default: Default_::Any,
            end: End::Strict,
            calls: Calls::Inline,
            no_minimise: false,
            all_errors: false,
            error_type: None,
            shortest: false,
            threads: Some(NonZeroU32::MIN),
            memory: None,
            time: None,
            spin_counts: false,
            lint_spin_portable: false,
            plain: false,
            no_merge: false,
            no_dead_reset: false,
            no_hide: false,
            no_claims: false,
            lossy: false,
            queues_empty: false,
            inner_unless: false,
            to_end: false,
            only: Vec::new(),
            fair: Fair::None,
            checks: Vec::new(),
            fairness_spin: false,
            after_error: AFTER_ERROR,
            shorten_budget: SHORTEN_BUDGET,
            keeps_labels: false,
            tells_guards: false,
            fail_on: Vec::new(),
        }
    }
}

impl Options {
    /// Whether a requirement of this name is to be decided. `ltl`, `never` and `no` need not
    /// be said.
    pub(crate) fn wants(&self, name: &str) -> bool {
        let short = ["ltl ", "never ", "no ", "invariant ", "cover "]
            .iter()
            .find_map(|word| name.strip_prefix(word));
        let known = [Some(name), short, Some(report::subject(name))];
        let is_it = |only: &String| known.contains(&Some(only.as_str()));
        self.only.is_empty() || self.only.iter().any(is_it)
    }

    /// The same for predicates of states: no state is left out because another stands for it.
    pub(crate) fn of_states(&self) -> Self {
        let (reduce, fair) = (Reduce::None, Fair::None);
        Self { reduce, fair, all_errors: false, ..self.clone() }
    }

    /// Which infinite runs count.
    pub(crate) fn fairness(&self) -> liveness::Fairness {
        match self.fair {
            Fair::None => liveness::Fairness::None,
            Fair::Weak => liveness::Fairness::Weak,
            Fair::Strong => liveness::Fairness::Strong,
        }
    }

    /// The first option that was set and means nothing for `language`: it would be
    /// ignored in silence, so it is refused.
    pub fn misplaced(&self, language: Language) -> Option<&'static str> {
        let plain = Self::default();
        let argos_only = [
            (self.capacity != plain.capacity, "--capacity"),
            (self.capacity_default != plain.capacity_default, "--capacity-default"),
            (self.timeout != plain.timeout, "--timeout"),
            (self.default != plain.default, "--default"),
            (self.end != plain.end, "--end"),
            (self.calls != plain.calls, "--calls"),
            (self.to_end, "--to-end"),
        ];
        let promela_only = [
            (self.spin_counts, "--spin-counts"),
            (self.no_claims, "--no-claims"),
            (self.fairness_spin, "--fairness-spin"),
            (self.lossy, "--lossy"),
            (self.queues_empty, "--queues-empty"),
            (self.inner_unless, "--inner-unless"),
            (self.no_merge, "--no-merge"),
            (self.no_dead_reset, "--no-dead-reset"),
            (self.no_hide, "--no-hide"),
            (self.lint_spin_portable, "--lint spin-portable"),
        ];
        let foreign: &[(bool, &'static str)] = match language {
            Language::Argos => &promela_only,
            Language::Promela => &argos_only,
        };
        foreign.iter().find(|(set, _)| *set).map(|(_, name)| *name)
    }

    /// The part that decides the network.
    pub(crate) fn build(&self) -> BuildOptions {
        let timeout = match self.timeout {
            Timeout::Last => TimeoutRule::Last,
            Timeout::Empty => TimeoutRule::Empty,
            Timeout::Any => TimeoutRule::Any,
            Timeout::Off => TimeoutRule::Off,
        };
        let default_receive = match self.default {
            Default_::Any => DefaultRule::Any,
            Default_::Else => DefaultRule::Else,
        };
        let end = match self.end {
            End::Strict => EndRule::Strict,
            End::Home => EndRule::Home,
        };
        let calls = match self.calls {
            Calls::Inline => CallRule::Inline,
            Calls::Step => CallRule::Step,
        };
        BuildOptions {
            rules: Rules { timeout, default_receive, end },
            calls,
            capacity: self.capacity,
            capacity_default: self.capacity_default,
            keeps_labels: self.keeps_labels,
        }
    }

    /// The part that decides what a program means. Claims are chosen by searches.
    pub(crate) fn program_rules(&self) -> program::reference::Rules {
        program::reference::Rules {
            spin_counts: self.spin_counts,
            lossy_sends: self.lossy,
            inner_unless_first: self.inner_unless,
            queues_empty_at_end: self.queues_empty,
            only_senders_move: self.fairness_spin,
            ..program::reference::Rules::default()
        }
    }

    /// Which steps are left out.
    pub(crate) fn reduction(&self) -> search::Reduce {
        match self.reduce {
            Reduce::Auto if self.may_reduce() => search::Reduce::Ample,
            Reduce::Auto | Reduce::None | Reduce::Internal | Reduce::Symmetry => {
                search::Reduce::Nothing
            }
            Reduce::Sleep => search::Reduce::Sleep,
            Reduce::Ample | Reduce::AmpleSymmetry => search::Reduce::Ample,
            Reduce::SleepAmple => search::Reduce::SleepAmple,
        }
    }

    /// Whether it is asked for that of states that are permutations of each other one is
    /// searched.
    pub(crate) fn wants_symmetry(&self) -> bool {
        matches!(self.reduce, Reduce::Symmetry | Reduce::AmpleSymmetry)
    }

    /// Whether ample sets keep what is asked: the verdicts of one search of everything, not
    /// every state, nor every error.
    fn may_reduce(&self) -> bool {
        self.search == Search::Auto
            && matches!(self.store, Store::Compact | Store::Full)
            && self.depth.is_none()
            && self.cache.is_none()
            && self.folds.is_empty()
            && self.engine != Engine::Reference
            && !self.all_errors
            && !self.spin_counts
            && !self.plain
    }

    /// Whether a search of the options is as it would be for somebody who asked for no reduction.
    pub(crate) fn reduces_unasked(&self) -> bool {
        self.reduce == Reduce::Auto && self.reduction() != search::Reduce::Nothing
    }

    /// Which steps depend on each other.
    pub(crate) fn relation(&self) -> system::Dependency {
        match self.dependency {
            Dependency::Paper => system::Dependency::Paper,
            Dependency::Fine => system::Dependency::Fine,
            Dependency::Syntactic => system::Dependency::Syntactic,
        }
    }

    /// How large the cache is and how it forgets, if there is one.
    fn cache_request(&self) -> Option<search::CacheRequest> {
        let replace = match self.replace {
            Replace::Random => search::Replace::Random,
            Replace::RoundRobin => search::Replace::RoundRobin,
            Replace::Most => search::Replace::Most,
            Replace::Least => search::Replace::Least,
            Replace::Class => search::Replace::Class,
            Replace::Subtree => search::Replace::Subtree,
            Replace::Type => search::Replace::Type,
            Replace::Avoid1 => search::Replace::Avoid(system::LastStatement::Jump),
            Replace::Avoid2 => search::Replace::Avoid(system::LastStatement::Receive),
            Replace::Avoid3 => search::Replace::Avoid(system::LastStatement::Send),
            Replace::Avoid4 => search::Replace::Avoid(system::LastStatement::Assign),
        };
        self.cache.map(|states| search::CacheRequest {
            states_max: Some(states).filter(|states| *states > 0),
            replace,
            scan: self.scan,
            count_recreated: self.count_recreated,
            revisits: self.revisits,
            seed: self.seed.unwrap_or(search::CacheRequest::default().seed),
        })
    }

    /// Whether the search is a depth-first one unless another one is asked for.
    pub(crate) fn wants_a_path(&self) -> bool {
        let all = matches!(self.store, Store::Compact | Store::Full);
        match self.reduction() {
            search::Reduce::Nothing => self.cache.is_some(),
            search::Reduce::Ample => self.cache.is_some() || !all,
            search::Reduce::Sleep | search::Reduce::SleepAmple => true,
        }
    }

    /// The part that decides the search.
    pub(crate) fn request(&self) -> search::Request {
        let reduce = self.reduction();
        let order = match self.search {
            Search::Auto if self.wants_a_path() => search::Order::DepthFirst,
            // Breadth first finds shortest traces at once; with a store of the
            // path only there is no breadth.
            Search::Auto if matches!(self.store, Store::Compact | Store::Full) => {
                search::Order::BreadthFirst
            }
            Search::Auto | Search::Exhaustive => search::Order::Exhaustive,
            Search::Dfs => search::Order::DepthFirst,
            Search::Bfs => search::Order::BreadthFirst,
            Search::Directed => search::Order::BestFirst,
            _ => search::Order::Partial,
        };
        let store = match self.store {
            Store::Compact => search::StoreKind::Compact,
            Store::Full => search::StoreKind::Full,
            Store::Labelled => search::StoreKind::Labelled,
            Store::Path => search::StoreKind::Path,
            Store::Bitstate => search::StoreKind::Bitstate,
            Store::Hash64 => search::StoreKind::Hash64,
        };
        search::Request {
            order,
            store,
            reduce,
            cache: self.cache_request(),
            depth: self.depth,
            all_errors: self.all_errors || self.spin_counts,
            memory_bytes_max: self.memory,
            ..search::Request::default()
        }
    }

    /// Whether traces are shortened by a second search.
    pub(crate) fn shortens(&self) -> bool {
        self.shortest || !matches!(self.search, Search::Dfs | Search::Directed)
    }

    /// The settings that a report names, whatever the model.
    pub(crate) fn setting(&self) -> Setting {
        Setting {
            timeout: None,
            default_receive: None,
            calls: None,
            end: self.end.word().to_owned(),
            capacity_override: self.capacity,
            capacity_default: None,
            search: self.search.word().to_owned(),
            store: self.store.word().to_owned(),
            depth: self.depth,
            memory: self.memory,
            time: self.time,
            all_errors: self.all_errors,
            error_type: self.error_type,
            lossy: self.lossy,
            queues_empty: self.queues_empty,
            inner_unless: self.inner_unless,
            fair: (self.fair != Fair::None).then(|| self.fair.word().to_owned()),
            fairness_spin: self.fairness_spin,
            reduce: self.reduce.word().to_owned(),
            replace: self.replace.word().to_owned(),
            within: self.within.is_some(),
            spin_counts: self.spin_counts,
            ahead: None,
        }
    }

    /// In which order machines are asked.
    pub(crate) fn order(&self) -> engine::Order {
        match self.search {
            Search::Dfs => engine::Order::YoungestFirst,
            _ => engine::Order::Declared,
        }
    }
}
