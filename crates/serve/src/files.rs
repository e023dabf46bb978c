//! The files of the page: those of the HTML report, as they are, and its own.

use report::{MODULES, STYLES};

const OWN: [(&str, &str); 10] = [
    ("api.js", include_str!("page/api.js")),
    ("branches.js", include_str!("page/branches.js")),
    ("memory.js", include_str!("page/memory.js")),
    ("offers.js", include_str!("page/offers.js")),
    ("walk.js", include_str!("page/walk.js")),
    ("results.js", include_str!("page/results.js")),
    ("editor.js", include_str!("page/editor.js")),
    ("graph.js", include_str!("page/graph.js")),
    ("explorer.js", include_str!("page/explorer.js")),
    ("explorer.css", include_str!("page/explorer.css")),
];

const SHELL: &str = include_str!("page/explorer.html");

/// The kind and the text of a file; the page itself has no name.
pub(crate) fn file(name: &str) -> Option<(&'static str, &'static str)> {
    if name.is_empty() {
        return Some(("text/html; charset=utf-8", SHELL));
    }
    let kind = match name.rsplit_once('.')?.1 {
        "js" => "text/javascript; charset=utf-8",
        _ => "text/css; charset=utf-8",
    };
    // The last module of the report is its own page.
    let shared = &MODULES[..MODULES.len() - 1];
    let mut all = OWN.iter().chain(shared).chain(&STYLES);
    all.find(|(known, _)| *known == name).map(|(_, text)| (kind, *text))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each import and each link of the page leads to a file, and no file parses markup.
    #[test]
    fn every_file_that_is_named_is_there() {
        let links = SHELL.split('"').filter(|part| part.ends_with(".css") || part.ends_with(".js"));
        assert!(links.clone().count() >= 5);
        links.for_each(|name| assert!(file(name).is_some(), "{name}"));
        for (name, text) in OWN {
            for line in text.lines().filter(|line| line.starts_with("import ")) {
                let from = line.split('\'').nth(1).and_then(|path| path.strip_prefix("./"));
                assert!(from.is_some_and(|from| file(from).is_some()), "{name}: {line}");
            }
            let parses_markup = ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write"];
            assert!(!parses_markup.iter().any(|word| text.contains(word)), "{name}");
            assert!(text.lines().count() <= 600, "{name}");
        }
        assert!(file("page.js").is_none() && file("../Cargo.toml").is_none());
    }
}
