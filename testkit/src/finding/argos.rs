//! What argos says about one model.

use super::Finding;
use crate::argos::{self, Failure};
use crate::limits::Limits;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::Path;

/// Counts as SPIN does, without claims.
pub const OPTIONS: [&str; 4] = ["--spin-counts", "--no-claims", "--search", "dfs"];

/// Checks a model with this binary.
pub fn check(binary: &Path, model: &Path, options: &[&str], limits: Limits) -> Finding {
    match argos::limited_check(binary, model, options, limits) {
        Ok((report, _)) => figures(&report, options.contains(&"--queues-empty")),
        // No limit was in its way, so nothing excuses it from the comparison.
        Err(fault @ Failure::Fault(_)) => {
            Finding { complete: true, ..Finding::nothing(true, &fault.remark()) }
        }
        Err(late @ Failure::Late) => Finding::nothing(true, &late.remark()),
        Err(not_run) => Finding::nothing(false, &not_run.remark()),
    }
}

/// `empty`: messages left at a proper end make it an improper one, as for `pan -q`; otherwise they
/// are counted, but no error.
fn figures(report: &Value, empty: bool) -> Finding {
    if report["verdict"] == "error" {
        return Finding::nothing(false, &argos::complaints(report));
    }
    let reasons = argos::reasons(report);
    let none = Map::new();
    let counted = report["stats"]["errors"].as_object().unwrap_or(&none).iter();
    let mut found: BTreeMap<String, u64> = BTreeMap::new();
    for (kind, count) in counted.filter(|(kind, _)| empty || *kind != "residual") {
        let kind = if kind == "residual" { "deadlock" } else { kind };
        *found.entry(kind.to_owned()).or_default() += count.as_u64().unwrap_or_default();
    }
    // Behind some errors neither looks any further, and neither looks for cycles.
    let complete = reasons.iter().all(|reason| matches!(*reason, "cut" | "liveness"));
    let errors = Some(found.values().sum::<u64>());
    Finding {
        counts: Some(argos::counts(report)),
        errors: errors.filter(|errors| complete || *errors > 0),
        kinds: found.into_keys().collect(),
        complete,
        read: true,
        remark: (!reasons.is_empty())
            .then(|| format!("argos: INCOMPLETE ({})", reasons.join(", "))),
    }
}
