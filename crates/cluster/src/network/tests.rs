use super::links::Links;
use super::*;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::Instant;
use webrank_base::error::Error;

const PATIENCE: Duration = Duration::from_secs(20);

/// Addresses that are free at this moment.
fn addresses(count: usize) -> Vec<String> {
    let listeners: Vec<_> = (0..count)
        .map(|_| TcpListener::bind("127.0.0.1:0").unwrap())
        .collect();
    let address = |listener: &TcpListener| listener.local_addr().unwrap().to_string();
    listeners.iter().map(address).collect()
}

const FINGERPRINT: [u8; 16] = *b"0123456789abcdef";

fn process(addresses: &[String], me: usize, patience: Duration) -> Processes {
    Processes {
        hosts: Hosts::new(addresses.to_vec(), me),
        patience,
        secret: Secret::new(*b"word"),
    }
}

/// Runs a worker in each of several threads that are connected like processes.
fn run<T: Send>(
    addresses: &[String],
    patience: Duration,
    work: impl Fn(&mut Exchange) -> Result<T> + Sync,
) -> Vec<Result<T>> {
    thread::scope(|scope| {
        let start = |me| {
            let work = &work;
            scope.spawn(move || {
                let mut exchange = process(addresses, me, patience).connect(FINGERPRINT)?;
                let result = work(&mut exchange);
                exchange.end(result)
            })
        };
        let running: Vec<_> = (0..addresses.len()).map(start).collect();
        running
            .into_iter()
            .map(|worker| worker.join().unwrap())
            .collect()
    })
}

/// Each sends all others words, and gathers.
fn rounds(worker: &mut Exchange, count: u64) -> Result<u64> {
    let (me, n) = (worker.index(), worker.workers());
    let mut total = 0;
    for round in 0..count {
        for to in (0..n).filter(|&to| to != me) {
            // More than one packet.
            let words = (0..100_000 + round)
                .map(|word| word * (me as u64 + 1))
                .collect();
            worker.send(to, words)?;
        }
        for _ in 1..n {
            let (from, words) = worker.receive()?;
            assert_eq!(words.len() as u64, 100_000 + round);
            assert_eq!(words[7], 7 * (from as u64 + 1));
        }
        let parts = worker.gather([me as u64, round])?;
        total += parts.iter().map(|part| part[0] + part[1]).sum::<u64>();
    }
    Ok(total)
}

#[test]
fn processes_exchange_words_and_parts() {
    for n in 1..=4 {
        let results = run(&addresses(n), PATIENCE, |worker| rounds(worker, 10));
        let expected = 10 * (0..n as u64).sum::<u64>() + 45 * n as u64;
        for result in results {
            assert_eq!(result.unwrap(), expected);
        }
    }
}

#[test]
fn a_failure_is_told_to_all() {
    let results = run(&addresses(3), PATIENCE, |worker| {
        rounds(worker, 2)?;
        match worker.index() {
            1 => Err(Error::Rows {
                problem: "the disk is full".into(),
            }),
            _ => rounds(worker, 1000),
        }
    });
    for other in [0, 2] {
        let problem = results[other].as_ref().unwrap_err().to_string();
        assert!(
            problem.contains("worker 1") && problem.contains("the disk is full"),
            "{problem}"
        );
    }
}

#[test]
fn a_missing_worker_is_named_in_time() {
    let addresses = addresses(3);
    let begun = Instant::now();
    thread::scope(|scope| {
        for me in [0, 2] {
            let process = process(&addresses, me, Duration::from_secs(2));
            scope.spawn(move || {
                let connected = process.connect(FINGERPRINT);
                let problem = connected.map(drop).unwrap_err().to_string();
                assert!(problem.contains("worker 1"), "{problem}");
            });
        }
    });
    assert!(begun.elapsed() < Duration::from_secs(15));
}

/// Who waits for nobody any more is told, and names the worker that is missing.
#[test]
fn who_gives_up_while_workers_connect_tells_why() {
    let addresses = addresses(4);
    let begun = Instant::now();
    thread::scope(|scope| {
        for (me, seconds) in [(0, 2), (1, 60), (2, 60)] {
            let process = process(&addresses, me, Duration::from_secs(seconds));
            scope.spawn(move || {
                let connected = process.connect(FINGERPRINT);
                let problem = connected.map(drop).unwrap_err().to_string();
                let missing = format!("worker 3 ({}) did not connect", process.hosts.address(3));
                assert!(problem.contains(&missing), "{problem}");
            });
        }
    });
    assert!(begun.elapsed() < Duration::from_secs(30));
}

#[test]
fn others_are_refused_with_the_reason() {
    let refused = |fingerprint, secret: &[u8], word: &str| {
        let addresses = addresses(2);
        let patience = Duration::from_secs(2);
        thread::scope(|scope| {
            let first = process(&addresses, 0, patience);
            scope.spawn(move || assert!(first.connect(FINGERPRINT).is_err()));
            let second = Processes {
                secret: Secret::new(secret),
                ..process(&addresses, 1, patience)
            };
            let problem = second
                .connect(fingerprint)
                .map(drop)
                .unwrap_err()
                .to_string();
            assert!(problem.contains(word), "{problem}");
        });
    };
    refused(FINGERPRINT, b"another word", "secret");
    refused([0; 16], b"word", "parameters");
}

/// The two connections with a worker come back from a disturbance at different times.
#[test]
fn a_worker_without_messages_is_gone_only_if_it_goes_on_telling_that_it_is_alive() {
    let silence = Duration::from_millis(2500);
    let links = |tell: fn(&mut TcpStream, Duration)| {
        let addresses = addresses(2);
        let listener = TcpListener::bind(&addresses[1]).unwrap();
        let here = TcpStream::connect(&addresses[1]).unwrap();
        let mut there = listener.accept().unwrap().0;
        let hosts = Hosts::new(addresses, 0);
        let links = Links::start(&hosts, vec![None, Some(here)], PATIENCE).unwrap();
        links.cut(1, &std::io::ErrorKind::UnexpectedEof.into());
        tell(&mut there, silence);
        let end = links.await_done();
        links.done();
        end
    };
    let done_late = |there: &mut TcpStream, silence| {
        thread::sleep(silence);
        // Bytes that were held up come at once.
        there.write_all(&[0, 0, 0, 1]).unwrap();
    };
    let goes_on = |there: &mut TcpStream, silence| {
        there.write_all(&[0]).unwrap();
        thread::sleep(silence);
        there.write_all(&[0]).unwrap();
    };
    links(done_late).unwrap();
    let problem = links(goes_on).unwrap_err().to_string();
    assert!(problem.contains("is gone"), "{problem}");
}

#[test]
fn strangers_do_no_harm() {
    let addresses = addresses(3);
    thread::scope(|scope| {
        for stranger in 0..60 {
            let address = &addresses[stranger % 2];
            scope.spawn(move || {
                for attempt in 0..20 {
                    let Ok(mut stream) = TcpStream::connect(address) else {
                        thread::sleep(Duration::from_millis(5));
                        continue;
                    };
                    let _ = match (stranger + attempt) % 4 {
                        0 => stream.write_all(b"GET / HTTP/1.1\r\n\r\n"),
                        1 => stream.write_all(b"webrank1\x00"),
                        2 => stream.write_all(&[0xff; 1000]),
                        _ => {
                            // Silence, for a while.
                            let _ = stream.set_read_timeout(Some(Duration::from_millis(50)));
                            stream.read(&mut [0]).map(drop)
                        }
                    };
                }
            });
        }
        let results = run(&addresses, PATIENCE, |worker| rounds(worker, 3));
        for result in results {
            result.unwrap();
        }
    });
}
