//! Where the columns of one price and of its tiers are in a file, and what a row wants of them.

use catalog::measured::Measured;
use imports::cells::{Line, Wanted};
use kernel::{Code, Decimal, Money, Unit, Violations};
use logistics::place_columns::unit;
use sheets::{
    RowFault,
    header::{Column, Heading, Layout},
};

use crate::{
    price_side::{self, Side, TIERS_MAX, Tier, TierInput, TierStart, Tiers},
    tier_columns::{Part, TierColumn},
};

/// Where the columns of one price and of its tiers are.
#[derive(Debug, Default)]
pub(crate) struct SideColumns {
    pub(crate) price: Option<usize>,
    per: Option<usize>,
    unit: Option<usize>,
    tiers: Vec<TierColumns>,
}

/// From which quantity, at which price, for how much of which unit.
#[derive(Debug, Clone, Copy, Default)]
struct TierColumns {
    from: Option<usize>,
    from_unit: Option<usize>,
    price: Option<usize>,
    per: Option<usize>,
    unit: Option<usize>,
}

impl TierColumns {
    fn place(&mut self, part: Part) -> &mut Option<usize> {
        match part {
            Part::From => &mut self.from,
            Part::FromUnit => &mut self.from_unit,
            Part::Price => &mut self.price,
            Part::Per => &mut self.per,
            Part::Unit => &mut self.unit,
        }
    }

    /// Where a fault of a field stands.
    fn column_of(&self, field: &str) -> Option<usize> {
        match field {
            "quantity_from" => self.from,
            "quantity_unit" => self.from_unit.or(self.from),
            "price_quantity" => self.per.or(self.price),
            "unit" => self.unit.or(self.price),
            _ => self.price,
        }
    }
}

impl SideColumns {
    pub(crate) fn read(layout: &Layout, [price, per, unit]: [&Heading; 3], internal: bool) -> Self {
        let mut tiers = vec![TierColumns::default(); TIERS_MAX];
        for (index, column) in layout.columns.iter().enumerate() {
            let Column::Further { id, .. } = column else { continue };
            let Some(tier) = TierColumn::of(*id).filter(|tier| tier.internal == internal) else { continue };
            if let Some(columns) = tiers.get_mut(tier.number - 1) {
                *columns.place(tier.part) = Some(index);
            }
        }
        tiers.retain(|columns| columns.from.or(columns.price).is_some());
        Self { price: layout.position(price), per: layout.position(per), unit: layout.position(unit), tiers }
    }

    pub(crate) fn numbers(&self) -> impl Iterator<Item = usize> {
        let tiers = self.tiers.iter().flat_map(|columns| [columns.from, columns.price, columns.per]);
        self.price.into_iter().chain(self.per).chain(tiers.flatten())
    }

    /// The columns of amounts.
    pub(crate) fn prices(&self) -> impl Iterator<Item = usize> {
        self.price.into_iter().chain(self.tiers.iter().filter_map(|columns| columns.price))
    }

    pub(crate) fn column_of(&self, path: &str) -> Option<usize> {
        match path {
            "price" | "" => self.price,
            "price_quantity" => self.per.or(self.price),
            "unit" => self.unit.or(self.price),
            _ => None,
        }
    }

    /// Where the price of a tier stands in a row that keeps the rules: tiers are in any order there.
    pub(crate) fn column_of_tier(&self, line: Line<'_>, article: &Measured, tier: &Tier) -> Option<usize> {
        let begins_there = |columns: &&TierColumns| {
            let mut faults = Vec::new();
            let quantity = line.wanted_of(columns.from, &mut faults, |cell| line.number(cell)).over(None);
            let of_unit =
                line.wanted_of(columns.from_unit, &mut faults, |cell| unit(cell.as_str())).over(None);
            let start = |quantity| TierStart { quantity, unit: of_unit };
            quantity.map(start).is_some_and(|start| start.is_same(tier.start(), article))
        };
        self.tiers.iter().find(begins_there)?.price
    }

    /// What a row makes of a price that is there, or of none.
    pub(crate) fn side(
        &self,
        line: Line<'_>,
        existing: &Side,
        article: &Measured,
        field: &str,
        (faults, violations): (&mut Vec<RowFault>, &mut Violations),
    ) -> Side {
        let price = line.wanted_of(self.price, faults, |cell| line.number(cell));
        let per = line.wanted_of(self.per, faults, |cell| line.number(cell));
        let of_unit = line.wanted_of(self.unit, faults, |cell| unit(cell.as_str()));
        let there = existing.price;
        let money = match price {
            Wanted::Clear => None,
            price => {
                let price = price.over(there.map(|there| there.price));
                price.map(|price| money(price, (per, of_unit), there, article.price_unit))
            }
        };
        if let Some(money) = &money {
            price_side::check(money, article, field, violations);
        }
        let tiers = self.tiers(line, &existing.tiers, money, article, field, (faults, violations));
        Side { price: money, tiers }
    }

    /// All tiers of a row, where it names any, where it says nothing else for the price quantity and unit of the price; otherwise
    /// those that are there.
    fn tiers(
        &self,
        line: Line<'_>,
        existing: &Tiers,
        price: Option<Money>,
        article: &Measured,
        field: &str,
        (faults, violations): (&mut Vec<RowFault>, &mut Violations),
    ) -> Tiers {
        let (mut inputs, mut columns, mut cleared) = (Vec::new(), Vec::new(), false);
        for columns_of @ TierColumns { from, from_unit, price: of_tier, per, unit: of_unit } in &self.tiers {
            let quantity = line.wanted_of(*from, faults, |cell| line.number(cell));
            let amount = line.wanted_of(*of_tier, faults, |cell| line.number(cell));
            let in_unit = line.wanted_of(*from_unit, faults, |cell| unit(cell.as_str()));
            let per = line.wanted_of(*per, faults, |cell| line.number(cell));
            let of_unit = line.wanted_of(*of_unit, faults, |cell| unit(cell.as_str()));
            match (quantity, amount) {
                (Wanted::Set(quantity_from), Wanted::Set(amount)) => {
                    let money = money(amount, (per, of_unit), price, article.price_unit);
                    inputs.push(TierInput {
                        quantity_from,
                        quantity_unit: in_unit.over(None),
                        price: money.price,
                        price_quantity: money.price_quantity,
                        unit: money.unit,
                    });
                    columns.push(*columns_of);
                }
                (Wanted::Clear, _) | (_, Wanted::Clear) => cleared = true,
                (Wanted::Keep, Wanted::Keep) => {}
                (Wanted::Keep, Wanted::Set(_)) => {
                    faults.push(RowFault { column: from.or(*of_tier), message: Code::Required.into() });
                }
                (Wanted::Set(_), Wanted::Keep) => {
                    faults.push(RowFault { column: of_tier.or(*from), message: Code::Required.into() });
                }
            }
        }
        if inputs.is_empty() {
            return if cleared { Tiers::default() } else { existing.clone() };
        }
        let mut wrong = Violations::new();
        let tiers = Tiers::read(&inputs, article, field, &mut wrong);
        for violation in wrong {
            let rest = violation.path.strip_prefix(field).unwrap_or_default().trim_start_matches('.');
            let (number, of) = rest.split_once('.').unwrap_or((rest, ""));
            let column = number.parse::<usize>().ok().and_then(|number| columns.get(number));
            let column = column.and_then(|column| column.column_of(of));
            match column {
                Some(_) => faults.push(RowFault { column, message: violation.message }),
                None => violations.add(field, violation.message),
            }
        }
        tiers
    }
}

/// A price of a row beside what there is.
fn money(
    price: Decimal,
    (per, unit): (Wanted<Decimal>, Wanted<Unit>),
    there: Option<Money>,
    usual: Unit,
) -> Money {
    let is_for_another = matches!(unit, Wanted::Set(_));
    let price_quantity = match per {
        Wanted::Set(per) => per,
        // a file that names a unit and no quantity means one of it
        _ if is_for_another => Decimal::ONE,
        _ => there.map_or(Decimal::ONE, |there| there.price_quantity),
    };
    let unit = match unit {
        Wanted::Set(unit) => unit,
        Wanted::Keep | Wanted::Clear => there.map_or(usual, |there| there.unit),
    };
    Money { price, price_quantity, unit }
}

/// Of which tier something is said: `bulk_prices.1.price`.
pub(crate) fn tier_of(field: &str) -> Option<usize> {
    field.strip_prefix("bulk_prices.")?.split('.').next()?.parse().ok()
}
