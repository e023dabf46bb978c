//! Pictures and Mermaid text.

use super::{golden, samples, xml};
use report::{Chart, Look, SvgOptions, Theme, columns, lanes, mermaid, steps, svg};

fn picture(report: &report::Report, options: &SvgOptions) -> String {
    svg(&Chart::of_error(report, 0).expect("the sample has an error"), options)
}

#[test]
fn runs_as_pictures() {
    let plain = SvgOptions::default();
    let light = SvgOptions { theme: Theme::Light, ..plain };
    golden("chart.svg", &picture(&samples::violated(), &plain));
    golden("chart-deadlock.svg", &picture(&samples::deadlock(), &light));
    golden("chart-reception.svg", &picture(&samples::reception(), &light));
    golden("chart-lasso.svg", &picture(&samples::lasso(), &light));
}

#[test]
fn every_picture_is_well_formed() {
    for (name, report) in samples::all() {
        let Some(chart) = Chart::of_error(&report, 0) else { continue };
        for theme in [Theme::Auto, Theme::Light, Theme::Dark] {
            for rows in [None, Some((3, 5)), Some((0, 0)), Some((9, 2)), Some((190, 900))] {
                for hide_internal in [false, true] {
                    let text = svg(&chart, &SvgOptions { theme, hide_internal, rows });
                    xml::check(&text).unwrap_or_else(|why| panic!("{name}: {why}\n{text}"));
                }
            }
        }
    }
}

#[test]
fn runs_as_mermaid() {
    for (name, report) in samples::all() {
        if let Some(chart) = Chart::of_error(&report, 0)
            && name != "long"
        {
            golden(&format!("mermaid-{name}"), &mermaid(&chart));
        }
    }
}

#[test]
fn a_run_without_an_error_is_drawn_too() {
    let report = samples::violated();
    let mut scenario = report.errors[0].scenario.clone();
    scenario.trace.truncate(8);
    scenario.trace.iter_mut().for_each(|event| event.violates = false);
    let chart = Chart::of_scenario(&report.model, &report.channels, &scenario);
    golden("open-chart", &lanes(&chart, &Look::default()));
    golden("open-columns", &columns(&chart, &Look::default()));
    golden("open-steps", &steps(&chart, &Look::default()));
    xml::check(&svg(&chart, &SvgOptions::default())).unwrap();
    scenario.trace.clear();
    let chart = Chart::of_scenario(&report.model, &report.channels, &scenario);
    golden("empty-chart", &lanes(&chart, &Look::default()));
    xml::check(&svg(&chart, &SvgOptions::default())).unwrap();
    assert!(mermaid(&chart).starts_with("sequenceDiagram\n"));
}

/// A run that goes on after the violation, one that ends too early, and a
/// rendezvous.
#[test]
fn endings_and_meetings() {
    let mut report = samples::violated();
    let trace = &mut report.errors[0].scenario.trace;
    trace[6].violates = true;
    trace[25].violates = false;
    let chart = Chart::of_error(&report, 0).unwrap();
    golden("cut-columns", &columns(&chart, &Look::default()));
    let whole = Look { to_end: true, ..Look::default() };
    golden("to-end-columns", &columns(&chart, &whole));
    golden("cut-chart", &lanes(&chart, &Look::default()));

    report.errors[0].scenario.trace[6].violates = false;
    let chart = Chart::of_error(&report, 0).unwrap();
    assert!(
        lanes(&chart, &Look::default()).contains("the run ends here, which assert 1 (line 44)")
    );
    xml::check(&svg(&chart, &SvgOptions::default())).unwrap();

    let trace = &mut report.errors[0].scenario.trace;
    trace.truncate(1);
    trace[0].kind = trace::EventKind::Rendezvous;
    trace[0].changes.at.insert("user".into(), "s33".into());
    let chart = Chart::of_error(&report, 0).unwrap();
    golden("rendezvous-chart", &lanes(&chart, &Look::default()));
    assert!(mermaid(&chart).contains("P0->>P2: 1 msg1"));
    xml::check(&svg(&chart, &SvgOptions::default())).unwrap();
}
