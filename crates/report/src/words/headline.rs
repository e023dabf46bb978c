//! The sentence after the verdict, and what was established.

use super::figures::{count, listed};
use super::requirement::{named, subject};
use crate::{ErrorEntry, Kind, Property, PropertyVerdict, Report, Setting, Verdict};

/// The sentence after the verdict and the file.
pub(super) fn headline(report: &Report, setting: &Setting) -> String {
    match report.verdict {
        Verdict::Holds => all_hold(report),
        Verdict::Violated => violated(report, setting),
        Verdict::Possible | Verdict::Impossible => match ahead(setting) {
            Some(place) => reached_ahead(report, &place),
            None => service(report),
        },
        Verdict::Incomplete if setting.within => format!(
            "no run found that performs the service, but not everything was searched: {}",
            reasons(report, setting)
        ),
        Verdict::Incomplete if report.why_incomplete == [AHEAD] => {
            let place = ahead(setting).unwrap_or_default();
            format!("nothing goes wrong {place}: complete search from there")
        }
        Verdict::Incomplete if report.why_incomplete == ["liveness"] => {
            format!("no violation found, but not every requirement was checked: {}", open(report))
        }
        Verdict::Incomplete => format!(
            "no violation found, but not everything was searched: {}",
            reasons(report, setting)
        ),
        Verdict::Error => {
            let errors = report.diagnostics.iter().filter(|d| d.severity == "error").count();
            format!("{}; nothing was checked", count(errors as u64, "error"))
        }
    }
}

/// The code of a result that is about what lies ahead of a state.
pub(super) const AHEAD: &str = "ahead";

/// Ahead of which state, if of one.
fn ahead(setting: &Setting) -> Option<String> {
    Some(match setting.ahead? {
        0 => "ahead of the initial state".to_owned(),
        steps => format!("ahead of the state after step {steps}"),
    })
}

/// Whether what was asked for can be reached from a state.
fn reached_ahead(report: &Report, place: &str) -> String {
    let text = report.properties.first().and_then(|property| property.text.as_deref());
    let text = text.unwrap_or_default();
    match report.witnesses.first() {
        Some(witness) => format!("`{text}` holds after step {}", witness.steps),
        None => format!("`{text}` holds nowhere {place}: complete search from there"),
    }
}

fn all_hold(report: &Report) -> String {
    let (reached, unreached) = (
        having(report, PropertyVerdict::Reached).count(),
        having(report, PropertyVerdict::Unreached).count(),
    );
    let covers = reached + unreached;
    let hold = match report.properties.len() - covers {
        0 if covers > 0 => "complete search".to_owned(),
        0 => "nothing was required; complete search".to_owned(),
        1 => "the one requirement, complete search".to_owned(),
        n => format!("all {n} requirements, complete search"),
    };
    match covers {
        0 => hold,
        _ if unreached == 0 => format!("{hold}; {} reached", count(covers as u64, "cover")),
        _ => format!("{hold}; {unreached} of {} never reached", count(covers as u64, "cover")),
    }
}

/// What a protocol can or cannot do.
fn service(report: &Report) -> String {
    let named = report.properties.first().map(named).unwrap_or_default();
    match report.witnesses.first() {
        Some(witness) => {
            let steps = count(witness.steps as u64, "step");
            format!("{named} can be performed: {steps}")
        }
        None => format!("{named} cannot be performed: complete search of the runs it allows"),
    }
}

fn violated(report: &Report, setting: &Setting) -> String {
    let first = report.errors.first().map(|error| sentence(report, 0, error)).unwrap_or_default();
    let failing = having(report, PropertyVerdict::Violated).count();
    let which = if setting.error_type.is_some() { "Shown" } else { "First" };
    match failing {
        0 | 1 => first,
        k => format!("{k} of {} requirements fail. {which}: {first}", report.properties.len()),
    }
}

/// What went wrong, introduced by the name of what was required. The message of
/// an error may begin with that name already.
pub fn sentence(report: &Report, index: usize, error: &ErrorEntry) -> String {
    let message = &error.message;
    let names = report.properties.iter().filter(|p| p.kind == error.kind).map(|p| p.name.as_str());
    if names.chain([kind_word(error.kind)]).any(|name| message.starts_with(name)) {
        return message.clone();
    }
    let required = report.properties.iter().find(|p| p.error == Some(index));
    let name = match required {
        Some(property) if is_named(property.kind) => named(property),
        _ => kind_word(error.kind).to_owned(),
    };
    format!("{name}: {message}")
}

/// Whether a model can have several requirements of a kind, each with a name.
fn is_named(kind: Kind) -> bool {
    matches!(kind, Kind::Assertion | Kind::Ltl | Kind::Claim | Kind::Invariant)
}

/// A kind of error in words.
pub(crate) fn kind_word(kind: Kind) -> &'static str {
    match kind {
        Kind::Assertion => "assertion",
        Kind::Deadlock => "deadlock",
        Kind::UnspecifiedReception => "unspecified reception",
        Kind::BlockedSend => "blocked send",
        Kind::Residual => "residual messages",
        Kind::DivisionByZero => "division by zero",
        Kind::Index => "bad index",
        Kind::Channel => "bad channel",
        Kind::Arity => "wrong number of fields",
        Kind::Claim => "never claim matched",
        Kind::TraceAssertion => "event trace",
        Kind::Nondeterminism => "nondeterminism in a D_proctype",
        Kind::EndlessAtomic => "endless atomic sequence",
        Kind::Reference => "bad reference",
        Kind::Ltl => "ltl",
        Kind::AcceptanceCycle => "acceptance cycle",
        Kind::ProgressCycle => "non-progress cycle",
        Kind::Livelock => "livelock",
        Kind::Invariant => "invariant",
        Kind::Cover => "cover",
        Kind::Service => "service",
    }
}

/// Why the search was not complete, in words; codes we do not know as they are.
fn reasons(report: &Report, setting: &Setting) -> String {
    let words: Vec<String> =
        report.why_incomplete.iter().map(|code| reason(code, setting)).collect();
    if words.is_empty() { "reason not recorded".to_owned() } else { words.join(", ") }
}

pub(super) fn reason(code: &str, setting: &Setting) -> String {
    match code {
        "first-error" => "stopped at the first error".to_owned(),
        "depth" => "depth bound reached".to_owned(),
        "time" => "time limit".to_owned(),
        "memory" => "memory limit".to_owned(),
        "partial" if !setting.search.is_empty() => format!("partial search ({})", setting.search),
        "partial" => "partial search".to_owned(),
        "lossy-store" => "lossy store".to_owned(),
        "cache" => "the current path alone fills the cache".to_owned(),
        "fold" => "folded states".to_owned(),
        "not-canonical" => "found by several threads, and perhaps not in another run".to_owned(),
        "cut" => "a branch ends where an error occurs".to_owned(),
        "states" => "stopped some time after an error (--after-error)".to_owned(),
        "liveness" => "not every requirement can be decided".to_owned(),
        AHEAD => format!("only what lies {}", ahead(setting).unwrap_or_default()),
        other => other.to_owned(),
    }
}

pub(super) fn having(
    report: &Report,
    verdict: PropertyVerdict,
) -> impl Iterator<Item = &Property> + use<'_> {
    report.properties.iter().filter(move |property| property.verdict == verdict)
}

/// What is known now that was not known before, one sentence each.
pub(super) fn established(report: &Report, setting: &Setting) -> Vec<String> {
    if report.verdict == Verdict::Error {
        return vec!["Nothing: the model has errors, so nothing was checked.".to_owned()];
    }
    let mut out = Vec::new();
    out.extend(failures(report));
    out.extend(successes(report));
    out.extend(covers(report));
    if report.verdict == Verdict::Impossible && setting.ahead.is_some() {
        return vec![headline(report, setting)];
    }
    let whole = report.why_incomplete == [AHEAD];
    if let (true, Verdict::Incomplete, Some(place)) = (whole, report.verdict, ahead(setting)) {
        let states = count(report.stats.states, "state");
        out.push(format!("No violation {place}: {states}, all that can be reached from there."));
        return out;
    }
    if report.verdict == Verdict::Incomplete {
        let states = count(report.stats.states, "state");
        let what = if setting.within { "The service was not performed" } else { "No violation" };
        out.push(format!("{what} in the part searched: {states}."));
    }
    let open = open(report);
    out.extend((!open.is_empty()).then(|| format!("Not decided: {open}.")));
    out
}

fn failures(report: &Report) -> Vec<String> {
    having(report, PropertyVerdict::Violated)
        .map(|property| match property.kind {
            Kind::Assertion if property.line.is_none() => "An assertion can fail.".to_owned(),
            kind if is_named(kind) => format!("{} can be violated.", named(property)),
            kind => format!("Reachable: {}.", kind_word(kind)),
        })
        .collect()
}

fn successes(report: &Report) -> Vec<String> {
    let (asserts, general): (Vec<&Property>, Vec<&Property>) =
        having(report, PropertyVerdict::Holds).partition(|p| is_named(p.kind));
    let sentence = |property: &&Property| match (property.kind, property.line) {
        (Kind::Assertion, None) => "Every assertion holds.".to_owned(),
        _ => format!("{} is never violated.", named(property)),
    };
    let mut out: Vec<String> = asserts.iter().map(sentence).collect();
    let words: Vec<&str> = general.iter().map(|property| kind_word(property.kind)).collect();
    if !words.is_empty() {
        out.push(format!("Not reachable: {}.", listed(&words, "or")));
    }
    out
}

/// What is known of the states that were asked for.
fn covers(report: &Report) -> impl Iterator<Item = String> + use<'_> {
    report.properties.iter().filter_map(|property| match property.verdict {
        PropertyVerdict::Reached if property.kind == Kind::Service => {
            Some(format!("{} can be performed.", named(property)))
        }
        PropertyVerdict::Unreached if property.kind == Kind::Service => {
            Some(format!("{} cannot be performed.", named(property)))
        }
        PropertyVerdict::Reached => Some(format!("{} is reachable.", named(property))),
        PropertyVerdict::Unreached => Some(format!("{} is not reachable.", named(property))),
        _ => None,
    })
}

/// The requirements nobody decided.
fn open(report: &Report) -> String {
    let unknown = having(report, PropertyVerdict::Unknown);
    unknown.map(|property| subject(&property.name)).collect::<Vec<_>>().join(", ")
}
