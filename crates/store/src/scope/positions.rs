//! Writes that do not change versions: positions of rows in a manual order, and counters and times derived
//! from related rows.

use sea_orm::{
    ColumnTrait, ExprTrait, QueryFilter,
    sea_query::{CaseStatement, Expr, IntoCondition},
};
use values::{clock::now, error::Result};

use super::{Recorded, Scope};
use crate::database::Write;

impl Scope {
    /// Frees the positions of rows in an order with unique positions, until they get new ones. Does not count
    /// as a change: versions stay the same.
    #[expect(clippy::disallowed_methods, reason = "one of the places that arrange")]
    pub async fn vacate_positions<E: Recorded>(
        &self,
        tx: &Write,
        position: E::Column,
        ids: &[i64],
    ) -> Result<()> {
        self.claim::<E>()?;
        if ids.is_empty() {
            return Ok(());
        }
        E::update_many()
            .col_expr(position, Expr::col(position).mul(-1))
            .filter(self.condition::<E>().add(E::ID.is_in(ids.iter().copied())))
            .exec(&tx.for_tenant(self.writes_only::<E>()))
            .await?;
        Ok(())
    }

    /// Numbers rows from 1 in the given order. Does not count as a change: versions stay the same.
    #[expect(clippy::disallowed_methods, reason = "the one place that arranges")]
    pub async fn arrange<E: Recorded>(&self, tx: &Write, position: E::Column, ids: &[i64]) -> Result<()> {
        self.vacate_positions::<E>(tx, position, ids).await?;
        self.outdates::<E>(tx);
        let mut numbered = CaseStatement::new();
        for (number, id) in (1_i64..).zip(ids) {
            numbered = numbered.case(E::ID.eq(*id), number);
        }
        E::update_many()
            .col_expr(position, numbered.into())
            .filter(self.condition::<E>().add(E::ID.is_in(ids.iter().copied())))
            .exec(&tx.for_tenant(self.writes_only::<E>()))
            .await?;
        Ok(())
    }

    /// Adds to a counter of related rows. Does not count as a change: the version stays the same.
    #[expect(clippy::disallowed_methods, reason = "the one place that counts")]
    pub async fn count_on<E: Recorded>(
        &self,
        tx: &Write,
        id: i64,
        counted: E::Column,
        by: i64,
    ) -> Result<()> {
        self.claim::<E>()?;
        E::update_many()
            .col_expr(counted, Expr::col(counted).add(by))
            .filter(self.condition::<E>().add(E::ID.eq(id)))
            .exec(&tx.for_tenant(self.writes_only::<E>()))
            .await?;
        Ok(())
    }

    /// Sets the time of the last change because of a related row that is no part. Does not count as a change:
    /// the version stays the same.
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place that dates changes of what belongs to a row"
    )]
    pub async fn touch<E: Recorded>(&self, tx: &Write, id: i64) -> Result<()> {
        self.claim::<E>()?;
        E::update_many()
            .col_expr(E::UPDATED_AT, Expr::value(now()))
            .filter(self.condition::<E>().add(E::ID.eq(id)))
            .exec(&tx.for_tenant(self.writes_only::<E>()))
            .await?;
        Ok(())
    }

    /// Makes room in an order: moves the rows that match the condition by one position. Does not count as a
    /// change: versions stay the same.
    #[expect(clippy::disallowed_methods, reason = "the other place that arranges")]
    pub async fn make_room<E: Recorded>(
        &self,
        tx: &Write,
        position: E::Column,
        behind: impl IntoCondition,
    ) -> Result<()> {
        self.claim::<E>()?;
        self.outdates::<E>(tx);
        // in two steps, since row by row a position would be taken twice
        let room = [
            (Expr::col(position).add(1).mul(-1), behind.into_condition()),
            (Expr::col(position).mul(-1), position.lt(0).into_condition()),
        ];
        for (moved, condition) in room {
            E::update_many()
                .col_expr(position, moved)
                .filter(self.condition::<E>())
                .filter(condition)
                .exec(&tx.for_tenant(self.writes_only::<E>()))
                .await?;
        }
        Ok(())
    }
}
