//! argos on one model.

use super::Finding;
use super::limits::{self, Limits};
use serde_json::Value;
use std::path::Path;

/// The search may use most of the address space; the rest is for the report.
const MEMORY: &str = "3G";

pub(super) fn check(argos: &Path, model: &Path, limits: Limits) -> Finding {
    let (argos, model) = (argos.display().to_string(), model.display().to_string());
    let time = format!("{}s", limits.seconds);
    let mut command = vec![argos.as_str(), "check", model.as_str()];
    command.extend(OPTIONS);
    command.extend(["--json", "--memory", MEMORY, "--time", time.as_str()]);
    // The report of a search that ends just in time still has to be written.
    let limits = Limits { seconds: limits.seconds + 10, ..limits };
    let ran = match limits::run(crate::root(), &command, limits) {
        Ok(ran) => ran,
        Err(error) => return Finding::nothing(false, &format!("not run: {error}")),
    };
    match serde_json::from_str(&ran.text) {
        Ok(report) if ran.code != Some(FAULT) => figures(&report),
        Ok(_) => fault("argos: internal error, a run that does not replay"),
        Err(_) if ran.time_is_up => Finding::nothing(true, "argos: does not stop in time"),
        Err(_) => fault("argos: internal error, no report"),
    }
}

/// The exit code for a fault of argos itself.
const FAULT: i32 = 5;

/// No limit was in its way, so nothing excuses it from the comparison.
fn fault(remark: &str) -> Finding {
    Finding { complete: true, ..Finding::nothing(true, remark) }
}

pub(super) const OPTIONS: [&str; 4] = ["--spin-counts", "--no-claims", "--search", "dfs"];

fn figures(report: &Value) -> Finding {
    if report["verdict"] == "error" {
        return Finding::nothing(false, &complaints(report));
    }
    let count = |name: &str| report["stats"][name].as_u64().unwrap_or_default();
    let reasons = words(&report["why_incomplete"]);
    let complete = reasons.is_empty();
    Finding {
        counts: Some([count("states"), count("matched"), count("transitions")]),
        errors: Some(report["verdict"] == "violated"),
        complete,
        read: true,
        remark: (!complete).then(|| format!("argos: INCOMPLETE ({})", reasons.join(", "))),
    }
}

/// The errors of a model, each id once.
fn complaints(report: &Value) -> String {
    let all = report["diagnostics"].as_array().map_or(&[][..], Vec::as_slice);
    let mut errors: Vec<String> = all
        .iter()
        .filter(|entry| entry["severity"] == "error")
        .map(|entry| {
            let word = |key: &str| entry[key].as_str().unwrap_or_default().to_owned();
            format!("{} {}", word("id"), word("message"))
        })
        .collect();
    errors.dedup();
    format!("argos refuses: {}", errors.join("; "))
}

fn words(list: &Value) -> Vec<&str> {
    list.as_array().map_or(&[][..], Vec::as_slice).iter().filter_map(Value::as_str).collect()
}
