//! Plots: well-formed whatever they hold, and with everything in them that was asked for.

use super::xml;
use report::{Axis, Form, Plot, Rule, Series, Theme, plot};

fn sample(x: Axis, y: Axis, form: Form) -> Plot {
    let points = vec![(0.0, 3.0), (1.0, 40.0), (2.0, 17.0)];
    let series = |name: &str| Series { name: name.to_owned(), form, points: points.clone() };
    Plot {
        title: "Title <&>".to_owned(),
        subtitle: "on \"something\"".to_owned(),
        x,
        y,
        series: ["a", "b", "c", "d", "e", "f", "g"].map(series).to_vec(),
        rules: vec![Rule { label: "paper".to_owned(), upright: true, at: 1.0 }],
    }
}

#[test]
fn every_form_on_every_axis_is_well_formed() {
    let axes = [Axis::linear("x"), Axis::log("x"), Axis::names("x", &["p", "q", "<r>"])];
    for x in &axes {
        for y in &axes {
            for form in [Form::Line, Form::Points, Form::Bars] {
                for theme in [Theme::Auto, Theme::Light, Theme::Dark] {
                    let svg = plot(&sample(x.clone(), y.clone(), form), theme);
                    xml::check(&svg)
                        .unwrap_or_else(|wrong| panic!("{x:?} {y:?} {form:?}: {wrong}"));
                }
            }
        }
    }
}

#[test]
fn axes_legend_and_rules_are_there() {
    let svg = plot(
        &sample(Axis::linear("depth (steps)"), Axis::log("seconds"), Form::Line),
        Theme::Light,
    );
    for text in
        ["Title &lt;&amp;&gt;", ">depth (steps)<", ">seconds<", ">g<", ">paper<", ">100<", ">10<"]
    {
        assert!(svg.contains(text), "{text}");
    }
}

#[test]
fn nothing_to_draw_is_no_fault() {
    let mut empty = sample(Axis::log("x"), Axis::log("y"), Form::Bars);
    empty.series = vec![Series::bars("", Vec::new()), Series::line("n", vec![(0.0, f64::NAN)])];
    empty.rules.clear();
    let svg = plot(&empty, Theme::Auto);
    assert_eq!(xml::check(&svg), Ok(()));
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
}

#[test]
fn bars_of_several_series_stand_side_by_side() {
    let names = Axis::names("model", &["one"]);
    let mut two = sample(names, Axis::linear("states"), Form::Bars);
    two.series = ["a", "b"].map(|name| Series::bars(name, vec![(0.0, 5.0)])).to_vec();
    two.rules.clear();
    let svg = plot(&two, Theme::Light);
    let lefts: Vec<&str> = svg
        .lines()
        .filter(|line| line.contains(" bar\"") && line.contains("height"))
        .filter_map(|line| line.split("x=\"").nth(1)?.split('"').next())
        .collect();
    // Two in the drawing, two in the legend.
    assert_eq!(lefts.len(), 4, "{svg}");
    assert_ne!(lefts[0], lefts[1]);
}
