//! What argos says about one model.

use super::Finding;
use crate::limits::Limits;
use crate::ours::{self, Failure};
use serde_json::Value;
use std::path::Path;

pub(super) const OPTIONS: [&str; 4] = ["--spin-counts", "--no-claims", "--search", "dfs"];

pub(super) fn check(argos: &Path, model: &Path, limits: Limits) -> Finding {
    match ours::check(argos, model, &OPTIONS, limits) {
        Ok((report, _)) => figures(&report),
        // No limit was in its way, so nothing excuses it from the comparison.
        Err(fault @ Failure::Fault(_)) => {
            Finding { complete: true, ..Finding::nothing(true, &fault.remark()) }
        }
        Err(late @ Failure::Late) => Finding::nothing(true, &late.remark()),
        Err(not_run) => Finding::nothing(false, &not_run.remark()),
    }
}

fn figures(report: &Value) -> Finding {
    if report["verdict"] == "error" {
        return Finding::nothing(false, &ours::complaints(report));
    }
    let reasons = ours::reasons(report);
    let complete = reasons.is_empty();
    Finding {
        counts: Some(ours::counts(report)),
        errors: Some(report["verdict"] == "violated"),
        complete,
        read: true,
        remark: (!complete).then(|| format!("argos: INCOMPLETE ({})", reasons.join(", "))),
    }
}
