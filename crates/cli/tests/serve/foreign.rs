//! A page of another origin that tries to reach the explorer, even one that knows its address.

use super::served::Served;
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread;
use testkit::browser::Browser;

const SETUP: &str = "examples/setup_1984.argos";

/// Serves one page to whoever asks, at a port of its own.
fn other_origin(page: String) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("it has one");
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut stream = stream;
            let mut part = [0; 4096];
            let _ = stream.read(&mut part);
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n";
            let length = page.len();
            let _ = write!(stream, "{head}Content-Length: {length}\r\n\r\n{page}");
        }
    });
    format!("http://{address}/")
}

#[test]
fn a_page_of_another_origin_reaches_nothing() {
    let served = Served::start(&[SETUP]);
    let page = "<!doctype html><title>other</title><form id=form method=post enctype=text/plain \
                target=frame><input name='{\"text\":\"' value='\"}'></form><iframe name=frame></iframe>";
    let mut browser = Browser::start(super::served::LIGHT);
    browser.open_served(&other_origin(page.to_owned()));
    let attempts = browser.eval(&format!(
        "(async () => {{
           const page = {};
           const body = JSON.stringify({{ text: 'active proctype P() {{ skip }}' }});
           const kind = {{ 'Content-Type': 'application/json' }};
           const tried = async (url, more) => {{
             try {{
               const answer = await fetch(url, more);
               return answer.type === 'opaque' ? 'opaque' : await answer.text();
             }} catch {{ return 'failed'; }}
           }};
           const script = (url) => new Promise((done) => {{
             const element = document.createElement('script');
             element.src = url;
             element.onload = () => done('loaded');
             element.onerror = () => done('failed');
             document.body.append(element);
           }});
           const frame = document.querySelector('iframe');
           const loaded = new Promise((done) => frame.addEventListener('load', () => done()));
           document.getElementById('form').action = page + 'api/run';
           document.getElementById('form').submit();
           await loaded;
           return [
             await tried(page),
             await tried(page + 'model'),
             await tried(page + 'model', {{ mode: 'no-cors' }}),
             await tried(page + 'api/run', {{ method: 'POST', body }}),
             await tried(page + 'api/run', {{ method: 'POST', body, headers: kind }}),
             await tried(page + 'api/run', {{ method: 'POST', body, mode: 'no-cors' }}),
             await script(page + 'explorer.js'),
           ];
         }})()",
        json!(served.page)
    ));
    for attempt in attempts.as_array().expect("a list") {
        assert!(attempt == "failed" || attempt == "opaque", "{attempts}");
    }
    let log = served.log();
    assert!(log.matches("another origin").count() >= 5, "{log}");
    // In the frame there is nothing of it.
    let frame = browser.eval(
        "(() => { try { return document.querySelector('iframe').contentDocument.body.innerText; }
           catch { return 'closed'; } })()",
    );
    assert_eq!(frame, "closed");
    assert!(!log.contains("no request"), "nothing was executed: {log}");
}

/// A name that someone else owns may resolve to this machine; the browser still says it.
#[test]
fn a_name_that_resolves_to_this_machine_is_not_this_server() {
    let served = Served::start(&[SETUP]);
    let port = served.host().rsplit(':').next().expect("a port").to_owned();
    for host in ["rebound.example", "127.0.0.1.rebound.example", "LOCALHOST.rebound.example"] {
        for (path, origin) in [("", ""), ("model", "Origin: http://rebound.example:1\r\n")] {
            let answer = served.send(
                format!(
                    "GET /{}/{path} HTTP/1.1\r\nHost: {host}:{port}\r\n{origin}\r\n",
                    served.secret()
                )
                .as_bytes(),
            );
            assert!(answer.starts_with("HTTP/1.1 421 "), "{host}: {answer}");
        }
    }
    assert!(served.log().contains("another host"), "{}", served.log());
    let answer = served.send(
        format!("GET /{}/ HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n", served.secret()).as_bytes(),
    );
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
}
