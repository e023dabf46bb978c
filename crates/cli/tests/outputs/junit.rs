//! JUnit's XML, read and judged by the rules of the form that Jenkins, GitLab and GitHub actions
//! share (<https://llg.cubic.org/docs/junit/>): which elements stand in which, their attributes,
//! and counts that must be right.

use quick_xml::Reader;
use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};
use std::collections::BTreeMap;

/// An element with what is in it.
#[derive(Debug, Default)]
pub(crate) struct Element {
    name: String,
    attributes: BTreeMap<String, String>,
    elements: Vec<Element>,
    pub(crate) text: String,
}

type Names = &'static [&'static str];

/// An element, the attributes it must have, those it may have, the elements it may contain.
const RULES: [(&str, Names, Names, Names); 7] = [
    ("testsuites", &["name", "tests", "failures", "errors"], &["skipped", "time"], &["testsuite"]),
    (
        "testsuite",
        &["name", "tests", "failures", "errors", "skipped"],
        &["time"],
        &["testcase", "system-out"],
    ),
    ("testcase", &["name", "classname"], &["time"], &["failure", "error", "skipped"]),
    ("failure", &["message", "type"], &[], &[]),
    ("error", &["message", "type"], &[], &[]),
    ("skipped", &["message"], &[], &[]),
    ("system-out", &[], &[], &[]),
];

/// Reads a file and fails unless it fits the rules.
pub(crate) fn read(text: &str) -> Element {
    let forbidden = |c: char| c < ' ' && !matches!(c, '\n' | '\t' | '\r');
    assert_eq!(text.chars().find(|c| forbidden(*c)), None, "no character of XML: {text:?}");
    let root = parsed(text);
    assert_eq!(root.name, "testsuites");
    root.judge();
    root
}

fn parsed(text: &str) -> Element {
    let mut reader = Reader::from_str(text);
    let mut open = vec![Element::default()];
    loop {
        match reader.read_event().unwrap_or_else(|error| panic!("{error}: {text}")) {
            Event::Start(start) => open.push(element(&start)),
            Event::Empty(start) => {
                let element = element(&start);
                open.last_mut().expect("the document").elements.push(element);
            }
            Event::End(_) => {
                let element = open.pop().expect("an element is open");
                open.last_mut().expect("the document").elements.push(element);
            }
            Event::Text(part) => {
                let part = part.decode().expect("UTF-8");
                open.last_mut().expect("the document").text.push_str(&part);
            }
            Event::GeneralRef(name) => {
                let last = open.last_mut().expect("the document");
                match name.resolve_char_ref().expect("a character") {
                    Some(c) => last.text.push(c),
                    None => {
                        let name = name.decode().expect("UTF-8");
                        let text = quick_xml::escape::resolve_xml_entity(&name).expect("known");
                        last.text.push_str(text);
                    }
                }
            }
            Event::CData(_) | Event::Comment(_) | Event::PI(_) | Event::DocType(_) => {
                panic!("there is only text: {text}")
            }
            Event::Decl(_) => {}
            Event::Eof => break,
        }
    }
    assert_eq!(open.len(), 1, "an element is not closed: {text}");
    open.remove(0).elements.remove(0)
}

fn element(start: &BytesStart<'_>) -> Element {
    let name = String::from_utf8(start.name().as_ref().to_vec()).expect("UTF-8");
    let attributes = start.attributes().map(|attribute| {
        let attribute = attribute.expect("an attribute");
        let key = String::from_utf8(attribute.key.as_ref().to_vec()).expect("UTF-8");
        let value = attribute.normalized_value(XmlVersion::Implicit1_0).expect("a value");
        (key, value.into_owned())
    });
    Element { name, attributes: attributes.collect(), ..Element::default() }
}

impl Element {
    pub(crate) fn attribute(&self, name: &str) -> &str {
        self.attributes.get(name).unwrap_or_else(|| panic!("{} has no {name}", self.name))
    }

    pub(crate) fn children(&self, name: &str) -> Vec<&Element> {
        self.elements.iter().filter(|element| element.name == name).collect()
    }

    fn judge(&self) {
        let rule = RULES.iter().find(|(name, ..)| *name == self.name);
        let (_, must, may, inside) = rule.unwrap_or_else(|| panic!("no element {}", self.name));
        for name in *must {
            self.attribute(name);
        }
        for name in self.attributes.keys().map(String::as_str) {
            assert!(must.contains(&name) || may.contains(&name), "{} has {name}", self.name);
        }
        for element in &self.elements {
            assert!(inside.contains(&element.name.as_str()), "{} in {}", element.name, self.name);
            element.judge();
        }
        if must.contains(&"tests") {
            self.judge_counts();
        }
        if self.name == "testcase" {
            assert!(self.elements.len() <= 1, "a case has one result");
        }
    }

    fn judge_counts(&self) {
        for (attribute, child) in
            [("tests", ""), ("failures", "failure"), ("errors", "error"), ("skipped", "skipped")]
        {
            let counted = |case: &Element| child.is_empty() || !case.children(child).is_empty();
            let count = self.cases().into_iter().filter(|case| counted(case)).count();
            assert_eq!(
                self.attribute(attribute),
                count.to_string(),
                "{attribute} of {}",
                self.name
            );
        }
    }

    fn cases(&self) -> Vec<&Element> {
        match self.name.as_str() {
            "testsuites" => self.elements.iter().flat_map(Element::cases).collect(),
            _ => self.children("testcase"),
        }
    }
}
