//! Quantity breaks in files, for imports and exports: `Staffel 1 ab`, `Staffelpreis 1`, and the price unit in
//! `Staffelpreis 1 je` and `Staffelpreis 1 Einheit`. Without `Staffelmengeneinheit 1`, the quantity is in the
//! listing unit. Columns of the internal price begin with `Interne`.

use imports::columns::{Further, FurtherColumn};
use sea_orm::{ColumnTrait, ConnectionTrait, DbBackend, QueryFilter, QuerySelect, sea_query::Expr};
use sheets::{header::UnitKind, table::CellContent};
use store::Scope;
use values::{
    Language, Result, Unit,
    fold::{fold, slug},
};

use crate::{
    listing::Listings,
    permissions,
    price_list_entry::{self, Entries},
    price_side::{Prices, TIERS_MAX},
};

/// Part of a quantity break that a column contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    From,
    FromUnit,
    Price,
    Per,
    Unit,
}

const PARTS: [Part; 5] = [Part::From, Part::FromUnit, Part::Price, Part::Per, Part::Unit];

/// Column of a quantity break. The header of a file refers to it by an id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TierColumn {
    pub internal: bool,
    pub part: Part,
    /// Number of the quantity break, from 1.
    pub number: usize,
}

impl TierColumn {
    /// Returns the id of the column with this name; `None` if the heading has a unit, but the column takes
    /// none.
    pub(crate) fn column_named(name: &str, unit: Option<&str>) -> Option<i64> {
        Self::id_of_name(name)
            .filter(|id| unit.is_none() || Self::from_id(*id).is_some_and(|column| column.unit().is_some()))
    }

    /// Like [`Self::column_named`], for files of a price list.
    pub(crate) fn column_of_list(name: &str, unit: Option<&str>) -> Option<i64> {
        let is_external = |id: &i64| Self::from_id(*id).is_some_and(|column| !column.internal);
        Self::column_named(name, unit).filter(is_external)
    }

    /// Returns the kind of unit that can follow the name, if any.
    fn unit(self) -> Option<UnitKind> {
        match self.part {
            Part::From => Some(UnitKind::Quantity),
            Part::Price | Part::Per => Some(UnitKind::Price),
            Part::FromUnit | Part::Unit => None,
        }
    }

    /// Returns the id of the column with this name.
    fn id_of_name(name: &str) -> Option<i64> {
        let folded = fold(name).replace('_', " ");
        let after = |text: &'_ str, words: &[&str]| -> Option<String> {
            words.iter().find_map(|word| text.strip_prefix(word)).map(str::to_owned)
        };
        let internal = after(&folded, &["interne ", "interner ", "internal "]);
        let external = || after(&folded, &["externe ", "externer ", "external "]);
        let rest = internal.clone().or_else(external).unwrap_or_else(|| folded.clone());
        let of_from = rest.strip_prefix("staffel ").and_then(|rest| rest.strip_suffix(" ab"));
        let from_unit = after(&rest, &["staffelmengeneinheit ", "quantity from unit "]);
        let from = of_from.map(str::to_owned).or_else(|| after(&rest, &["ab menge ", "quantity from "]));
        let (number, part) = match (from_unit, from) {
            (Some(number), _) => (number, Part::FromUnit),
            (None, Some(number)) => (number, Part::From),
            (None, None) => {
                let per = after(&rest, &["staffelpreismenge ", "bulk price quantity "]);
                let unit = after(&rest, &["staffelpreiseinheit ", "bulk price unit "]);
                let price = after(&rest, &["staffelpreis ", "bulk price "]).unwrap_or_default();
                match price.split_once(' ') {
                    _ if per.is_some() => (per?, Part::Per),
                    _ if unit.is_some() => (unit?, Part::Unit),
                    None => (price, Part::Price),
                    Some((number, "je" | "per")) => (number.to_owned(), Part::Per),
                    Some((number, "einheit" | "unit")) => (number.to_owned(), Part::Unit),
                    Some(_) => return None,
                }
            }
        };
        let number = number.trim().parse().ok().filter(|number| (1..=TIERS_MAX).contains(number))?;
        Self { internal: internal.is_some(), part, number }.id()
    }

    fn id(self) -> Option<i64> {
        let part = PARTS.iter().position(|part| *part == self.part)?;
        i64::try_from(self.number * 16 + usize::from(self.internal) * 8 + part).ok()
    }

    /// Returns the column with an id; `None` if there is none.
    pub(crate) fn from_id(id: i64) -> Option<Self> {
        let id = usize::try_from(id).ok()?;
        Some(Self { internal: id & 8 != 0, part: *PARTS.get(id % 8)?, number: id / 16 })
    }

    fn heading(self, language: Language) -> String {
        let Self { internal, part, number } = self;
        match (language, part) {
            (Language::De, Part::From) => {
                format!("{} {number} ab", if internal { "Interne Staffel" } else { "Staffel" })
            }
            (Language::De, Part::FromUnit) => {
                format!(
                    "{} {number}",
                    if internal { "Interne Staffelmengeneinheit" } else { "Staffelmengeneinheit" }
                )
            }
            (Language::De, _) => {
                let price = if internal { "Interner Staffelpreis" } else { "Staffelpreis" };
                let what = match part {
                    Part::Per => " je",
                    Part::Unit => " Einheit",
                    Part::From | Part::FromUnit | Part::Price => "",
                };
                format!("{price} {number}{what}")
            }
            (Language::En, _) => {
                let (price, what) = match part {
                    Part::From => ("Quantity from", ""),
                    Part::FromUnit => ("Quantity from unit", ""),
                    Part::Price => ("Bulk price", ""),
                    Part::Per => ("Bulk price", " per"),
                    Part::Unit => ("Bulk price", " unit"),
                };
                let price =
                    if internal { format!("Internal {}", price.to_lowercase()) } else { price.to_owned() };
                format!("{price} {number}{what}")
            }
        }
    }
}

/// Number of quantity breaks offered when a user maps a column.
const OFFERED: usize = 5;

/// Returns all columns of quantity breaks.
pub(crate) fn further() -> Further {
    offered(&[false, true], TierColumn::column_named)
}

/// Returns the columns of a price list, whose prices have only one side.
pub(crate) fn list_columns() -> Further {
    offered(&[false], TierColumn::column_of_list)
}

fn offered(sides: &[bool], id_of_name: fn(&str, Option<&str>) -> Option<i64>) -> Further {
    let columns = sides.iter().copied().flat_map(|internal| {
        (1..=TIERS_MAX).flat_map(move |number| PARTS.map(|part| TierColumn { internal, part, number }))
    });
    let columns = columns.filter_map(|column| {
        let en = column.heading(Language::En);
        Some(FurtherColumn {
            id: column.id()?,
            key: slug(&en),
            de: column.heading(Language::De),
            en,
            rare: column.number > OFFERED,
            unit: column.unit(),
        })
    });
    Further::new(columns.collect(), id_of_name)
}

/// Returns the headings of a quantity break: quantity, its unit, price, price quantity and its unit.
pub(crate) fn tier_headings(internal: bool, number: usize) -> [String; 5] {
    PARTS.map(|part| TierColumn { internal, part, number }.heading(Language::De))
}

/// Columns of quantity breaks in an export: as many as the prices of the tenant need.
#[derive(Debug, Clone, Copy)]
pub struct TierTable {
    external: usize,
    internal: usize,
}

impl TierTable {
    /// Counts the quantity breaks in the prices of the stocks that the caller sees, none without permission
    /// to view prices.
    pub async fn count_in_stocks(db: &impl ConnectionTrait, scope: &Scope) -> Result<Self> {
        let none = Self { external: 0, internal: 0 };
        if !scope.may(permissions::VIEW_PRICE) {
            return Ok(none);
        }
        let length = match db.get_database_backend() {
            DbBackend::Postgres => "jsonb_array_length",
            _ => "json_array_length",
        };
        let most = |column: &str| Expr::cust(format!("CAST(max({length}({column})) AS BIGINT)"));
        let most: Option<(Option<i64>, Option<i64>)> = scope
            .find::<Listings>()
            .select_only()
            .column_as(most("external_bulk_prices"), "external")
            .column_as(most("internal_bulk_prices"), "internal")
            .into_tuple()
            .one(db)
            .await?;
        let many = |count: Option<i64>| usize::try_from(count.unwrap_or_default()).unwrap_or_default();
        Ok(most
            .map_or(none, |(external, internal)| Self { external: many(external), internal: many(internal) }))
    }

    /// Like [`Self::count_in_stocks`], for the prices of a list. The caller must be allowed to see the list.
    pub async fn count_in_list(db: &impl ConnectionTrait, scope: &Scope, list: i64) -> Result<Self> {
        let length = match db.get_database_backend() {
            DbBackend::Postgres => "jsonb_array_length",
            _ => "json_array_length",
        };
        let most: Option<Option<i64>> = scope
            .find::<Entries>()
            .select_only()
            .column_as(Expr::cust(format!("CAST(max({length}(bulk_prices)) AS BIGINT)")), "most")
            .filter(price_list_entry::Column::PriceListId.eq(list))
            .into_tuple()
            .one(db)
            .await?;
        Ok(Self {
            external: usize::try_from(most.flatten().unwrap_or_default()).unwrap_or_default(),
            internal: 0,
        })
    }

    /// Headings of the columns, in the language of the file.
    pub fn headings(&self, language: Language) -> Vec<String> {
        let side_columns = |internal: bool, count: usize| {
            (1..=count).flat_map(move |number| {
                PARTS.map(|part| TierColumn { internal, part, number }.heading(language))
            })
        };
        side_columns(false, self.external).chain(side_columns(true, self.internal)).collect()
    }

    /// Returns the cells of both sides; the quantity of a quantity break is in the unit in which it was
    /// entered.
    pub fn cells(&self, prices: &Prices, listing_unit: Unit, language: Language) -> Vec<CellContent> {
        let mut cells = Vec::new();
        for (side, count) in [(&prices.external, self.external), (&prices.internal, self.internal)] {
            let mut tiers = side.tiers.iter();
            for _ in 0..count {
                let tier = tiers.next();
                cells.push(tier.map(|tier| tier.start().quantity).into());
                cells.push(tier.map(|tier| tier.start().unit(listing_unit).symbol(language)).into());
                cells.push(tier.map(|tier| tier.price.price).into());
                cells.push(tier.map(|tier| tier.price.price_quantity).into());
                cells.push(tier.map(|tier| tier.price.unit.symbol(language)).into());
            }
        }
        cells
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_headings_are_read_back() {
        for internal in [false, true] {
            for number in [1, 10, TIERS_MAX] {
                for column in PARTS.map(|part| TierColumn { internal, part, number }) {
                    for language in [Language::De, Language::En] {
                        let id = TierColumn::id_of_name(&column.heading(language));
                        assert_eq!(
                            id.and_then(TierColumn::from_id),
                            Some(column),
                            "{}",
                            column.heading(language)
                        );
                        let key = TierColumn::id_of_name(&slug(&column.heading(language)));
                        assert_eq!(key, id, "its key as well");
                    }
                }
            }
        }
    }

    #[test]
    fn other_common_headings_are_recognised() {
        let parse = |name: &str| {
            let column = TierColumn::id_of_name(name).and_then(TierColumn::from_id);
            column.map(|column| (column.internal, column.part, column.number))
        };
        assert_eq!(parse("EXTERNE STAFFEL 3 AB"), Some((false, Part::From, 3)));
        assert_eq!(parse("Ab Menge 3"), Some((false, Part::From, 3)));
        assert_eq!(parse("interner staffelpreis 2"), Some((true, Part::Price, 2)));
        assert_eq!(parse("External bulk price 1 per"), Some((false, Part::Per, 1)));
        for none in ["Staffelpreis", "Staffelpreis 0", "Staffelpreis 51", "Staffelpreis 1 in", "Preis 1"] {
            assert_eq!(parse(none), None, "{none}");
        }
    }
}
