//! One request: no cookies, no proxies, no redirects, and limits on everything. Its connection is its own,
//! or that of the request before, within a slot.

use super::names::Target;
use super::options::CrawlOptions;
use std::io::{ErrorKind, Read};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};
use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};
use ureq::{Agent, Timeout};

/// Why a fetch brought nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trouble {
    /// The name has no address.
    Name,
    /// All addresses are of a local network.
    Private,
    /// No connection.
    Connect,
    /// No secure connection.
    Secure,
    /// Too slow.
    Slow,
    /// The connection ended before the head of the response.
    Closed,
    /// No response of HTTP, or one with a head that is too long.
    Protocol,
    /// The URL cannot be asked for.
    Url,
    /// A reader of what came has failed.
    Reader,
}

impl Trouble {
    /// For the account.
    pub(super) fn name(self) -> &'static str {
        match self {
            Trouble::Name => "names without an address",
            Trouble::Private => "addresses of a local network",
            Trouble::Connect => "connections refused",
            Trouble::Secure => "insecure connections",
            Trouble::Slow => "timeouts",
            Trouble::Closed => "connections closed early",
            Trouble::Protocol => "responses that are no HTTP",
            Trouble::Url => "URLs that cannot be asked for",
            Trouble::Reader => "responses that cannot be read",
        }
    }

    /// True if it may be over soon.
    pub(super) fn may_pass(self) -> bool {
        matches!(self, Trouble::Connect | Trouble::Slow | Trouble::Closed)
    }
}

/// The head of a response.
#[derive(Debug, Clone)]
pub(super) struct Head {
    pub(super) status: u16,
    pub(super) version: &'static str,
    pub(super) reason: &'static str,
    /// As they came, with names in lower case.
    pub(super) fields: Vec<(String, Vec<u8>)>,
}

impl Head {
    /// The first field of a name.
    pub(super) fn field(&self, name: &str) -> Option<&[u8]> {
        let found = self.fields.iter().find(|(own, _)| own == name);
        found.map(|(_, value)| value.as_slice())
    }

    /// The length of the body, if the head tells.
    fn length(&self) -> Option<u64> {
        std::str::from_utf8(self.field("content-length")?)
            .ok()?
            .trim()
            .parse()
            .ok()
    }

    /// True if the host lets the connection stand, and is not asked too much of.
    fn keeps_connection(&self) -> bool {
        let said = self.field("connection").unwrap_or(b"");
        let ends = said
            .to_ascii_lowercase()
            .windows(5)
            .any(|it| it == b"close");
        self.version == "HTTP/1.1" && !ends && !matches!(self.status, 429 | 503)
    }
}

/// How a body ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    Whole,
    /// It was longer than the limit.
    Length,
    /// It took longer than the limit.
    Time,
    /// The server ended it early, or wrote nonsense.
    Disconnect,
    /// Nobody wanted it.
    Unwanted,
}

/// A response.
#[derive(Debug, Clone)]
pub(super) struct Fetched {
    pub(super) head: Head,
    pub(super) body: Vec<u8>,
    pub(super) ending: Ending,
    pub(super) at: SystemTime,
    pub(super) target: Target,
    /// The connection takes another request.
    pub(super) is_kept: bool,
}

/// Asks, one at a time.
pub(super) struct Client {
    agent: Agent,
    pinned: Arc<Mutex<Option<Target>>>,
}

/// The longest head of a response.
const MAX_HEAD: usize = 1 << 16;

/// Bodies that nobody wants are read up to this length to keep a connection.
const MAX_IGNORED: u64 = 1 << 14;

impl Client {
    /// With slots, one for each: it keeps a connection until it is dropped.
    pub(super) fn new(options: &CrawlOptions) -> Self {
        let kept = usize::from(!options.patience.slot.is_zero());
        let pinned = Arc::<Mutex<Option<Target>>>::default();
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            // The address of a host behind a proxy is not known, and with it not what is polite.
            .proxy(None)
            .user_agent(options.identity.header())
            .accept("text/html,application/xhtml+xml;q=0.9,*/*;q=0.1")
            .accept_encoding("gzip")
            .tls_config(options.authorities.config())
            .max_response_header_size(MAX_HEAD)
            .max_idle_connections(kept)
            .max_idle_connections_per_host(kept)
            .timeout_connect(Some(options.connect_timeout.min(options.timeout)))
            .timeout_global(Some(options.timeout))
            .build();
        let resolver = Pinned(Arc::clone(&pinned));
        Client {
            agent: Agent::with_parts(config, DefaultConnector::default(), resolver),
            pinned,
        }
    }

    /// Fetches a URL from an address. The body is read if `wants` says so, up to `limit` bytes; the connection
    /// is kept if the host agrees and `keeps` says so.
    pub(super) fn fetch(
        &self,
        (url, target): (&str, Target),
        limit: u64,
        keeps: bool,
        wants: impl FnOnce(&Head) -> bool,
    ) -> Result<Fetched, Trouble> {
        *self.pinned.lock().unwrap_or_else(PoisonError::into_inner) = Some(target);
        let at = SystemTime::now();
        let mut request = self.agent.get(url);
        if !keeps {
            request = request.header("connection", "close");
        }
        let response = request.call().map_err(|problem| kind(&problem))?;
        let (parts, body) = response.into_parts();
        let value = |(name, value): (&ureq::http::HeaderName, &ureq::http::HeaderValue)| {
            (name.as_str().to_owned(), value.as_bytes().to_vec())
        };
        let head = Head {
            status: parts.status.as_u16(),
            version: match parts.version {
                ureq::http::Version::HTTP_10 => "HTTP/1.0",
                _ => "HTTP/1.1",
            },
            reason: parts.status.canonical_reason().unwrap_or(""),
            fields: parts.headers.iter().map(value).collect(),
        };
        let mut fetched = Fetched {
            head,
            body: Vec::new(),
            ending: Ending::Unwanted,
            at,
            target,
            is_kept: false,
        };
        let mut is_read = false;
        if fetched.head.field("content-length") == Some(b"0") {
            fetched.ending = Ending::Whole;
        } else if wants(&fetched.head) {
            let mut reader = body.into_reader().take(limit.saturating_add(1));
            let read = reader.read_to_end(&mut fetched.body);
            fetched.ending = match read {
                Ok(_) => Ending::Whole,
                Err(problem) => match kind(&problem.into()) {
                    Trouble::Slow => Ending::Time,
                    _ => Ending::Disconnect,
                },
            };
            if fetched.body.len() as u64 > limit {
                fetched.body.truncate(limit as usize);
                fetched.ending = Ending::Length;
            }
        } else if keeps && fetched.head.length().is_some_and(|it| it <= MAX_IGNORED) {
            is_read = std::io::copy(&mut body.into_reader(), &mut std::io::sink()).is_ok();
        }
        is_read |= fetched.ending == Ending::Whole;
        fetched.is_kept = keeps && is_read && fetched.head.keeps_connection();
        Ok(fetched)
    }
}

fn kind(problem: &ureq::Error) -> Trouble {
    match problem {
        ureq::Error::BadUri(_) | ureq::Error::Http(_) => Trouble::Url,
        ureq::Error::HostNotFound => Trouble::Name,
        ureq::Error::ConnectionFailed | ureq::Error::Timeout(Timeout::Connect) => Trouble::Connect,
        ureq::Error::Timeout(_) => Trouble::Slow,
        ureq::Error::Tls(_) | ureq::Error::Rustls(_) | ureq::Error::TlsRequired => Trouble::Secure,
        ureq::Error::Protocol(_) | ureq::Error::LargeResponseHeader(..) => Trouble::Protocol,
        ureq::Error::Io(problem) => match problem.kind() {
            ErrorKind::TimedOut | ErrorKind::WouldBlock => Trouble::Slow,
            ErrorKind::ConnectionRefused
            | ErrorKind::HostUnreachable
            | ErrorKind::NetworkUnreachable
            | ErrorKind::AddrNotAvailable => Trouble::Connect,
            // As rustls tells it.
            ErrorKind::InvalidData => Trouble::Secure,
            _ => Trouble::Closed,
        },
        _ => Trouble::Protocol,
    }
}

/// Gives the address that was fixed before, whatever the name: so no name leads elsewhere meanwhile.
#[derive(Debug)]
struct Pinned(Arc<Mutex<Option<Target>>>);

impl Resolver for Pinned {
    fn resolve(
        &self,
        uri: &Uri,
        _config: &Config,
        _timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let pinned = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let target = pinned.ok_or(ureq::Error::HostNotFound)?;
        let usual = match uri.scheme_str() {
            Some("https") => 443,
            _ => 80,
        };
        let port = target.port.or(uri.port_u16()).unwrap_or(usual);
        let mut found = self.empty();
        found.push(SocketAddr::new(target.address, port));
        Ok(found)
    }
}

/// How long something takes.
pub(super) fn timed<T>(act: impl FnOnce() -> T) -> (T, Duration, Instant) {
    let begun = Instant::now();
    let made = act();
    let ended = Instant::now();
    (made, ended - begun, ended)
}
