//! A web browser: headless Chromium with a profile of its own, driven by its DevTools protocol.
//! What a page complains about and asks for is remembered.
//!
//! With `--remote-debugging-pipe` Chromium reads orders from descriptor 3 and answers on
//! descriptor 4, each message ended by a zero byte. A shell puts our two pipes there.

use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The program, in Debian's package of that name.
pub const PROGRAM: &str = "chromium";

const OPTIONS: [&str; 10] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
];

/// A browser that does not answer for so long has a fault.
const PATIENCE: Duration = Duration::from_secs(120);

/// One window of a browser.
pub struct Browser {
    child: Child,
    orders: ChildStdin,
    answers: Receiver<Value>,
    session: Option<String>,
    last: u64,
    events: Vec<Value>,
    /// The beginning of the addresses that the page may ask for.
    own: Option<String>,
    _profile: TempDir,
}

/// How a window looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// The reader prefers dark pages.
    pub dark: bool,
}

impl Browser {
    /// Starts one.
    pub fn start(window: Window) -> Self {
        let profile = tempfile::tempdir().expect("a folder for the profile");
        let data = format!("--user-data-dir={}", profile.path().display());
        let mut command = Command::new("sh");
        command.args(["-c", r#"exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1"#, PROGRAM]);
        command.args(OPTIONS).arg(data).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("sh starts");
        let orders = child.stdin.take().expect("it was piped");
        let mut output = BufReader::new(child.stdout.take().expect("it was piped"));
        let (send, answers) = mpsc::channel();
        thread::spawn(move || {
            let mut message = Vec::new();
            while output.read_until(0, &mut message).is_ok_and(|read| read > 0) {
                let value = serde_json::from_slice(&message[..message.len() - 1]);
                if value.is_ok_and(|value: Value| send.send(value).is_err()) {
                    break;
                }
                message.clear();
            }
        });
        let (session, last, events, own) = (None, 0, Vec::new(), None);
        let mut browser =
            Self { child, orders, answers, session, last, events, own, _profile: profile };
        browser.attach(window);
        browser
    }

    fn attach(&mut self, window: Window) {
        let target = self.call("Target.createTarget", json!({ "url": "about:blank" }));
        let target = json!({ "targetId": target["targetId"], "flatten": true });
        let session = self.call("Target.attachToTarget", target);
        self.session = session["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            self.call(&format!("{domain}.enable"), json!({}));
        }
        self.resize(window);
    }

    /// Gives the window another size or another taste.
    pub fn resize(&mut self, Window { width, height, dark }: Window) {
        let size =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", size);
        let value = if dark { "dark" } else { "light" };
        let feature = json!([{ "name": "prefers-color-scheme", "value": value }]);
        self.call("Emulation.setEmulatedMedia", json!({ "features": feature }));
    }

    /// Calls a method of the protocol.
    pub fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.last += 1;
        let id = self.last;
        let mut order = json!({ "id": id, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            order["sessionId"] = json!(session);
        }
        let written = self.orders.write_all(format!("{order}\0").as_bytes());
        written.and_then(|()| self.orders.flush()).unwrap_or_else(|error| {
            panic!("{PROGRAM}, which `apt-get install {PROGRAM}` installs, does not run: {error}")
        });
        loop {
            let answer = self.next(method);
            if answer["id"] == json!(id) {
                assert!(answer["error"].is_null(), "{method}: {}", answer["error"]);
                return answer["result"].clone();
            }
            self.events.push(answer);
        }
    }

    fn next(&mut self, waiting_for: &str) -> Value {
        let answer = self.answers.recv_timeout(PATIENCE);
        answer.unwrap_or_else(|error| panic!("{PROGRAM}: {waiting_for}: {error}"))
    }

    /// Opens a file and waits until its scripts have run. What was remembered is forgotten.
    pub fn open(&mut self, file: &Path) {
        self.open_at(file, "");
    }

    /// The same at an address within the file, as `#e0s3`.
    pub fn open_at(&mut self, file: &Path, fragment: &str) {
        self.own = None;
        self.visit(&format!("file://{}{fragment}", file.display()));
    }

    /// Opens the page of a server, which may ask for what stands beside and below it there.
    pub fn open_served(&mut self, url: &str) {
        self.own = Some(url.to_owned());
        self.visit(url);
    }

    fn visit(&mut self, url: &str) {
        // From page to page, not from place to place in one.
        for url in ["about:blank", url] {
            self.events.clear();
            self.call("Page.navigate", json!({ "url": url }));
            while !self.events.iter().any(|event| event["method"] == "Page.loadEventFired") {
                let event = self.next("a page that is loaded");
                self.events.push(event);
            }
        }
        self.settle();
    }

    /// Waits until what was done is drawn.
    pub fn settle(&mut self) {
        self.eval("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))");
    }

    /// The value of an expression in the page.
    pub fn eval(&mut self, expression: &str) -> Value {
        let asked =
            json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let answer = self.call("Runtime.evaluate", asked);
        let thrown = &answer["exceptionDetails"];
        assert!(thrown.is_null(), "{expression}: {thrown}");
        answer["result"]["value"].clone()
    }

    /// The text of the first element of a kind; empty if there is none.
    pub fn text(&mut self, selector: &str) -> String {
        let text =
            self.eval(&format!("document.querySelector({})?.innerText ?? ''", json!(selector)));
        text.as_str().unwrap_or_default().to_owned()
    }

    /// How many elements there are of a kind.
    pub fn count(&mut self, selector: &str) -> u64 {
        let count = self.eval(&format!("document.querySelectorAll({}).length", json!(selector)));
        count.as_u64().unwrap_or_default()
    }

    /// Presses the mouse in the middle of the first element of a kind.
    pub fn click(&mut self, selector: &str) {
        let place = self.eval(&format!(
            "(() => {{ const it = document.querySelector({}); it.scrollIntoView({{ block: 'nearest' }});
             const box = it.getBoundingClientRect();
             return [box.x + box.width / 2, box.y + box.height / 2]; }})()",
            json!(selector)
        ));
        for kind in ["mousePressed", "mouseReleased"] {
            let (x, y) = (&place[0], &place[1]);
            let event = json!({ "type": kind, "x": x, "y": y, "button": "left", "clickCount": 1 });
            self.call("Input.dispatchMouseEvent", event);
        }
        self.settle();
    }

    /// Presses a key: a character or a name as `ArrowRight`, with `Shift+` before it if it is held.
    pub fn key(&mut self, key: &str) {
        let (modifiers, key) = match key.strip_prefix("Shift+") {
            Some(key) => (8, key),
            None => (0, key),
        };
        let mut down = json!({ "type": "keyDown", "key": key, "modifiers": modifiers });
        if key.chars().count() == 1 {
            down["text"] = json!(key);
        }
        self.call("Input.dispatchKeyEvent", down);
        self.call("Input.dispatchKeyEvent", json!({ "type": "keyUp", "key": key }));
        self.settle();
    }

    /// Types a text where the focus is.
    pub fn write(&mut self, text: &str) {
        self.call("Input.insertText", json!({ "text": text }));
        self.settle();
    }

    /// Waits until an expression is true in the page.
    pub fn wait_for(&mut self, expression: &str) {
        let start = Instant::now();
        while self.eval(&format!("Boolean({expression})")) != true {
            assert!(start.elapsed() < PATIENCE, "{expression} is never true");
            thread::sleep(Duration::from_millis(20));
        }
        self.settle();
    }

    /// What the page complained about since it was opened: errors, warnings, what a policy
    /// forbade; and each request for anything but the page itself.
    pub fn complaints(&mut self) -> Vec<String> {
        self.settle();
        let own = self.own.as_deref();
        let is_own = |url: &Value| {
            own.is_some_and(|own| url.as_str().is_some_and(|url| url.starts_with(own)))
        };
        let bad = |level: &Value| level == "error" || level == "warning" || level == "assert";
        let complaint = |event: &Value| {
            let parameters = &event["params"];
            let is_complaint = match event["method"].as_str()? {
                "Runtime.exceptionThrown" | "Page.javascriptDialogOpening" => true,
                "Runtime.consoleAPICalled" => bad(&parameters["type"]),
                "Log.entryAdded" => bad(&parameters["entry"]["level"]),
                "Network.requestWillBeSent" => {
                    parameters["type"] != "Document" && !is_own(&parameters["request"]["url"])
                }
                _ => false,
            };
            is_complaint.then(|| event.to_string())
        };
        self.events.iter().filter_map(complaint).collect()
    }

    /// Writes what is seen to a PNG file.
    pub fn picture(&mut self, file: &Path) {
        let picture = self.call("Page.captureScreenshot", json!({ "format": "png" }));
        let bytes = decoded(picture["data"].as_str().unwrap_or_default());
        fs::write(file, bytes).expect("a picture is written");
    }
}

/// Bytes in base 64.
fn decoded(text: &str) -> Vec<u8> {
    let digit = |c: u8| match c {
        b'A'..=b'Z' => Some(u32::from(c - b'A')),
        b'a'..=b'z' => Some(u32::from(c - b'a') + 26),
        b'0'..=b'9' => Some(u32::from(c - b'0') + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let digits: Vec<u32> = text.bytes().filter_map(digit).collect();
    let group = |digits: &[u32]| {
        let word = (0..4).fold(0, |word, at| word << 6 | digits.get(at).copied().unwrap_or(0));
        word.to_be_bytes()[1..digits.len()].to_vec()
    };
    digits.chunks(4).flat_map(group).collect()
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.orders.write_all(b"{\"id\":0,\"method\":\"Browser.close\"}\0");
        let _ = self.orders.flush();
        // It closes its pipe when it is gone; what does not go is ended.
        let is_gone = loop {
            match self.answers.recv_timeout(Duration::from_secs(10)) {
                Ok(_) => {}
                Err(error) => break error == mpsc::RecvTimeoutError::Disconnected,
            }
        };
        if !is_gone {
            let _ = self.child.kill();
        }
        let _ = self.child.wait();
    }
}
