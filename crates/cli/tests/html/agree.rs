//! The page against the other outputs of the same run: the picture as SVG, the data as JSON.

use crate::{LIGHT, folder};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use testkit::argos::run;
use testkit::browser::Browser;
use testkit::root;

/// Models whose runs have every sign: timeouts, rendezvous, lost and late messages, loops.
const MODELS: [&str; 10] = [
    "corpus/papers/abp_a3.argos",
    "corpus/papers/b84_setup.argos",
    "corpus/papers/nbs.argos",
    "corpus/faulty/commit.argos",
    "corpus/faulty/philosophers.pml",
    "corpus/faulty/transfer.pml",
    "corpus/faulty/leader.pml",
    "corpus/live/gf_imp.pml",
    "corpus/live/rendezvous.pml",
    "examples/abp.argos",
];

/// Signs that both pictures have.
const SIGNS: [&str; 9] = ["wire", "sync", "lost", "tip", "brk", "dot", "int", "tau", "cross"];

/// How often each sign is in a list of the classes of shapes.
fn counted<'a>(classes: impl Iterator<Item = &'a str>) -> BTreeMap<&'static str, usize> {
    let mut counts: BTreeMap<&str, usize> = SIGNS.iter().map(|sign| (*sign, 0)).collect();
    for class in classes {
        for word in class.split(' ') {
            if let Some(count) = counts.get_mut(word) {
                *count += 1;
            }
        }
    }
    counts
}

#[test]
fn the_chart_has_the_signs_of_the_picture() {
    let mut browser = Browser::start(LIGHT);
    for model in MODELS {
        let name = model.replace(['/', '.'], "_");
        let saved = folder().join(format!("{name}.json"));
        let page = folder().join(format!("{name}.html"));
        let [saved, page_] = [&saved, &page].map(|it| it.to_str().expect("a plain name"));
        run(&["check", model, "--trace", saved, "--time", "20s"]);
        run(&["replay", saved, "--report", page_]);
        let picture = run(&["replay", saved, "--format", "svg"]).text;
        let classes = picture.split("class=\"").skip(1).filter_map(|it| it.split('"').next());
        browser.open(&page);
        // So high that every row is in sight.
        browser.eval("document.querySelector('.view').style.height = '11000px'; document.querySelector('.view').style.maxHeight = 'none'");
        browser.settle();
        browser.eval("document.querySelector('.steps').scrollTop = 0");
        browser.settle();
        let shown = browser.eval(
            "[...document.querySelectorAll('.rows svg [class]')].map(it => it.getAttribute('class'))",
        );
        let shown = shown.as_array().expect("a list").iter().filter_map(Value::as_str);
        let (shown, wanted) = (counted(shown), counted(classes));
        assert!(wanted.values().sum::<usize>() > 1, "{model}: {wanted:?}");
        assert_eq!(shown, wanted, "{model}");
    }
}

/// The state behind each step, by the page and by applying what each step of the JSON changes.
#[test]
fn states_are_those_of_the_report() {
    let mut browser = Browser::start(LIGHT);
    let model = root().join("corpus/faulty/philosophers.pml");
    let page = folder().join("states.html");
    let words = ["check", model.to_str().expect("a plain name"), "--json", "--report"];
    let report = run(&[&words[..], &[page.to_str().expect("a plain name")]].concat()).json();
    let error = &report["errors"][0];
    let mut state = error["initial"]["vars"].as_object().expect("variables").clone();
    let steps = error["trace"].as_array().expect("steps");
    browser.open(&page);
    browser.key("f");
    browser.click("button[title^=first]");
    for (index, step) in steps.iter().enumerate() {
        browser.key("ArrowRight");
        for process in step["changes"]["ended"].as_array().into_iter().flatten() {
            let prefix = format!("{}.", process.as_str().unwrap_or_default());
            state.retain(|name, _| !name.starts_with(&prefix));
        }
        let changed = step["changes"]["vars"].as_object().cloned().unwrap_or_default();
        state.extend(changed);
        let shown = browser.text(".inspector details table");
        for (name, value) in &state {
            let line = format!("{name}\t{value}");
            assert!(shown.lines().any(|it| it == line), "step {}: {line}\n{shown}", index + 1);
        }
    }
    let _ = fs::remove_file(page);
}
