//! A run stepped through by mouse and keys.

use crate::{assert_quiet, folder, opened, page, position};
use std::fs;
use testkit::browser::Browser;

const ABP: &str = "corpus/papers/abp_a3.argos";

/// The rows of a table as texts.
fn rows(browser: &mut Browser, selector: &str) -> Vec<String> {
    let script = format!(
        "[...document.querySelectorAll('{selector} tr')].map(row =>
           [...row.cells].map(cell => cell.innerText).join(' | '))"
    );
    let rows = browser.eval(&script);
    let rows = rows.as_array().expect("a list").iter();
    rows.map(|row| row.as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn the_verdict_and_the_requirements_say_what_the_screen_says() {
    let (file, run) = page("verdict", &["check", ABP]);
    let mut browser = Browser::start(crate::LIGHT);
    browser.open(&file);
    assert_eq!(browser.text("h1"), "✗ VIOLATED");
    let headline = browser.text("header .sentence");
    assert!(run.text.replace("\n          ", " ").contains(&headline), "{headline}\n{}", run.text);
    let requirements = rows(&mut browser, "#requirements");
    assert_eq!(requirements.len(), 4);
    assert!(requirements[0].starts_with("assert 1 line 46"), "{requirements:?}");
    assert!(requirements[0].contains("✗ FAILS | show run"), "{requirements:?}");
    assert_eq!(requirements[1], "deadlock | ✓ none | ");
    let assumptions = browser.text("#assumptions");
    assert!(assumptions.contains("timeouts fire only when nothing else can move"));
    assert!(browser.text("#unreached").contains("2 statements, lines 10, 16"));
    assert!(browser.text("#statistics").contains("transitions"));
    assert!(browser.text("#origin code").starts_with("argos check corpus/papers/abp_a3.argos"));
    assert_quiet(&mut browser, "verdict");
}

#[test]
fn keys_and_mouse_move_through_a_run() {
    let mut browser = opened("walk", &["check", ABP]);
    assert_eq!(position(&mut browser), (26, 26));
    assert!(browser.text(".inspector .tag").contains("step 26 violates assert 1"));
    browser.key("ArrowLeft");
    browser.key("k");
    assert_eq!(position(&mut browser), (24, 26));
    browser.key("j");
    browser.key("ArrowRight");
    browser.key("ArrowRight");
    assert_eq!(position(&mut browser), (26, 26), "a finite run ends");
    browser.click("button[title^=first]");
    assert_eq!(position(&mut browser), (0, 26));
    assert_eq!(browser.text(".inspector h3"), "Initial state");
    browser.click("[data-step='3']");
    assert_eq!(position(&mut browser), (3, 26));
    assert_eq!(browser.text(".inspector h3"), "After step 3: link, receiver!msg1 line 41");
    let changes = rows(&mut browser, ".changes");
    assert_eq!(changes[0], "channel receiver | (empty) → msg1");
    assert!(changes[1].starts_with("link | "), "{changes:?}");
    assert_eq!(browser.text(".others li"), "link: skip");
    assert_eq!(browser.text(".source .now .no").trim(), "41");
    assert_eq!(browser.text("#live"), "Step 3, link, receiver!msg1, line 41");
    assert_eq!(
        browser.eval("document.querySelector('.steps').getAttribute('aria-activedescendant')"),
        "step3"
    );
    assert_eq!(
        browser.eval("document.querySelector('#step3').getAttribute('aria-selected')"),
        "true"
    );
    browser.key("Shift+ArrowRight");
    assert_eq!(position(&mut browser).0, 5, "the next send");
    browser.key("Shift+ArrowLeft");
    browser.key("n");
    assert_eq!(position(&mut browser).0, 8, "the next step of link");
    browser.key("p");
    assert_eq!(position(&mut browser).0, 3);
    // In the list, and only there, these keys move too.
    browser.key("Home");
    assert_eq!(position(&mut browser).0, 0);
    browser.key("PageDown");
    browser.key("ArrowDown");
    browser.key("ArrowUp");
    assert_eq!(position(&mut browser).0, 20);
    browser.key("End");
    assert_eq!(position(&mut browser).0, 26);
    browser.eval("document.activeElement.blur()");
    browser.key("Home");
    assert_eq!(position(&mut browser).0, 26, "the page scrolls");
    assert_quiet(&mut browser, "walk");
}

#[test]
fn what_is_shown_can_be_narrowed() {
    let mut browser = opened("narrowed", &["check", ABP]);
    let lanes = browser.count(".lanes .lane");
    browser.key("/");
    browser.write("ACK");
    assert_eq!(browser.text(".bar .faint"), "9 of 26 steps shown");
    assert_eq!(browser.count(".row.tail"), 0);
    let shown =
        browser.eval("[...document.querySelectorAll('.row .action')].map(it => it.innerText)");
    assert!(
        shown.as_array().is_some_and(|all| all.iter().all(|it| it.to_string().contains("ack")))
    );
    browser.key("Escape");
    browser.eval("document.querySelector('.bar input').value = ''; document.querySelector('.bar input').dispatchEvent(new Event('input'))");
    assert_eq!(browser.text(".bar .faint"), "");
    browser.eval("[...document.querySelectorAll('.popup input')][2].click()");
    assert_eq!(browser.count(".lanes .lane"), lanes - 1);
    assert!(browser.count(".stub") > 0, "messages to a lane that is hidden end in a dot");
    browser.key("w");
    assert_eq!(browser.eval("getComputedStyle(document.querySelector('.side')).display"), "none");
    assert_quiet(&mut browser, "narrowed");
}

#[test]
fn internal_steps_can_be_hidden_but_not_the_violation() {
    let model = "byte n;\nactive proctype P() { n = 1; n = 2; n = 3; assert(n == 0) }\n";
    let file = folder().join("internal.pml");
    fs::write(&file, model).expect("the scratch directory is ours");
    let mut browser = opened("internal", &["check", file.to_str().expect("a plain name")]);
    assert_eq!(browser.count(".rows .row[data-step]"), 5);
    browser.key("i");
    assert_eq!(browser.count(".rows .row[data-step]"), 2);
    assert_eq!(browser.count("svg .cross"), 1);
    assert_quiet(&mut browser, "internal");
}

#[test]
fn the_whole_state_and_the_machines_follow() {
    let mut browser = opened("panes", &["check", ABP]);
    browser.key("f");
    let state = rows(&mut browser, ".inspector details");
    assert!(state.contains(&"channel user | msg1".to_owned()), "{state:?}");
    assert!(state.iter().any(|row| row.starts_with("receiver | line ")), "{state:?}");
    browser.key("m");
    assert_eq!(browser.count(".picture .node.now"), 1);
    assert!(browser.count(".picture .edge.hot .path") == 1, "the statement that was executed");
    let machine = browser.eval("document.querySelector('.machine select').selectedOptions[0].text");
    assert_eq!(machine, "receiver");
    browser.key("ArrowLeft");
    browser.key("ArrowLeft");
    let machine = browser.eval("document.querySelector('.machine select').selectedOptions[0].text");
    assert_eq!(machine, "receiver", "step 24 is another one of it");
    browser.key("k");
    let machine = browser.eval("document.querySelector('.machine select').selectedOptions[0].text");
    assert_eq!(machine, "link");
    assert!(browser.text(".machine table").contains("from here"));
    browser.click(".machine table button.link");
    assert_eq!(
        browser.eval("document.querySelector('[role=tab][aria-selected=true]').innerText"),
        "Source"
    );
    assert_eq!(browser.count(".source .now"), 1);
    assert_eq!(browser.count(".source .never"), 2, "the two statements never executed");
    browser.key("Home");
    browser.eval("document.querySelector('.source .hit[data-line=\"41\"]').click()");
    assert_eq!(browser.text(".inspector h3"), "After step 2: link, link?msg1 line 41");
    assert_quiet(&mut browser, "panes");
}

#[test]
fn the_address_keeps_the_step() {
    let (file, _) = page("address", &["check", ABP]);
    let mut browser = Browser::start(crate::LIGHT);
    browser.open_at(&file, "#e0s7");
    assert_eq!(position(&mut browser), (7, 26));
    browser.key("ArrowRight");
    browser.eval("new Promise(done => setTimeout(done, 500))");
    assert_eq!(browser.eval("location.hash"), "#e0s8");
}

#[test]
fn paper_has_the_chart_in_slices() {
    let mut browser = opened("paper", &["check", ABP]);
    browser.call("Emulation.setEmulatedMedia", serde_json::json!({ "media": "print" }));
    browser.eval("dispatchEvent(new Event('beforeprint'))");
    assert_eq!(browser.count("#paper .slice"), 1);
    assert_eq!(browser.eval("document.querySelectorAll('#paper .wire').length > 10"), true);
    assert_eq!(browser.eval("getComputedStyle(document.querySelector('.view')).display"), "none");
    assert_eq!(browser.eval("getComputedStyle(document.querySelector('#paper')).display"), "block");
    assert_quiet(&mut browser, "paper");
}
