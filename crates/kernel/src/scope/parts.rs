//! Parts of rows, reached and written through the row that they belong to, and noted in its history.

use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, EntityTrait, QueryFilter, QuerySelect, QueryTrait, Select,
    sea_query::IntoCondition,
};
use serde_json::Value as Json;

use super::{ROWS_PER_INSERT, Recorded, Scope, Scoped};
use crate::{
    audit::{self, Action, HistoryEntry},
    database::Write,
    error::Result,
    scope::history_fields,
};

/// A table of parts: rows without a life of their own, reached and written through the row that they belong to.
pub trait Part: EntityTrait {
    type Whole: Recorded;
    /// Refers to the whole.
    const WHOLE: Self::Column;
    /// Says whose the whole is, where the parts say so themselves.
    const TENANT: Option<Self::Column> = None;
    /// Whether others refer to the parts themselves.
    const IS_REFERRED_TO: bool = false;
    /// Whether the history of the whole tells of them; not where its columns say the same.
    const IS_NOTED: bool = true;
    /// Columns of which nothing is noted, because others say the same.
    const UNNOTED: &'static [Self::Column] = &[];
}

impl Scope {
    /// Notes parts that are removed from a record.
    pub fn note_removed<'p, P: Part<Model: 'p>>(
        &self,
        tx: &Write,
        whole: i64,
        parts: impl IntoIterator<Item = &'p P::Model>,
    ) {
        self.note_parts::<P>(
            tx,
            whole,
            parts.into_iter().map(history_fields::of_part::<P>).collect(),
            vec![],
        );
    }

    /// Notes parts of a record that have gone and that have come.
    pub fn note_parts<P: Part>(&self, tx: &Write, whole: i64, gone: Vec<Json>, come: Vec<Json>) {
        if !P::IS_NOTED {
            return;
        }
        let mut entry = HistoryEntry::new(Action::Changed, audit::table::<P::Whole>(), Some(whole));
        entry.tenant = self.tenant;
        self.sign(&mut entry);
        entry.parts(audit::table::<P>(), gone, come);
        tx.note(entry);
    }

    /// The parts of these rows, as far as the caller may see them.
    pub fn parts<P: Part>(&self, wholes: impl IntoIterator<Item = i64>) -> Select<P> {
        self.all_parts::<P>().filter(P::WHOLE.is_in(wholes))
    }

    /// The parts of all rows that the caller may see.
    #[expect(clippy::disallowed_methods, reason = "the one place that sees parts as their whole is seen")]
    pub fn all_parts<P: Part>(&self) -> Select<P> {
        let visible = P::Whole::visible_to(self);
        if visible.is_empty() {
            return P::find();
        }
        let wholes = self.find::<P::Whole>().select_only().column(P::Whole::ID).into_query();
        // their primary key begins with it, and it leads to their shard
        let sole = P::TENANT.zip(self.sees_only::<P::Whole>()).map(|(column, tenant)| column.eq(tenant));
        P::find().filter(Condition::all().add_option(sole).add(P::WHOLE.in_subquery(wholes)))
    }

    /// The parts of a row that this transaction writes, with the tenant where they carry it: it leads to their shard.
    fn parts_of<P: Part>(&self, whole: i64) -> Condition {
        let tenant = P::TENANT.zip(self.writes_only::<P::Whole>());
        let own = tenant.map(|(column, tenant)| column.eq(tenant));
        Condition::all().add_option(own).add(P::WHOLE.eq(whole))
    }

    /// Adds parts to a row that this transaction has created or changed through the scope.
    #[expect(clippy::disallowed_methods, reason = "the one place that inserts parts")]
    pub async fn add_parts<P: Part>(
        &self,
        tx: &Write,
        whole: i64,
        parts: impl IntoIterator<Item = P::ActiveModel>,
    ) -> Result<()> {
        self.claim::<P::Whole>()?;
        self.outdates::<P::Whole>(tx);
        let mut parts = parts.into_iter().map(|mut part| {
            part.set(P::WHOLE, whole.into());
            part
        });
        loop {
            let batch: Vec<P::ActiveModel> = parts.by_ref().take(ROWS_PER_INSERT).collect();
            if batch.is_empty() {
                return Ok(());
            }
            let come = batch.iter().map(history_fields::of_part_row::<P>).collect();
            self.note_parts::<P>(tx, whole, vec![], come);
            P::insert_many(batch).exec_without_returning(&tx.of(self.writes_only::<P::Whole>())).await?;
        }
    }

    /// Changes the parts that fulfil the condition, of a row that this transaction has changed through the scope.
    #[expect(clippy::disallowed_methods, reason = "the one place that changes parts")]
    pub async fn change_parts<P: Part>(
        &self,
        tx: &Write,
        whole: i64,
        which: impl IntoCondition,
        part: P::ActiveModel,
    ) -> Result<()>
    where
        P::ActiveModel: ActiveModelTrait<Entity = P>,
    {
        self.claim::<P::Whole>()?;
        self.outdates::<P::Whole>(tx);
        let which = self.parts_of::<P>(whole).add(which.into_condition());
        let before = P::find().filter(which.clone()).all(tx).await?;
        let changed = |row: &P::Model| history_fields::of_changed_part::<P>(row, &part);
        let (gone, come) =
            (before.iter().map(history_fields::of_part::<P>).collect(), before.iter().map(changed).collect());
        self.note_parts::<P>(tx, whole, gone, come);
        P::update_many().set(part).filter(which).exec(&tx.of(self.writes_only::<P::Whole>())).await?;
        Ok(())
    }

    /// Removes the parts that fulfil the condition, of a row that this transaction has changed through the scope.
    #[expect(clippy::disallowed_methods, reason = "the one place that deletes parts")]
    pub async fn remove_parts<P: Part>(
        &self,
        tx: &Write,
        whole: i64,
        which: impl IntoCondition,
    ) -> Result<()> {
        self.claim::<P::Whole>()?;
        self.outdates::<P::Whole>(tx);
        let which = self.parts_of::<P>(whole).add(which.into_condition());
        let gone = P::find().filter(which.clone()).all(tx).await?;
        self.note_removed::<P>(tx, whole, &gone);
        P::delete_many().filter(which).exec(&tx.of(self.writes_only::<P::Whole>())).await?;
        Ok(())
    }
}
