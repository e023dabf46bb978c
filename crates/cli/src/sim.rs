//! `argos sim`: a random run, a saved run followed, or one chosen step by step.

use crate::args::SimArguments;
use crate::cpp::read_model;
use crate::host::Machine;
use crate::output::{
    complain, json, look, model_name, print, refuse_foreign, save, say, source, usual,
};
use crate::replay::read_saved;
use pipeline::{Dice, Goal, Loaded, Options, Run, SavedTrace, ToldRun};
use report::Look;
use trace::Mismatch;

mod interactive;

pub(crate) fn run(arguments: &SimArguments) -> u8 {
    simulated(arguments).unwrap_or_else(|code| code)
}

/// A simulation and what it came from.
pub(crate) struct Session<'a> {
    pub(crate) file: &'a str,
    pub(crate) options: Options,
    pub(crate) loaded: &'a Loaded,
    pub(crate) simulation: Box<dyn Run + 'a>,
    pub(crate) look: Look,
}

impl Session<'_> {
    pub(crate) fn save(&self, file: &str) -> Result<(), u8> {
        let run = SavedTrace::of_run(self.loaded, &self.options, &*self.simulation);
        save(&json(&run), file)
    }

    /// The run so far as text.
    pub(crate) fn drawn(&self, look: &Look) -> String {
        report::run(&ToldRun::new(&*self.simulation).chart(self.file), look)
    }

    /// The run so far as a page.
    fn page(&self) -> String {
        let (run, command) = (&*self.simulation, crate::output::command_line());
        let model = pipeline::view_of_run(self.loaded, run, self.file, &command);
        report::html(&[model], &[])
    }
}

fn simulated(arguments: &SimArguments) -> Result<u8, u8> {
    let until = arguments.until.iter().cloned().collect();
    let breaks = arguments.breaks.clone();
    let typed = Options { until, breaks, ..arguments.model.options() };
    let bytes = read_model(&arguments.file, &typed)?;
    let followed = arguments.follow.as_deref().map(read_saved).transpose()?;
    let options = match &followed {
        // What was saved says how to read the text, not which command to run.
        Some(saved) => Options {
            cpp: typed.cpp.clone(),
            until: typed.until.clone(),
            breaks: typed.breaks.clone(),
            ..saved.options_elsewhere()
        },
        None => typed.clone(),
    };
    let host = Machine::deaf().reading(&arguments.file);
    let file = model_name(&arguments.file);
    let source = source(&arguments.file, &bytes, arguments.model.lang);
    refuse_foreign(&typed, source.language)?;
    let loaded = pipeline::load(source, &options, &host);
    let asked = look(&arguments.look, Some(&arguments.form));
    let look = usual(&asked, loaded.language, false);
    let rules = followed.as_ref().and_then(|saved| saved.steps(0)).map(|(_, _, rules)| rules);
    let simulation = match pipeline::simulate(&loaded, &options, rules) {
        Some(Ok(simulation)) => simulation,
        Some(Err(problem)) => {
            say(&format!("{file}: {problem}\n"));
            return Ok(1);
        }
        None => {
            print(&report::diagnostics(&loaded.errors(), &loaded.sources, &look));
            return Ok(3);
        }
    };
    let mut session = Session { file, options, loaded: &loaded, simulation, look };
    if arguments.interactive {
        interactive::run(&mut session);
    } else {
        match &followed {
            Some(saved) => follow(&mut session, saved, arguments),
            None => random(&mut session, arguments),
        }
        conclude(&session);
    }
    if let Some(file) = &arguments.trace {
        session.save(file)?;
    }
    if let Some(file) = &arguments.report {
        save(&session.page(), file)?;
    }
    Ok(u8::from(session.simulation.problem().is_some()))
}

fn random(session: &mut Session<'_>, arguments: &SimArguments) {
    let seed = arguments.seed.unwrap_or_else(fresh_seed);
    let mut dice = Dice::new(seed);
    let goal = Goal::of(session.loaded);
    pipeline::go_randomly(&mut *session.simulation, &goal, arguments.length, &mut dice, &|| true);
    let steps = session.simulation.scenario().trace.len();
    let steps = if steps == 1 { "1 step".to_owned() } else { format!("{steps} steps") };
    let told = goal.told(&*session.simulation);
    say(&format!("{}: a random run of {steps} (--seed {seed}){told}\n\n", session.file));
}

/// Any number will do: it is printed, so the run can be had again.
pub(crate) fn fresh_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |now| u64::from(now.subsec_nanos()) / 1000)
}

fn follow(session: &mut Session<'_>, saved: &SavedTrace, arguments: &SimArguments) {
    // What the run is to end in stands behind the model, and is not part of it.
    if arguments.until.is_none() && session.loaded.sha256() != saved.model_sha256 {
        complain(&format!("the run was saved from another text than {}", session.file));
    }
    let stops = saved
        .steps(0)
        .and_then(|(scenario, choices, _)| session.simulation.retrace(scenario, choices).err());
    if let Some(Mismatch { step, reason, .. }) = stops {
        let what = if reason.is_empty() { reason } else { format!(", {reason}") };
        complain(&format!("step {step}{what}, cannot be taken here; the run stops before it"));
    }
    let goal = Goal::of(session.loaded);
    if goal.is_given() {
        go_back_to_first(session, saved, &goal);
    }
    let steps = session.simulation.steps();
    let told = goal.told(&*session.simulation);
    say(&format!("{}: {steps} saved steps followed{told}\n\n", session.file));
}

/// Goes back to the first state in which the goal holds, if there is one.
fn go_back_to_first(session: &mut Session<'_>, saved: &SavedTrace, goal: &Goal) {
    let all = session.simulation.steps();
    let mut first = goal.is_reached(&*session.simulation).then_some(all);
    while session.simulation.back() {
        let steps = session.simulation.steps();
        first = goal.is_reached(&*session.simulation).then_some(steps).or(first);
    }
    if let Some((scenario, choices, _)) = saved.steps(0) {
        // It could be taken before.
        let _ = session.simulation.retrace(scenario, choices);
    }
    while first.is_some_and(|first| session.simulation.steps() > first) {
        session.simulation.back();
    }
}

fn conclude(session: &Session<'_>) {
    print(&session.drawn(&session.look));
    say(&format!("\n{}\n", pipeline::ending(&*session.simulation)));
    if let (Some(waits), Some(_)) = (session.simulation.waits(), session.simulation.problem()) {
        print(&format!("\n{}", report::waits(&waits, &session.look)));
    }
}
