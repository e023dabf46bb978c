//! The explorer as a person uses it.

use super::served::{DARK, LIGHT, NARROW, Served, assert_fits, assert_quiet, folder};
use std::fs;
use testkit::argos::command;
use testkit::browser::Browser;

const SETUP: &str = "examples/setup_1984.argos";

/// The processes with what they can do, `sender: 2` each.
fn cards(browser: &mut Browser) -> Vec<String> {
    let cards = browser.eval(
        "[...document.querySelectorAll('.card')].map(card =>
           card.dataset.process + ': ' + card.querySelectorAll('.step').length)",
    );
    let cards = cards.as_array().expect("a list").iter();
    cards.map(|card| card.as_str().unwrap_or_default().to_owned()).collect()
}

/// The number of the step that is shown, and of how many.
fn position(browser: &mut Browser) -> (u64, u64) {
    let text = browser.text("#run .position");
    let mut numbers =
        text.split_whitespace().filter_map(|word| word.trim_matches(',').parse().ok());
    let mut next = || numbers.next().unwrap_or_else(|| panic!("no numbers in `{text}`"));
    (next(), next())
}

/// Waits until the explorer shows a run of so many steps at its end.
fn at_step(browser: &mut Browser, steps: u64) {
    browser.wait_for(&format!(
        "document.querySelector('#run .position')?.innerText.startsWith('step {steps} of')
           && !document.querySelector('.offers.waiting')"
    ));
}

/// Waits until a text is at the top.
fn at_top(browser: &mut Browser, text: &str) {
    browser.wait_for(&format!("document.querySelector('header').innerText.includes({text:?})"));
}

#[test]
fn steps_are_taken_by_mouse_and_keys_and_taken_back() {
    let served = Served::start(&[SETUP]);
    let mut browser = served.browser();
    assert_eq!(browser.text("h1"), "RUN");
    assert_eq!(browser.text("header .sentence"), "the run could go on");
    assert_eq!(cards(&mut browser), ["sender: 1", "receiver: 1", "channel: 0"]);
    let waits = browser.text("[data-process=channel]");
    assert!(waits.contains("channel?setup") && waits.contains("empty"), "{waits}");
    browser.click("[data-process=sender] .step");
    at_step(&mut browser, 1);
    assert_eq!(browser.text(".inspector h3"), "After step 1: sender, channel!setup line 28");
    // The second choice by its number: the receiver opens the call, too.
    let list = browser.eval("[...document.querySelectorAll('.step')].map(it => it.innerText)");
    let number = list
        .as_array()
        .expect("a list")
        .iter()
        .position(|step| step.as_str().is_some_and(|step| step.contains("channel!r_setup")));
    browser.key(&(number.expect("it is offered") + 1).to_string());
    at_step(&mut browser, 2);
    browser.key("Backspace");
    at_step(&mut browser, 1);
    assert_eq!(position(&mut browser), (1, 2), "what was taken back is still there");
    // The same step again goes on along the same run.
    browser.key(&(number.unwrap_or(0) + 1).to_string());
    at_step(&mut browser, 2);
    assert_eq!(browser.count("#branches option"), 1);
    browser.click("#start");
    at_step(&mut browser, 0);
    browser.click("[data-process=receiver] .step");
    at_step(&mut browser, 1);
    assert_eq!(browser.count("#branches option"), 2, "another step is another branch");
    assert!(browser.text("#branches").contains("parts at step 0"), "{}", browser.text("#branches"));
    // What is looked at in another tab meanwhile is still there.
    browser.click("[data-tab=text]");
    browser.click("[data-tab=walk]");
    assert_eq!(browser.text(".inspector h3"), "After step 1: receiver, channel!r_setup line 51");
    let line = browser.eval(
        "(() => { const box = it => it.getBoundingClientRect();
                  const [line, pane] = ['.source .now', '.pane'].map(it => box(document.querySelector(it)));
                  return line.top >= pane.top && line.bottom <= pane.bottom; })()",
    );
    assert_eq!(line, true, "the line of the step is in sight");
    browser.click("#forget");
    at_step(&mut browser, 2);
    assert_eq!(browser.count("#branches option"), 1);
    assert_quiet(&mut browser, "steps");
}

#[test]
fn a_run_goes_on_at_random_and_to_where_something_holds() {
    let served = Served::start(&["examples/mulog3.pml"]);
    let mut browser = served.browser();
    browser.eval("document.querySelector('#steps').value = 5");
    browser.click("#random");
    browser
        .wait_for("document.querySelector('#said').innerText.includes('5 steps at random (seed ')");
    assert!(position(&mut browser).1 >= 5);
    browser.click("#until");
    browser.write("inside ==");
    browser.key("Enter");
    browser.wait_for("document.querySelector('#said.bad')");
    assert!(browser.text("#said").contains("--until:1:"), "{}", browser.text("#said"));
    browser.eval("document.querySelector('#until').value = ''");
    browser.click("#start");
    at_step(&mut browser, 0);
    browser.click("#until");
    browser.write("inside == 1");
    browser.key("Enter");
    browser.wait_for(
        "document.querySelector('#said').innerText.includes('to where `inside == 1` holds')",
    );
    browser.click("#start");
    at_step(&mut browser, 0);
    // The shortest way is found by a search, and one goes on from its end.
    browser.click("#find");
    at_top(&mut browser, "`inside == 1` holds after step ");
    assert_eq!(browser.text("h1"), "✓ POSSIBLE");
    browser.click("#explore");
    browser.wait_for("document.querySelector('[data-tab=walk][aria-selected=true]')");
    browser.wait_for("document.querySelector('#state h3')");
    browser.eval("document.querySelector('#until').value = 'inside == 2'");
    browser.click("#find");
    at_top(&mut browser, "`inside == 2` holds nowhere ahead of the state after step ");
    assert_eq!(browser.text("h1"), "? IMPOSSIBLE");
    assert_quiet(&mut browser, "random");
}

#[test]
fn from_a_counterexample_one_goes_on_and_checks_what_lies_ahead() {
    let served = Served::start(&[SETUP]);
    let mut browser = served.browser();
    browser.click("[data-tab=results]");
    at_top(&mut browser, "VIOLATED");
    assert!(browser.text("header .sentence").contains("deadlock"));
    assert!(browser.text("#origin code").starts_with("argos check examples/setup_1984.argos"));
    // Two steps before the end nothing is lost yet.
    let (_, steps) = position(&mut browser);
    for _ in 0..steps {
        browser.key("ArrowLeft");
    }
    browser.key("ArrowRight");
    browser.key("e");
    at_step(&mut browser, 1);
    assert_eq!(position(&mut browser), (1, steps));
    browser.click("#check-ahead");
    at_top(&mut browser, "VIOLATED");
    browser.wait_for("document.querySelector('.actions').innerText.includes('after step 1')");
    browser.click("[data-tab=walk]");
    // The other way to answer: no collision any more, so nothing goes wrong ahead.
    browser.click("#start");
    at_step(&mut browser, 0);
    assert_quiet(&mut browser, "counterexample");
}

/// The browser goes back through the places that were looked at.
#[test]
fn a_tab_remembers_what_was_tried() {
    let served = Served::start(&[SETUP]);
    let mut browser = served.browser();
    browser.click("[data-process=sender] .step");
    at_step(&mut browser, 1);
    browser.click("#start");
    at_step(&mut browser, 0);
    browser.click("[data-process=receiver] .step");
    at_step(&mut browser, 1);
    assert_eq!(browser.count("#branches option"), 2);
    browser.click("[data-tab=text]");
    browser.eval(
        "(() => { const area = document.querySelector('#text'); area.value += '/* edited */';
           area.dispatchEvent(new Event('input')) })()",
    );
    // Back to the run, and to the other branch before.
    browser.eval("history.back()");
    browser.wait_for("document.querySelector('[data-tab=walk]').ariaSelected === 'true'");
    assert_eq!(browser.text(".inspector h3"), "After step 1: receiver, channel!r_setup line 51");
    browser.eval("history.back()");
    at_step(&mut browser, 0);
    browser.eval("history.back()");
    browser.wait_for("document.querySelector('#branches').selectedIndex === 0");
    at_step(&mut browser, 0);
    assert_quiet(&mut browser, "memory");
}

/// All steps of a very long run are shown; one goes on from the first of them, and is told.
#[test]
fn a_very_long_run_is_explored_from_its_beginning() {
    let model = "int n;\nactive proctype P() { do :: n < 12000 -> n++ :: n == 12000 -> break od; assert(false) }\n";
    let file = folder().join("serve_long.pml");
    fs::write(&file, model).expect("the scratch directory is ours");
    let served = Served::start(&[file.to_str().expect("a plain name")]);
    let mut browser = served.browser();
    browser.click("[data-tab=results]");
    at_top(&mut browser, "VIOLATED");
    let steps = browser.text("#run .position");
    assert!(steps.contains("of 24,"), "{steps}");
    assert!(browser.text(".result").contains("from the first 10000 steps"));
    browser.key("e");
    browser.wait_for("document.querySelector('#said').innerText.includes('first 10000 steps')");
    browser.click("button[title^=first]");
    browser.key("ArrowRight");
    browser.key("e");
    browser.wait_for(
        "document.querySelector('#run .position')?.innerText.startsWith('step 1 of 10,000')",
    );
    assert_quiet(&mut browser, "a very long run");
}

#[test]
fn the_text_is_judged_while_it_is_typed_and_checked_again() {
    let place = folder().join("serve_text");
    fs::create_dir_all(&place).expect("the scratch directory is ours");
    let text = "byte x;\nactive proctype P() {\n  x = 1;\n  assert(x == 2)\n}\n";
    fs::write(place.join("m.pml"), text).expect("the scratch directory is ours");
    let served = Served::of(command().arg("m.pml").current_dir(&place), "");
    let mut browser = served.browser();
    browser.click("[data-tab=text]");
    at_top(&mut browser, "no errors");
    browser.eval(
        "{ const it = document.querySelector('#text'); it.focus(); it.setSelectionRange(0, 4); }",
    );
    browser.write("bite");
    browser.wait_for("document.querySelector('.finding.bad')");
    let finding = browser.text(".finding.bad");
    assert!(finding.contains("line 1:") && finding.contains('^'), "{finding}");
    assert_eq!(browser.text("header h1"), "✗ TEXT");
    // What cannot be executed is said, and the page goes on.
    browser.click("[data-tab=walk]");
    browser.wait_for("document.querySelector('[data-tab=text][aria-selected=true]')");
    browser.eval(
        "{ const it = document.querySelector('#text'); it.focus(); it.setSelectionRange(0, 4); }",
    );
    browser.write("byte");
    browser.wait_for("!document.querySelector('.finding.bad')");
    browser.click("#check-text");
    at_top(&mut browser, "VIOLATED");
    browser.click("[data-tab=text]");
    let at = text.find("== 2").expect("it is there");
    browser.eval(&format!(
        "{{ const it = document.querySelector('#text'); it.focus(); it.setSelectionRange({}, {}); }}",
        at + 3,
        at + 4
    ));
    browser.write("1");
    browser.click("#check-text");
    at_top(&mut browser, "HOLDS");
    assert!(browser.text("#origin").contains("sha256"));
    assert_eq!(browser.count("#origin code"), 0, "no command checks a text that is in no file");
    assert_eq!(fs::read_to_string(place.join("m.pml")).expect("it is there"), text);
    browser.click("[data-tab=text]");
    browser.click("#restore");
    browser.wait_for("document.querySelector('#restore').hidden");
    assert_quiet(&mut browser, "text");
}

#[test]
fn an_edited_text_is_executed_along_the_same_run() {
    let place = folder().join("serve_again");
    fs::create_dir_all(&place).expect("the scratch directory is ours");
    let text = "byte x;\nactive proctype P() { x = 1; x = 2; x = 3 }\n";
    fs::write(place.join("m.pml"), text).expect("the scratch directory is ours");
    let served = Served::of(command().arg("m.pml").current_dir(&place), "");
    let mut browser = served.browser();
    for step in 1..=3 {
        browser.key("1");
        at_step(&mut browser, step);
    }
    browser.click("[data-tab=text]");
    let at = text.find("x = 3").expect("it is there");
    browser.eval(&format!(
        "{{ const it = document.querySelector('#text'); it.focus(); it.setSelectionRange({at}, {}); }}",
        at + 5
    ));
    browser.write("x = 7");
    browser.click("[data-tab=walk]");
    browser.wait_for("document.querySelector('#said').innerText.includes('cannot be taken here')");
    at_step(&mut browser, 2);
    let said = browser.text("#said");
    assert!(
        said.contains("step 3, P: x = 3, cannot be taken here; the run stops before it"),
        "{said}"
    );
    assert!(browser.text(".step").contains("x = 7"), "{}", browser.text(".step"));
    assert!(browser.text("header .facts").contains("edited"));
    assert_quiet(&mut browser, "again");
}

#[test]
fn states_are_drawn_folded_and_gone_to() {
    let served = Served::start(&[SETUP]);
    let mut browser = served.browser();
    browser.click("[data-tab=states]");
    at_top(&mut browser, "all that can be reached");
    let states = browser.count("#states .node");
    assert!(states > 100, "{states}");
    assert_eq!(browser.count("#states .node.wrong"), 1, "the deadlock");
    browser.eval(
        "document.querySelector('#states .node.wrong').dispatchEvent(new MouseEvent('click'))",
    );
    at_top(&mut browser, "wait for each other");
    assert_eq!(position(&mut browser).0, position(&mut browser).1);
    browser.click("[data-tab=states]");
    at_top(&mut browser, "all that can be reached");
    browser.eval(
        "{ const it = document.querySelector('#fold'); it.value = 'process sender';
           it.dispatchEvent(new Event('change')); }",
    );
    at_top(&mut browser, "values of process sender");
    let folded = browser.count("#states .node");
    assert!(folded > 3 && folded < 30, "{folded}");
    assert!(browser.text("#states").contains("line "), "{}", browser.text("#states"));
    assert_quiet(&mut browser, "states");
}

#[test]
fn every_part_fits_every_window() {
    let served = Served::start(&["corpus/papers/abp_a3.argos"]);
    let mut browser = served.browser();
    browser.eval("document.querySelector('#steps').value = 12");
    browser.click("#random");
    browser.wait_for("document.querySelector('#said').innerText.includes('at random')");
    let pictures = std::env::var_os("ARGOS_PICTURES").map(std::path::PathBuf::from);
    for tab in ["walk", "results", "text", "states"] {
        browser.click(&format!("[data-tab={tab}]"));
        let ready = match tab {
            "results" => "document.querySelector('.result main')",
            "states" => "document.querySelector('#states svg')",
            _ => "document.querySelector('#panel main')",
        };
        browser.wait_for(ready);
        for (window, name) in [(LIGHT, "light"), (DARK, "dark"), (NARROW, "narrow")] {
            browser.resize(window);
            browser.settle();
            assert_fits(&mut browser, &format!("{tab} {name}"));
            if let Some(folder) = &pictures {
                browser.picture(&folder.join(format!("serve-{tab}-{name}.png")));
            }
        }
        browser.resize(LIGHT);
    }
    assert_quiet(&mut browser, "windows");
}

/// When the server has ended, the page says so and is not dead.
#[test]
fn a_server_that_has_ended_is_told() {
    let served = Served::start(&[SETUP]);
    let mut browser = served.browser();
    let _ = served.end("-TERM");
    browser.click(".step");
    browser.wait_for("document.querySelector('#said').innerText.includes('does not answer')");
}
