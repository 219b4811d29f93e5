//! Tests of schedules in several processes, of processes that die, and of runs that fail.

use std::{
    collections::{BTreeMap, HashSet},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use sea_orm::Statement;
use testkit::TestDatabase;
use tokio::sync::{Notify, watch};
use values::Error;

use super::*;
use crate::codes;

/// The traces of the runs of all processes.
#[derive(Default)]
struct Probe {
    /// The due times of each subject's runs.
    runs: Mutex<BTreeMap<i64, Vec<Option<Instant>>>>,
    tries: AtomicUsize,
    is_paused: Mutex<bool>,
    begun: Notify,
}

type Context = Arc<Probe>;

const HOUR: TimeDelta = TimeDelta::hours(1);

fn next_hour<'a>(context: &'a Context, _: &'a Write, _: &'a ScheduleRow, after: Instant) -> NextDue<'a> {
    let is_paused = *context.is_paused.lock().unwrap();
    Box::pin(async move { Ok((!is_paused).then_some(after + HOUR)) })
}

static KINDS: &[ScheduleKind<Context>] = &[
    ScheduleKind {
        name: "feed",
        limit: Duration::from_mins(1),
        run: |probe, row| {
            Box::pin(async move {
                probe.runs.lock().unwrap().entry(row.subject_id).or_default().push(row.due_at);
                tokio::time::sleep(Duration::from_millis(2)).await;
                Ok(ScheduledOutcome::Succeeded)
            })
        },
        next: next_hour,
    },
    ScheduleKind {
        name: "finds_nothing",
        limit: Duration::from_mins(1),
        run: |_, _| Box::pin(async { Ok(ScheduledOutcome::Failed(codes::NOT_FOUND)) }),
        next: next_hour,
    },
    ScheduleKind {
        name: "meets_a_fault",
        limit: Duration::from_mins(1),
        run: |_, _| Box::pin(async { Err(Error::internal("password=geheim")) }),
        next: next_hour,
    },
    ScheduleKind {
        name: "panics",
        limit: Duration::from_mins(1),
        run: |probe, _| {
            probe.tries.fetch_add(1, Ordering::SeqCst);
            panic!("password=geheim")
        },
        next: next_hour,
    },
    ScheduleKind {
        name: "never_ends",
        limit: Duration::from_hours(1),
        run: |probe, _| {
            Box::pin(async move {
                probe.begun.notify_one();
                std::future::pending().await
            })
        },
        next: next_hour,
    },
];

/// Creates a tenant by SQL, because tenants belong to another domain.
async fn tenant(db: &Database) -> TenantId {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let name = format!("firma{}", COUNT.fetch_add(1, Ordering::SeqCst));
    let sql = format!(
        "INSERT INTO tenant (company, company_fold, company_sort, short_code, short_code_fold, short_code_sort, \
         place_fold, version, created_at, updated_at) VALUES ('{name}', '{name}', '{name}', '{name}', '{name}', \
         '{name}', '', 1, '2026-01-01 00:00:00+00:00', '2026-01-01 00:00:00+00:00') RETURNING id"
    );
    let statement = Statement::from_string(db.get_database_backend(), sql);
    let row = db.writer().query_one_raw(statement).await.unwrap().unwrap();
    TenantId(row.try_get("", "id").unwrap())
}

fn process(db: &Database, probe: &Context) -> ScheduleQueue<Context> {
    ScheduleQueue { db: db.clone(), context: probe.clone(), kinds: KINDS, panics: Panics::default() }
}

async fn due(db: &Database, subject: Subject, at: Option<Instant>) {
    let tx = db.begin().await.unwrap();
    set_due(&tx, subject, at).await.unwrap();
    tx.commit().await.unwrap();
}

/// Database with one schedule of this kind, due now.
async fn with(kind: &'static str) -> (TestDatabase, Context, Subject) {
    let db = testkit::database().await;
    let subject = Subject { tenant: tenant(&db).await, kind, id: 7 };
    due(&db, subject, Some(now())).await;
    (db, Arc::default(), subject)
}

async fn row(db: &Database, subject: Subject) -> ScheduleRow {
    find(db, subject).await.unwrap().unwrap()
}

async fn work_off(queue: &ScheduleQueue<Context>) -> usize {
    let (_going_on, ending) = watch::channel(false);
    let mut count = 0;
    while let Some(row) = queue.claim("process").await.unwrap() {
        queue.work(row, ending.clone().into()).await;
        count += 1;
    }
    count
}

#[tokio::test]
async fn processes_share_due_rows_and_none_runs_twice() {
    let db = testkit::database().await;
    let (probe, tenant) = (Context::default(), tenant(&db).await);
    let at = now() - HOUR * 30;
    for id in 1..=40 {
        due(&db, Subject { tenant, kind: "feed", id }, Some(at)).await;
    }
    let processes = (0..4).map(|_| {
        let queue = process(&db, &probe);
        tokio::spawn(async move { work_off(&queue).await })
    });
    let mut counts = Vec::new();
    for process in processes.collect::<Vec<_>>() {
        counts.push(process.await.unwrap());
    }
    // Rows locked by another transaction were skipped and are found now.
    counts.push(work_off(&process(&db, &probe)).await);
    assert_eq!(counts.iter().sum::<usize>(), 40, "{counts:?}");
    let runs = probe.runs.lock().unwrap();
    assert_eq!(runs.len(), 40);
    // Thirty hours were missed and are made up for by one run.
    assert!(runs.values().all(|times| *times == [Some(at)]), "{runs:?}");
}

#[tokio::test]
async fn a_run_that_succeeds_is_recorded_and_due_again() {
    let (db, probe, subject) = with("feed").await;
    let queue = process(&db, &probe);
    let figures = queue.figures(now()).await.unwrap();
    assert_eq!((figures.waiting, figures.running, figures.failed), (1, 0, 0));
    assert_eq!(work_off(&queue).await, 1);
    let row = row(&db, subject).await;
    assert_eq!((&row.failure, row.failures_in_row, row.lease_owner.as_deref()), (&None, 0, None));
    assert_eq!(row.due_at, Some(row.finished_at.unwrap() + HOUR));
    assert!(row.started_at <= row.finished_at);
    assert_eq!(queue.figures(now()).await.unwrap(), Figures::default());
}

#[tokio::test]
async fn lasting_failures_wait_for_the_next_run_and_faults_are_retried_soon() {
    for (kind, failure, soon) in [
        ("finds_nothing", "not_found", false),
        ("meets_a_fault", "unexpected", true),
        ("panics", "panic", true),
    ] {
        let (db, probe, subject) = with(kind).await;
        let queue = process(&db, &probe);
        assert_eq!(work_off(&queue).await, 1, "{kind}");
        let row = row(&db, subject).await;
        assert_eq!((row.failure.as_deref(), row.failures_in_row), (Some(failure), 1), "{kind}");
        let pause = row.due_at.unwrap() - row.finished_at.unwrap();
        if soon {
            assert!(pause >= TimeDelta::seconds(30) && pause <= TimeDelta::minutes(1), "{kind}: {pause}");
        } else {
            assert_eq!(pause, HOUR, "{kind}");
        }
        assert_eq!(queue.figures(now()).await.unwrap().failed, 1);
        due(&db, subject, Some(now())).await;
        work_off(&queue).await;
        assert_eq!(self::row(&db, subject).await.failures_in_row, 2, "{kind}");
    }
}

#[tokio::test]
async fn the_run_of_a_dead_process_is_taken_over_and_its_result_is_discarded() {
    let (db, probe, subject) = with("feed").await;
    let queue = process(&db, &probe);
    let at = row(&db, subject).await.due_at;
    let now = now();
    let dead = queue.claim_at("dead", now).await.unwrap().unwrap();
    assert_eq!(queue.claim_at("next", now + TimeDelta::seconds(59)).await.unwrap(), None, "it is leased");
    let next = queue.claim_at("next", now + TimeDelta::seconds(61)).await.unwrap().unwrap();
    assert_eq!((next.due_at, next.interrupted), (at, 1), "the same run");
    let kind = &KINDS[0];
    let end = || End::Finished(ScheduledOutcome::Succeeded);
    assert!(!queue.record(kind, &dead, end(), now).await.unwrap());
    assert!(queue.record(kind, &next, end(), now).await.unwrap());
    assert!(!queue.record(kind, &next, end(), now).await.unwrap());
    assert_eq!(row(&db, subject).await.interrupted, 0);
}

#[tokio::test]
async fn a_starting_process_takes_over_the_runs_of_its_dead_predecessor() {
    let (db, probe, subject) = with("feed").await;
    let other = Subject { id: 8, ..subject };
    due(&db, other, Some(now())).await;
    let queue = process(&db, &probe);
    for owner in ["dead", "alive"] {
        queue.claim(owner).await.unwrap().unwrap();
    }
    queue.prepare(None).await.unwrap();
    assert_eq!(queue.claim("next").await.unwrap(), None);
    queue.prepare(Some("dead")).await.unwrap();
    let taken_over = queue.claim("next").await.unwrap().unwrap();
    assert_eq!((taken_over.subject_id, taken_over.interrupted), (subject.id, 1));
    assert_eq!(queue.claim("next").await.unwrap(), None);
}

#[tokio::test]
async fn a_run_that_crashes_every_process_is_skipped_until_its_next_time() {
    let (db, probe, subject) = with("panics").await;
    let queue = process(&db, &probe);
    let mut at = now();
    for _ in 0..INTERRUPTED_MAX {
        queue.claim_at("dies", at).await.unwrap().unwrap();
        at += TimeDelta::seconds(61);
    }
    let claimed = queue.claim_at("process", at).await.unwrap().unwrap();
    let (_going_on, ending) = watch::channel(false);
    queue.work(claimed, ending.into()).await;
    assert_eq!(probe.tries.load(Ordering::SeqCst), 0);
    let row = row(&db, subject).await;
    assert_eq!((row.failure.as_deref(), row.interrupted), (Some("interrupted"), 0));
    assert_eq!(row.due_at, Some(row.finished_at.unwrap() + HOUR));
}

#[tokio::test]
async fn a_process_that_ends_releases_its_run_immediately() {
    let (db, probe, subject) = with("never_ends").await;
    let queue = process(&db, &probe);
    let (end, ending) = watch::channel(false);
    let claimed = queue.claim("process").await.unwrap().unwrap();
    let running = tokio::spawn(async move { queue.work(claimed, ending.into()).await });
    probe.begun.notified().await;
    end.send(true).unwrap();
    running.await.unwrap();
    let row = row(&db, subject).await;
    assert_eq!((row.lease_owner, row.finished_at, row.failure), (None, None, None));
    let again = process(&db, &probe).claim("next").await.unwrap().unwrap();
    assert_eq!((again.due_at, again.interrupted), (row.due_at, 0));
}

#[tokio::test]
async fn a_schedule_is_paused_resumed_and_removed_with_its_settings() {
    let (db, probe, subject) = with("feed").await;
    let queue = process(&db, &probe);
    due(&db, subject, None).await;
    assert_eq!(work_off(&queue).await, 0);
    due(&db, subject, Some(now())).await;
    // Paused during a run: the run ends, and no other follows.
    *probe.is_paused.lock().unwrap() = true;
    assert_eq!(work_off(&queue).await, 1);
    let paused = row(&db, subject).await;
    assert!(paused.due_at.is_none() && paused.finished_at.is_some());

    due(&db, subject, Some(now())).await;
    let claimed = queue.claim("process").await.unwrap().unwrap();
    let tx = db.begin().await.unwrap();
    remove(&tx, subject).await.unwrap();
    tx.commit().await.unwrap();
    let recorded =
        queue.record(&KINDS[0], &claimed, End::Finished(ScheduledOutcome::Succeeded), now()).await.unwrap();
    assert_eq!((recorded, find(&*db, subject).await.unwrap()), (false, None));
}

#[tokio::test]
async fn subjects_differ_by_tenant_kind_and_id() {
    let db = testkit::database().await;
    let (first, second) = (tenant(&db).await, tenant(&db).await);
    let subjects = [(first, "feed", 1), (second, "feed", 1), (first, "panics", 1), (first, "feed", 2)];
    let subjects = subjects.map(|(tenant, kind, id)| Subject { tenant, kind, id });
    for subject in subjects {
        due(&db, subject, Some(now())).await;
        due(&db, subject, Some(now())).await;
    }
    let mut ids = HashSet::new();
    for subject in subjects {
        ids.insert(row(&db, subject).await.id);
    }
    assert_eq!(ids.len(), 4);
}
