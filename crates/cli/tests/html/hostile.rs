//! Names that are markup, scripts, orders to turn a line, or too long: all stay text.

use crate::{DARK, LIGHT, NARROW, assert_fits, assert_quiet, folder};
use std::fs;
use testkit::argos::run_in;
use testkit::browser::Browser;

const MARKUP: &str = "</script><script>window.owned=1</script><img src=x onerror=window.owned=1>\
                      '&quot;\u{202e}\u{2066}]]>--><!-- {{script}} {{data}} \u{5d0}\u{5d1}\u{5d2}";

/// What an expression of a test of markup in a page says if it was executed.
const OWNED: &str = "typeof window.owned";

fn models() -> Vec<(String, String)> {
    let long = "n".repeat(200);
    let quoted = MARKUP.replace('"', "\\\"");
    let promela = format!(
        "#line 1 \"m{quoted}.pml\"\n/* {MARKUP} */\nmtype = {{ m{long} }};\n\
         chan q{long} = [1] of {{ mtype, byte }};\nbyte v{long};\n\
         active proctype P{long}() {{ printf(\"{quoted}\\n\"); q{long}!m{long}, 3; v{long} = 1;\n\
         l{long}: assert(v{long} == 2) }}\n\
         active proctype R{long}() {{ byte x; q{long}?m{long}, x; printf(\"{quoted}\") }}\n"
    );
    let argos = format!(
        "#line 1 \"m{MARKUP}.argos\"\n/* {MARKUP} */\n#warning {MARKUP}\nchannel q{long}[1];\n\
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
    let place = folder().join("hostile_pages");
    fs::create_dir_all(&place).expect("the scratch directory is ours");
    let mut browser = Browser::start(LIGHT);
    let mut names = Vec::new();
    for (number, (name, text)) in models().into_iter().enumerate() {
        fs::write(place.join(&name), text).expect("a writable folder");
        names.push(name.clone());
        looked_at(&mut browser, &place, &format!("{number}.html"), &[&name]);
    }
    let all: Vec<&str> = names.iter().map(String::as_str).collect();
    looked_at(&mut browser, &place, "all.html", &all);
}

fn looked_at(browser: &mut Browser, place: &std::path::Path, page: &str, models: &[&str]) {
    let run = run_in(place, &[&["check", "--report", page], models].concat());
    let text = fs::read_to_string(place.join(page));
    let text = text.unwrap_or_else(|error| panic!("{models:?}: {error}: {}", run.complaints));
    assert_eq!(text.matches("<script").count(), 2, "{page}: one for the data, one that acts");
    assert_eq!(text.matches("</script").count(), 2, "{page}");
    let turns = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    assert!(!text.contains(turns), "{page}");
    browser.open(&place.join(page));
    for window in [LIGHT, DARK, NARROW] {
        browser.resize(window);
        for key in ["m", "f", "s", "f", "k", "j", "i", "i"] {
            browser.key(key);
        }
        assert_fits(browser, page);
    }
    let shown = browser.eval("document.body.innerText");
    let shown = shown.as_str().unwrap_or_default();
    assert!(
        shown.contains("<script>window.owned=1</script>"),
        "{page}: it is there as text\n{shown}"
    );
    assert!(!shown.contains(turns), "{page}");
    assert_eq!(browser.eval(OWNED), "undefined", "{page}");
    assert_eq!(browser.count("img, iframe, object, embed"), 0, "{page}");
    assert_quiet(browser, page);
}

/// Even if somebody brought markup in, the policy executes none of it and asks for nothing.
#[test]
fn the_policy_forbids_everything_else() {
    let (file, _) = crate::page("policy", &["check", "corpus/papers/abp_a3.argos"]);
    let mut browser = Browser::start(LIGHT);
    browser.open(&file);
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
           const style = document.createElement('style');
           style.textContent = 'body { display: none }';
           document.body.append(style);
           let fetched = true;
           try { await fetch('https://example.org/'); } catch { fetched = false; }
           const frame = document.createElement('iframe');
           frame.src = 'https://example.org/';
           document.body.append(frame);
           await new Promise(done => setTimeout(done, 300));
           return [typeof window.owned, fetched, getComputedStyle(document.body).display,
                   [...new Set(blocked)].sort()];
         })()",
    );
    assert_eq!(attempts[0], "undefined", "{attempts}");
    assert_eq!((&attempts[1], &attempts[2]), (&false.into(), &"block".into()), "{attempts}");
    let blocked = attempts[3].as_array().expect("a list");
    for directive in ["script-src-elem", "img-src", "style-src-elem", "connect-src", "frame-src"] {
        assert!(blocked.iter().any(|it| it == directive), "{directive}: {attempts}");
    }
}
