//! Crawls that were stopped go on.

use super::{HOSTS, options, reachable, records, run, sorted, temp, urls, woven};
use crate::support::web::Web;
use webrank::internals::crawl::live::{CrawlOptions, crawl};
use webrank::internals::crawl::sieve::SieveKind;
use webrank::internals::error::Error;
use webrank::{Progress, Silent};

/// Asks to stop after some requests.
struct StopsAfter<'a>(&'a Web, usize);

impl Progress for StopsAfter<'_> {
    fn interrupted(&self) -> bool {
        self.0.asked().len() >= self.1
    }
}

#[test]
fn a_crawl_that_was_stopped_goes_on_with_any_sieve() {
    for sieve in [
        SieveKind::Memory,
        SieveKind::Offline,
        SieveKind::Mercator,
        SieveKind::Store,
        SieveKind::Bloom,
    ] {
        let web = Web::start_at(4, woven);
        let folder = temp();
        let options = CrawlOptions {
            sieve,
            warc_size: 5000,
            ..options(&web, &HOSTS)
        };
        let seeds = ["http://a.test/".to_owned()];
        for stop in [1, 10, 40, 41, 80] {
            let stopped = crawl(
                &seeds,
                options.clone(),
                folder.path(),
                &StopsAfter(&web, stop),
            );
            assert!(matches!(stopped, Err(Error::Stopped { .. })), "{stopped:?}");
        }
        let other = CrawlOptions {
            sieve: match sieve {
                SieveKind::Store => SieveKind::Memory,
                _ => SieveKind::Store,
            },
            ..options.clone()
        };
        let refused = crawl(&seeds, other, folder.path(), &Silent).unwrap_err();
        assert!(refused.to_string().contains("--sieve"), "{refused}");
        let crawled = run(options, folder.path());
        assert_eq!(sorted(web.urls()), reachable());
        assert_eq!(urls(folder.path()), reachable());
        assert_eq!(crawled.account.pages, reachable().len() as u64);
        let robots = web
            .asked()
            .into_iter()
            .filter(|it| it.path == "/robots.txt");
        assert_eq!(robots.count(), 4);
        let infos = records(folder.path())
            .into_iter()
            .filter(|it| it.0 == "warcinfo");
        assert!(infos.count() > 3);
    }
}
