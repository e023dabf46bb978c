//! A server under test.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};
use testkit::argos::command;
use testkit::browser::{Browser, Window};

pub(crate) const LIGHT: Window = Window { width: 1400, height: 1000, dark: false };
pub(crate) const DARK: Window = Window { dark: true, ..LIGHT };
pub(crate) const NARROW: Window = Window { width: 700, ..LIGHT };

/// Nothing takes so long.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) fn folder() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}

/// A server that ends with its owner.
pub(crate) struct Served {
    child: Child,
    /// The address of the page.
    pub(crate) page: String,
    /// What it wrote to standard error.
    log: Arc<Mutex<String>>,
    rest: BufReader<std::process::ChildStdout>,
}

impl Served {
    /// `argos serve` with these arguments, in the folder of the repository.
    pub(crate) fn start(arguments: &[&str]) -> Self {
        Self::of(command().args(arguments), "")
    }

    /// The same of any command, with this input.
    pub(crate) fn of(command: &mut Command, input: &str) -> Self {
        let words: Vec<_> = command.get_args().map(ToOwned::to_owned).collect();
        let folder = command.get_current_dir().map(ToOwned::to_owned);
        let mut command = Command::new(testkit::argos::path());
        command.arg("serve").args(words).current_dir(folder.expect("a folder is set"));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the binary runs");
        let mut stdin = child.stdin.take().expect("it was piped");
        stdin.write_all(input.as_bytes()).expect("it reads its input");
        drop(stdin);
        let mut rest = BufReader::new(child.stdout.take().expect("it was piped"));
        let log = noted(&mut child);
        let mut line = String::new();
        while !line.trim().starts_with("http://") {
            line.clear();
            let read = rest.read_line(&mut line).expect("it writes text");
            assert!(read > 0, "no address: {}", log.lock().expect("nobody panics"));
        }
        Self { child, page: line.trim().to_owned(), log, rest }
    }

    pub(crate) fn log(&self) -> String {
        self.log.lock().expect("nobody panics").clone()
    }

    /// Waits until the log has a text.
    pub(crate) fn wait_for_log(&self, text: &str) {
        let start = Instant::now();
        while !self.log().contains(text) {
            assert!(start.elapsed() < PATIENCE, "`{text}` is not in the log:\n{}", self.log());
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// `127.0.0.1:PORT`.
    pub(crate) fn host(&self) -> &str {
        self.page.trim_start_matches("http://").split('/').next().expect("a host")
    }

    /// The secret of the address.
    pub(crate) fn secret(&self) -> &str {
        self.page.rsplit('/').nth(1).expect("a secret")
    }

    /// Sends bytes as they are; what is answered, all of it.
    pub(crate) fn send(&self, bytes: &[u8]) -> String {
        let mut stream = TcpStream::connect(self.host()).expect("it listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        // It may be refused before it is all sent.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// A POST as the page makes it.
    pub(crate) fn post(&self, operation: &str, body: &str) -> String {
        self.send(self.request(operation, body).as_bytes())
    }

    /// What is sent for it.
    pub(crate) fn request(&self, operation: &str, body: &str) -> String {
        let (host, secret, length) = (self.host(), self.secret(), body.len());
        format!(
            "POST /{secret}/api/{operation} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        )
    }

    /// The JSON of an answer to a POST.
    pub(crate) fn ask(&self, operation: &str, body: &serde_json::Value) -> serde_json::Value {
        let answer = self.post(operation, &body.to_string());
        let (head, body) = answer.split_once("\r\n\r\n").expect("an answer");
        assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
        serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {body}"))
    }

    /// Sends it a signal; its exit code and what it said at last.
    pub(crate) fn end(mut self, signal: &str) -> (Option<i32>, String) {
        let sent = Command::new("kill").args([signal, &self.child.id().to_string()]).status();
        assert!(sent.expect("kill runs").success());
        let start = Instant::now();
        let code = loop {
            if let Some(status) = self.child.try_wait().expect("the child can be asked") {
                break status.code();
            }
            assert!(start.elapsed() < PATIENCE, "{signal} does not end it");
            thread::sleep(Duration::from_millis(10));
        };
        let mut rest = String::new();
        self.rest.read_to_string(&mut rest).expect("it writes text");
        (code, rest)
    }

    /// A browser that has the page open.
    pub(crate) fn browser(&self) -> Browser {
        let mut browser = Browser::start(LIGHT);
        browser.open_served(&self.page);
        browser.wait_for("document.querySelector('.card')");
        browser
    }
}

fn noted(child: &mut Child) -> Arc<Mutex<String>> {
    let log = Arc::new(Mutex::new(String::new()));
    let (own, mut errors) = (Arc::clone(&log), child.stderr.take().expect("it was piped"));
    thread::spawn(move || {
        let mut part = [0; 1024];
        while let Ok(count) = errors.read(&mut part) {
            if count == 0 {
                break;
            }
            let text = String::from_utf8_lossy(&part[..count]).into_owned();
            own.lock().expect("nobody panics").push_str(&text);
        }
    });
    log
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Fails if the page complained, or asked anybody else for something.
pub(crate) fn assert_quiet(browser: &mut Browser, what: &str) {
    let complaints = browser.complaints();
    assert!(complaints.is_empty(), "{what}: {complaints:#?}");
}

/// Fails if the page is wider than the window.
pub(crate) fn assert_fits(browser: &mut Browser, what: &str) {
    let over = browser.eval(
        "[document.documentElement.scrollWidth - innerWidth,
          [...document.querySelectorAll('#top *, #panel *')]
            .filter(it => it.getBoundingClientRect().right > innerWidth + 1)
            .filter(it => !it.closest(
              '.steps, .pane, .popup, .wide-table, .inspector, .picture, .finding pre, .editor, select'))
            .map(it => it.outerHTML.slice(0, 160))]",
    );
    assert_eq!(over[0], 0, "{what}: {over}");
    assert!(over[1].as_array().is_some_and(Vec::is_empty), "{what}: {over}");
}
