//! Invalidation of cached values when rows are written, limited to the articles that the rows name.

use std::collections::BTreeMap;

use sea_orm::{ActiveModelTrait, IdenStatic, ModelTrait};

use super::{Recorded, Scope, owner::owner_of};
use crate::{
    audit,
    database::Write,
    versioned_cache::{PricePart, PriceRole},
};

impl Scope {
    /// Invalidates values compiled from rows of this table if the written rows are unknown.
    pub(super) fn outdates<E: Recorded>(&self, tx: &Write) {
        let part = E::PRICES.map(|priced| match priced {
            PriceRole::Rules => PricePart::Rules,
            PriceRole::Stocks { .. } => PricePart::Stocks,
            PriceRole::OfList { .. } => PricePart::Lists,
        });
        self.outdates_part::<E>(tx, part, [None]);
    }

    /// Invalidates cached values after rows were inserted or deleted.
    pub(super) fn outdates_rows<'r, E: Recorded>(
        &self,
        tx: &Write,
        rows: impl IntoIterator<Item = &'r E::Model>,
    ) {
        match E::PRICES {
            Some(PriceRole::Stocks { article, .. }) => {
                let articles = rows.into_iter().map(|row| audit::id(row.get(article)));
                self.outdates_part::<E>(tx, Some(PricePart::Stocks), articles);
            }
            Some(PriceRole::OfList { list, article }) => {
                let ids = |row: &E::Model| [list, article].map(|column| audit::id(row.get(column)));
                self.outdates_entries::<E>(tx, rows.into_iter().map(ids));
            }
            _ => self.outdates::<E>(tx),
        }
    }

    /// Invalidates cached values after a row was updated.
    pub(super) fn outdates_change<E: Recorded>(&self, tx: &Write, before: &E::Model, after: &E::Model) {
        match E::PRICES {
            Some(PriceRole::Stocks { columns, .. })
                if columns.iter().all(|column| before.get(*column) == after.get(*column)) =>
            {
                tx.outdates(E::TOPIC);
            }
            _ => self.outdates_rows::<E>(tx, [before, after]),
        }
    }

    /// Invalidates cached values after rows were inserted, or their columns `set` were updated. If none of
    /// these columns affects prices, inserted rows do not either.
    pub(super) fn outdates_set<E: Recorded>(&self, tx: &Write, set: &[E::Column], rows: &[E::Model]) {
        let counts = |column: &E::Column| set.iter().any(|set| set.as_str() == column.as_str());
        match E::PRICES {
            Some(PriceRole::Stocks { columns, .. }) if !columns.iter().any(counts) => tx.outdates(E::TOPIC),
            _ => self.outdates_rows::<E>(tx, rows),
        }
    }

    /// Invalidates cached values for rows that are about to be written.
    pub(super) fn outdates_drafts<E: Recorded>(&self, tx: &Write, rows: &[E::ActiveModel]) {
        let id = |row: &E::ActiveModel, column| row.get(column).into_value().and_then(audit::id);
        match E::PRICES {
            Some(PriceRole::Stocks { article, .. }) => {
                let articles = rows.iter().map(|row| id(row, article));
                self.outdates_part::<E>(tx, Some(PricePart::Stocks), articles);
            }
            Some(PriceRole::OfList { list, article }) => {
                let ids = |row: &E::ActiveModel| [list, article].map(|column| id(row, column));
                self.outdates_entries::<E>(tx, rows.iter().map(ids));
            }
            _ => self.outdates::<E>(tx),
        }
    }

    /// Invalidates cached values for price list entries, given as ids of list and article.
    fn outdates_entries<E: Recorded>(&self, tx: &Write, ids: impl Iterator<Item = [Option<i64>; 2]>) {
        let mut articles: BTreeMap<Option<i64>, Vec<Option<i64>>> = BTreeMap::new();
        for [list, article] in ids {
            articles.entry(list).or_default().push(article);
        }
        for (list, articles) in articles {
            self.outdates_part::<E>(tx, Some(list.map_or(PricePart::Lists, PricePart::List)), articles);
        }
    }

    /// Marks a part as outdated for these articles; `None` stands for an unknown one.
    pub(super) fn outdates_part<E: Recorded>(
        &self,
        tx: &Write,
        part: Option<PricePart>,
        articles: impl IntoIterator<Item = Option<i64>>,
    ) {
        tx.outdates(E::TOPIC);
        if let Some(part) = part {
            // rows of the platform do not name the tenant whose prices depend on them
            let tenant = owner_of::<E>().and(self.tenant);
            tx.outdates_prices(tenant, part, articles.into_iter().collect());
        }
    }
}
