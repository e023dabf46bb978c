//! Names that are markup, scripts, orders to turn a line, or too long: all stay text.

use super::served::{DARK, LIGHT, NARROW, Served, assert_fits, assert_quiet, folder};
use std::fs;
use testkit::argos::command;

const MARKUP: &str = "</script><script>window.owned=1</script><img src=x onerror=window.owned=1>\
                      '&quot;\u{202e}\u{2066}]]>--><!-- \u{5d0}\u{5d1}\u{5d2}";

fn models() -> Vec<(String, String)> {
    let long = "n".repeat(200);
    let quoted = MARKUP.replace('"', "\\\"");
    let promela = format!(
        "/* {MARKUP} */\nmtype = {{ m{long} }};\nchan q{long} = [1] of {{ mtype, byte }};\n\
         byte v{long};\n\
         active proctype P{long}() {{ printf(\"{quoted}\\n\"); q{long}!m{long}, 3; v{long} = 1;\n\
         l{long}: assert(v{long} == 2) }}\n\
         active proctype R{long}() {{ byte x; q{long}?m{long}, x; printf(\"{quoted}\") }}\n"
    );
    let argos = format!(
        "/* {MARKUP} */\nchannel q{long}[1];\n\
         proc p{long} {{ q{long}!a{long}; q{long}!b }}\nproc r {{ q{long}?a{long}; q{long}?c }}\n"
    );
    let wrong = format!("#error {MARKUP}\n\"{MARKUP}\" @ {MARKUP}\n");
    vec![
        ("'a' & <b>&quot;.pml".to_owned(), promela),
        (format!("{}.argos", "f".repeat(200)), argos),
        ("\u{202e}lmp.<img src=x>.argos".to_owned(), wrong),
    ]
}

#[test]
fn what_a_model_says_is_never_markup() {
    let place = folder().join("serve_hostile");
    fs::create_dir_all(&place).expect("the scratch directory is ours");
    for (name, text) in models() {
        fs::write(place.join(&name), text).expect("a writable folder");
        let served = Served::of(command().arg(&name).current_dir(&place), "");
        let mut browser = testkit::browser::Browser::start(LIGHT);
        browser.open_served(&served.page);
        browser.wait_for("document.querySelector('.card, .finding')");
        for tab in ["walk", "results", "states", "text"] {
            browser.click(&format!("[data-tab={tab}]"));
            browser.wait_for("document.querySelector('#panel main, #panel .result')");
            for window in [LIGHT, DARK, NARROW] {
                browser.resize(window);
                browser.settle();
                assert_fits(&mut browser, &format!("{name} {tab}"));
            }
        }
        // Where the text has errors, it is shown instead of a result.
        browser.click("[data-tab=results]");
        browser.wait_for("document.querySelector('.result main, .finding')");
        let shown = browser.eval("document.body.innerText");
        let turns = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        assert!(!shown.as_str().unwrap_or_default().contains(turns), "{name}: {shown}");
        assert_eq!(browser.eval("typeof window.owned"), "undefined", "{name}");
        assert_eq!(browser.count("img, iframe, object, embed"), 0, "{name}");
        assert_quiet(&mut browser, &name);
    }
}

/// Even if somebody brought markup in, the policy executes none of it and asks for nothing.
#[test]
fn the_policy_forbids_everything_else() {
    let served = Served::start(&["examples/setup_1984.argos"]);
    let mut browser = served.browser();
    let attempts = browser.eval(
        "(async () => {
           const blocked = [];
           document.addEventListener('securitypolicyviolation', it => blocked.push(it.effectiveDirective));
           const script = document.createElement('script');
           script.textContent = 'window.owned = 1';
           document.body.append(script);
           const div = document.createElement('div');
           div.innerHTML = '<img src=\"https://example.org/x.png\" onerror=\"window.owned = 1\"><p style=\"color:red\">x</p>';
           document.body.append(div);
           let fetched = true;
           try { await fetch('https://example.org/'); } catch { fetched = false; }
           const frame = document.createElement('iframe');
           frame.src = 'https://example.org/';
           document.body.append(frame);
           const form = document.createElement('form');
           form.action = 'https://example.org/';
           document.body.append(form);
           form.submit();
           await new Promise(done => setTimeout(done, 300));
           return [typeof window.owned, fetched, [...new Set(blocked)].sort(), location.host];
         })()",
    );
    assert_eq!((&attempts[0], &attempts[1]), (&"undefined".into(), &false.into()), "{attempts}");
    let blocked = attempts[2].as_array().expect("a list");
    for directive in ["script-src-elem", "img-src", "connect-src", "frame-src", "form-action"] {
        assert!(blocked.iter().any(|it| it == directive), "{directive}: {attempts}");
    }
    assert_eq!(attempts[3], served.host());
}
