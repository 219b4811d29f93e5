//! Plans for the rows of a batch.

use std::collections::HashMap;

use sheets::RowFault;
use values::Decimal;

use super::id_of;
use crate::{
    cells::Line,
    importer::{
        Draft, Importer, Key, Model,
        stage::{PlannedState, RequestedChange},
    },
};

/// Plans for the rows of a batch.
pub(super) struct Plans<I: Importer> {
    /// Plans, one for each row.
    pub(super) each: Vec<Plan<I>>,
    /// Current records.
    pub(super) existing: HashMap<Key, Model<I>>,
    /// Lines that name records.
    pub(super) lines_by_key: HashMap<Key, u32>,
}

/// Plan for a row, before anything is written.
pub(super) enum Plan<I: Importer> {
    Unchanged {
        id: i64,
        name: String,
        line: u32,
        under_review: Option<I::UnderReview>,
        warnings: Vec<RowFault>,
    },
    Write(Box<ToWrite<I>>),
    Remove(Box<Model<I>>),
    Settled(String),
    Skipped,
    Refused(Vec<RowFault>),
}

/// Record that is going to be written.
pub(super) struct ToWrite<I: Importer> {
    pub(super) key: Key,
    pub(super) draft: Draft<I>,
    pub(super) rest: Rest<I>,
}

/// Data for the steps and the result of a row after its record is written.
pub(super) struct Rest<I: Importer> {
    pub(super) line: u32,
    pub(super) parts: I::Parts,
    pub(super) under_review: Option<I::UnderReview>,
    pub(super) warnings: Vec<RowFault>,
    pub(super) change_percent: Option<Decimal>,
}

/// Records to be deleted, and drafts to be written.
pub(super) fn split<I: Importer>(plans: &[Plan<I>]) -> (Vec<Model<I>>, Vec<Draft<I>>) {
    let (mut removed, mut drafts) = (Vec::new(), Vec::new());
    for plan in plans {
        match plan {
            Plan::Remove(row) => removed.push((**row).clone()),
            Plan::Write(to_write) => drafts.push(to_write.draft.clone()),
            Plan::Unchanged { .. } | Plan::Settled(_) | Plan::Skipped | Plan::Refused(_) => {}
        }
    }
    (removed, drafts)
}

/// Changes that the rows request, to be staged.
pub(super) fn staged<I: Importer>(
    lines: &[Line<'_>],
    plans: &[Plan<I>],
    existing: &HashMap<Key, Model<I>>,
) -> Vec<RequestedChange<I>> {
    let by_id: HashMap<i64, &Model<I>> = existing.values().map(|row| (id_of::<I>(row), row)).collect();
    let staged = lines.iter().zip(plans).filter_map(|(line, plan)| {
        let (before, becomes) = match plan {
            Plan::Write(to_write) => {
                (existing.get(&to_write.key).cloned(), PlannedState::Written(to_write.draft.clone()))
            }
            Plan::Unchanged { id, .. } => (by_id.get(id).map(|row| (*row).clone()), PlannedState::Same),
            Plan::Remove(row) => (Some((**row).clone()), PlannedState::Gone),
            Plan::Settled(_) | Plan::Skipped | Plan::Refused(_) => return None,
        };
        Some(RequestedChange { line: line.row.line, before, becomes })
    });
    staged.collect()
}
