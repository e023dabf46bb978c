//! The server: connections, files, and requests handed to processes of their own.

use crate::gate::Gate;
use crate::http::{self, Head, JSON, Response, Unread};
use crate::worker::{Ended, Worker};
use crate::{Operation, files, wire};
use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// So many connections are open at a time; a browser opens six.
const CONNECTIONS_MAX: usize = 24;
/// So often somebody looks whether the server is to stop.
const TICK: Duration = Duration::from_millis(20);
/// So long processes have to end when it stops.
const CLOSING: Duration = Duration::from_secs(2);
/// So many refusals are listed; who is refused more often could fill a screen.
const REFUSALS_LISTED: usize = 100;

/// Where lines about refusals and faults go.
pub type Log = Box<dyn Fn(&str) + Send + Sync>;

/// A model as it is when the page is opened.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Opened {
    /// As the user named it.
    pub file: String,
    /// Its text.
    pub text: String,
    /// The files that it includes: an edited text includes no other.
    pub includes: Vec<String>,
}

/// A server of one model.
pub struct Server {
    listener: TcpListener,
    shared: Arc<Shared>,
}

struct Shared {
    gate: Gate,
    worker: Worker,
    /// Reads the model; in words why it cannot be read.
    open: Box<dyn Fn() -> Result<Opened, String> + Send + Sync>,
    /// The files that an edited text may include: those of the model when it was last opened.
    includes: Mutex<Vec<String>>,
    log: Log,
    connections: AtomicUsize,
    refusals: AtomicUsize,
    stops: AtomicBool,
}

impl Server {
    /// A server that listens at an address; port 0 is any that is free.
    ///
    /// # Errors
    /// The address cannot be used.
    pub fn bind(
        address: SocketAddr,
        worker: Worker,
        open: Box<dyn Fn() -> Result<Opened, String> + Send + Sync>,
        log: Log,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        let gate = Gate::new(listener.local_addr()?).map_err(io::Error::other)?;
        let shared = Shared {
            gate,
            worker,
            open,
            includes: Mutex::default(),
            log,
            connections: AtomicUsize::new(0),
            refusals: AtomicUsize::new(0),
            stops: AtomicBool::new(false),
        };
        Ok(Self { listener, shared: Arc::new(shared) })
    }

    /// The address of the page, with its secret.
    pub fn page(&self) -> String {
        self.shared.gate.page()
    }

    /// Answers until `stops` says that it is to end.
    pub fn run(self, stops: &dyn Fn() -> bool) {
        let Self { listener, shared } = self;
        let accepting = Arc::clone(&shared);
        // It waits for connections until the program ends.
        thread::spawn(move || {
            for stream in listener.incoming() {
                match stream {
                    Ok(stream) => accepting.take(stream),
                    // As when there are too many open files.
                    Err(_) => thread::sleep(TICK),
                }
            }
        });
        while !stops() {
            thread::sleep(TICK);
        }
        shared.stops.store(true, Ordering::Relaxed);
        let start = Instant::now();
        while shared.connections.load(Ordering::Relaxed) > 0 && start.elapsed() < CLOSING {
            thread::sleep(TICK);
        }
    }
}

/// A connection that is open.
struct Open(Arc<Shared>);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.connections.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Shared {
    /// Answers a connection on a thread of its own.
    fn take(self: &Arc<Self>, mut stream: TcpStream) {
        let before = self.connections.fetch_add(1, Ordering::Relaxed);
        let open = Open(Arc::clone(self));
        if before >= CONNECTIONS_MAX {
            let words = "too many connections at once";
            self.note(&stream, 503, words);
            // Nobody waits until it is taken.
            let _ = http::send_at_once(&mut stream, &Response::told(503, words));
            return;
        }
        let started = thread::Builder::new().spawn(move || open.0.converse(&mut stream));
        if let Err(error) = started {
            (self.log)(&format!("a connection was dropped: {error}"));
        }
    }

    fn converse(&self, stream: &mut TcpStream) {
        let head = match http::head(stream) {
            Ok(head) => head,
            Err(Unread::Silent) => return,
            Err(Unread::Bad(status, words)) => return self.refuse(stream, status, words),
        };
        let path = match self.gate.admit(&head) {
            Ok(path) => path.to_owned(),
            Err(refusal) => return self.refuse(stream, refusal.status, refusal.words),
        };
        match path.strip_prefix("api/") {
            Some(word) => self.operation(stream, &head, word),
            None => self.file(stream, &head, &path),
        }
    }

    /// Says no, and notes that.
    fn refuse(&self, stream: &mut TcpStream, status: u16, words: &str) {
        self.note(stream, status, words);
        // Nobody may be there to hear it.
        let _ = http::send(stream, &Response::told(status, words));
    }

    /// Lists a refusal.
    fn note(&self, stream: &TcpStream, status: u16, words: &str) {
        let number = self.refusals.fetch_add(1, Ordering::Relaxed);
        let from = stream.peer_addr().map_or_else(|_| "?".to_owned(), |peer| peer.to_string());
        if number < REFUSALS_LISTED {
            (self.log)(&format!("refused {from}: {words} ({status})"));
        } else if number == REFUSALS_LISTED {
            (self.log)("further refusals are not listed");
        }
    }

    fn file(&self, stream: &mut TcpStream, head: &Head, name: &str) {
        if head.method != "GET" {
            return self.refuse(stream, 405, "files are asked for with GET");
        }
        let response = match files::file(name) {
            Some((kind, text)) => Response::new(kind, text.as_bytes()),
            None if name == "model" => self.model(),
            None => return self.refuse(stream, 404, "there is no such file"),
        };
        // A browser that is closed meanwhile misses nothing.
        let _ = http::send(stream, &response);
    }

    /// The model as it is now.
    fn model(&self) -> Response {
        let opened = (self.open)();
        if let Ok(opened) = &opened {
            let mut includes = self.includes.lock().unwrap_or_else(PoisonError::into_inner);
            includes.clone_from(&opened.includes);
        }
        Response::new(JSON, wire::opened(opened, self.worker.limits).into_bytes())
    }

    fn operation(&self, stream: &mut TcpStream, head: &Head, word: &str) {
        if head.method != "POST" {
            return self.refuse(stream, 405, "operations are asked for with POST");
        }
        // A page of another origin cannot send this kind without asking first, and is not answered.
        if head.kind.as_deref() != Some("application/json") {
            return self.refuse(stream, 415, "operations take application/json");
        }
        let Some(operation) = Operation::named(word) else {
            return self.refuse(stream, 404, "there is no such operation");
        };
        let body = match http::body(stream, head) {
            Ok(body) => body,
            Err(Unread::Silent) => return,
            Err(Unread::Bad(status, words)) => return self.refuse(stream, status, words),
        };
        let includes = self.includes.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let envelope = wire::envelope(&includes);
        let abandoned = || self.stops.load(Ordering::Relaxed) || http::has_hung_up(stream);
        let answer = self.worker.answer(operation, &[envelope.as_bytes(), &body], &abandoned);
        let body = match answer {
            Ok(body) => body,
            Err(Ended::HungUp) => {
                return (self.log)(&format!("nobody waits for this {word} any longer: stopped"));
            }
            Err(Ended::Because(words)) => {
                (self.log)(&format!("{word}: {words}"));
                wire::error(&words).into_bytes()
            }
        };
        let _ = http::send(stream, &Response::new(JSON, body));
    }
}
