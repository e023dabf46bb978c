//! A trail of SPIN, executed by the reference interpreter edge by edge, and the
//! trail of a run of ours.

use super::meaning::Meaning;
use super::merge;
use super::trail::{Trail, TrailLine};
use crate::{Mismatch, matches_step};
use program::reference::{self, Move, Mover, Problem, Rest, Rules, State, Step};
use program::{ClaimKind, EdgeId, Initial, LocationId, ProctypeId, Program, Variable};
use promela::Listing;

/// A cycle is repeated so often until it leads back: more than a byte has values.
const ROUNDS_MAX: usize = 300;

/// A run, edge by edge.
#[derive(Clone, Debug)]
pub struct EdgeRun {
    /// By which rules.
    pub rules: Rules,
    /// Where it begins.
    pub initial: State,
    /// What was executed, in order.
    pub steps: Vec<Executed>,
    /// How many steps stand before the cycle of the trail, if it has one.
    pub cycle: Option<usize>,
}

/// One executed edge, or the two of a rendezvous.
#[derive(Clone, Debug)]
pub struct Executed {
    /// As the trail counts; the receiver of a rendezvous is one deeper.
    pub depth: u64,
    /// Who moves.
    pub mover: Mover,
    /// What it executes.
    pub proctype: ProctypeId,
    /// The edge, and what came of it.
    pub made: Move,
    /// A jump that a merged trail leaves out, and SPIN's list of steps too.
    pub hidden: bool,
}

/// A trail that leads nowhere.
#[derive(Clone, Debug)]
pub struct Lost {
    /// Why, in words.
    pub reason: String,
    /// The run up to there.
    pub run: Option<EdgeRun>,
}

/// Executes a trail.
pub fn follow(
    program: &Program,
    listing: &Listing,
    trail: &Trail,
    meaning: Meaning,
) -> Result<EdgeRun, Lost> {
    let lost = |reason: &str| Lost { reason: reason.to_owned(), run: None };
    if !listing.is_exact() {
        return Err(lost(
            "a label on a `goto` is asked for from outside (P@L), which changes SPIN's numbers \
             for statements; use `argos check --trace` and `argos replay` for this model",
        ));
    }
    let Some(watched) = watched(program, listing, trail) else {
        return Err(lost("the trail is one with a claim that this model does not have"));
    };
    let claim = match watched {
        Watched::Claim(claim) => Some(claim),
        Watched::Nothing | Watched::Generated => None,
    };
    let system = (watched == Watched::Generated).then(|| trail.without_claim());
    let trail = system.as_ref().unwrap_or(trail);
    let rules = Rules { spin_counts: true, claim, ..meaning.rules() };
    let mut follower = Follower::new(program, listing, rules)
        .map_err(|()| lost("the initial values of the model fail"))?;
    let mut at = 0;
    loop {
        if trail.cycle == Some(at) {
            follower.run.cycle = Some(follower.run.steps.len());
        }
        let Some(line) = trail.lines.get(at) else { return Ok(follower.run) };
        match follower.line(trail, at) {
            Some(halves) => at += halves,
            None => {
                let reason = follower.refusal(line);
                return Err(Lost { reason, run: Some(follower.run) });
            }
        }
    }
}

/// What a trail runs with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Watched {
    /// Nothing.
    Nothing,
    /// A never claim of the text.
    Claim(ProctypeId),
    /// An automaton that SPIN made, from a formula or for non-progress cycles. Only SPIN knows
    /// its statements.
    Generated,
}

/// What a trail runs with; none if this model does not have it. SPIN numbers the claims of
/// formulas behind everything that is written out, and the one for non-progress last.
pub fn watched(program: &Program, listing: &Listing, trail: &Trail) -> Option<Watched> {
    let Some(number) = trail.claim else { return Some(Watched::Nothing) };
    let is_never = |id| program.claims.iter().any(|claim| claim.kind == ClaimKind::Never(id));
    let formulas = program.claims.iter().filter(|claim| matches!(claim.kind, ClaimKind::Ltl(_)));
    let last = listing.in_order().len() + formulas.count();
    match listing.numbered(number) {
        Some(id) => is_never(id).then_some(Watched::Claim(id)),
        None => (number as usize <= last).then_some(Watched::Generated),
    }
}

/// Where the run of a finding ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Until {
    /// With its last step.
    End,
    /// Where its last step fails.
    Failure,
    /// Where its last step brings the claim to its end.
    ClaimEnd,
}

/// Executes the trail of a search, edge by edge. Counting as SPIN does, the last step goes on
/// behind what is wrong with it; the run ends there.
///
/// # Errors
/// The first step that the reference interpreter cannot take.
pub fn retrace(
    program: &Program,
    listing: &Listing,
    rules: Rules,
    trail: &[system::Step],
    until: Until,
) -> Result<EdgeRun, Mismatch> {
    let mut follower = Follower::at_start(program, listing, rules)?;
    for (index, wanted) in trail.iter().enumerate() {
        let last = index + 1 == trail.len();
        follower.retake(index, wanted, if last { until } else { Until::End })?;
    }
    Ok(follower.run)
}

/// Executes an infinite run, edge by edge: the steps of a search, of which those from `cycle`
/// on repeat. Without a claim.
///
/// # Errors
/// The first step that the reference interpreter cannot take.
pub fn retrace_cycle(
    program: &Program,
    listing: &Listing,
    rules: Rules,
    trail: &[system::Step],
    cycle: Option<usize>,
) -> Result<EdgeRun, Mismatch> {
    let mut follower = Follower::at_start(program, listing, rules)?;
    for index in 0..=trail.len() {
        if cycle == Some(index) {
            follower.run.cycle = Some(follower.run.steps.len());
        }
        if let Some(wanted) = trail.get(index) {
            follower.retake(index, wanted, Until::End)?;
        }
    }
    Ok(follower.run)
}

/// A run being made.
pub struct Follower<'a> {
    program: &'a Program,
    listing: &'a Listing,
    rendezvous: bool,
    /// The run so far.
    pub run: EdgeRun,
}

impl<'a> Follower<'a> {
    /// A run at its start; none if the initial values of the program fail.
    #[expect(clippy::result_unit_err, reason = "there is nothing to say but that they fail")]
    pub fn new(program: &'a Program, listing: &'a Listing, rules: Rules) -> Result<Self, ()> {
        let initial = reference::initial(program, &rules).map_err(drop)?;
        let locals = program.proctypes.iter().flat_map(|kind| &kind.variables);
        let is_rendezvous = |variable: &Variable| matches!(&variable.initial, Initial::Channel(kind) if kind.capacity == 0);
        let rendezvous = program.globals.iter().chain(locals).any(is_rendezvous);
        let run = EdgeRun { rules, initial, steps: Vec::new(), cycle: None };
        Ok(Self { program, listing, rendezvous, run })
    }

    fn at_start(
        program: &'a Program,
        listing: &'a Listing,
        rules: Rules,
    ) -> Result<Self, Mismatch> {
        let fails = |()| Mismatch::new(0, "the initial values of the program fail");
        Self::new(program, listing, rules).map_err(fails)
    }

    /// Takes the step that a search took as its step `index`.
    fn retake(
        &mut self,
        index: usize,
        wanted: &system::Step,
        until: Until,
    ) -> Result<(), Mismatch> {
        let steps = reference::steps(self.program, &self.run.rules, self.run.state());
        let step = steps.into_iter().nth(wanted.choice as usize);
        let step = step.filter(|step| matches_step(step, wanted));
        let step = step.ok_or_else(|| Mismatch::cannot(index + 1))?;
        self.take_step(&step, until)
            .ok_or_else(|| Mismatch::new(index + 1, "its single edges cannot be executed again"))
    }

    /// Takes the edges of a step, up to where `until` says that it is over; none if they
    /// cannot be taken.
    pub fn take_step(&mut self, step: &Step, until: Until) -> Option<()> {
        let claim = step.claim.iter().map(|edge| (Mover::Claim, *edge, None));
        let system = step.micros.iter().map(|m| (Mover::Process(m.pid), m.edge, m.peer));
        for (mover, edge, peer) in claim.chain(system) {
            self.take(mover, |made| (made.edge, made.peer) == (edge, peer))?;
            let over = match until {
                Until::End => false,
                Until::Failure => self.run.has_failed(),
                Until::ClaimEnd => self.run.is_claim_over(self.program),
            };
            if over {
                break;
            }
        }
        Some(())
    }

    /// Executes the line at `at`, and the next if the two are a rendezvous; how
    /// many lines that were.
    fn line(&mut self, trail: &Trail, at: usize) -> Option<usize> {
        let line = trail.lines[at];
        let mover = self.run.mover(line.pid)?;
        if trail.merged {
            self.catch_up(mover, line);
        }
        let (proctype, _) = self.run.place(mover)?;
        let other = trail.lines.get(at + 1);
        let (listing, offset) = (self.listing, usize::from(self.run.rules.claim.is_some()));
        let processes = &self.run.state().processes;
        let kinds: Vec<ProctypeId> = processes.iter().map(|process| process.proctype).collect();
        let names = |proctype, edge, id| {
            listing.statement(proctype, edge).is_some_and(|statement| statement.id == id)
        };
        let fits = |made: &Move| {
            names(proctype, made.edge, line.statement)
                && made.peer.is_none_or(|(pid, edge)| {
                    other.is_some_and(|other| {
                        other.pid == pid + offset && names(kinds[pid], edge, other.statement)
                    })
                })
        };
        self.take_at(line.depth, mover, fits)?;
        let taken = self.run.steps.last()?;
        let (edge, halves) = (taken.made.edge, 1 + usize::from(taken.made.peer.is_some()));
        if trail.merged {
            // Of a rendezvous it is the receiver whose statement begins a chain.
            match taken.made.peer {
                None => self.chain(proctype, edge, trail, at),
                Some((pid, edge)) => self.chain(kinds[pid], edge, trail, at + 1),
            }
        }
        Some(halves)
    }

    /// Takes the only way on until the statement of `line` stands here: what SPIN
    /// merged into an earlier line.
    fn catch_up(&mut self, mover: Mover, line: TrailLine) {
        let Some((proctype, _)) = self.run.place(mover) else { return };
        for _ in 0..self.program.proctypes[proctype].locations.len() {
            let Some((_, at)) = self.run.place(mover) else { return };
            let kind = &self.program.proctypes[proctype];
            if self.stands_at(proctype, at, line.statement) {
                return;
            }
            let jump = self.jump(proctype, at);
            let Some(edge) = merge::next(kind, at).or(jump) else { return };
            let depth = self.run.depth();
            if self.take_at(depth, mover, |made| made.edge == edge).is_none() {
                return;
            }
            if let Some(step) = self.run.steps.last_mut() {
                step.hidden = jump.is_some();
            }
        }
    }

    /// The jump that is the only way on from here, if one is.
    fn jump(&self, proctype: ProctypeId, at: LocationId) -> Option<EdgeId> {
        let mut edges = self.program.proctypes[proctype].edges_from(at);
        let (edge, _) = edges.next().filter(|_| edges.next().is_none())?;
        let listed = self.listing.statement(proctype, edge)?;
        (listed.text == ".(goto)").then_some(edge)
    }

    fn stands_at(&self, proctype: ProctypeId, at: LocationId, statement: u32) -> bool {
        let mut edges = self.program.proctypes[proctype].edges_from(at);
        edges.any(|(edge, _)| {
            self.listing.statement(proctype, edge).is_some_and(|known| known.id == statement)
        })
    }

    /// Executes what SPIN merges with the statement just taken, but never past the
    /// next statement the trail names for the same process.
    fn chain(&mut self, proctype: ProctypeId, edge: EdgeId, trail: &Trail, at: usize) {
        let line = trail.lines[at];
        let kind = &self.program.proctypes[proctype];
        let Some(mover) = self.run.mover(line.pid) else { return };
        if !merge::begins(kind, &kind.edges[edge], self.rendezvous) {
            return;
        }
        let named = trail.lines[at + 1..].iter().find(|next| next.pid == line.pid);
        let mut chain = vec![edge];
        loop {
            let Some((_, here)) = self.run.place(mover) else { return };
            if named.is_some_and(|next| self.stands_at(proctype, here, next.statement)) {
                return;
            }
            // A loop is no chain.
            let next = merge::next(kind, here).filter(|edge| !chain.contains(edge));
            let Some(edge) = next else { return };
            chain.push(edge);
            if self.take_at(line.depth, mover, |made| made.edge == edge).is_none() {
                return;
            }
        }
    }

    /// Takes the first move of `mover` that `fits`, one deeper than the last.
    pub(super) fn take(&mut self, mover: Mover, fits: impl Fn(&Move) -> bool) -> Option<()> {
        let last = self.run.steps.last();
        let deepest = |step: &Executed| step.depth + u64::from(step.made.peer.is_some());
        self.take_at(last.map_or(0, deepest) + 1, mover, fits)
    }

    fn take_at(&mut self, depth: u64, mover: Mover, fits: impl Fn(&Move) -> bool) -> Option<()> {
        let (proctype, _) = self.run.place(mover)?;
        let (program, rules, state) = (self.program, &self.run.rules, self.run.state());
        let late = [false, true].into_iter();
        let mut found = late.filter_map(|late| {
            let moves = reference::moves(program, rules, state, mover, late);
            moves.into_iter().find(|made| fits(made))
        });
        let made = found.next()?;
        self.run.steps.push(Executed { depth, mover, proctype, made, hidden: false });
        Some(())
    }

    /// Why a line cannot be executed.
    fn refusal(&self, line: &TrailLine) -> String {
        let TrailLine { depth, pid, statement } = line;
        let what = match self.listing.proctype_of(*statement) {
            None => "no statement of this model has that number".to_owned(),
            Some(id) => {
                let name = &self.program.proctypes[id].name;
                let stands = self.run.mover(*pid).and_then(|mover| self.run.place(mover));
                match stands {
                    None => format!("it is one of {name}, and there is no such process"),
                    Some((kind, _)) if kind != id => {
                        let other = &self.program.proctypes[kind].name;
                        format!("it is one of {name}, but the process executes {other}")
                    }
                    Some(_) => format!("it is one of {name}, and cannot be executed there"),
                }
            }
        };
        format!("step {depth}: process {pid}, statement {statement}: {what}")
    }
}

impl EdgeRun {
    /// The state it ends in.
    pub fn state(&self) -> &State {
        self.steps.last().map_or(&self.initial, |step| &step.made.state)
    }

    /// Who a pid of a trail is.
    fn mover(&self, pid: usize) -> Option<Mover> {
        match (self.rules.claim, pid) {
            (Some(_), 0) => Some(Mover::Claim),
            (Some(_), _) => Some(Mover::Process(pid - 1)),
            (None, _) => Some(Mover::Process(pid)),
        }
    }

    /// What a mover executes and where it stands.
    fn place(&self, mover: Mover) -> Option<(ProctypeId, LocationId)> {
        let state = self.state();
        let body = match mover {
            Mover::Process(pid) => state.processes.get(pid).map(|process| &**process),
            Mover::Claim => state.claim.as_ref(),
        };
        body.map(|body| (body.proctype, body.location))
    }

    /// The pid a trail has for a mover.
    pub fn pid(&self, mover: Mover) -> usize {
        match mover {
            Mover::Claim => 0,
            Mover::Process(pid) => pid + usize::from(self.rules.claim.is_some()),
        }
    }

    /// The trail of this run, without merging. None if SPIN numbers the model
    /// otherwise than we do.
    pub fn trail(&self, listing: &Listing) -> Option<Trail> {
        if !listing.is_exact() {
            return None;
        }
        let claim = self.rules.claim.and_then(|claim| listing.number(claim));
        let mut trail = Trail { claim, ..Trail::default() };
        let mut before = &self.initial;
        for (index, step) in self.steps.iter().enumerate() {
            if self.cycle == Some(index) {
                trail.cycle = Some(trail.lines.len());
            }
            let statement = listing.statement(step.proctype, step.made.edge)?.id;
            let pid = self.pid(step.mover);
            trail.lines.push(TrailLine { depth: step.depth, pid, statement });
            if let Some((pid, edge)) = step.made.peer {
                let proctype = before.processes.get(pid)?.proctype;
                let statement = listing.statement(proctype, edge)?.id;
                let pid = self.pid(Mover::Process(pid));
                trail.lines.push(TrailLine { depth: step.depth + 1, pid, statement });
            }
            before = &step.made.state;
        }
        if self.cycle == Some(self.steps.len()) {
            trail.cycle = Some(trail.lines.len());
        }
        Some(trail)
    }

    /// The state behind so many steps.
    pub fn state_at(&self, steps: usize) -> &State {
        let last = steps.checked_sub(1).and_then(|last| self.steps.get(last));
        last.map_or(&self.initial, |step| &step.made.state)
    }

    /// The run with a cycle that leads back to the very state it begins in: what SPIN does not
    /// count, such as a variable that nobody reads, may need some rounds for that. None if the
    /// cycle cannot be repeated, or does not lead back for long. Without a step of its own it is
    /// that nothing can move.
    pub fn closed(&self, program: &Program) -> Option<EdgeRun> {
        let start = self.cycle?;
        let round = &self.steps[start..];
        if round.is_empty() {
            let halts = reference::steps(program, &self.rules, self.state()).is_empty();
            return halts.then(|| self.clone());
        }
        let (mut run, mut begins) = (self.clone(), vec![start]);
        for _ in 0..ROUNDS_MAX {
            let known = begins.iter().find(|begin| run.state_at(**begin) == run.state()).copied();
            if known.is_some() {
                run.cycle = known;
                return Some(run);
            }
            begins.push(run.steps.len());
            for step in round {
                run.repeat(program, step)?;
            }
        }
        None
    }

    /// Takes an edge once more.
    fn repeat(&mut self, program: &Program, step: &Executed) -> Option<()> {
        let late = [false, true].into_iter();
        let mut found = late.filter_map(|late| {
            let moves = reference::moves(program, &self.rules, self.state(), step.mover, late);
            let same = |made: &Move| (made.edge, made.peer) == (step.made.edge, step.made.peer);
            moves.into_iter().find(same)
        });
        let made = found.next()?;
        self.steps.push(Executed { depth: self.depth() + 1, made, ..step.clone() });
        Some(())
    }

    /// The depth of its last edge.
    pub fn depth(&self) -> u64 {
        self.depth_at(self.steps.len())
    }

    /// The depth of the last of the first `steps` edges.
    pub fn depth_at(&self, steps: usize) -> u64 {
        let last = steps.checked_sub(1).and_then(|last| self.steps.get(last));
        last.map_or(0, |step| step.depth + u64::from(step.made.peer.is_some()))
    }

    fn has_failed(&self) -> bool {
        self.steps.last().is_some_and(|step| !step.made.failures.is_empty())
    }

    /// Whether the claim, if there is one, is where it says that the system is wrong.
    fn is_claim_over(&self, program: &Program) -> bool {
        let Some(claim) = self.rules.claim else { return false };
        let kind = &program.proctypes[claim];
        self.state()
            .claim
            .as_ref()
            .is_none_or(|body| body.location == kind.end || kind.locations[body.location].marks.end)
    }

    /// Whether it ends in an error.
    pub fn is_wrong(&self, program: &Program) -> bool {
        self.problem(program).is_some()
    }

    /// What is wrong at its end, if something is.
    pub fn problem(&self, program: &Program) -> Option<Wrong> {
        let failure = self.steps.last().and_then(|step| step.made.failures.last());
        if let Some(failure) = failure {
            return Some(Wrong::Failed(failure.problem.clone()));
        }
        if self.rules.claim.is_some() {
            return self.is_claim_over(program).then_some(Wrong::Failed(Problem::ClaimEnd));
        }
        let state = self.state();
        let moves = reference::steps(program, &self.rules, state);
        if moves.iter().any(Step::is_transition) {
            return None;
        }
        match reference::at_rest(program, &self.rules, state) {
            Rest::InvalidEnd(_) => Some(Wrong::InvalidEnd),
            Rest::TraceUnfinished => Some(Wrong::TraceUnfinished),
            Rest::Proper | Rest::Residual | Rest::MessagesLeft => None,
        }
    }
}

/// How a run ends that must not end so.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wrong {
    /// A statement failed, or the claim came to its end.
    Failed(Problem),
    /// Somebody waits for ever.
    InvalidEnd,
    /// The event trace is not at its end.
    TraceUnfinished,
}
