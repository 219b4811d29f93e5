//! Reading rows through a scope: conditions on the visible rows, and the values that the caller sees in their
//! columns.

use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DbBackend, IdenStatic, Iterable, ModelTrait, QueryFilter,
    QuerySelect, Select,
    sea_query::{LockType, SimpleExpr},
};
use values::error::{Error, Result};

use super::{Owner, Scope, Scoped};
use crate::{column::AnyColumn, database::Write};

impl Scope {
    /// Query for the visible rows of a table; every read starts here.
    #[expect(clippy::disallowed_methods, reason = "the one place that adds the tenant")]
    pub fn find<E: Scoped>(&self) -> Select<E> {
        self.select_columns(E::find()).filter(E::visible_to(self))
    }

    /// Reads one row; a row of another tenant is reported as not found.
    pub async fn get<E: Scoped>(&self, db: &impl ConnectionTrait, id: i64) -> Result<E::Model> {
        self.find::<E>().filter(E::ID.eq(id)).one(db).await?.ok_or_else(Error::not_found)
    }

    /// Reads and locks one row until the transaction ends.
    pub async fn get_locked<E: Scoped>(&self, tx: &Write, id: i64) -> Result<E::Model> {
        let row = self.lockable::<E>(tx, id).await?.lock(LockType::NoKeyUpdate).one(tx).await?;
        row.ok_or_else(Error::not_found)
    }

    /// Query for one row that a transaction is about to lock. On PostgreSQL it names the tenant who owns the
    /// row.
    ///
    /// # Errors
    /// [`codes::NOT_FOUND`](codes::NOT_FOUND) if there is no such row.
    pub(crate) async fn lockable<E: Scoped>(&self, tx: &Write, id: i64) -> Result<Select<E>> {
        let on_its_shard = match E::OWNER {
            // a sharded database locks rows of one tenant only; the owner of a row never changes
            Owner::Tenant(owner)
                if self.tenant.is_none() && tx.get_database_backend() == DbBackend::Postgres =>
            {
                let row = self.get::<E>(tx, id).await?;
                Condition::all().add(owner.eq(row.get(owner)))
            }
            _ => Condition::all(),
        };
        Ok(self.find::<E>().filter(on_its_shard).filter(E::ID.eq(id)))
    }

    /// Column as the caller sees it, for statements that choose their columns.
    pub fn column<E: Scoped>(&self, column: E::Column) -> SimpleExpr {
        self.any_column::<E>(&column)
    }

    /// Column of any table as the caller sees it.
    pub fn any_column<E: Scoped>(&self, column: &dyn AnyColumn) -> SimpleExpr {
        let substitutes = E::substitutes(self).into_iter();
        let mut substitutes = substitutes.filter(|(other, _)| {
            AnyColumn::name(other) == column.name() && AnyColumn::table(other) == column.table()
        });
        substitutes.next().map_or_else(|| SimpleExpr::Column(column.reference()), |(_, read)| read)
    }

    /// Selects all columns as the caller sees them.
    pub fn select_columns<E: Scoped>(&self, select: Select<E>) -> Select<E> {
        let substitutes = E::substitutes(self);
        if substitutes.is_empty() {
            return select;
        }
        E::Column::iter().fold(select.select_only(), |select, column| {
            match substitutes.iter().find(|(other, _)| other.as_str() == column.as_str()) {
                Some((_, read)) => select.expr_as(read.clone(), column.as_str()),
                None => select.column(column),
            }
        })
    }
}
