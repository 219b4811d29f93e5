//! Background work of a process: registration, start, end and status.

use std::{path::Path, sync::Arc};

use futures_util::future::BoxFuture;
use store::Database;
use tokio::{sync::watch, task::JoinHandle};
use values::{Error, Instant, Result};

use crate::{
    Figures, Job, JobRow, Panics, Queue, ShutdownSignal,
    job::{self, JobQueue},
    process_identity::ProcessIdentity,
    queue::Worker,
    schedule::{ScheduleKind, ScheduleQueue},
};

/// Registered queues and jobs.
pub struct Background {
    db: Database,
    panics: Panics,
    queues: Vec<Arc<dyn AnyQueue>>,
    jobs: Vec<&'static str>,
}

impl std::fmt::Debug for Background {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Background").field("jobs", &self.jobs).finish_non_exhaustive()
    }
}

/// Status of jobs and queues.
#[derive(Debug)]
pub struct Board {
    /// Jobs in the order of their registration. A job that has never run in this installation has no row.
    pub jobs: Vec<(&'static str, Option<JobRow>)>,
    pub queues: Vec<(&'static str, Figures)>,
}

impl Background {
    /// Creates background work without jobs and queues.
    pub fn new(db: Database, panics: Panics) -> Self {
        Self { db, panics, queues: Vec::new(), jobs: Vec::new() }
    }

    /// Adds a queue.
    #[must_use]
    pub fn queue<Q: Queue>(mut self, queue: Q) -> Self {
        self.queues.push(Arc::new(queue));
        self
    }

    /// Registers jobs, each of which gets a clone of `context`.
    #[must_use]
    pub fn jobs<C: Clone + Send + Sync + 'static>(mut self, context: C, jobs: &'static [Job<C>]) -> Self {
        let queue = JobQueue { db: self.db.clone(), context, jobs, panics: self.panics.clone() };
        self.jobs.extend(queue.names());
        self.queues.push(Arc::new(queue));
        self
    }

    /// Registers kinds of scheduled work, each of which gets a clone of `context`.
    #[must_use]
    pub fn schedules<C: Clone + Send + Sync + 'static>(
        self,
        context: C,
        kinds: &'static [ScheduleKind<C>],
    ) -> Self {
        let queue = ScheduleQueue { db: self.db.clone(), context, kinds, panics: self.panics.clone() };
        self.queue(queue)
    }

    /// Starts working. `folder` belongs to this installation: work that the previous process has left
    /// unfinished there is taken over without waiting for its leases.
    pub async fn start(self, folder: &Path) -> Result<Running> {
        let mut identity = ProcessIdentity::acquire(folder).map_err(Error::internal)?;
        let (sender, ending) = watch::channel(false);
        for queue in &self.queues {
            queue.prepare(identity.predecessor.as_deref()).await?;
        }
        identity.record_owner().map_err(Error::internal)?;
        tracing::info!(process = identity.owner, "background work begins");
        let start = |queue: Arc<dyn AnyQueue>| {
            tokio::spawn(AnyQueue::serve(
                queue,
                identity.owner.clone(),
                ending.clone().into(),
                self.panics.clone(),
            ))
        };
        let workers = self.queues.iter().cloned().map(start).collect();
        Ok(Running { sender, workers, _identity: identity })
    }

    /// Returns the status of jobs and queues in all processes.
    pub async fn board(&self, now: Instant) -> Result<Board> {
        let mut rows = job::rows(&self.db, self.jobs.clone()).await?;
        let jobs = self.jobs.iter().map(|name| {
            let position = rows.iter().position(|row| row.name == *name);
            (*name, position.map(|position| rows.swap_remove(position)))
        });
        let jobs = jobs.collect();
        let mut queues = Vec::new();
        for queue in &self.queues {
            queues.push((queue.name(), queue.figures(now).await?));
        }
        Ok(Board { jobs, queues })
    }
}

/// Running background work. [`Running::end`] ends it and waits; dropping it only ends it.
#[derive(Debug)]
pub struct Running {
    sender: watch::Sender<bool>,
    workers: Vec<JoinHandle<()>>,
    _identity: ProcessIdentity,
}

impl Running {
    /// Waits for running work, at most the patience of each queue; another process continues the rest.
    pub async fn end(self) {
        // Workers that have died do not receive it.
        let _ = self.sender.send(true);
        for worker in self.workers {
            if let Err(error) = worker.await {
                tracing::error!(%error, "a worker has died");
            }
        }
    }
}

/// Queue of any item type.
trait AnyQueue: Send + Sync {
    fn name(&self) -> &'static str;
    fn figures(&self, now: Instant) -> BoxFuture<'_, Result<Figures>>;
    fn prepare<'a>(&'a self, dead: Option<&'a str>) -> BoxFuture<'a, Result<()>>;
    fn serve(
        self: Arc<Self>,
        owner: String,
        ending: ShutdownSignal,
        panics: Panics,
    ) -> BoxFuture<'static, ()>;
}

impl<Q: Queue> AnyQueue for Q {
    fn name(&self) -> &'static str {
        Q::NAME
    }

    fn figures(&self, now: Instant) -> BoxFuture<'_, Result<Figures>> {
        Box::pin(Queue::figures(self, now))
    }

    fn prepare<'a>(&'a self, dead: Option<&'a str>) -> BoxFuture<'a, Result<()>> {
        Box::pin(Queue::prepare(self, dead))
    }

    fn serve(
        self: Arc<Self>,
        owner: String,
        ending: ShutdownSignal,
        panics: Panics,
    ) -> BoxFuture<'static, ()> {
        Box::pin(Worker::new(self, owner, ending, panics).serve())
    }
}
