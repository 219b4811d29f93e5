//! Columns of one price and its quantity breaks in a file, and the values of a row in them.

use catalog::article_units::ArticleUnits;
use imports::cells::{CellChange, Line};
use logistics::stock::quantity_columns::{quantity, unit, unit_note};
use sheets::{
    Cell, RowFault,
    header::{Column, Heading, Layout},
};
use values::{
    Decimal, Message, Money, Unit, Violations,
    reader::{BasisReading, NoPrice},
};

use super::price_basis::{PriceBasis, RowBasis};
use crate::{
    codes,
    price_side::{
        self, Side, TIERS_MAX, Tier, TierInput, TierStart, Tiers,
        price_cells::PriceCells,
        tier_columns::{Part, TierColumn},
    },
};

/// Decimal places of a price.
const PLACES: usize = 4;

/// Indexes of the columns of one price and its quantity breaks.
#[derive(Debug, Default)]
pub(crate) struct SideColumns {
    pub(crate) price: Option<usize>,
    per: Option<usize>,
    unit: Option<usize>,
    goods: Option<GoodsUnit>,
    /// Price unit in the headings of price and price quantity.
    basis: PriceBasis,
    tiers: Vec<TierColumns>,
}

/// Column with the unit in which a row's goods are measured.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GoodsUnit {
    pub(crate) column: usize,
    /// True if the column is used even without a number in the price unit column, because nothing but the
    /// price is measured in it.
    pub(crate) always: bool,
}

/// Columns of a quantity break: its start and its price, with their units.
#[derive(Debug, Clone, Copy, Default)]
struct TierColumns {
    from: Option<usize>,
    from_unit: Option<usize>,
    /// Unit in the heading: `Staffel 1 ab [t]`.
    unit_of_from: Option<Unit>,
    price: Option<usize>,
    per: Option<usize>,
    unit: Option<usize>,
    goods: Option<GoodsUnit>,
    basis: PriceBasis,
}

/// Quantity breaks of a row, before they are checked.
struct RowTiers {
    inputs: Vec<TierInput>,
    /// Columns of each input.
    columns: Vec<TierColumns>,
    /// True if a cell clears the existing quantity breaks.
    is_cleared: bool,
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

    /// Reads the start of a quantity break, with its unit from the cell, its own column or the heading.
    fn start(&self, line: Line<'_>, faults: &mut Vec<RowFault>) -> (CellChange<Decimal>, Option<Unit>) {
        let of_row = line.read_optional(self.from_unit, faults, |cell| unit(cell.as_str())).over(None);
        let expected = of_row.or(self.unit_of_from);
        let (quantity, of_cell) = quantity(line, self.from, expected, faults);
        (quantity, of_cell.or(expected))
    }

    /// Reads the amount in a cell, with its price unit from the cell itself or from other columns. Rejects a
    /// cell that contradicts them or the heading.
    fn amount(&self, line: Line<'_>, faults: &mut Vec<RowFault>) -> (CellChange<Decimal>, RowBasis) {
        let row = self.row_basis(line, faults);
        let read_cell = |cell: &Cell| {
            let reading = line.price(cell, PLACES)?;
            let (amount, of_cell) = (reading.amount.value, RowBasis::from_reading(&reading));
            match self.basis.contradiction(row, of_cell) {
                None => Ok((amount, of_cell)),
                Some(other) => {
                    let differs = codes::CELL_UNIT_DIFFERS.with("text", cell.as_str().trim());
                    Err(differs.price("value", &other.money(amount)))
                }
            }
        };
        match line.no_price(self.price) {
            Some(NoPrice::Dash) => return (CellChange::Keep, row),
            Some(NoPrice::OnRequest) => return (CellChange::Clear, row),
            None => {}
        }
        match line.read_optional(self.price, faults, read_cell) {
            CellChange::Set((amount, of_cell)) => {
                (CellChange::Set(amount), self.with_goods_unit(line, of_cell.or(row), faults))
            }
            CellChange::Clear => (CellChange::Clear, row),
            CellChange::Keep => (CellChange::Keep, row),
        }
    }

    /// Reads the price quantity and unit of a row. A number in the column of the unit is a price quantity:
    /// `Preiseinheit` 100.
    fn row_basis(&self, line: Line<'_>, faults: &mut Vec<RowFault>) -> RowBasis {
        let per = line.read_optional(self.per, faults, |cell| line.basis(cell)).over(None);
        let of_unit = line.read_optional(self.unit, faults, |cell| line.basis(cell)).over(None);
        let quantity = |basis: Option<BasisReading>| Some(basis?.quantity?.value);
        let (of_per, of_unit_column) = (quantity(per), quantity(of_unit));
        if let (Some(per), Some(other)) = (of_per, of_unit_column)
            && per != other
        {
            let text = self.unit.map(|index| line.text(index)).unwrap_or_default();
            let message = codes::CELL_UNIT_DIFFERS.with("text", text).number_of("value", per);
            faults.push(RowFault { column: self.unit, message });
        }
        let unit = [of_unit, per].into_iter().flatten().find_map(|basis| basis.unit);
        RowBasis { per: of_per.or(of_unit_column), unit }
    }

    /// Adds the unit of the row's goods, if neither row nor heading names a price unit.
    fn with_goods_unit(&self, line: Line<'_>, row: RowBasis, faults: &mut Vec<RowFault>) -> RowBasis {
        let Some(goods) = self.goods.filter(|_| row.unit.is_none() && self.basis.unit.is_none()) else {
            return row;
        };
        let says_number = self.unit.is_some_and(|index| !line.text(index).is_empty());
        if !goods.always && !says_number {
            return row;
        }
        match line.read_change(goods.column, faults, |cell| line.basis(cell)).over(None) {
            Some(BasisReading { quantity, unit }) => {
                RowBasis { per: row.per.or(quantity.map(|quantity| quantity.value)), unit }
            }
            None => row,
        }
    }

    /// Returns the column in which a fault of a field is reported.
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
    /// Reads a header; rejects columns whose headings name a currency or a unit that prices cannot be in.
    pub(crate) fn read(
        layout: &Layout,
        [price, per, unit]: [&Heading; 3],
        internal: bool,
    ) -> Result<Self, Vec<Message>> {
        let mut problems = Vec::new();
        let mut tiers = vec![TierColumns::default(); TIERS_MAX];
        for (index, column) in layout.columns.iter().enumerate() {
            let Column::Further { id, unit } = column else { continue };
            let Some(tier) = TierColumn::from_id(*id).filter(|tier| tier.internal == internal) else {
                continue;
            };
            let Some(columns) = tiers.get_mut(tier.number - 1) else { continue };
            *columns.place(tier.part) = Some(index);
            if let (Part::From, Some(unit_name)) = (tier.part, unit) {
                match logistics::stock::quantity_columns::unit(unit_name) {
                    Ok(unit) => columns.unit_of_from = Some(unit),
                    Err(reason) => problems.push(refused(layout, index, reason)),
                }
            }
        }
        tiers.retain(|columns| columns.from.or(columns.price).is_some());
        for columns in &mut tiers {
            columns.basis = basis(layout, columns.price, columns.per, &mut problems);
        }
        let (price, per) = (layout.position(price), layout.position(per));
        let basis = basis(layout, price, per, &mut problems);
        if !problems.is_empty() {
            return Err(problems);
        }
        Ok(Self { price, per, unit: layout.position(unit), goods: None, basis, tiers })
    }

    /// Sets the column with the unit of the goods, for prices without a unit.
    #[must_use]
    pub(crate) fn with_goods(self, goods: Option<GoodsUnit>) -> Self {
        Self { goods, ..self }
    }

    /// Returns the columns of the base price in the form of those of a quantity break.
    fn main(&self) -> TierColumns {
        TierColumns {
            price: self.price,
            per: self.per,
            unit: self.unit,
            goods: self.goods,
            basis: self.basis,
            ..TierColumns::default()
        }
    }

    pub(crate) fn numbers(&self) -> impl Iterator<Item = usize> {
        let tiers = self.tiers.iter().flat_map(|columns| [columns.from, columns.price, columns.per]);
        self.price.into_iter().chain(self.per).chain(tiers.flatten())
    }

    /// Columns with prices.
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

    /// Returns the price column of a quantity break in a valid row, which can have them in any order.
    pub(crate) fn column_of_tier(
        &self,
        line: Line<'_>,
        article: &ArticleUnits,
        tier: &Tier,
    ) -> Option<usize> {
        let begins_there = |columns: &&TierColumns| {
            let (quantity, unit) = columns.start(line, &mut Vec::new());
            let start = |quantity| TierStart { quantity, unit };
            quantity.over(None).map(start).is_some_and(|start| start.is_same(tier.start(), article))
        };
        self.tiers.iter().find(begins_there)?.price
    }

    /// Returns the price that results from a row and the existing price.
    pub(crate) fn side(
        &self,
        line: Line<'_>,
        existing: &Side,
        article: &ArticleUnits,
        field: &str,
        faults: &mut Vec<RowFault>,
        violations: &mut Violations,
    ) -> Side {
        let (price, row) = self.main().amount(line, faults);
        let existing_price = existing.price;
        let money = match price {
            CellChange::Clear => None,
            price => {
                let price = price.over(existing_price.map(|money| money.price));
                price.map(|price| self.basis.money(price, row, existing_price, article.price_unit))
            }
        };
        if let Some(money) = &money {
            price_side::check(money, article, field, violations);
        }
        let row_tiers = self.read_tiers(line, money, article, faults);
        let tiers = row_tiers.check(&existing.tiers, article, field, faults, violations);
        Side { price: money, tiers }
    }

    /// Returns notes where a row contradicts the headings of its prices and quantity breaks, and where a
    /// computed price was rounded.
    pub(crate) fn notes(&self, line: Line<'_>) -> Vec<RowFault> {
        let mut unread = Vec::new();
        let all = [self.main()].into_iter().chain(self.tiers.iter().copied());
        let notes = all.flat_map(|columns| {
            let (amount, row) = columns.amount(line, &mut unread);
            let price = columns.price.zip(amount.over(None)).and_then(|(index, amount)| {
                let money = columns.basis.money(amount, row, None, Unit::Tonne);
                Some(RowFault::in_cell(index, columns.basis.note(row, &money)?))
            });
            let in_unit = line.read_optional(columns.from_unit, &mut unread, |cell| unit(cell.as_str()));
            let from = columns.from.filter(|index| !line.text(*index).is_empty());
            let rounded = line.rounding_note(columns.price, PLACES);
            [price, rounded, unit_note(from, in_unit, columns.unit_of_from)]
        });
        notes.flatten().collect()
    }

    /// Reads the quantity breaks of a row, with the price quantity and unit of the price unless the row names
    /// others.
    fn read_tiers(
        &self,
        line: Line<'_>,
        price: Option<Money>,
        article: &ArticleUnits,
        faults: &mut Vec<RowFault>,
    ) -> RowTiers {
        let mut tiers = RowTiers { inputs: Vec::new(), columns: Vec::new(), is_cleared: false };
        for columns_of @ TierColumns { from, price: of_tier, .. } in &self.tiers {
            let before = faults.len();
            let (quantity, quantity_unit) = columns_of.start(line, faults);
            let (amount, row) = columns_of.amount(line, faults);
            // an unreadable value is not also reported as missing
            let is_refused = faults.len() > before;
            match (quantity, amount) {
                (CellChange::Set(quantity_from), CellChange::Set(amount)) => {
                    let money = columns_of.basis.money(amount, row, price, article.price_unit);
                    tiers.inputs.push(TierInput {
                        quantity_from,
                        quantity_unit,
                        price: money.price,
                        price_quantity: money.price_quantity,
                        unit: money.unit,
                    });
                    tiers.columns.push(*columns_of);
                }
                (CellChange::Clear, _) | (_, CellChange::Clear) => tiers.is_cleared = true,
                (CellChange::Keep, CellChange::Keep) => {}
                _ if is_refused => {}
                (CellChange::Keep, CellChange::Set(_)) => {
                    faults.push(RowFault { column: from.or(*of_tier), message: codes::REQUIRED.into() });
                }
                (CellChange::Set(_), CellChange::Keep) => {
                    faults.push(RowFault { column: of_tier.or(*from), message: codes::REQUIRED.into() });
                }
            }
        }
        tiers
    }
}

impl RowTiers {
    /// Checks and returns the quantity breaks. Without any, the existing ones stay, unless a cell clears them.
    fn check(
        self,
        existing: &Tiers,
        article: &ArticleUnits,
        field: &str,
        faults: &mut Vec<RowFault>,
        violations: &mut Violations,
    ) -> Tiers {
        if self.inputs.is_empty() {
            return if self.is_cleared { Tiers::default() } else { existing.clone() };
        }
        let mut wrong = Violations::new();
        let tiers = Tiers::read(&self.inputs, article, field, &mut wrong);
        for violation in wrong {
            let rest = violation.path.strip_prefix(field).unwrap_or_default().trim_start_matches('.');
            let (number, tier_field) = rest.split_once('.').unwrap_or((rest, ""));
            let column = number.parse::<usize>().ok().and_then(|number| self.columns.get(number));
            let column = column.and_then(|column| column.column_of(tier_field));
            match column {
                Some(_) => faults.push(RowFault { column, message: violation.message }),
                None => violations.add(field, violation.message),
            }
        }
        tiers
    }
}

/// Returns the price unit in the headings of a price and of its price quantity.
fn basis(
    layout: &Layout,
    price: Option<usize>,
    per: Option<usize>,
    problems: &mut Vec<Message>,
) -> PriceBasis {
    let mut read_basis = |index: Option<usize>| {
        let index = index?;
        let measure = layout.columns.get(index)?.unit()?;
        match PriceBasis::read(measure) {
            Ok(basis) => Some((basis, index, measure)),
            Err(reason) => {
                problems.push(refused(layout, index, reason));
                None
            }
        }
    };
    match (read_basis(price), read_basis(per)) {
        (Some((basis, index, measure)), Some((of_per, other, _))) => basis.and(of_per).unwrap_or_else(|| {
            let reason = codes::PRICE_BASES_DIFFER.with("text", measure);
            problems.push(refused(layout, index, reason.with("other", layout.name_at(other))));
            basis
        }),
        (one, other) => one.or(other).map(|(basis, ..)| basis).unwrap_or_default(),
    }
}

/// Returns the message that rejects a column by its name.
fn refused(layout: &Layout, index: usize, reason: Message) -> Message {
    codes::COLUMN_REFUSED.with("column", layout.name_at(index)).message("reason", reason)
}

/// Returns the index of the quantity break in a field path: `bulk_prices.1.price`.
pub(crate) fn tier_of(field: &str) -> Option<usize> {
    field.strip_prefix("bulk_prices.")?.split('.').next()?.parse().ok()
}
