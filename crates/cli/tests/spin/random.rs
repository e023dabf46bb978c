//! Trails of random models, followed in both directions: those of SPIN's verifier by argos, and
//! those of argos by SPIN's simulator.

use super::{argos, folder_with, run, spin};
use std::fs;
use std::path::Path;
use testkit::promela::whole::{model, print};

/// Models with an error, of each run of the tests; seeds that no other test has.
const TRAILS: usize = 40;
const SEED: u64 = 3_000_000;

/// What SPIN's simulator executes otherwise than its verifier, or does not show as a step: claims,
/// priorities, and statements that fail.
const OTHERWISE: [&str; 4] = ["never {", "priority", "provided", "timeout"];

/// What is wrong with the trails of a model; none if it has no error that can be compared.
fn followed(seed: u64, text: &str) -> Option<Result<(), String>> {
    let folder = folder_with("m.pml", text.as_bytes());
    spin(&["-a", "-o1", "-o2", "-o3", "m.pml"], &folder);
    let common = ["-w", "-DSAFETY", "-DNOREDUCE", "-DMEMLIM=64", "-o", "pan", "pan.c"];
    run("gcc", &common, &folder);
    let said = run("timeout", &["20", "./pan", "-n", "-m5000", "-w16"], &folder).text;
    let wanted = ["assertion violated", "invalid end state"];
    let error = said.lines().find(|line| line.starts_with("pan:1:")).unwrap_or_default();
    let found = wanted.iter().any(|words| error.contains(words));
    let compared = found.then(|| both_ways(&folder).map_err(|why| format!("seed {seed}: {why}")));
    // What went wrong can be looked at.
    if !matches!(compared, Some(Err(_))) {
        fs::remove_dir_all(folder).expect("it was made");
    }
    compared
}

fn both_ways(folder: &Path) -> Result<(), String> {
    let theirs = fs::read_to_string(folder.join("m.pml.trail")).map_err(|why| why.to_string())?;
    fs::write(folder.join("theirs.trail"), theirs).map_err(|why| why.to_string())?;
    let checked = argos(&["-o1", "-o2", "-o3", "-run", "-DNOREDUCE", "-n", "m.pml"], folder);
    if checked.code != 1 {
        return Err(format!("argos finds no error: {}{}", checked.text, checked.complaints));
    }
    for trail in ["theirs.trail", "m.pml.trail"] {
        let arguments = ["-p", "-t", "-k", trail, "m.pml"];
        let (theirs, ours) = (spin(&arguments, folder), argos(&arguments, folder));
        if ours.code != 1 {
            return Err(format!("{trail} by argos: {}", ours.complaints));
        }
        let (theirs, ours) = (steps(&theirs.text), steps(&ours.text));
        if theirs != ours {
            let place = theirs.iter().zip(&ours).take_while(|(theirs, ours)| theirs == ours);
            let place = place.count();
            let (theirs, ours) = (theirs.get(place), ours.get(place));
            return Err(format!("{trail}, step {place}:\n  spin  {theirs:?}\n  argos {ours:?}"));
        }
    }
    Ok(())
}

/// Number, process and statement of each step, without the remarks of either tool:
/// `  3:\tproc  1 (P:1) m.pml:4 (state 2)\t[x = 1]`. Of what a process does in one step, a `d_step`,
/// the first statement counts: SPIN lists the others otherwise.
fn steps(text: &str) -> Vec<[String; 3]> {
    let step = |line: &str| {
        let (head, statement) = line.split_once("\t[")?;
        let (number, who) = head.split_once(":\tproc ")?;
        let who = who.split_once(" m.pml").map_or(who, |(who, _)| who);
        Some([number, who, statement].map(|part| part.trim().to_owned()))
    };
    let mut steps: Vec<[String; 3]> = text.lines().filter_map(step).collect();
    steps.dedup_by(|later, first| later[..2] == first[..2]);
    steps
}

#[test]
fn trails_of_random_models_are_followed_in_both_directions() {
    let (mut compared, mut wrong) = (0, Vec::new());
    for seed in SEED..SEED + 20 * TRAILS as u64 {
        let text = print(&model(seed));
        if compared == TRAILS {
            break;
        }
        if OTHERWISE.iter().any(|word| text.contains(word)) {
            continue;
        }
        let Some(outcome) = followed(seed, &text) else { continue };
        compared += 1;
        wrong.extend(outcome.err());
    }
    assert_eq!(compared, TRAILS, "is spin installed?");
    assert!(wrong.is_empty(), "{} of {compared}\n{}", wrong.len(), wrong.join("\n"));
}
