//! Who may ask. Any page that a browser shows may send requests to this machine, so that a request
//! comes from here says nothing. Three things do:
//!
//! - `Host`. A page of another name can have that name resolve to this machine (DNS rebinding), and
//!   then shares an origin with the server; but the browser still says the name. Only addresses in
//!   numbers and `localhost` are admitted, which nobody else can be.
//! - `Origin`, and `Sec-Fetch-Site` where the browser sends it: a request that another page makes.
//!   There are no CORS headers in any answer, so nothing is shown to such a page in any case.
//! - A secret of 128 random bits in the address. Other programs and users of this machine do not
//!   know it. It stands in the path, so that every relative address of the page has it; no answer may
//!   be stored or passed on as a referrer.

use crate::http::Head;
use std::net::{IpAddr, SocketAddr};

/// Bytes of the secret.
const SECRET_BYTES: usize = 16;

/// Decides who may ask.
pub(crate) struct Gate {
    secret: String,
    address: SocketAddr,
}

/// Why somebody may not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Refusal {
    /// The status of the answer.
    pub(crate) status: u16,
    /// In words, for the answer and the log.
    pub(crate) words: &'static str,
}

const fn refusal(status: u16, words: &'static str) -> Refusal {
    Refusal { status, words }
}

const NO_HOST: Refusal = refusal(400, "the request names no host");
const WRONG_HOST: Refusal = refusal(421, "the request is for another host");
const WRONG_ORIGIN: Refusal = refusal(403, "the request comes from a page of another origin");
const WRONG_SECRET: Refusal =
    refusal(403, "the address lacks its secret; open the one that argos printed");

impl Gate {
    /// A gate with a new secret, for a server at this address.
    ///
    /// # Errors
    /// The operating system has no random numbers.
    pub(crate) fn new(address: SocketAddr) -> Result<Self, getrandom::Error> {
        let mut bytes = [0; SECRET_BYTES];
        getrandom::fill(&mut bytes)?;
        let secret = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Self { secret, address })
    }

    /// The address of the page.
    pub(crate) fn page(&self) -> String {
        format!("http://{}/{}/", self.address, self.secret)
    }

    /// What is asked for, behind the secret.
    ///
    /// # Errors
    /// Why nothing is answered but that.
    pub(crate) fn admit<'h>(&self, head: &'h Head) -> Result<&'h str, Refusal> {
        let host = head.host.as_deref().ok_or(NO_HOST)?;
        if !self.is_here(host) {
            return Err(WRONG_HOST);
        }
        let own = |origin: &str| origin.strip_prefix("http://") == Some(host);
        let is_foreign = head.origin.as_deref().is_some_and(|origin| !own(origin));
        let sites = ["same-origin", "none"];
        let is_cross = head.site.as_deref().is_some_and(|site| !sites.contains(&site));
        if is_foreign || is_cross {
            return Err(WRONG_ORIGIN);
        }
        let path = head.target.split(['?', '#']).next().unwrap_or_default();
        let path = path.strip_prefix('/').ok_or(WRONG_SECRET)?;
        let (secret, rest) = path.split_once('/').ok_or(WRONG_SECRET)?;
        if is_equal(secret.as_bytes(), self.secret.as_bytes()) {
            Ok(rest)
        } else {
            Err(WRONG_SECRET)
        }
    }

    /// Whether a host is this server under a name that no other server can have: `localhost`, its
    /// address, or, where it listens on all of them, any address.
    fn is_here(&self, host: &str) -> bool {
        let own = self.address;
        let port = format!(":{}", own.port());
        let Some(name) = host.strip_suffix(&port).or((own.port() == 80).then_some(host)) else {
            return false;
        };
        let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
        match bare.parse::<IpAddr>() {
            Ok(address) => own.ip().is_unspecified() || address == own.ip(),
            Err(_) => name == "localhost" && (own.ip().is_loopback() || own.ip().is_unspecified()),
        }
    }
}

/// Whether two texts are the same, in a time that does not depend on where they differ.
fn is_equal(one: &[u8], other: &[u8]) -> bool {
    let differences = one.iter().zip(other).fold(0, |all, (a, b)| all | (a ^ b));
    one.len() == other.len() && differences == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gate(address: &str) -> Gate {
        Gate { secret: "5ec4e7".to_owned(), address: address.parse().expect("an address") }
    }

    fn head(host: &str, origin: Option<&str>, site: Option<&str>, target: &str) -> Head {
        Head {
            target: target.to_owned(),
            host: Some(host.to_owned()),
            origin: origin.map(str::to_owned),
            site: site.map(str::to_owned),
            ..Head::default()
        }
    }

    #[test]
    fn only_the_page_itself_is_admitted() {
        let gate = gate("127.0.0.1:7070");
        let here = "127.0.0.1:7070";
        let own = Some("http://127.0.0.1:7070");
        let rows = [
            (head(here, None, None, "/5ec4e7/"), Ok("")),
            (head(here, own, Some("same-origin"), "/5ec4e7/api/run"), Ok("api/run")),
            (head("localhost:7070", None, Some("none"), "/5ec4e7/page.css?x"), Ok("page.css")),
            (head("rebound.example:7070", None, None, "/5ec4e7/"), Err(WRONG_HOST)),
            (head("127.0.0.1.nip.example:7070", None, None, "/5ec4e7/"), Err(WRONG_HOST)),
            (head("127.0.0.1:7071", None, None, "/5ec4e7/"), Err(WRONG_HOST)),
            (head("127.0.0.2:7070", None, None, "/5ec4e7/"), Err(WRONG_HOST)),
            (head("127.0.0.1", None, None, "/5ec4e7/"), Err(WRONG_HOST)),
            (head(here, Some("http://127.0.0.1:7071"), None, "/5ec4e7/"), Err(WRONG_ORIGIN)),
            (head(here, Some("https://127.0.0.1:7070"), None, "/5ec4e7/"), Err(WRONG_ORIGIN)),
            (head(here, Some("null"), None, "/5ec4e7/"), Err(WRONG_ORIGIN)),
            (head(here, None, Some("cross-site"), "/5ec4e7/"), Err(WRONG_ORIGIN)),
            (head(here, None, Some("same-site"), "/5ec4e7/"), Err(WRONG_ORIGIN)),
            (head(here, None, None, "/"), Err(WRONG_SECRET)),
            (head(here, None, None, "/5ec4e7"), Err(WRONG_SECRET)),
            (head(here, None, None, "/5ec4e8/"), Err(WRONG_SECRET)),
            (head(here, None, None, "/5ec4e70/"), Err(WRONG_SECRET)),
            (head(here, None, None, "//"), Err(WRONG_SECRET)),
            (head(here, None, None, "*"), Err(WRONG_SECRET)),
        ];
        for (head, expected) in rows {
            assert_eq!(gate.admit(&head), expected, "{head:?}");
        }
        assert_eq!(gate.admit(&Head { host: None, ..Head::default() }), Err(NO_HOST));
    }

    #[test]
    fn a_server_on_all_addresses_still_has_no_other_name() {
        let gate = gate("0.0.0.0:80");
        for host in ["192.0.2.7", "192.0.2.7:80", "[2001:db8::1]:80", "localhost"] {
            assert!(gate.is_here(host), "{host}");
        }
        for host in ["rebound.example", "rebound.example:80", "192.0.2.7:81", ""] {
            assert!(!gate.is_here(host), "{host}");
        }
        let v6 = self::gate("[::1]:7070");
        assert!(v6.is_here("[::1]:7070") && v6.is_here("localhost:7070"));
        assert!(!v6.is_here("127.0.0.1:7070"));
    }

    #[test]
    fn secrets_differ_and_are_long() {
        let address = "127.0.0.1:1".parse().expect("an address");
        let [one, other] = [(); 2].map(|()| Gate::new(address).expect("random numbers"));
        assert!(one.secret != other.secret && one.secret.len() == 2 * SECRET_BYTES);
        assert!(is_equal(b"ab", b"ab") && !is_equal(b"ab", b"ac") && !is_equal(b"ab", b"abc"));
    }
}
