//! What is kept in memory and out of date once rows are written: as little of it as the rows themselves tell.

use std::collections::BTreeSet;

use sea_orm::{ActiveModelTrait, IdenStatic, ModelTrait};

use super::{Recorded, Scope, owner::owner_of};
use crate::{
    audit,
    database::Write,
    kept::{PricePart, Priced},
};

impl Scope {
    /// What is compiled from such rows, where it is not known which ones are written.
    pub(super) fn outdates<E: Recorded>(&self, tx: &Write) {
        let part = E::PRICES.map(|priced| match priced {
            Priced::Rules => PricePart::Rules,
            Priced::Stocks(_) => PricePart::Stocks,
            Priced::OfList(_) => PricePart::Lists,
        });
        self.outdates_part::<E>(tx, part);
    }

    /// The same of rows that have come or gone.
    pub(super) fn outdates_rows<'r, E: Recorded>(
        &self,
        tx: &Write,
        rows: impl IntoIterator<Item = &'r E::Model>,
    ) {
        let Some(Priced::OfList(list)) = E::PRICES else { return self.outdates::<E>(tx) };
        for row in rows {
            self.outdates_part::<E>(tx, audit::id(row.get(list)).map(PricePart::List));
        }
    }

    /// The same of a row that has changed.
    pub(super) fn outdates_change<E: Recorded>(&self, tx: &Write, before: &E::Model, after: &E::Model) {
        match E::PRICES {
            Some(Priced::OfList(_)) => self.outdates_rows::<E>(tx, [before, after]),
            Some(Priced::Stocks(columns))
                if columns.iter().all(|column| before.get(*column) == after.get(*column)) =>
            {
                tx.outdates(E::TOPIC);
            }
            _ => self.outdates::<E>(tx),
        }
    }

    /// The same of rows that have come or in which these columns were set. Where none of them counts, those that have come say
    /// nothing of prices either.
    pub(super) fn outdates_set<E: Recorded>(&self, tx: &Write, set: &[E::Column], rows: &[E::Model]) {
        let counts = |column: &E::Column| set.iter().any(|set| set.as_str() == column.as_str());
        match E::PRICES {
            Some(Priced::Stocks(columns)) if !columns.iter().any(counts) => tx.outdates(E::TOPIC),
            _ => self.outdates_rows::<E>(tx, rows),
        }
    }

    /// The same of rows as they are going to be written.
    pub(super) fn outdates_drafts<E: Recorded>(&self, tx: &Write, rows: &[E::ActiveModel]) {
        let Some(Priced::OfList(list)) = E::PRICES else { return self.outdates::<E>(tx) };
        let lists = rows.iter().map(|row| row.get(list).into_value().and_then(audit::id));
        for list in lists.collect::<BTreeSet<_>>() {
            self.outdates_part::<E>(tx, list.map(PricePart::List));
        }
    }

    pub(super) fn outdates_part<E: Recorded>(&self, tx: &Write, part: Option<PricePart>) {
        tx.outdates(E::TOPIC);
        if let Some(part) = part {
            // of the platform's rows it is not said whose prices follow from them
            tx.outdates_prices(owner_of::<E>().and(self.tenant), part);
        }
    }
}
