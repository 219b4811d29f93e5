//! What taking an import back needs to know of its type. What the rows of an import tell of their records is undone for all
//! types alike ([`crate::revert`]); here is what only the domain knows.

use std::collections::{HashMap, HashSet};

use kernel::{Message, Recorded, Result, Scope, Write};
use sea_orm::{ActiveModelTrait, ActiveValue, IntoActiveModel, Iterable, ModelTrait};
use serde_json::Value as Json;

use crate::importer::{Draft, Importer, Model};

type Column<I> = <<I as Importer>::Record as sea_orm::EntityTrait>::Column;

/// A record that gets back what it was.
pub struct Former<I: Importer> {
    /// As it was; ids, versions and times do not count.
    pub was: Model<I>,
    /// As it is; nothing of one that has gone.
    pub is: Option<Model<I>>,
}

/// Parts of a record that change places with others.
#[derive(Debug, Clone)]
pub struct Exchange {
    pub record: i64,
    pub gone: Vec<Json>,
    pub come: Vec<Json>,
}

/// A type of imports that can be taken back. All of it happens in the transaction of a batch, and must bear being done again.
pub trait Reversible: Importer {
    /// Takes what must be held before the records are, as the aim: in the order of everybody else.
    fn begin(_: &Write, _: &Scope, _: &[i64], _: Self::Aim) -> impl Future<Output = Result<()>> + Send {
        std::future::ready(Ok(()))
    }

    /// What is to be written of each, by the rules of today, or why it cannot be as it was. All drafts set the same columns.
    fn drafts(
        _: &Write,
        _: &Scope,
        former: &[Former<Self>],
    ) -> impl Future<Output = Result<Vec<Result<Draft<Self>, Vec<Message>>>>> + Send {
        let drafts = former.iter().map(|former| Ok(plain_draft::<Self>(&former.was))).collect();
        std::future::ready(Ok(drafts))
    }

    /// Those of these records that hold something by now which the import does not see, and which would go with them.
    fn grown(_: &Write, _: &Scope, _: &[i64]) -> impl Future<Output = Result<HashSet<i64>>> + Send {
        std::future::ready(Ok(HashSet::new()))
    }

    /// Drops what waits for a release because of these lines of an import; the lines of which something was dropped.
    fn drop_held(
        _: &Write,
        _: &Scope,
        _import: i64,
        _lines: &[i64],
    ) -> impl Future<Output = Result<HashSet<i64>>> + Send {
        std::future::ready(Ok(HashSet::new()))
    }

    /// What rows and the history call parts of a record, where it has any.
    const PARTS: Option<&'static str> = None;

    /// All parts of these records, as rows tell them.
    fn parts_of(
        _: &Write,
        _: &Scope,
        _: &[i64],
    ) -> impl Future<Output = Result<HashMap<i64, Vec<Json>>>> + Send {
        std::future::ready(Ok(HashMap::new()))
    }

    /// The records whose parts cannot come back, and why.
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

    /// What follows from records having been made again.
    fn made_again(_: &Write, _: &Scope, _: &[&Model<Self>]) -> impl Future<Output = Result<()>> + Send {
        std::future::ready(Ok(()))
    }
}

/// All columns as they were, where the type has no rules.
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
