//! Order, limits, and what counts after a kill.

use super::*;

fn waiting(host: u64, depth: u32, number: u64) -> Waiting {
    let offer = Offer {
        depth,
        hops: 1,
        rank: depth,
        url: format!("http://{host}.test/{depth}/{number}"),
    };
    Waiting {
        host,
        number,
        tries: 2,
        offer,
    }
}

#[test]
fn urls_come_by_rank_and_then_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(&folder.path().join("j")).unwrap();
    let all = [(7, 1, 0), (7, 0, 3), (7, 0, 1), (9, 5, 2)];
    for (host, depth, number) in all {
        journal.enqueue(&waiting(host, depth, number)).unwrap();
    }
    assert_eq!(journal.hosts().unwrap(), [7, 9]);
    for (host, depth, number) in [(7, 0, 1), (7, 0, 3), (7, 1, 0)] {
        let first = journal.first(7).unwrap().unwrap();
        assert_eq!(first, waiting(host, depth, number));
        journal.remove(&first).unwrap();
    }
    assert_eq!(journal.first(7).unwrap(), None);
    assert_eq!(journal.waiting().unwrap(), 1);
    journal.cut(2).unwrap();
    journal.enqueue(&waiting(9, 1, 0)).unwrap();
    assert_eq!(
        (journal.give_up(9).unwrap(), journal.give_up(9).unwrap()),
        (1, 0)
    );
    journal.count(9).unwrap();
    journal.count(9).unwrap();
    assert_eq!(
        (journal.asked(9).unwrap(), journal.asked(7).unwrap()),
        (2, 0)
    );
    assert_eq!(journal.waiting().unwrap(), 0);
}

#[test]
fn only_what_is_committed_counts() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j");
    let offers = [waiting(0, 3, 0).offer, waiting(0, 4, 0).offer];
    let state = State {
        arrivals: 2,
        ..State::default()
    };
    let mut journal = Journal::open(&path).unwrap();
    assert_eq!(journal.state().unwrap(), None);
    journal.offer(5, &offers).unwrap();
    journal.commit(&state).unwrap();
    journal.forget(7).unwrap();
    let second = Journal::open(&path).err().unwrap().to_string();
    assert!(second.contains("another run"), "{second}");
    drop(journal);
    let mut journal = Journal::open(&path).unwrap();
    assert_eq!(journal.state().unwrap(), Some(state));
    assert_eq!(journal.offered(6).unwrap().as_ref(), Some(&offers[1]));
    journal.forget(6).unwrap();
    assert_eq!(journal.offered(5).unwrap(), None);
    assert_eq!(journal.host("a", 1).unwrap(), Some((0, true)));
    assert_eq!(journal.host("a", 1).unwrap(), Some((0, false)));
    assert_eq!(journal.host("b", 1).unwrap(), None);
    assert_eq!(journal.name(0).unwrap(), "a");
}

/// Messages stay until they are taken away, in order, for each agent by itself.
#[test]
fn the_outbox_keeps_messages_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j");
    let mut journal = Journal::open(&path).unwrap();
    let url = |number| Message::Url(waiting(1, 2, number).offer);
    for number in 0..300 {
        let (one, other) = (url(number), Message::Site(format!("{number}.test")));
        journal.post(1, number, &one.encoded()).unwrap();
        journal.post(2, number, &other.encoded()).unwrap();
    }
    journal.commit(&State::default()).unwrap();
    journal.unpost(1, 7).unwrap();
    drop(journal);
    let mut journal = Journal::open(&path).unwrap();
    let read = |found: Vec<Vec<u8>>| -> Vec<Message> {
        let all = found.iter().map(|bytes| Message::decoded(bytes).unwrap());
        all.collect()
    };
    // Messages that were not committed do not count.
    let found = read(journal.posted(1, 295, (100, 1 << 20)).unwrap());
    assert_eq!(found, (295..300).map(url).collect::<Vec<_>>());
    assert_eq!(journal.posted(2, 0, (3, 1 << 20)).unwrap().len(), 3);
    assert_eq!(journal.posted(2, 0, (100, 20)).unwrap().len(), 3);
    assert!(journal.posted(3, 0, (1, 1)).unwrap().is_empty());
    let found = read(journal.unpost(1, 200).unwrap());
    assert_eq!(found, (0..200).map(url).collect::<Vec<_>>());
    assert_eq!(journal.unpost(1, 200).unwrap().len(), 100);
    assert!(journal.unpost(1, 200).unwrap().is_empty());
    assert_eq!(journal.unpost(2, 300).unwrap().len(), 300);
    for damaged in [&b""[..], b"\x02x", b"\x00", b"\x01\xff"] {
        assert_eq!(Message::decoded(damaged), None, "{damaged:?}");
    }
}

#[test]
fn of_runs_that_begin_together_one_goes_on() {
    for _ in 0..10 {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j");
        let together = std::sync::Barrier::new(8);
        let open = || {
            together.wait();
            Journal::open(&path)
        };
        let opened: Vec<Result<Journal>> = std::thread::scope(|scope| {
            let runs: Vec<_> = (0..8).map(|_| scope.spawn(open)).collect();
            runs.into_iter().map(|run| run.join().unwrap()).collect()
        });
        let (ours, refused): (Vec<_>, Vec<_>) = opened.into_iter().partition(Result::is_ok);
        assert_eq!(ours.len(), 1);
        for problem in refused.into_iter().filter_map(Result::err) {
            let problem = problem.to_string();
            assert!(problem.contains("another run is crawling"), "{problem}");
        }
    }
}
