//! Tests of the worker: events that stop it, and events that do not.

use std::{
    collections::VecDeque,
    sync::{
        Mutex,
        atomic::{AtomicU32, Ordering},
    },
};

use tokio::sync::{Notify, watch};

use super::*;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Item {
    Plain(u32),
    Panics,
    AsksForAPause,
    WaitsForTheEnd,
    NeverEnds,
    ClaimFails,
    ClaimPanics,
}

#[derive(Default)]
struct Line {
    items: Mutex<VecDeque<Item>>,
    done: Mutex<Vec<(Item, time::Instant)>>,
    claims: AtomicU32,
    wake: Notify,
}

impl Line {
    fn new(items: impl IntoIterator<Item = Item>) -> Arc<Self> {
        Arc::new(Self { items: Mutex::new(items.into_iter().collect()), ..Self::default() })
    }

    fn done(&self) -> Vec<Item> {
        self.done.lock().unwrap().iter().map(|(item, _)| *item).collect()
    }
}

impl Queue for Line {
    type Item = Item;

    const NAME: &'static str = "line";
    const CONCURRENCY: usize = 2;
    const POLL: Duration = Duration::from_secs(2);
    const BACKOFF: Backoff = Backoff { first: Duration::from_secs(100), longest: Duration::from_secs(400) };
    const PATIENCE: Duration = Duration::from_secs(30);

    async fn claim(&self, _: &str) -> Result<Option<Item>> {
        self.claims.fetch_add(1, Ordering::SeqCst);
        let next = self.items.lock().unwrap().pop_front();
        match next {
            Some(Item::ClaimFails) => Err(Error::internal("the database is away")),
            Some(Item::ClaimPanics) => panic!("on purpose"),
            next => Ok(next),
        }
    }

    async fn work(&self, item: Item, mut ending: ShutdownSignal) -> NextStep {
        match item {
            Item::Panics => panic!("on purpose"),
            Item::WaitsForTheEnd => ending.wait().await,
            Item::NeverEnds => std::future::pending().await,
            _ => time::sleep(Duration::from_millis(1)).await,
        }
        self.done.lock().unwrap().push((item, time::Instant::now()));
        if item == Item::AsksForAPause { NextStep::Pause } else { NextStep::Next }
    }

    async fn figures(&self, _: Instant) -> Result<Figures> {
        Ok(Figures::default())
    }

    async fn woken(&self) {
        self.wake.notified().await;
    }
}

struct Working {
    sender: watch::Sender<bool>,
    panics: Panics,
    worker: tokio::task::JoinHandle<()>,
}

fn start(line: &Arc<Line>) -> Working {
    let (sender, ending) = watch::channel(false);
    let panics = Panics::default();
    let worker = Worker::new(line.clone(), "owner".into(), ending.into(), panics.clone());
    Working { sender, panics, worker: tokio::spawn(worker.serve()) }
}

#[tokio::test(start_paused = true)]
async fn panics_and_failed_claims_do_not_stop_the_queue() {
    let line = Line::new([
        Item::Plain(1),
        Item::Panics,
        Item::ClaimFails,
        Item::Plain(2),
        Item::ClaimPanics,
        Item::Panics,
        Item::Plain(3),
    ]);
    let working = start(&line);
    time::sleep(Duration::from_secs(30)).await;
    assert_eq!(line.done(), [Item::Plain(1), Item::Plain(2), Item::Plain(3)]);
    assert_eq!(working.panics.all().get("line"), Some(&3));
    working.sender.send(true).unwrap();
    working.worker.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn failed_claims_are_retried_after_growing_pauses() {
    let line = Line::new([Item::ClaimFails; 500]);
    let _working = start(&line);
    time::sleep(Duration::from_mins(10)).await;
    let claims = line.claims.load(Ordering::SeqCst);
    // Between 7.5 s and 15 s each, once the pauses have grown.
    assert!((40..90).contains(&claims), "{claims}");
}

#[tokio::test(start_paused = true)]
async fn each_requested_pause_is_longer_than_the_previous_one() {
    let line = Line::new([Item::AsksForAPause; 6]);
    let _working = start(&line);
    time::sleep(Duration::from_secs(1_000)).await;
    let times: Vec<_> = line.done.lock().unwrap().iter().map(|(_, at)| *at).collect();
    let pauses: Vec<_> = times.windows(2).map(|pair| (pair[1] - pair[0]).as_secs()).collect();
    // Two at a time, and both ask for a pause.
    for (pause, whole) in pauses.into_iter().zip([0, 200, 0, 400, 0]) {
        assert!((whole / 2..=whole).contains(&pause), "{pause} of {whole}");
    }
    assert_eq!(times.len(), 6);
}

#[tokio::test(start_paused = true)]
async fn a_queued_item_wakes_an_idle_worker_but_not_one_at_its_limit() {
    let line = Line::new([]);
    let _working = start(&line);
    time::sleep(Duration::from_millis(10)).await;
    line.items.lock().unwrap().push_back(Item::Plain(1));
    line.wake.notify_one();
    time::sleep(Duration::from_millis(10)).await;
    assert_eq!(line.done(), [Item::Plain(1)]);

    line.items.lock().unwrap().extend([Item::WaitsForTheEnd, Item::WaitsForTheEnd, Item::Plain(2)]);
    time::sleep(Duration::from_mins(1)).await;
    assert_eq!(*line.items.lock().unwrap(), [Item::Plain(2)]);
}

#[tokio::test(start_paused = true)]
async fn shutdown_waits_for_running_items_up_to_a_time_limit() {
    let line = Line::new([Item::WaitsForTheEnd]);
    let working = start(&line);
    time::sleep(Duration::from_secs(1)).await;
    working.sender.send(true).unwrap();
    working.worker.await.unwrap();
    assert_eq!(line.done(), [Item::WaitsForTheEnd]);

    let line = Line::new([Item::NeverEnds]);
    let working = start(&line);
    time::sleep(Duration::from_secs(1)).await;
    let began = time::Instant::now();
    working.sender.send(true).unwrap();
    working.worker.await.unwrap();
    assert_eq!(began.elapsed(), Line::PATIENCE);
}
