//! Runs of many steps and of many processes.

use crate::{NARROW, assert_fits, assert_quiet, folder, opened, position};
use std::fs;
use testkit::browser::Browser;

/// A page with a run of `steps` steps: two processes and a channel between them.
fn long_run(steps: usize) -> Browser {
    let rounds = steps / 2;
    let model = format!(
        "chan q = [1] of {{ int }};\nint n, got;\n\
         active proctype Sender() {{ do :: n < {rounds} -> n++; q!n od }}\n\
         active proctype Receiver() {{ do :: q?got -> assert(got < {rounds}) od }}\n"
    );
    let file = folder().join(format!("steps{steps}.pml"));
    fs::write(&file, model).expect("the scratch directory is ours");
    let name = format!("steps{steps}");
    opened(&name, &["check", file.to_str().expect("a plain name"), "--search", "bfs"])
}

#[test]
fn runs_of_every_length_are_shown() {
    for rounds in [22, 200] {
        let mut browser = long_run(rounds);
        let (at, all) = position(&mut browser);
        assert!(at == all && all >= rounds as u64, "{at} of {all}");
        browser.click("button[title^=first]");
        assert_eq!(browser.eval("document.querySelector('.steps').scrollTop"), 0);
        browser.key("ArrowRight");
        assert_eq!(position(&mut browser), (1, all));
        assert_quiet(&mut browser, "length");
    }
}

/// A step takes less than 30 ms, a frame of scrolling as well; only what is in sight is there.
#[test]
fn a_run_of_ten_thousand_steps_is_quick() {
    let mut browser = long_run(5_000);
    let (at, all) = position(&mut browser);
    assert!(at == all && all >= 10_000, "{at} of {all}");
    assert!(browser.count(".row") < 80, "rows out of sight are not in the page");
    browser.key("f");
    let press = "key => document.querySelector('.steps').dispatchEvent(
        new KeyboardEvent('keydown', { key, bubbles: true }))";
    // Everything up to the next frame counts: scripts, style, layout.
    let times = browser.eval(&format!(
        "(async () => {{
           const press = {press};
           const times = [];
           for (const key of [...Array(40).fill('ArrowLeft'), ...Array(20).fill('PageUp'), ...Array(40).fill('j')]) {{
             await new Promise(requestAnimationFrame);
             const start = performance.now();
             press(key);
             document.querySelector('.steps').getBoundingClientRect();
             times.push(performance.now() - start);
           }}
           return times.sort((a, b) => a - b);
         }})()"
    ));
    let times: Vec<f64> =
        times.as_array().expect("a list").iter().filter_map(|it| it.as_f64()).collect();
    // Half of them: on a busy machine some wait for others.
    assert!(times.len() == 100 && times[50] < 30.0, "{times:?}");
    println!("a step: median {:.1} ms, nine of ten {:.1} ms", times[50], times[90]);
    assert_eq!(position(&mut browser).0, all - 40 - 400 + 40);
    browser.eval("document.querySelector('.steps').scrollTop = 120000");
    browser.settle();
    let first = browser.eval("Number(document.querySelector('.row').dataset.step)");
    assert!(first.as_u64().is_some_and(|it| (4900..5000).contains(&it)), "{first}");
    // The state there is the one that its steps lead to.
    browser.eval("document.querySelectorAll('.row')[10].click()");
    let (step, _) = position(&mut browser);
    let state = browser.text(".inspector details table");
    let number = |name: &str| {
        let line = state.lines().find(|line| line.starts_with(&format!("{name}\t")));
        line.and_then(|line| line.split('\t').nth(1)?.parse::<u64>().ok())
    };
    let n = number("n").unwrap_or_else(|| panic!("{state}"));
    // Five steps a round: the guard, the increment, send, receive and assertion.
    assert!(n.abs_diff(step / 5) <= 1, "step {step}, n {n}");
    browser.key("Home");
    browser.key("/");
    browser.write("q!n");
    assert!(browser.text(".bar .faint").contains("steps shown"));
    assert_quiet(&mut browser, "ten thousand");
}

#[test]
fn three_hundred_processes_scroll_sideways() {
    let model = "short turn;\n\
                 active [300] proctype P() { byte x; turn == _pid; x = 1; turn++; assert(turn < 9) }\n";
    let file = folder().join("many.pml");
    fs::write(&file, model).expect("the scratch directory is ours");
    let words = ["check", file.to_str().expect("a plain name"), "--time", "60s"];
    let mut browser = opened("many", &words);
    assert_eq!(browser.count(".lanes .lane"), 300);
    let wide = browser.eval("document.querySelector('.rows').offsetWidth > 16000");
    assert_eq!(wide, true);
    for window in [crate::LIGHT, NARROW] {
        browser.resize(window);
        browser.settle();
        assert_fits(&mut browser, "many processes");
    }
    browser.resize(crate::LIGHT);
    browser.click("button[title^=first]");
    browser.key("ArrowRight");
    // The lane of whoever moves is in sight.
    let seen = browser.eval(
        "(() => { const name = document.querySelector('.row.on .process').textContent;
           const lane = [...document.querySelectorAll('.lanes .lane')].find(it => it.title === name);
           const box = lane.getBoundingClientRect();
           const list = document.querySelector('.steps').getBoundingClientRect();
           return box.left >= list.left && box.right <= list.right; })()",
    );
    assert_eq!(seen, true);
    browser.key("f");
    assert!(browser.text(".inspector details").contains("find narrows them"));
    let time = browser.eval(
        "(() => { const start = performance.now();
           for (let i = 0; i < 20; i++) document.dispatchEvent(new KeyboardEvent('keydown', { key: i % 2 ? 'j' : 'k' }));
           document.querySelector('.steps').getBoundingClientRect();
           return (performance.now() - start) / 20; })()",
    );
    println!("a step of 300 processes: {time} ms");
    assert!(time.as_f64() < Some(60.0), "{time}");
    assert_quiet(&mut browser, "many processes");
}
