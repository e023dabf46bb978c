//! The screens of `check`, word for word.

use super::{ascii, colored, golden, look, narrow, samples};
use report::{Look, TraceForm, render, summary};

#[test]
fn everything_holds() {
    golden("holds", &render(&samples::holds(), &Look::default()));
    golden("holds-colored", &render(&samples::holds(), &colored(Look::default())));
    golden("holds-ascii", &render(&samples::holds(), &ascii(Look::default())));
}

#[test]
fn an_assertion_fails_in_three_forms() {
    let report = samples::violated();
    golden("violated-columns", &render(&report, &look(TraceForm::Columns)));
    golden("violated-chart", &render(&report, &look(TraceForm::Chart)));
    golden("violated-chart-ascii", &render(&report, &ascii(look(TraceForm::Chart))));
    golden("violated-steps", &render(&report, &look(TraceForm::Steps)));
    let first = Look { columns_first: true, ..look(TraceForm::Columns) };
    golden("violated-assertion-first", &render(&report, &first));
    let quiet = Look { quiet: true, ..Look::default() };
    golden("violated-quiet", &render(&report, &quiet));
}

#[test]
fn all_errors_are_grouped_by_type() {
    golden("all-errors", &render(&samples::all_errors(), &Look::default()));
}

#[test]
fn who_waits_for_what() {
    golden("deadlock", &render(&samples::deadlock(), &look(TraceForm::Chart)));
    golden("reception", &render(&samples::reception(), &Look::default()));
    golden("reception-chart", &render(&samples::reception(), &look(TraceForm::Chart)));
}

#[test]
fn a_loop_has_a_bracket() {
    golden("lasso", &render(&samples::lasso(), &look(TraceForm::Chart)));
    golden("lasso-ascii", &render(&samples::lasso(), &ascii(look(TraceForm::Chart))));
}

#[test]
fn not_everything_was_searched() {
    golden("incomplete", &render(&samples::incomplete(), &Look::default()));
}

#[test]
fn nothing_was_checked() {
    golden("broken", &render(&samples::broken(), &Look::default()));
}

#[test]
fn the_middle_of_a_long_run_is_left_out() {
    let report = samples::long();
    golden("long-columns", &render(&report, &look(TraceForm::Columns)));
    golden("long-chart", &render(&report, &look(TraceForm::Chart)));
    golden("long-steps", &render(&report, &look(TraceForm::Steps)));
    let whole = Look { whole: true, ..look(TraceForm::Steps) };
    assert!(render(&report, &whole).lines().count() > 200);
    // Seven lanes of nine do not fit fifty columns: the least used ones fold.
    golden("long-narrow", &render(&report, &narrow(look(TraceForm::Chart), 52)));
}

#[test]
fn warnings_are_listed_when_asked_for() {
    let listed = Look { warnings: true, quiet: false, ..Look::default() };
    golden("warnings", &render(&samples::reception(), &listed));
    golden("warnings-unreached", &render(&samples::holds(), &listed));
}

#[test]
fn several_files_have_a_line_each() {
    let reports: Vec<_> = samples::all().into_iter().map(|(_, report)| report).take(7).collect();
    golden("summary", &summary(&reports, &[("missing.argos", "cannot be read")], &Look::default()));
    assert_eq!(summary(&[], &[], &Look::default()), "");
}
