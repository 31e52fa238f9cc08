use super::*;
use std::thread;

/// Runs a worker in each of several threads.
pub(super) fn run<T: Send>(
    workers: usize,
    work: impl Fn(&mut Exchange) -> Result<T> + Sync,
) -> Vec<Result<T>> {
    thread::scope(|scope| {
        let start = |transport| {
            let work = &work;
            scope.spawn(move || {
                let mut exchange = Exchange::new(transport);
                let result = work(&mut exchange);
                exchange.end(result)
            })
        };
        let running: Vec<_> = threads(workers).into_iter().map(start).collect();
        running
            .into_iter()
            .map(|worker| worker.join().unwrap())
            .collect()
    })
}

#[test]
fn words_come_in_order_and_parts_by_worker() {
    let results = run(4, |worker| {
        let me = worker.index();
        for round in 0..50 {
            for to in (0..4).filter(|&to| to != me) {
                worker.send(to, vec![round, me as u64])?;
                worker.send(to, vec![round, me as u64 + 10])?;
            }
            let mut received = vec![Vec::new(); 4];
            for _ in 0..6 {
                let (from, words) = worker.receive()?;
                received[from].push(words);
            }
            for from in (0..4).filter(|&from| from != me) {
                let expected = [vec![round, from as u64], vec![round, from as u64 + 10]];
                assert_eq!(received[from], expected);
            }
            let parts = worker.gather([round * 4 + me as u64])?;
            let expected: Vec<_> = (0..4).map(|from| [round * 4 + from]).collect();
            assert_eq!(parts, expected);
        }
        Ok(())
    });
    assert!(results.into_iter().all(|result| result.is_ok()));
}

#[test]
fn a_failure_ends_all_waiting_and_says_why() {
    let results = run(3, |worker| match worker.index() {
        0 => Err::<(), _>(Error::Rows {
            problem: "the disk is full".into(),
        }),
        1 => worker.gather([1]).map(drop),
        _ => worker.receive().map(drop),
    });
    for result in &results[1..] {
        let problem = result.as_ref().unwrap_err().to_string();
        assert!(problem.contains("worker 0"), "{problem}");
    }
    assert!(results.iter().skip(1).any(|result| {
        result
            .as_ref()
            .unwrap_err()
            .to_string()
            .contains("the disk is full")
    }));
}

#[test]
fn missing_and_doubled_words_are_errors() {
    // Worker 0 forgets to send; worker 1 would wait for ever.
    let results = run(2, |worker| {
        if worker.index() == 1 {
            worker.receive()?;
        }
        worker.gather([0])?;
        Ok(())
    });
    let problem = results[1].as_ref().unwrap_err().to_string();
    assert!(problem.contains("unexpected message"), "{problem}");
    // Worker 0 sends twice; worker 1 finds what is left over in the next round.
    let results = run(2, |worker| {
        for _ in 0..2 {
            match worker.index() {
                0 => {
                    worker.send(1, vec![1])?;
                    worker.send(1, vec![1])?;
                }
                _ => drop(worker.receive()?),
            }
            worker.gather([0])?;
        }
        Ok(())
    });
    let problem = results[1].as_ref().unwrap_err().to_string();
    assert!(problem.contains("unexpected message"), "{problem}");
}
