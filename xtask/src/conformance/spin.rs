//! SPIN on one model, without its reductions, in a folder of its own.

use super::Finding;
use super::limits::{self, Limits, Ran};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

pub(super) const GENERATE: [&str; 5] = ["spin", "-a", "-o1", "-o2", "-o3"];
pub(super) const COMPILE: [&str; 9] =
    ["gcc", "-O1", "-w", "-DSAFETY", "-DNOREDUCE", "-DNOCLAIM", "-o", "pan", "pan.c"];
pub(super) const VERIFY: [&str; 5] = ["./pan", "-c0", "-n", "-m1000000", "-w22"];

/// What `spin -V` says.
pub(super) fn version() -> Result<String, String> {
    let output = Command::new("spin").arg("-V").output();
    let output = output.map_err(|error| format!("spin: {error}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

pub(super) fn verify(model: &Path, limits: Limits) -> Finding {
    let folder = scratch();
    let finding = stages(&folder, model, limits);
    // What cannot be removed is left to the system's own cleaning.
    let _ = fs::remove_dir_all(&folder);
    finding.unwrap_or_else(|finding| finding)
}

fn scratch() -> PathBuf {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let name = format!("argos-conformance-{}-{number}", std::process::id());
    std::env::temp_dir().join(name)
}

/// Generates, compiles and runs the verifier; the first stage that fails says why.
fn stages(folder: &Path, model: &Path, limits: Limits) -> Result<Finding, Finding> {
    let failed = |error: std::io::Error| Finding::nothing(false, &format!("not run: {error}"));
    fs::create_dir_all(folder).map_err(failed)?;
    let stage = |command: &[&str]| limits::run(folder, command, limits).map_err(failed);
    let name = model.display().to_string();
    let generated = stage(&[&GENERATE[..], &[name.as_str()]].concat())?;
    if !folder.join("pan.c").exists() || generated.code != Some(0) {
        return Err(Finding::nothing(false, &refusal(&generated)));
    }
    let compile = [&COMPILE[..], extra(model)].concat();
    if stage(&compile)?.code != Some(0) {
        return Err(Finding::nothing(true, "SPIN: the verifier does not compile"));
    }
    Ok(figures(&stage(&VERIFY)?))
}

/// SPIN's compression of states drops priorities; a model that changes them asks
/// in a comment for a verifier without it.
fn extra(model: &Path) -> &'static [&'static str] {
    let asks = fs::read_to_string(model).is_ok_and(|text| text.contains("with -DNOCOMP"));
    if asks { &["-DNOCOMP"] } else { &[] }
}

/// The first thing SPIN complains about, without the place.
fn refusal(ran: &Ran) -> String {
    let lines = || ran.text.lines().chain(ran.complaints.lines());
    let after = |mark: &str| lines().find_map(|line| line.split_once(mark));
    let complaint = after("Error: ").or_else(|| after("tl_spin: "));
    let complaint = complaint.map_or("no reason given", |(_, text)| text);
    format!("SPIN refuses: {}", complaint.split('\t').next().unwrap_or(complaint).trim())
}

fn figures(ran: &Ran) -> Finding {
    if ran.time_is_up {
        return Finding::nothing(true, "SPIN: out of time");
    }
    let before = |mark: &str| {
        let line = ran.text.lines().find(|line| line.contains(mark))?;
        line.split_whitespace().next()?.parse().ok()
    };
    let counts = [" states, stored", " states, matched", " transitions (="].map(before);
    let [Some(stored), Some(matched), Some(transitions)] = counts else {
        return Finding::nothing(true, silence(ran));
    };
    let errors = ran.text.lines().find_map(|line| line.split_once("errors: "));
    let remark = cut(ran);
    Finding {
        counts: Some([stored, matched, transitions]),
        errors: errors.map(|(_, count)| count.trim() != "0"),
        complete: remark.is_none(),
        read: true,
        remark: remark.map(str::to_owned),
    }
}

/// Why a verifier ended without figures.
fn silence(ran: &Ran) -> &'static str {
    let said = |words: &str| ran.text.contains(words) || ran.complaints.contains(words);
    if said("self-loop") {
        "SPIN refuses: unconditional self-loop"
    } else if said("too many processes") {
        "SPIN: too many processes"
    } else if said("out of memory") {
        "SPIN: out of memory"
    } else {
        "SPIN: the verifier is killed"
    }
}

/// Why the figures are not those of a complete search.
fn cut(ran: &Ran) -> Option<&'static str> {
    let said = |words: &str| ran.text.contains(words) || ran.complaints.contains(words);
    let reasons = [
        ("max search depth too small", "SPIN: out of depth"),
        ("out of memory", "SPIN: out of memory"),
        ("VECTORSZ", "SPIN: state vector too small"),
        ("too many processes", "SPIN: too many processes"),
        ("too many queues", "SPIN: too many channels"),
        ("Search not completed", "SPIN: search not completed"),
    ];
    reasons.into_iter().find(|(words, _)| said(words)).map(|(_, reason)| reason)
}
