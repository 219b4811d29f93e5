//! Stocks from files: a row names a stock by article, warehouse and dimensions, and says how much there is. Empty cells leave
//! what is there, and the rules are those of every stock.

use imports::{
    cells::Line,
    import_type::ImportType,
    importer::{Importer, KeyOf},
    unresolved::Unmatched,
};
use kernel::{Database, Decimal, Language, Message, Result, Scope, Violations, Write};
use sea_orm::{ActiveValue::Set, ColumnTrait, Condition};
use sheets::{
    Cell, RowFault,
    header::{Headings, Layout},
};

use crate::{
    place_columns::{
        ARTICLE, ARTICLE_WAYS, AVAILABILITY, CHANGED, EXTERNAL_ARTICLE, EXTERNAL_WAREHOUSE, HEIGHT,
        LEAD_TIME, LENGTH, NAME, PlaceColumns, QUANTITY, QUANTITY_UNIT, QuantityColumns, QuantitySide,
        TENANT, WAREHOUSE, WAREHOUSE_WAYS, WIDTH,
    },
    stock::{ActiveModel, Availability, Column, Dimensions, Stock, Stocks},
};

#[cfg(test)]
mod tests;
pub mod undo;

const HEADINGS: Headings = Headings {
    known: &[
        &TENANT,
        &ARTICLE,
        &EXTERNAL_ARTICLE,
        &NAME,
        &WAREHOUSE,
        &EXTERNAL_WAREHOUSE,
        &AVAILABILITY,
        &QUANTITY,
        &QUANTITY_UNIT,
        &LEAD_TIME,
        &LENGTH,
        &WIDTH,
        &HEIGHT,
        &CHANGED,
    ],
    required: &[ARTICLE_WAYS, WAREHOUSE_WAYS, &[&QUANTITY, &AVAILABILITY, &LEAD_TIME]],
    together: &[],
};

/// What a running import of stocks keeps.
pub struct StockImporter {
    place: PlaceColumns,
    quantity: QuantityColumns,
}

impl Importer for StockImporter {
    const TYPE: ImportType = ImportType::Stock;
    type Record = Stocks;
    type Held = ();
    type Parts = ();

    async fn prepare(
        db: &Database,
        scope: &Scope,
        header: &[Cell],
        language: Language,
    ) -> Result<Result<Self, Vec<Message>>> {
        let layout = match Layout::read(&HEADINGS, header, language, |_| None) {
            Ok(layout) => layout,
            Err(messages) => return Ok(Err(messages)),
        };
        let place = PlaceColumns::read(db, scope, &layout).await?;
        Ok(place.and_then(|place| Ok(Self { place, quantity: QuantityColumns::read(&layout)? })))
    }

    fn numbers(&self) -> Vec<usize> {
        self.place.numbers().chain(self.quantity.numbers()).collect()
    }

    async fn resolve(&mut self, tx: &Write, scope: &Scope, lines: &[Line<'_>]) -> Result<()> {
        self.place.resolve(tx, scope, lines).await
    }

    fn key_column(&self) -> Option<usize> {
        self.place.key_column()
    }

    fn replaced() -> Option<Condition> {
        let empty = Condition::all()
            .add(Column::AvailabilityType.eq(Availability::Quantity))
            .add(Column::Quantity.eq(Decimal::ZERO));
        Some(empty.not())
    }

    /// What is not named has run out: a price that somebody has given it stays.
    fn remainder(stock: &Stock) -> Option<ActiveModel> {
        Some(ActiveModel {
            name: Set(stock.name.clone()),
            article_id: Set(stock.article_id),
            warehouse_id: Set(stock.warehouse_id),
            length: Set(stock.length),
            width: Set(stock.width),
            height: Set(stock.height),
            availability_type: Set(Availability::Quantity),
            quantity: Set(Some(Decimal::ZERO)),
            lead_time: Set(stock.lead_time),
            ..Default::default()
        })
    }

    fn unmatched(&self, line: Line<'_>, column: usize) -> Option<Unmatched> {
        self.place.unmatched(line, column)
    }

    fn key(&self, line: Line<'_>) -> Result<KeyOf, Vec<RowFault>> {
        // all that is wrong with a row is told at once
        match self.place.key(line) {
            Ok(key) => Ok(KeyOf::exactly(key)),
            Err(mut faults) => {
                self.quantity.draft(line, None, Dimensions::default(), &mut faults);
                Err(faults)
            }
        }
    }

    fn draft(&self, line: Line<'_>, existing: Option<&Stock>) -> Result<ActiveModel, Vec<RowFault>> {
        let (place, dimensions) = self.place.place(line)?;
        let mut faults = Vec::new();
        let draft = self.quantity.draft(line, existing.map(QuantitySide::from), dimensions, &mut faults);
        let violations = match draft.row(place) {
            Ok(row) if faults.is_empty() => return Ok(row),
            Ok(_) => Violations::new(),
            Err(violations) => violations,
        };
        Err(self.place.faults(line, faults, violations, |path| self.quantity.column_of(path)))
    }
}

impl From<&Stock> for QuantitySide {
    fn from(stock: &Stock) -> Self {
        Self { availability: stock.availability_type, quantity: stock.quantity, lead_time: stock.lead_time }
    }
}
