//! Webs on the loopback interface: a server that answers for many hosts, and writes down who asked when.

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use std::io::{Read, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The reply of a server to a request.
#[derive(Clone)]
pub enum Reply {
    /// These bytes.
    Bytes(Vec<u8>),
    /// The first bytes, and then the others again and again, until nobody listens or so many were sent.
    Endless(Vec<u8>, Vec<u8>, usize),
    /// Nothing, until the other side goes.
    Silence,
    /// The first bytes, and the others after a while.
    Slow(Vec<u8>, Duration, Vec<u8>),
}

/// A page of HTML with status 200.
pub fn page(html: &str) -> Reply {
    response(
        "200 OK",
        "Content-Type: text/html; charset=utf-8\r\n",
        html.as_bytes(),
    )
}

/// A page with links.
pub fn links(to: &[&str]) -> Reply {
    let links: String = to
        .iter()
        .map(|to| format!("<a href=\"{to}\">x</a>\n"))
        .collect();
    page(&format!("<!doctype html><title>t</title>{links}"))
}

pub fn response(status: &str, fields: &str, body: &[u8]) -> Reply {
    let head = format!(
        "HTTP/1.1 {status}\r\n{fields}Content-Length: {}\r\n\r\n",
        body.len()
    );
    Reply::Bytes([head.as_bytes(), body].concat())
}

pub fn redirect(to: &str) -> Reply {
    response("302 Found", &format!("Location: {to}\r\n"), b"")
}

pub fn not_found() -> Reply {
    response(
        "404 Not Found",
        "Content-Type: text/html\r\n",
        b"<a href=/never>x</a>",
    )
}

/// A request: its connection, scheme, host and path, when it had come whole, and when the answer was about to be whole.
#[derive(Debug, Clone)]
pub struct Asked {
    pub connection: u64,
    pub scheme: &'static str,
    pub host: String,
    pub path: String,
    pub agent: String,
    pub address: IpAddr,
    pub begun: Instant,
    pub ended: Instant,
}

type Answers = dyn Fn(&str, &str) -> Reply + Send + Sync;

/// A server that runs until it is dropped.
pub struct Web {
    places: Vec<SocketAddr>,
    log: Arc<Mutex<Vec<Asked>>>,
    is_over: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Web {
    /// A server on 127.0.0.1 that answers by host and path.
    pub fn start(answers: impl Fn(&str, &str) -> Reply + Send + Sync + 'static) -> Self {
        Self::start_at(1, answers)
    }

    /// A server at several addresses, where the system has them: 127.0.0.1, 127.0.0.2, and so on.
    pub fn start_at(
        addresses: u8,
        answers: impl Fn(&str, &str) -> Reply + Send + Sync + 'static,
    ) -> Self {
        Self::start_with(addresses, None, answers)
    }

    /// A server on 127.0.0.1 that also speaks https, with a certificate for a.test and b.test.
    pub fn start_secure(answers: impl Fn(&str, &str) -> Reply + Send + Sync + 'static) -> Self {
        let chain =
            CertificateDer::from_pem_file(webrank_testing::at!("tests/fixtures/tls/host.pem"))
                .unwrap();
        let key = PrivateKeyDer::from_pem_file(webrank_testing::at!("tests/fixtures/tls/host.key"))
            .unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![chain], key)
            .unwrap();
        Self::start_with(1, Some(Arc::new(config)), answers)
    }

    fn start_with(
        addresses: u8,
        secure: Option<Arc<ServerConfig>>,
        answers: impl Fn(&str, &str) -> Reply + Send + Sync + 'static,
    ) -> Self {
        let listeners: Vec<TcpListener> = (1..=addresses)
            .map_while(|last| TcpListener::bind(SocketAddr::from(([127, 0, 0, last], 0))).ok())
            .collect();
        let place = |listener: &TcpListener| listener.local_addr().unwrap();
        let places: Vec<SocketAddr> = listeners.iter().map(place).collect();
        let log = Arc::<Mutex<Vec<Asked>>>::default();
        let is_over = Arc::<AtomicBool>::default();
        let answers: Arc<Answers> = Arc::new(answers);
        let listen = |listener: TcpListener| {
            let (to, over) = (Arc::clone(&log), Arc::clone(&is_over));
            let (answers, secure) = (Arc::clone(&answers), secure.clone());
            std::thread::spawn(move || {
                for stream in listener.incoming() {
                    if over.load(SeqCst) {
                        return;
                    }
                    let (answers, to) = (Arc::clone(&answers), Arc::clone(&to));
                    let secure = secure.clone();
                    std::thread::spawn(move || {
                        stream.map(|it| greet(it, secure, answers.as_ref(), &to))
                    });
                }
            })
        };
        let threads = listeners.into_iter().map(listen).collect();
        Web {
            places,
            log,
            is_over,
            threads,
        }
    }

    /// `--resolve` for a host here.
    pub fn has(&self, host: &str) -> String {
        let first = usize::from(host.as_bytes()[0] - b'a');
        format!("{host}:{}", self.places[first % self.places.len()])
    }

    /// All requests so far, in the order of their ends.
    pub fn asked(&self) -> Vec<Asked> {
        self.log.lock().unwrap().clone()
    }

    /// The URLs that were asked for, in order, without robots.txt.
    pub fn urls(&self) -> Vec<String> {
        let asked = self.asked().into_iter();
        let pages = asked.filter(|it| it.path != "/robots.txt");
        pages
            .map(|it| format!("{}://{}{}", it.scheme, it.host, it.path))
            .collect()
    }
}

impl Drop for Web {
    fn drop(&mut self) {
        self.is_over.store(true, SeqCst);
        for (place, thread) in self.places.iter().zip(self.threads.drain(..)) {
            drop(TcpStream::connect(place));
            let _ = thread.join();
        }
    }
}

/// Answers one request, over a secure connection if it begins as one.
fn greet(
    stream: TcpStream,
    secure: Option<Arc<ServerConfig>>,
    answers: &Answers,
    log: &Mutex<Vec<Asked>>,
) {
    let Ok(place) = stream.local_addr() else {
        return;
    };
    let mut first = [0];
    let is_secure = stream.peek(&mut first).is_ok() && first == [0x16];
    match secure.map(ServerConnection::new) {
        _ if !is_secure => serve(stream, "http", place.ip(), answers, log),
        Some(Ok(connection)) => {
            let stream = StreamOwned::new(connection, stream);
            serve(stream, "https", place.ip(), answers, log);
        }
        // This server does not speak it.
        _ => {}
    }
}

/// Answers requests; problems are those of the other side.
fn serve(
    mut stream: impl Read + Write,
    scheme: &'static str,
    address: IpAddr,
    answers: &Answers,
    log: &Mutex<Vec<Asked>>,
) {
    static CONNECTIONS: AtomicU64 = AtomicU64::new(0);
    let connection = CONNECTIONS.fetch_add(1, SeqCst);
    while serve_one(&mut stream, (connection, scheme, address), answers, log).is_some() {}
}

/// Answers one request; `None` if the connection ends with it.
fn serve_one(
    stream: &mut (impl Read + Write),
    (connection, scheme, address): (u64, &'static str, IpAddr),
    answers: &Answers,
    log: &Mutex<Vec<Asked>>,
) -> Option<()> {
    let mut request = Vec::new();
    let mut buffer = [0; 4096];
    while !request.windows(4).any(|end| end == b"\r\n\r\n") && request.len() < 1 << 16 {
        match stream.read(&mut buffer) {
            Ok(0) | Err(_) => return None,
            Ok(count) => request.extend_from_slice(&buffer[..count]),
        }
    }
    let begun = Instant::now();
    let request = String::from_utf8_lossy(&request).into_owned();
    let field = |name: &str| {
        let mut lines = request.lines();
        let line = lines.find_map(|line| {
            let (own, value) = line.split_once(':')?;
            own.eq_ignore_ascii_case(name)
                .then(|| value.trim().to_owned())
        });
        line.unwrap_or_default()
    };
    let path = request.split(' ').nth(1).unwrap_or("").to_owned();
    let host = field("host");
    let note = || {
        log.lock().unwrap().push(Asked {
            connection,
            scheme,
            host: host.clone(),
            path: path.clone(),
            agent: field("user-agent"),
            address,
            begun,
            ended: Instant::now(),
        });
    };
    let is_last = |answer: &[u8]| {
        let answer = String::from_utf8_lossy(answer).to_ascii_lowercase();
        field("connection") == "close" || answer.contains("\r\nconnection: close\r\n")
    };
    // The note is written before the last byte, so that who reads it has it all.
    match answers(&host, &path) {
        Reply::Bytes(bytes) => {
            note();
            stream.write_all(&bytes).ok()?;
            (!is_last(&bytes)).then_some(())
        }
        Reply::Endless(first, again, most) => {
            note();
            let mut written = stream.write_all(&first);
            for _ in 0..most / again.len() {
                written = written.and_then(|()| stream.write_all(&again));
            }
            None
        }
        Reply::Silence => {
            note();
            while matches!(stream.read(&mut buffer), Ok(1..)) {}
            None
        }
        Reply::Slow(first, pause, last) => {
            let _ = stream.write_all(&first);
            std::thread::sleep(pause);
            note();
            stream.write_all(&last).ok()?;
            (!is_last(&first)).then_some(())
        }
    }
}
