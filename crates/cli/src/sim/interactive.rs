//! Choosing steps: numbers choose, `b` goes back, what cannot move says why.
//! Only what changed is printed; `f` prints everything.

use super::Session;
use crate::output::{print, say};
use pipeline::{Dice, Purpose};
use report::{Look, TraceForm};
use std::io::{self, BufRead, Write};
use trace::Snapshot;

pub(super) fn run(session: &mut Session<'_>) {
    let mut dice = Dice::new(0);
    say(&status(session));
    say(&offers(session));
    loop {
        say(prompt(session));
        let mut line = String::new();
        match io::stdin().lock().read_line(&mut line) {
            Ok(0) | Err(_) => return say("\n"),
            Ok(_) => {}
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        match obey(session, &words, &mut dice) {
            Next::Quit => return,
            Next::Stay => {}
            Next::Show(before) => {
                say(&changes(session, &before));
                say(&offers(session));
            }
        }
    }
}

enum Next {
    Quit,
    Stay,
    /// The run moved on from here.
    Show(Box<Before>),
}

/// What changes are told against.
struct Before {
    snapshot: Snapshot,
    lines: Vec<(String, Option<u32>)>,
}

fn obey(session: &mut Session<'_>, words: &[&str], dice: &mut Dice) -> Next {
    let (snapshot, lines) = (session.simulation.snapshot(), session.simulation.lines());
    let before = Box::new(Before { snapshot, lines });
    match words {
        [] => Next::Stay,
        ["q"] => Next::Quit,
        ["b"] => moved(session.simulation.back(), before, "this is the start"),
        ["r"] => random(session, "1", before, dice),
        ["r", count] => random(session, count, before, dice),
        ["f"] => {
            say(&full(session));
            Next::Stay
        }
        ["c"] => {
            let look = Look { form: TraceForm::Chart, ..session.look };
            print(&session.drawn(&look));
            Next::Stay
        }
        ["s", file] => {
            if session.save(file).is_ok() {
                let steps = session.simulation.steps();
                say(&format!(
                    "saved {file} ({steps} steps): argos sim {} --follow {file}\n",
                    session.file
                ));
            }
            Next::Stay
        }
        [number] if number.parse::<usize>().is_ok() => {
            let index = number.parse::<usize>().unwrap_or(0).wrapping_sub(1);
            moved(session.simulation.take(index), before, "there is no such choice")
        }
        _ => {
            say("a number, b, r [n], f, c, s FILE or q\n");
            Next::Stay
        }
    }
}

fn moved(done: bool, before: Box<Before>, otherwise: &str) -> Next {
    if done {
        return Next::Show(before);
    }
    say(&format!("{otherwise}\n"));
    Next::Stay
}

fn random(session: &mut Session<'_>, count: &str, before: Box<Before>, dice: &mut Dice) -> Next {
    let Ok(count) = count.parse::<usize>() else {
        say("r takes a number of steps\n");
        return Next::Stay;
    };
    let breaks = pipeline::predicates(session.loaded, Purpose::Break);
    let mut taken = 0;
    while taken < count && session.simulation.take_random(dice.roll()) {
        taken += 1;
        let holds =
            |(number, _): &&(usize, String)| session.simulation.holds(*number) == Some(true);
        if let Some((_, text)) = breaks.iter().find(holds) {
            say(&format!("stopped after {taken} of {count}: `{text}` holds\n"));
            break;
        }
    }
    moved(taken > 0, before, "nothing can move")
}

fn prompt(session: &Session<'_>) -> &'static str {
    let _ = io::stdout().flush();
    if session.simulation.choices().is_empty() {
        "b back, f full, c chart, s FILE save, q > "
    } else {
        "number, b back, r [n] random, f full, c chart, s FILE save, q > "
    }
}

/// Where everything stands: processes, channels, variables, a line each.
fn status(session: &Session<'_>) -> String {
    let snapshot = session.simulation.snapshot();
    let place = |(process, line): (String, Option<u32>)| match line {
        Some(line) => format!("{process} line {line}"),
        None => format!("{process} end"),
    };
    let groups = [
        ("at", session.simulation.lines().into_iter().map(place).collect::<Vec<_>>()),
        ("queues", snapshot.queues.iter().map(|(n, q)| format!("{n} {}", text(q))).collect()),
        ("vars", values(&snapshot).map(|(name, value)| format!("{name} {value}")).collect()),
    ];
    let mut status = format!("step {}\n", session.simulation.steps());
    for (head, parts) in groups.iter().filter(|(_, parts)| !parts.is_empty()) {
        status.push_str(&format!("  {head:<7} {}\n", parts.join("   ")));
    }
    status
}

/// Only what differs from `before`.
fn changes(session: &Session<'_>, before: &Before) -> String {
    let old_lines = &before.lines;
    let before = &before.snapshot;
    let now = session.simulation.snapshot();
    let mut parts = vec![format!("\nstep {}", session.simulation.steps())];
    for ((process, line), (_, old)) in session.simulation.lines().iter().zip(old_lines) {
        if now.at.get(process) != before.at.get(process) {
            let place = |line: &Option<u32>| line.map_or("end".to_owned(), |l| l.to_string());
            parts.push(format!("{process} line {} → {}", place(old), place(line)));
        }
    }
    for (name, queue) in &now.queues {
        if let Some(old) = before.queues.get(name).filter(|old| *old != queue) {
            parts.push(format!("{name} {} → {}", text(old), text(queue)));
        }
    }
    for (name, value) in values(&now) {
        if let Some(old) = before.value(name).filter(|old| *old != value) {
            parts.push(format!("{name} {old} → {value}"));
        }
    }
    format!("{}\n", parts.join("   "))
}

fn text(queue: &[String]) -> String {
    if queue.is_empty() { "empty".to_owned() } else { queue.join(" ") }
}

fn values(snapshot: &Snapshot) -> impl Iterator<Item = (&str, String)> {
    let value = |name: &String| snapshot.value(name).unwrap_or_default();
    snapshot.vars.keys().map(move |name| (name.as_str(), value(name)))
}

fn full(session: &Session<'_>) -> String {
    let snapshot = session.simulation.snapshot();
    let at = session.simulation.lines().into_iter().map(|(process, line)| match line {
        Some(line) => format!("  {process} at line {line}\n"),
        None => format!("  {process} at its end\n"),
    });
    let queues = snapshot.queues.iter().map(|(name, q)| format!("  {name} {}\n", text(q)));
    let vars = values(&snapshot).map(|(name, value)| format!("  {name} = {value}\n"));
    at.chain(queues).chain(vars).collect()
}

/// What can be chosen, and why the rest cannot.
fn offers(session: &Session<'_>) -> String {
    let (choices, blocked) = (session.simulation.choices(), session.simulation.blocked());
    let all = || choices.iter().chain(&blocked);
    let wide = |of: fn(&pipeline::Choice) -> usize| all().map(of).max().unwrap_or(0);
    let process = wide(|choice| choice.process.chars().count());
    let action = wide(|choice| choice.action.chars().count()).min(56);
    let mut text = String::new();
    if choices.is_empty() {
        let problem = session.simulation.problem();
        let what = problem.unwrap_or_else(|| "the run ends properly".to_owned());
        text.push_str(&format!("  {what}\n"));
    }
    let marks = (1..=choices.len()).map(|number| number.to_string());
    let marks = marks.chain(std::iter::repeat("-".to_owned()));
    for (mark, choice) in marks.zip(all()) {
        let line = format!(
            "{mark:>3}  {:process$}  {:action$}  line {:<4} {}",
            choice.process,
            choice.action,
            choice.line,
            choice.blocked.as_deref().unwrap_or_default()
        );
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
