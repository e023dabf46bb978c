//! One search of a check: what of the system it is shown, in which order, how far. And
//! which options go together: the only place that says so, beside the plan of `search`.

use crate::subject::Boxed;
use crate::{Engine, Options, Reduce, Search, Store};
use report::Language;
use restrict::{Filtered, Filters, Folded, Keep, Symmetric, Walks};
use search::{Order, Outcome, Plan, Refusal, Request, StoreKind, Watch};
use std::num::NonZeroUsize;
use system::Part;

/// How many walks a random search makes unless told otherwise.
const WALKS: u32 = 100;

/// Depth bound of a restricted search, as a multiple of the sizes of all machines
/// (Holzmann 1987, section 5).
pub(crate) const DEPTH_FACTOR: u64 = 10;

/// States a restricted search may spend on a shorter run.
const QUICK_SHORTEN_BUDGET: u64 = 100_000;

/// One search.
#[derive(Clone, Debug)]
pub(crate) struct Stage {
    /// In words, for the run list of a report.
    pub(crate) name: String,
    pub(crate) filters: Filters,
    /// So many random walks instead of a search.
    pub(crate) walks: Option<u32>,
    pub(crate) folds: Vec<Part>,
    /// Of states that are permutations of each other one is searched.
    pub(crate) symmetry: bool,
    pub(crate) request: Request,
}

impl Stage {
    /// The search that the options ask for, of machines of `size` states together.
    pub(crate) fn asked(options: &Options, size: u64) -> Self {
        let mut request = options.request();
        if options.search.is_restricted() {
            request.depth = request.depth.or(Some(size * DEPTH_FACTOR));
        }
        let walks = (options.search == Search::Random).then(|| options.walks.unwrap_or(WALKS));
        if walks.is_some() {
            // No two states of walks are the same: there is nothing to remember.
            (request.order, request.store) = (Order::DepthFirst, StoreKind::Path);
        }
        Self {
            name: asked_name(options),
            filters: filters(options),
            walks,
            folds: parts(&options.folds).unwrap_or_default(),
            symmetry: options.wants_symmetry(),
            request,
        }
    }

    /// The same with ties by lot.
    pub(crate) fn by_lot(&self, seed: u64) -> Self {
        let filters = Filters { seed: Some(seed), ..self.filters };
        Self { name: format!("{}, ties by lot", self.name), filters, ..self.clone() }
    }

    /// The same with at most so many states.
    pub(crate) fn within(&self, states_max: u64) -> Self {
        let most = self.request.states_max.map_or(states_max, |most| most.min(states_max));
        Self { request: Request { states_max: Some(most), ..self.request }, ..self.clone() }
    }

    /// The name of the reduction if it left states out.
    pub(crate) fn state_reduction(&self, outcome: &Outcome) -> Option<String> {
        let word = match self.request.reduce {
            search::Reduce::Ample => Reduce::Ample.word(),
            search::Reduce::SleepAmple => Reduce::SleepAmple.word(),
            search::Reduce::Nothing | search::Reduce::Sleep => return None,
        };
        (outcome.statistics.left_out > 0).then(|| word.to_owned())
    }

    /// A search of everything, whatever is asked.
    pub(crate) fn whole(options: &Options) -> Self {
        let plain = Options { search: Search::Bfs, reduce: Reduce::None, ..options.clone() };
        Self { folds: Vec::new(), ..Self::asked(&plain, 0) }
    }

    /// The same with ample sets.
    pub(crate) fn reduced(self) -> Self {
        let request = Request { reduce: search::Reduce::Ample, ..self.request };
        Self { request, ..self }
    }

    /// The same with one state of all that are permutations of each other.
    pub(crate) fn symmetric(&self) -> Self {
        Self { name: format!("{}, symmetry", self.name), symmetry: true, ..self.clone() }
    }

    /// The same in whatever order goes deepest at no cost.
    pub(crate) fn in_any_order(&self) -> Self {
        let name = self.name.replace(search_name(Search::Bfs), search_name(Search::Exhaustive));
        let request = Request { order: Order::Exhaustive, ..self.request };
        Self { name, request, ..self.clone() }
    }

    /// Whether the first error it finds is one of the nearest.
    pub(crate) fn finds_shortest(&self) -> bool {
        self.is_whole()
            && !self.filters.local_first
            && !self.symmetry
            && self.request.reduce == search::Reduce::Nothing
            && self.request.order == Order::BreadthFirst
    }

    /// Whether every step of every state is shown, or may as well be.
    pub(crate) fn is_whole(&self) -> bool {
        let whole = Filters { local_first: self.filters.local_first, ..Filters::default() };
        self.filters == whole && self.walks.is_none() && self.folds.is_empty()
    }

    /// Whether it asks what steps touch, or what they are.
    pub(crate) fn asks_of_steps(&self) -> bool {
        self.request.reduce != search::Reduce::Nothing || self.request.cache.is_some()
    }

    /// Whether several threads may share it, in no order that anybody asked for.
    pub(crate) fn is_for_threads(&self) -> bool {
        let Request { order, store, depth, states_max, .. } = self.request;
        let unordered = matches!(order, Order::Exhaustive | Order::BreadthFirst);
        let free = depth.is_none() && states_max.is_none() && !self.asks_of_steps();
        self.is_whole() && unordered && free && store == StoreKind::Compact && !self.symmetry
    }

    /// How far the search for a shorter run to what it found may go. Whoever looks at a
    /// part finds errors in no time, and is not made to wait for long.
    pub(crate) fn budget(&self, options: &Options) -> Request {
        let quick = !self.is_whole() && !options.shortest;
        let most = if quick { QUICK_SHORTEN_BUDGET } else { u64::MAX };
        let states_max = Some(options.shorten_budget.min(most));
        Request { states_max, depth: options.depth, ..self.request }
    }

    /// Searches what it shows of `system`, with the others where it shows everything.
    pub(crate) fn run<'a>(
        &self,
        (system, others): (&Boxed<'a>, &mut [Boxed<'a>]),
        watch: &mut dyn Watch,
    ) -> Result<Outcome, Refusal> {
        if self.symmetry {
            return self.run_symmetric(system, watch).map(|(outcome, _)| outcome);
        }
        let plan = Plan::new(&self.request)?;
        watch.stage(&self.name);
        if self.is_whole() && !self.filters.local_first {
            let mut copies: Vec<_> = others.iter_mut().map(|other| &mut **other as _).collect();
            return search::run(&**system, &mut copies, &plan, watch);
        }
        let filtered = Filtered::new(&**system, self.filters).ok_or(Refusal::NoParts)?;
        if let Some(walks) = self.walks {
            let seed = self.filters.seed.unwrap_or(0);
            return search::run(&Walks::new(&filtered, seed, walks), &mut [], &plan, watch);
        }
        if self.folds.is_empty() {
            return search::run(&filtered, &mut [], &plan, watch);
        }
        let parts = system.parts().ok_or(Refusal::NoParts)?;
        let blanks = self.folds.iter().filter_map(|part| parts.blank(part)).collect();
        search::run(&Folded::new(&filtered, blanks), &mut [], &plan, watch)
    }
}

impl Stage {
    /// Searches one state of all that are permutations of each other; says how many states one of
    /// them stands for in the mean.
    pub(crate) fn run_symmetric(
        &self,
        system: &Boxed<'_>,
        watch: &mut dyn Watch,
    ) -> Result<(Outcome, u64), Refusal> {
        let plan = Plan::new(&self.request)?;
        watch.stage(&self.name);
        let symmetric = Symmetric::new(&**system).ok_or(Refusal::NoSymmetry)?;
        let outcome = search::run(&symmetric, &mut [], &plan, watch)?;
        Ok((outcome, symmetric.states_for_one()))
    }
}

fn filters(options: &Options) -> Filters {
    let keep = match options.search {
        Search::Scatter => {
            let most = options.keep.and_then(|most| NonZeroUsize::new(most as usize));
            Keep::Processes(most.unwrap_or(NonZeroUsize::MIN))
        }
        Search::OnePerProcess => Keep::OnePerProcess,
        Search::OnePerState => Keep::OnePerState,
        _ => Keep::All,
    };
    Filters {
        local_first: options.reduce == Reduce::Internal,
        keep,
        timeouts_last: options.search.is_restricted(),
        messages_max: None,
        reorder: None,
        seed: options.seed.filter(|_| options.search.is_restricted()),
    }
}

impl Search {
    /// Whether steps are left out by design.
    pub(crate) fn is_restricted(self) -> bool {
        match self {
            Search::Auto | Search::Exhaustive | Search::Dfs | Search::Bfs | Search::Directed => {
                false
            }
            Search::Partial
            | Search::Scatter
            | Search::OnePerProcess
            | Search::OnePerState
            | Search::Random => true,
        }
    }
}

/// The search that is asked for in words.
fn asked_name(options: &Options) -> String {
    let name = interleaving_name(options);
    if options.wants_symmetry() { format!("{name}, symmetry") } else { name.to_owned() }
}

/// The same but for symmetry.
fn interleaving_name(options: &Options) -> &'static str {
    match options.reduction() {
        search::Reduce::Nothing if options.search == Search::Auto && options.wants_a_path() => {
            search_name(Search::Dfs)
        }
        search::Reduce::Nothing => search_name(options.search),
        search::Reduce::Sleep => "depth first, sleep sets",
        search::Reduce::Ample => match options.search {
            Search::Auto if !options.wants_a_path() => "breadth first, ample sets",
            Search::Bfs => "breadth first, ample sets",
            Search::Exhaustive if !options.wants_a_path() => "exhaustive, ample sets",
            _ => "depth first, ample sets",
        },
        search::Reduce::SleepAmple => "depth first, sleep and ample sets",
    }
}

/// In words.
pub(crate) fn search_name(search: Search) -> &'static str {
    match search {
        Search::Auto | Search::Bfs => "breadth first",
        Search::Exhaustive => "exhaustive",
        Search::Dfs => "depth first",
        Search::Directed => "best first",
        Search::Partial => "partial",
        Search::Scatter => "scatter",
        Search::OnePerProcess => "one per process",
        Search::OnePerState => "one per state",
        Search::Random => "random walks",
    }
}

/// Parses `process=NAME`, `channel=NAME`, `variable=NAME`, `variable=PROCESS:NAME`.
pub fn fold(text: &str) -> Result<Part, String> {
    let (kind, name) = text.split_once('=').unwrap_or((text, ""));
    if name.is_empty() {
        return Err(format!("`{text}` has no name; write {kind}=NAME"));
    }
    match kind {
        "process" => Ok(Part::Process(name.to_owned())),
        "channel" => Ok(Part::Channel(name.to_owned())),
        "variable" => Ok(match name.split_once(':') {
            Some((process, name)) => {
                Part::Variable { process: Some(process.to_owned()), name: name.to_owned() }
            }
            None => Part::Variable { process: None, name: name.to_owned() },
        }),
        _ => Err(format!("`{kind}` cannot be folded; there are process, channel and variable")),
    }
}

/// All of them, processes last: what is in a process is found by where it stands.
fn parts(folds: &[String]) -> Result<Vec<Part>, String> {
    let mut parts = folds.iter().map(|text| fold(text)).collect::<Result<Vec<Part>, String>>()?;
    parts.sort_by(|a, b| b.cmp(a));
    Ok(parts)
}

/// The first fold that means nothing in a model.
pub(crate) fn unknown_fold(options: &Options, knows: &dyn Fn(&Part) -> bool) -> Option<String> {
    let parts = match parts(&options.folds) {
        Ok(parts) => parts,
        Err(message) => return Some(message),
    };
    let unknown = parts.iter().find(|part| !knows(part))?;
    let (kind, name) = match unknown {
        Part::Process(name) => ("process", name.clone()),
        Part::Channel(name) => ("channel", name.clone()),
        Part::Variable { process: None, name } => ("variable", name.clone()),
        Part::Variable { process: Some(p), name } => ("variable", format!("{p}:{name}")),
    };
    Some(format!("--fold {kind}={name}: the model has no {kind} of that name"))
}

/// Why a service cannot be asked for with these options, if it is.
fn without_service(options: &Options, language: Language) -> Option<&'static str> {
    options.within.as_ref()?;
    let further = [&options.ltl, &options.ltl_files, &options.invariants, &options.covers];
    let asks = further.iter().any(|texts| !texts.is_empty())
        || !(options.checks.is_empty() && options.only.is_empty());
    let rows = [
        (
            language == Language::Promela,
            "--within follows the runs that an assertion of Argos allows, and PROMELA has none; \
             use --cover EXPR for a state, or a never claim for a sequence of events",
        ),
        (
            asks,
            "--within asks for one service and looks at no requirement; drop it, or --only, --ltl, \
             --ltl-file, --invariant, --cover and --check",
        ),
        (
            options.all_errors || options.error_type.is_some() || options.to_end,
            "--within asks for a run without errors; drop it, or --all-errors and --to-end",
        ),
        (
            options.search == Search::Directed,
            "--search directed looks first where an assertion is nearest to being violated, and \
             --within leaves such steps out; choose another search",
        ),
        (
            !matches!(options.reduce, Reduce::Auto | Reduce::None),
            "--reduce keeps errors, but not every order of events that an assertion sees: it is \
             not proven for --within; drop it",
        ),
    ];
    rows.iter().find(|(clash, _)| *clash).map(|(_, why)| *why)
}

/// Why symmetry does not go with the other options, if it does not.
fn without_symmetry(options: &Options) -> Option<&'static str> {
    if !options.wants_symmetry() {
        return None;
    }
    let rows = [
        (
            options.search.is_restricted() || !options.folds.is_empty(),
            "symmetry is proven for a search of everything; drop it, or the restriction",
        ),
        (
            options.engine == Engine::Reference,
            "--reduce symmetry needs the packed form of a model; drop --engine reference",
        ),
    ];
    rows.iter().find(|(clash, _)| *clash).map(|(_, why)| *why)
}

/// Why these options do not go together, if they do not.
pub(crate) fn refused(options: &Options, language: Language) -> Option<String> {
    if let Some(why) = without_service(options, language).or_else(|| without_symmetry(options)) {
        return Some(why.to_owned());
    }
    let Options { search, store, .. } = options;
    let lots = search.is_restricted() && *search != Search::Partial;
    let whole_store = *store == Store::Compact;
    let reduces = !matches!(options.reduce, Reduce::Auto | Reduce::None);
    let rows = [
        (
            options.keep.is_some() && *search != Search::Scatter,
            "--keep says how many processes --search scatter follows and would do nothing here",
        ),
        (
            options.walks.is_some() && *search != Search::Random,
            "--walks says how often --search random walks and would do nothing here",
        ),
        (
            options.seed.is_some() && !lots && *search != Search::Auto && options.cache.is_none(),
            "--seed breaks the ties of restricted searches and draws what a cache forgets; here is \
             neither",
        ),
        (
            *search == Search::Random && !options.folds.is_empty(),
            "--search random never compares states, so --fold would do nothing",
        ),
        (
            *search == Search::Random && !whole_store,
            "--search random remembers no state, so --store would do nothing",
        ),
        (
            *search == Search::Random && options.cache.is_some(),
            "--search random remembers no state, so --cache would do nothing",
        ),
        (
            options.reduction() != search::Reduce::Nothing
                && (search.is_restricted() || !options.folds.is_empty()),
            "sleep sets and ample sets are proven for a search of everything; drop them, or the \
             restriction",
        ),
        (
            options.spin_counts && search.is_restricted(),
            "--spin-counts promises the figures of a complete search; choose auto, exhaustive, \
             dfs or bfs",
        ),
        (
            options.spin_counts && !(options.invariants.is_empty() && options.covers.is_empty()),
            "--spin-counts promises the figures of SPIN's verifier, which knows neither \
             --invariant nor --cover; drop one of the two",
        ),
        (
            options.spin_counts && reduces,
            "--spin-counts promises the figures of a search without reductions; drop --reduce",
        ),
        (
            options.spin_counts && !options.folds.is_empty(),
            "--spin-counts promises the figures of a complete search; drop --fold",
        ),
        (
            language == Language::Argos && options.plain && reduces,
            "--plain is a search without reductions; drop one of --plain and --reduce",
        ),
    ];
    rows.iter().find(|(clash, _)| *clash).map(|(_, why)| (*why).to_owned())
}
