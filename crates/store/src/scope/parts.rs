//! Parts of rows, which are read and written through their row and noted in its history.

use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, EntityTrait, QueryFilter, QuerySelect, QueryTrait, Select,
    sea_query::IntoCondition,
};
use serde_json::Value as Json;
use values::error::Result;

use super::{ROWS_PER_INSERT, Recorded, Scope, Scoped};
use crate::{
    audit::{self, Action, HistoryEntry},
    database::Write,
    scope::history_fields,
};

/// Table of parts: dependent rows that are read and written through the row to which they belong.
pub trait Part: EntityTrait {
    type Whole: Recorded;
    /// Column that refers to the row.
    const WHOLE: Self::Column;
    /// Column with the tenant of the row, if the parts have one.
    const TENANT: Option<Self::Column> = None;
    /// True if other tables refer to the parts.
    const IS_REFERRED_TO: bool = false;
    /// True if the history of the row notes the parts; false if its columns imply them.
    const IS_NOTED: bool = true;
    /// Columns that are not noted, because others imply them.
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
            parts.into_iter().map(history_fields::part_fields::<P>).collect(),
            vec![],
        );
    }

    /// Notes removed and added parts of a record.
    pub fn note_parts<P: Part>(&self, tx: &Write, whole: i64, removed: Vec<Json>, added: Vec<Json>) {
        if !P::IS_NOTED {
            return;
        }
        let mut entry = HistoryEntry::new(Action::Changed, audit::table::<P::Whole>(), Some(whole));
        entry.tenant = self.tenant;
        self.sign(&mut entry);
        entry.parts(audit::table::<P>(), removed, added);
        tx.note(entry);
    }

    /// Parts of these rows that the caller may see.
    pub fn parts<P: Part>(&self, wholes: impl IntoIterator<Item = i64>) -> Select<P> {
        self.all_parts::<P>().filter(P::WHOLE.is_in(wholes))
    }

    /// Parts of all rows that the caller may see.
    #[expect(clippy::disallowed_methods, reason = "the one place that sees parts as their whole is seen")]
    pub fn all_parts<P: Part>(&self) -> Select<P> {
        let visible = P::Whole::visible_to(self);
        if visible.is_empty() {
            return P::find();
        }
        let wholes = self.find::<P::Whole>().select_only().column(P::Whole::ID).into_query();
        // their primary key begins with the tenant, which also leads to their shard
        let sole = P::TENANT.zip(self.sees_only::<P::Whole>()).map(|(column, tenant)| column.eq(tenant));
        P::find().filter(Condition::all().add_option(sole).add(P::WHOLE.in_subquery(wholes)))
    }

    /// Condition for the parts of a row that this transaction writes, with the tenant if they have that
    /// column: it leads to their shard.
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
            let added = batch.iter().map(history_fields::part_row_fields::<P>).collect();
            self.note_parts::<P>(tx, whole, vec![], added);
            P::insert_many(batch)
                .exec_without_returning(&tx.for_tenant(self.writes_only::<P::Whole>()))
                .await?;
        }
    }

    /// Updates the parts that match the condition, of a row that this transaction has changed through the
    /// scope.
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
        let changed = |row: &P::Model| history_fields::changed_part_fields::<P>(row, &part);
        let (removed, added) = (
            before.iter().map(history_fields::part_fields::<P>).collect(),
            before.iter().map(changed).collect(),
        );
        self.note_parts::<P>(tx, whole, removed, added);
        P::update_many().set(part).filter(which).exec(&tx.for_tenant(self.writes_only::<P::Whole>())).await?;
        Ok(())
    }

    /// Deletes the parts that match the condition, of a row that this transaction has changed through the
    /// scope.
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
        let removed = P::find().filter(which.clone()).all(tx).await?;
        self.note_removed::<P>(tx, whole, &removed);
        P::delete_many().filter(which).exec(&tx.for_tenant(self.writes_only::<P::Whole>())).await?;
        Ok(())
    }
}
