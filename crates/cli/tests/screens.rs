//! What a user sees, screen by screen, as files in `snapshots/`. Times and
//! memory are replaced; everything else is compared byte for byte. After a
//! wanted change: `INSTA_UPDATE=always cargo test -p cli --test screens`, and
//! look at the difference before it is committed.

use std::path::{Path, PathBuf};
use testkit::argos::{Run, command};

/// Runs the command in the root of the repository, so that no path is absolute,
/// and compares what it prints and its exit code.
#[track_caller]
fn screen(name: &str, arguments: &str) {
    insta::assert_snapshot!(name, shown(arguments));
}

fn shown(arguments: &str) -> String {
    let mut command = command();
    command.args(arguments.split_whitespace()).env("NO_COLOR", "1").env_remove("COLUMNS");
    let run = Run::of(&mut command);
    let mut text = format!("{}\n{}", format!("$ argos {arguments}").trim_end(), run.text);
    if !run.complaints.is_empty() {
        text.push_str(&format!("--- standard error\n{}", run.complaints));
    }
    text.push_str(&format!("--- exit {}\n", run.code));
    redact(&text)
}

/// Replaces what differs from run to run.
fn redact(text: &str) -> String {
    let text = text.replace(env!("CARGO_TARGET_TMPDIR"), "TMP");
    let lines = text.lines().map(|line| {
        if line.starts_with("  took ") {
            return "  took      (time and memory)";
        }
        // A summary ends its lines with states and time.
        match line.find(" states ").filter(|_| line.ends_with(" ms") || line.ends_with(" s")) {
            Some(at) => &line[..at + " states".len()],
            None => line,
        }
    });
    lines.map(|line| format!("{line}\n")).collect()
}

/// Saves the run of the first error of a model and returns its file.
fn saved(name: &str, model: &str) -> String {
    let file: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.json"));
    let file = file.to_str().expect("the directory for tests has a plain name").to_owned();
    shown(&format!("check {model} --trace {file}"));
    file
}

/// One run, drawn in one way.
#[track_caller]
fn replayed(name: &str, model: &str, form: &str) {
    let file = saved(name, model);
    insta::assert_snapshot!(name, shown(&format!("replay {file} {form}")));
}

/// The columns of the 1987 paper's appendix.
#[test]
fn check_paper_assertions() {
    screen("abp_a1", "check corpus/papers/abp_a1.argos");
    screen("abp_a2", "check corpus/papers/abp_a2.argos");
    screen("abp_a3", "check corpus/papers/abp_a3.argos");
    screen("abp_a4", "check corpus/papers/abp_a4.argos");
}

#[test]
fn check_nbs() {
    screen("nbs_shortest", "check corpus/papers/nbs.argos --shortest");
    screen("nbs_all_errors", "check corpus/papers/nbs.argos --all-errors");
}

/// One screen per kind of error.
#[test]
fn check_kinds_of_errors() {
    screen("deadlock", "check corpus/papers/b84_deletion.argos");
    screen("unspecified_reception", "check corpus/papers/b84_ab.argos");
    screen("blocked_send", "check corpus/small/blocked_send.argos");
    screen("division_by_zero", "check corpus/small/division_by_zero.argos");
    screen("assertion_at_end", "check corpus/small/assertion_ends_early.argos");
    screen("residual", "check corpus/small/residual.argos --warnings");
}

#[test]
fn check_forms() {
    screen("chart", "check corpus/papers/abp_a2.argos --chart");
    screen("chart_ascii", "check corpus/papers/abp_a2.argos --chart --ascii");
    screen("steps", "check corpus/papers/abp_a2.argos --steps");
    screen("quiet", "check corpus/papers/abp_a2.argos --quiet");
    screen("to_end", "check corpus/papers/abc_a1.argos --to-end");
}

#[test]
fn check_limits_and_errors() {
    screen("depth_5", "check corpus/papers/abp.argos --depth 5");
    screen("text_with_errors", "check corpus/bad/five_errors.argos");
    screen("refused", "check corpus/papers/abp.argos --search bfs --store path");
    screen("missing_file", "check corpus/papers/nowhere.argos");
    let files = "corpus/papers/abp_a1.argos corpus/papers/abp_a4.argos corpus/small/residual.argos";
    screen("several_files", &format!("check {files}"));
}

#[test]
fn show() {
    screen("show", "show corpus/papers/abp_a1.argos");
    screen("show_raw", "show corpus/papers/min_7to4.argos --raw");
    screen("show_dot", "show corpus/papers/abp_a1.argos --format dot");
    screen("show_net", "show corpus/small/value_unchanged.argos --format net");
}

#[test]
fn sim() {
    screen("sim", "sim corpus/papers/abp.argos --seed 7");
    screen("sim_ends", "sim corpus/papers/abc.argos --seed 7 --steps");
}

#[test]
fn replay() {
    replayed("replay_columns", "corpus/papers/abp_a2.argos", "");
    replayed("replay_steps", "corpus/papers/abp_a2.argos", "--steps");
    replayed("replay_chart", "corpus/papers/abp_a2.argos", "--chart");
    replayed("replay_mermaid", "corpus/papers/abp_a2.argos", "--format mermaid");
    replayed("replay_svg", "corpus/papers/abp_a2.argos", "--format svg");
    replayed("replay_blocked", "corpus/papers/b84_deletion.argos", "");
}

#[test]
fn help() {
    screen("help_diagnostic", "help A0012");
    screen("no_arguments", "");
}
