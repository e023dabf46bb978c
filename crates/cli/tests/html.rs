//! `--report`: the page in a browser, clicked and typed at as a person does it.

mod html {
    mod agree;
    mod hostile;
    mod models;
    mod sizes;
    mod walk;
}

use std::path::{Path, PathBuf};
use testkit::argos::{Run, run};
use testkit::browser::{Browser, Window};

const LIGHT: Window = Window { width: 1400, height: 1000, dark: false };
const DARK: Window = Window { dark: true, ..LIGHT };
const NARROW: Window = Window { width: 700, ..LIGHT };

fn folder() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}

/// The page that a command writes, and what else the command says.
fn page(name: &str, arguments: &[&str]) -> (PathBuf, Run) {
    let file = folder().join(format!("{name}.html"));
    let _ = std::fs::remove_file(&file);
    let run = run(&[arguments, &["--report", file.to_str().expect("a plain name")]].concat());
    assert!(file.exists(), "{arguments:?}: {}{}", run.text, run.complaints);
    (file, run)
}

/// A browser with the page that a command writes.
fn opened(name: &str, arguments: &[&str]) -> Browser {
    let (file, _) = page(name, arguments);
    let mut browser = Browser::start(LIGHT);
    browser.open(&file);
    browser
}

/// The step that is shown, of how many.
fn position(browser: &mut Browser) -> (u64, u64) {
    let text = browser.text(".position").replace(',', "");
    let mut numbers = text.split_whitespace().filter_map(|word| word.parse().ok());
    let mut next = || numbers.next().unwrap_or_else(|| panic!("no numbers in `{text}`"));
    (next(), next())
}

/// Fails if the page complained, or asked for anything but itself.
fn assert_quiet(browser: &mut Browser, what: &str) {
    let complaints = browser.complaints();
    assert!(complaints.is_empty(), "{what}: {complaints:#?}");
}

/// Fails if the page is wider than the window.
fn assert_fits(browser: &mut Browser, what: &str) {
    let over = browser.eval(
        "[document.documentElement.scrollWidth - innerWidth,
          [...document.querySelectorAll('main *, header *, nav *')]
            .filter(it => it.getBoundingClientRect().right > innerWidth + 1)
            .filter(it => !it.closest('.steps, .pane, .popup, .wide-table, .inspector, nav'))
            .map(it => it.outerHTML.slice(0, 120))]",
    );
    assert_eq!(over[0], 0, "{what}: {over}");
    assert!(over[1].as_array().is_some_and(Vec::is_empty), "{what}: {over}");
}
