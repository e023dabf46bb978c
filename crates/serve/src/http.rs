//! As much of HTTP/1.1 as the page needs: one request on each connection, every part of it bounded
//! in bytes and in time. `httparse` reads the head; who frames bodies in any other way than by one
//! length is refused, so nobody can disagree with us about where a request ends.

use std::borrow::Cow;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

/// Bytes of a head.
const HEAD_MAX: usize = 16 << 10;
/// Lines of a head.
const HEADERS_MAX: usize = 64;
/// Bytes of a body.
pub(crate) const BODY_MAX: usize = 1 << 20;
/// A request has to be there within this time, and an answer to be taken.
const PATIENCE: Duration = Duration::from_secs(10);
/// Whoever is refused while still sending is listened to for so long: closing at once would
/// destroy the answer.
const LINGER: Duration = Duration::from_secs(1);
const LINGER_BYTES: usize = 4 * BODY_MAX;

/// The head of a request, as far as anybody asks.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct Head {
    pub(crate) method: String,
    pub(crate) target: String,
    pub(crate) host: Option<String>,
    pub(crate) origin: Option<String>,
    /// `Sec-Fetch-Site`.
    pub(crate) site: Option<String>,
    /// `Content-Type`.
    pub(crate) kind: Option<String>,
    pub(crate) length: Option<usize>,
    /// The sender waits for a word before the body.
    pub(crate) waits: bool,
    /// What came behind the head.
    pub(crate) rest: Vec<u8>,
}

/// Why there is no request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Unread {
    /// Whoever opened the connection says no more: a browser opens some beforehand.
    Silent,
    /// It is to be answered with this status and these words.
    Bad(u16, &'static str),
}

/// Reads the head of a request.
pub(crate) fn head(stream: &mut TcpStream) -> Result<Head, Unread> {
    let deadline = Instant::now() + PATIENCE;
    let mut bytes = Vec::new();
    loop {
        match parsed(&bytes)? {
            Some(head) => return Ok(head),
            None if bytes.len() >= HEAD_MAX => {
                return Err(Unread::Bad(431, "the head of the request is too long"));
            }
            None => {}
        }
        let mut part = [0; 4096];
        match read(stream, &mut part, deadline) {
            Ok(0) if bytes.is_empty() => return Err(Unread::Silent),
            Ok(0) => return Err(Unread::Bad(400, "the request ends in its head")),
            Ok(count) => bytes.extend_from_slice(&part[..count]),
            Err(_) if bytes.is_empty() => return Err(Unread::Silent),
            Err(_) => return Err(Unread::Bad(408, "the request did not come in time")),
        }
    }
}

/// The head if it is all there.
fn parsed(bytes: &[u8]) -> Result<Option<Head>, Unread> {
    let mut headers = [httparse::EMPTY_HEADER; HEADERS_MAX];
    let mut request = httparse::Request::new(&mut headers);
    let length = match request.parse(bytes) {
        Ok(httparse::Status::Complete(length)) => length,
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(httparse::Error::TooManyHeaders) => {
            return Err(Unread::Bad(431, "the head of the request has too many lines"));
        }
        Err(_) => return Err(Unread::Bad(400, "this is no HTTP request")),
    };
    let mut head = Head {
        method: request.method.unwrap_or_default().to_owned(),
        target: request.path.unwrap_or_default().to_owned(),
        rest: bytes[length..].to_vec(),
        ..Head::default()
    };
    for header in request.headers.iter() {
        let value = std::str::from_utf8(header.value);
        let value = value.map_err(|_| Unread::Bad(400, "a line of the head is not text"))?;
        let value = value.trim();
        match header.name.to_ascii_lowercase().as_str() {
            "host" => once(&mut head.host, value)?,
            "origin" => once(&mut head.origin, value)?,
            "sec-fetch-site" => once(&mut head.site, value)?,
            "content-type" => once(&mut head.kind, value)?,
            "content-length" => {
                let digits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
                let length = value.parse().ok().filter(|_| digits && head.length.is_none());
                head.length = Some(length.ok_or(Unread::Bad(400, "the length is no number"))?);
            }
            "transfer-encoding" => {
                return Err(Unread::Bad(501, "a body has to say its length"));
            }
            "expect" => head.waits = value.eq_ignore_ascii_case("100-continue"),
            _ => {}
        }
    }
    Ok(Some(head))
}

fn once(place: &mut Option<String>, value: &str) -> Result<(), Unread> {
    match place.replace(value.to_owned()) {
        None => Ok(()),
        Some(_) => Err(Unread::Bad(400, "a line of the head is there twice")),
    }
}

/// Reads the body that a head announces.
pub(crate) fn body(stream: &mut TcpStream, head: &Head) -> Result<Vec<u8>, Unread> {
    let length = head.length.ok_or(Unread::Bad(411, "a body has to say its length"))?;
    if length > BODY_MAX {
        return Err(Unread::Bad(413, "the request is larger than a megabyte"));
    }
    if head.waits && stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n").is_err() {
        return Err(Unread::Silent);
    }
    let deadline = Instant::now() + PATIENCE;
    let mut body = head.rest.clone();
    body.truncate(length);
    let mut part = [0; 16 << 10];
    while body.len() < length {
        let wanted = part.len().min(length - body.len());
        match read(stream, &mut part[..wanted], deadline) {
            Ok(0) => return Err(Unread::Bad(400, "the request ends in its body")),
            Ok(count) => body.extend_from_slice(&part[..count]),
            Err(_) => return Err(Unread::Bad(408, "the request did not come in time")),
        }
    }
    Ok(body)
}

fn read(stream: &mut TcpStream, part: &mut [u8], deadline: Instant) -> io::Result<usize> {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(ErrorKind::TimedOut.into());
        }
        stream.set_read_timeout(Some(left))?;
        match stream.read(part) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

/// An answer.
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) kind: &'static str,
    pub(crate) body: Cow<'static, [u8]>,
}

pub(crate) const JSON: &str = "application/json; charset=utf-8";
const TEXT: &str = "text/plain; charset=utf-8";

impl Response {
    pub(crate) fn new(kind: &'static str, body: impl Into<Cow<'static, [u8]>>) -> Self {
        Self { status: 200, kind, body: body.into() }
    }

    /// A refusal, or a fault, in words.
    pub(crate) fn told(status: u16, words: &str) -> Self {
        Self { status, kind: TEXT, body: format!("{words}\n").into_bytes().into() }
    }
}

/// In every answer: the page runs its own scripts and styles and asks nobody but this server; nobody
/// frames it, stores it or learns its address from it; nothing is taken for another kind of file.
const ALWAYS: &str = "\
Connection: close\r\n\
Cache-Control: no-store\r\n\
Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; \
connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n\
Cross-Origin-Opener-Policy: same-origin\r\n\
Cross-Origin-Resource-Policy: same-origin\r\n\
Referrer-Policy: no-referrer\r\n\
X-Content-Type-Options: nosniff\r\n\
X-Frame-Options: DENY\r\n";

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        411 => "Length Required",
        413 => "Content Too Large",
        415 => "Unsupported Media Type",
        421 => "Misdirected Request",
        431 => "Request Header Fields Too Large",
        501 => "Not Implemented",
        503 => "Service Unavailable",
        _ => "Internal Server Error",
    }
}

/// Sends an answer and closes the connection.
///
/// # Errors
/// Nobody takes it.
pub(crate) fn send(stream: &mut TcpStream, response: &Response) -> io::Result<()> {
    stream.set_write_timeout(Some(PATIENCE))?;
    write(stream, response)?;
    linger(stream);
    Ok(())
}

/// Sends an answer if it is taken at once.
///
/// # Errors
/// It is not.
pub(crate) fn send_at_once(stream: &mut TcpStream, response: &Response) -> io::Result<()> {
    stream.set_nonblocking(true)?;
    write(stream, response)
}

fn write(stream: &mut TcpStream, response: &Response) -> io::Result<()> {
    let Response { status, kind, body } = response;
    let head = format!(
        "HTTP/1.1 {status} {}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n{ALWAYS}\r\n",
        reason(*status),
        body.len()
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(body)?;
    stream.shutdown(Shutdown::Write)
}

/// Reads what is still being sent, until the other side has taken the answer.
fn linger(stream: &mut TcpStream) {
    let deadline = Instant::now() + LINGER;
    let mut part = [0; 16 << 10];
    let mut taken = 0;
    while taken < LINGER_BYTES {
        match read(stream, &mut part, deadline) {
            Ok(0) | Err(_) => return,
            Ok(count) => taken += count,
        }
    }
}

/// Whether whoever asked has hung up.
pub(crate) fn has_hung_up(stream: &TcpStream) -> bool {
    if stream.set_nonblocking(true).is_err() {
        return true;
    }
    let peeked = stream.peek(&mut [0]);
    let _ = stream.set_nonblocking(false);
    match peeked {
        Ok(count) => count == 0,
        Err(error) => !matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bad(text: &str) -> u16 {
        match parsed(text.as_bytes()) {
            Err(Unread::Bad(status, _)) => status,
            other => panic!("{text:?}: {other:?}"),
        }
    }

    #[test]
    fn heads_are_read_once_they_are_there() {
        let text = "POST /x/api/run HTTP/1.1\r\nHost: h\r\ncontent-LENGTH: 3\r\n\r\nabc";
        for end in 0..text.len() - 3 {
            assert_eq!(parsed(&text.as_bytes()[..end]), Ok(None), "{end}");
        }
        let head = parsed(text.as_bytes()).expect("a head").expect("all of it");
        assert_eq!((head.method.as_str(), head.target.as_str()), ("POST", "/x/api/run"));
        assert_eq!((head.host.as_deref(), head.length), (Some("h"), Some(3)));
        assert_eq!(head.rest, b"abc");
    }

    #[test]
    fn what_could_be_read_in_two_ways_is_refused() {
        let start = "POST / HTTP/1.1\r\n";
        assert_eq!(bad("\u{1}\u{2}\u{3} \r\n\r\n"), 400);
        assert_eq!(bad(&format!("{start}Host: a\r\nHost: b\r\n\r\n")), 400);
        assert_eq!(bad(&format!("{start}Origin: a\r\nOrigin: a\r\n\r\n")), 400);
        assert_eq!(bad(&format!("{start}Content-Length: 1\r\nContent-Length: 2\r\n\r\n")), 400);
        assert_eq!(bad(&format!("{start}Content-Length: +1\r\n\r\n")), 400);
        assert_eq!(bad(&format!("{start}Content-Length: 99999999999999999999\r\n\r\n")), 400);
        assert_eq!(bad(&format!("{start}Transfer-Encoding: chunked\r\n\r\n")), 501);
        assert_eq!(bad(&format!("{start}{}\r\n", "a: b\r\n".repeat(HEADERS_MAX + 1))), 431);
    }
}
