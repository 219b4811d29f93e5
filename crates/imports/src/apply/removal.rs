//! Removal of records: those that rows name, and those that a file with the strategy `ReplaceAll` does not
//! name.

use std::collections::HashMap;

use sea_orm::{
    ActiveModelTrait, ActiveValue, ColumnTrait, Condition, ConnectionTrait, DbBackend, EntityTrait,
    IdenStatic, IntoActiveModel, Iterable, ModelTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait,
    TryIntoModel,
};
use store::{Keyed, Scoped, Write, audit::Action};
use values::{Result, TenantId};

use super::{Applier, RowResult, id_of, name_of, record_fields::integer};
use crate::{
    import::{
        row::{self, Outcome},
        strategy::{ReplaceScope, Strategy},
    },
    importer::{Importer, Key, KeyPart, Model},
};

type Column<I> = <<I as Importer>::Record as EntityTrait>::Column;

impl<I: Importer> Applier<I> {
    /// Result for a record that is deleted, now or in a dry run.
    pub(super) fn removed(&self, row: &Model<I>) -> RowResult {
        let entry = self.scope.entry::<I::Record>(Action::Deleted, Some(row), None);
        let (before, _) = row::compact(entry.map(|entry| entry.changes()).unwrap_or_default());
        RowResult::Done {
            outcome: Outcome::Removed,
            record_id: Some(id_of::<I>(row)),
            name: name_of::<I>(row),
            before: Some(before),
            after: None,
            warnings: Vec::new(),
            change_percent: None,
        }
    }

    /// Ids of records that the rows of this import do not name.
    pub(super) async fn unnamed(&self, tx: &Write) -> Result<Vec<i64>> {
        let (Some(condition), Some(import)) = (I::replaced(self.aim), self.import_id) else {
            return Ok(Vec::new());
        };
        let select = self.records().filter(condition);
        let select =
            match I::replaced_within().filter(|_| self.replace_scope == ReplaceScope::NamedWarehouses) {
                Some(place) => select.filter(self.in_named_places(self.scope.tenant()?, import, place)),
                None => select,
            };
        let ids = select.select_only().column(I::Record::ID).into_tuple().all(tx).await?;
        row::unnamed(tx, &self.scope, import, ids).await
    }

    /// The places that rows of this import name: those that this attempt has read, and those of records that
    /// the rows of earlier attempts have written.
    fn in_named_places(&self, tenant: TenantId, import: i64, place: Column<I>) -> Condition {
        let earlier_records = self.records().filter(I::Record::ID.in_subquery(row::ids_of(tenant, import)));
        let earlier = earlier_records.select_only().column(place).distinct().into_query();
        Condition::any().add(place.is_in(self.named_places.iter().copied())).add(place.in_subquery(earlier))
    }

    /// Remembers the places of the records of rows.
    pub(super) fn note_places<'r>(&mut self, records: impl Iterator<Item = &'r Model<I>>)
    where
        Model<I>: 'r,
    {
        if self.strategy == Strategy::ReplaceAll
            && let Some(place) = I::replaced_within()
        {
            self.named_places.extend(records.map(|record| integer(record.get(place))));
        }
    }

    /// Remembers the place of the record with this key, even if it does not exist.
    pub(super) fn note_place_of(&mut self, key: &Key) {
        let place = I::replaced_within().filter(|_| self.strategy == Strategy::ReplaceAll);
        let place = place.and_then(|place| {
            let index = I::Record::KEY.iter().position(|column| column.as_str() == place.as_str())?;
            key.0.get(index)
        });
        if let Some(KeyPart::Id(place)) = place {
            self.named_places.insert(*place);
        }
    }

    /// Results for records that a file does not name, without removing them.
    pub(super) async fn would_remove(&self, tx: &Write, ids: &[i64]) -> Result<Vec<RowResult>> {
        let rows = self.records().filter(I::Record::ID.is_in(ids.iter().copied()));
        let rows = rows.order_by_asc(I::Record::ID).all(tx).await?;
        let results = rows.iter().map(|row| match I::remainder(row) {
            None => Ok(self.removed(row)),
            Some(draft) => {
                let mut after = row.clone().into_active_model();
                for column in <Column<I> as Iterable>::iter() {
                    if let ActiveValue::Set(value) = draft.get(column) {
                        after.set(column, value);
                    }
                }
                Ok(self.reduced(row, &after.try_into_model()?))
            }
        });
        results.collect()
    }

    /// Result for a record of which only a remainder is left.
    fn reduced(&self, row: &Model<I>, after: &Model<I>) -> RowResult {
        let entry = self.scope.entry::<I::Record>(Action::Changed, Some(row), Some(after));
        let (before, after) = row::compact(entry.map(|entry| entry.changes()).unwrap_or_default());
        RowResult::Done {
            outcome: Outcome::Removed,
            record_id: Some(id_of::<I>(row)),
            name: name_of::<I>(row),
            before: Some(before),
            after: Some(after),
            warnings: Vec::new(),
            change_percent: None,
        }
    }

    pub(super) async fn remove_some(&self, tx: &Write, ids: &[i64]) -> Result<Vec<RowResult>> {
        let mut select = self.records().filter(I::Record::ID.is_in(ids.iter().copied()));
        // the whole remainder is written, so concurrent changes of it must be prevented
        if tx.get_database_backend() != DbBackend::Sqlite {
            select = select.order_by_asc(I::Record::ID).lock_exclusive();
        }
        let mut rows: HashMap<i64, Model<I>> =
            select.all(tx).await?.into_iter().map(|row| (id_of::<I>(&row), row)).collect();
        let rows: Vec<Model<I>> = ids.iter().filter_map(|id| rows.remove(id)).collect();
        let (reduced, removed): (Vec<_>, Vec<_>) = rows.iter().partition(|row| I::remainder(row).is_some());
        self.scope.delete_many::<I::Record>(tx, removed.iter().map(|row| id_of::<I>(row)).collect()).await?;
        I::on_created_or_deleted(tx, &self.scope, &[], &removed).await?;
        let ids: Vec<i64> = reduced.iter().map(|row| id_of::<I>(row)).collect();
        I::on_reduced(tx, &self.scope, &ids).await?;
        I::confirm(tx, &self.scope, &ids).await?;
        let drafts = reduced.iter().filter_map(|row| I::remainder(row)).collect();
        let written = self.scope.upsert::<I::Record>(tx, drafts).await?;
        let written: HashMap<i64, Model<I>> =
            written.into_iter().map(|row| (id_of::<I>(&row), row)).collect();
        let results = rows.iter().map(|row| match written.get(&id_of::<I>(row)) {
            None => self.removed(row),
            Some(after) => self.reduced(row, after),
        });
        Ok(results.collect())
    }
}
