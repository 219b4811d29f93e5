//! Type-specific part of undoing an import. The changes that rows record are undone in the same way for all
//! types ([`crate::revert`]).

use std::collections::{HashMap, HashSet};

use sea_orm::{ActiveModelTrait, ActiveValue, IntoActiveModel, Iterable, ModelTrait};
use serde_json::Value as Json;
use store::{Recorded, Scope, Write};
use values::{Message, Result};

use crate::importer::{Draft, Importer, Model};

type Column<I> = <<I as Importer>::Record as sea_orm::EntityTrait>::Column;

/// Record whose former state is restored.
pub struct RestoredRecord<I: Importer> {
    /// Former state; ids, versions and times are ignored.
    pub was: Model<I>,
    /// Current state; `None` if the record is deleted.
    pub is: Option<Model<I>>,
}

/// Parts of a record to be exchanged: `removed` by `added`.
#[derive(Debug, Clone)]
pub struct Exchange {
    pub record: i64,
    pub removed: Vec<Json>,
    pub added: Vec<Json>,
}

/// Import type that can be undone. All methods run in the transaction of a batch and may be repeated.
pub trait Reversible: Importer {
    /// Takes locks that come before those on the records, such as on the target, in the same order as all
    /// other writers.
    fn begin(_: &Write, _: &Scope, _: &[i64], _: Self::Aim) -> impl Future<Output = Result<()>> + Send {
        std::future::ready(Ok(()))
    }

    /// Draft for each record according to the current rules, or the reasons why its former state cannot be
    /// restored. All drafts set the same columns.
    fn drafts(
        _: &Write,
        _: &Scope,
        former: &[RestoredRecord<Self>],
    ) -> impl Future<Output = Result<Vec<Result<Draft<Self>, Vec<Message>>>>> + Send {
        let drafts = former.iter().map(|former| Ok(plain_draft::<Self>(&former.was))).collect();
        std::future::ready(Ok(drafts))
    }

    /// Returns those of these records with content that the import does not record and that would be deleted
    /// with them.
    fn with_unrecorded_content(
        _: &Write,
        _: &Scope,
        _: &[i64],
    ) -> impl Future<Output = Result<HashSet<i64>>> + Send {
        std::future::ready(Ok(HashSet::new()))
    }

    /// Drops values under review that come from these lines of an import; returns the lines for which
    /// something was dropped.
    fn drop_under_review(
        _: &Write,
        _: &Scope,
        _import: i64,
        _lines: &[i64],
    ) -> impl Future<Output = Result<HashSet<i64>>> + Send {
        std::future::ready(Ok(HashSet::new()))
    }

    /// Name of the parts of a record in rows and in the history, if it has any.
    const PARTS: Option<&'static str> = None;

    /// All parts of these records, in the form of import rows.
    fn parts_of(
        _: &Write,
        _: &Scope,
        _: &[i64],
    ) -> impl Future<Output = Result<HashMap<i64, Vec<Json>>>> + Send {
        std::future::ready(Ok(HashMap::new()))
    }

    /// Records whose parts cannot be restored, with the reasons.
    fn refused_parts(
        _: &Write,
        _: &Scope,
        _: &[Exchange],
    ) -> impl Future<Output = Result<HashMap<i64, Message>>> + Send {
        std::future::ready(Ok(HashMap::new()))
    }

    /// Exchanges parts of records that have been written.
    fn exchange(_: &Write, _: &Scope, _: Vec<Exchange>) -> impl Future<Output = Result<()>> + Send {
        std::future::ready(Ok(()))
    }

    /// Runs follow-up work for records that were recreated.
    fn on_recreated(_: &Write, _: &Scope, _: &[&Model<Self>]) -> impl Future<Output = Result<()>> + Send {
        std::future::ready(Ok(()))
    }
}

/// Draft with the former values of all columns, for types without rules.
fn plain_draft<I: Importer>(was: &Model<I>) -> Draft<I> {
    let mut draft = was.clone().into_active_model();
    for column in Column::<I>::iter() {
        draft.set(column, was.get(column));
    }
    let unset = [I::Record::VERSION, I::Record::CREATED_AT, I::Record::UPDATED_AT];
    for column in unset {
        draft.not_set(column);
    }
    for column in Column::<I>::iter().filter(|column| sea_orm::IdenStatic::as_str(column).ends_with("_sort"))
    {
        draft.not_set(column);
    }
    debug_assert!(!matches!(draft.get(I::Record::NAME), ActiveValue::NotSet));
    draft
}
