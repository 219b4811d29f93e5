//! Tests of jobs in several processes, of processes that die, and of jobs that fail.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use testkit::TestDatabase;
use tokio::sync::{Notify, watch};

use super::*;
use crate::codes;

/// Counters of what the jobs of all processes do.
#[derive(Default)]
struct Probe {
    runs: AtomicUsize,
    at_once: AtomicUsize,
    most_at_once: AtomicUsize,
    begun: Notify,
}

const SECRET: &str = "password=geheim";

static JOBS: &[Job<Arc<Probe>>] = &[
    Job {
        name: "always_due",
        every: Duration::ZERO,
        limit: Duration::from_mins(1),
        run: |probe, _| {
            Box::pin(async move {
                let at_once = probe.at_once.fetch_add(1, Ordering::SeqCst) + 1;
                probe.most_at_once.fetch_max(at_once, Ordering::SeqCst);
                tokio::time::sleep(Duration::from_millis(3)).await;
                probe.at_once.fetch_sub(1, Ordering::SeqCst);
                probe.runs.fetch_add(1, Ordering::SeqCst);
                Ok(())
            })
        },
    },
    Job::hourly("fails", |_, _| Box::pin(async { Err(Error::internal(SECRET)) })),
    Job::hourly("is_refused", |_, _| Box::pin(async { Err(codes::DISK_NEARLY_FULL.into()) })),
    Job::hourly("panics", |_, _| Box::pin(async { panic!("{SECRET}") })),
    Job::hourly("plain", |probe, _| {
        Box::pin(async move {
            probe.runs.fetch_add(1, Ordering::SeqCst);
            Ok(())
        })
    }),
    Job {
        name: "stuck",
        every: Duration::from_hours(1),
        limit: Duration::from_millis(20),
        run: |_, _| Box::pin(std::future::pending()),
    },
    Job::hourly("takes_for_ever", |probe, _| {
        Box::pin(async move {
            probe.begun.notify_one();
            std::future::pending().await
        })
    }),
];

/// Jobs of this name, as in a process of its own.
fn process(db: Database, probe: &Arc<Probe>, name: &str) -> JobQueue<Arc<Probe>> {
    let position = JOBS.iter().position(|job| job.name == name).unwrap();
    let jobs = &JOBS[position..=position];
    JobQueue { db, context: probe.clone(), jobs, panics: Panics::default() }
}

async fn alone(db: &TestDatabase, name: &str) -> JobQueue<Arc<Probe>> {
    let schedule = process((**db).clone(), &Arc::default(), name);
    schedule.prepare(None).await.unwrap();
    schedule
}

impl JobQueue<Arc<Probe>> {
    async fn row(&self) -> JobRow {
        rows(&self.db, self.names().collect()).await.unwrap().pop().unwrap()
    }

    /// Runs the due job at a given time.
    async fn run_at(&self, moment: Instant) -> JobRow {
        let row = self.claim_at("worker", moment).await.unwrap().expect("it is due");
        let (_sender, ending) = watch::channel(false);
        let end = self.run(&self.jobs[0], &row, ending.into()).await;
        assert!(self.note(&self.jobs[0], &row, end, moment).await.unwrap());
        self.row().await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_processes_never_run_the_same_job_at_once() {
    let db = testkit::database().await;
    let probe = Arc::new(Probe::default());
    let mut processes = Vec::new();
    for number in 0..3 {
        let own = Database::connect(&db.url).await.unwrap();
        let schedule = process(own, &probe, "always_due");
        schedule.prepare(None).await.unwrap();
        let all = probe.clone();
        processes.push(tokio::spawn(async move {
            let (_sender, ending) = watch::channel(false);
            let mut runs = 0;
            while all.runs.load(Ordering::SeqCst) < 60 {
                if let Some(row) = schedule.claim(&format!("process {number}")).await.unwrap() {
                    schedule.work(row, ending.clone().into()).await;
                    runs += 1;
                }
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
            runs
        }));
    }
    let mut runs = 0;
    for process in processes {
        runs += process.await.unwrap();
    }
    assert_eq!(probe.most_at_once.load(Ordering::SeqCst), 1);
    assert_eq!(probe.runs.load(Ordering::SeqCst), runs);
    let row = process((*db).clone(), &probe, "always_due").row().await;
    assert_eq!((row.runs, row.failed_runs, row.lease_owner), (i64::try_from(runs).unwrap(), 0, None));
}

#[tokio::test]
async fn the_due_time_of_a_job_is_stored_and_survives_a_restart() {
    let db = testkit::database().await;
    let schedule = alone(&db, "plain").await;
    let start = now();
    let row = schedule.run_at(start).await;
    assert_eq!((row.due_at, row.runs, row.failures_in_row), (start + TimeDelta::hours(1), 1, 0));
    assert_eq!((row.started_at, row.finished_at), (Some(start), Some(start)));
    // A restarted process.
    let next = alone(&db, "plain").await;
    assert_eq!(next.claim_at("next", start + TimeDelta::minutes(59)).await.unwrap(), None);
    // After a long time it runs only once.
    let late = start + TimeDelta::days(7);
    assert_eq!(next.run_at(late).await.due_at, late + TimeDelta::hours(1));
    assert_eq!(next.claim_at("next", late).await.unwrap(), None);
}

#[tokio::test]
async fn a_process_that_lost_its_job_to_another_writes_nothing_more() {
    let db = testkit::database().await;
    let schedule = alone(&db, "plain").await;
    let start = now();
    let dead = schedule.claim_at("dead", start).await.unwrap().unwrap();
    assert_eq!(schedule.claim_at("other", start + TimeDelta::seconds(59)).await.unwrap(), None);
    let late = start + TimeDelta::seconds(61);
    let other = schedule.claim_at("other", late).await.unwrap().unwrap();
    assert_eq!((other.fence, other.lease_owner.as_deref()), (dead.fence + 1, Some("other")));
    assert_eq!((other.failure.as_deref(), other.failures_in_row), (Some("interrupted"), 1));
    assert_eq!((other.runs, other.failed_runs, other.failed_at), (1, 1, Some(late)));

    // The first process was only slow.
    assert!(!lease::renew::<Jobs>(&schedule.db, &dead).await.unwrap());
    let job = &schedule.jobs[0];
    assert!(!schedule.note(job, &dead, End::Finished(()), late).await.unwrap());
    assert_eq!(schedule.row().await, other);
    assert!(schedule.note(job, &other, End::Finished(()), late).await.unwrap());
    let row = schedule.row().await;
    assert_eq!((row.failures_in_row, row.runs, row.lease_owner), (0, 2, None));
    assert_eq!(row.failure.as_deref(), Some("interrupted"), "the last failure is still reported");
}

#[tokio::test]
async fn failed_jobs_are_retried_after_growing_pauses() {
    for (name, failure) in [
        ("fails", "unexpected"),
        ("is_refused", "disk_nearly_full"),
        ("panics", "panic"),
        ("stuck", "took_too_long"),
    ] {
        let db = testkit::database().await;
        let schedule = alone(&db, name).await;
        let mut moment = now();
        for (failures, minutes) in [(1, 1), (2, 2), (3, 4), (4, 8), (5, 16), (6, 32), (7, 60), (8, 60)] {
            let row = schedule.run_at(moment).await;
            assert_eq!((row.failure.as_deref(), row.failures_in_row), (Some(failure), failures));
            assert_eq!((row.runs, row.failed_runs, row.failed_at), (failures, failures, Some(moment)));
            let pause = row.due_at - moment;
            let whole = TimeDelta::minutes(minutes);
            assert!(pause >= whole / 2 && pause <= whole, "{name}, {failures}: {pause}");
            assert!(!format!("{row:?}").contains(SECRET));
            moment = row.due_at;
        }
        let panics = schedule.panics.all().get(name).copied().unwrap_or_default();
        assert_eq!(panics, if name == "panics" { 8 } else { 0 });
    }
}

#[tokio::test]
async fn a_job_is_released_when_its_process_ends() {
    let db = testkit::database().await;
    let schedule = Arc::new(alone(&db, "takes_for_ever").await);
    let (sender, ending) = watch::channel(false);
    let row = schedule.claim("ends").await.unwrap().unwrap();
    let due = row.due_at;
    let working = tokio::spawn({
        let schedule = schedule.clone();
        async move { schedule.work(row, ending.into()).await }
    });
    schedule.context.begun.notified().await;
    assert_eq!(schedule.figures(now()).await.unwrap().running, 1);
    sender.send(true).unwrap();
    tokio::time::timeout(Duration::from_secs(5), working).await.unwrap().unwrap();
    let row = schedule.row().await;
    assert_eq!((row.lease_owner, row.due_at, row.failures_in_row, row.runs), (None, due, 0, 0));
    assert!(schedule.claim("next").await.unwrap().is_some(), "immediately");
}

#[tokio::test]
async fn figures_count_due_and_failed_jobs() {
    let db = testkit::database().await;
    let schedule = alone(&db, "fails").await;
    let row = schedule.row().await;
    let due = Figures { waiting: 1, waiting_since: Some(row.due_at), ..Figures::default() };
    assert_eq!(schedule.figures(now()).await.unwrap(), due);
    schedule.run_at(now()).await;
    assert_eq!(schedule.figures(now()).await.unwrap(), Figures { failed: 1, ..Figures::default() });
}
