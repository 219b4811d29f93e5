//! Import of stocks. A row names a stock by article, warehouse and dimensions, and gives its quantity. Empty
//! cells leave values unchanged, and all rules of stocks apply.

use imports::{
    cells::Line,
    columns::Template,
    import_type::ImportType,
    importer::{FileColumns, Importer, KeyOf},
    unresolved::UnmatchedNumber,
};
use sea_orm::{ActiveValue::Set, ColumnTrait, Condition, QueryFilter, QueryOrder, QuerySelect};
use sheets::{
    RowFault,
    header::{Heading, Headings, Layout, Title},
    summing::SumColumns,
    table::CellContent,
};
use store::{Database, Scope, Write};
use values::{Decimal, Language, Message, Result, Violations};

use super::{ActiveModel, Availability, Column, Dimensions, Stock, Stocks, confirmation};
use crate::{
    stock::place_columns::{
        ARTICLE, ARTICLE_WAYS, CHANGED, EXTERNAL_ARTICLE, EXTERNAL_WAREHOUSE, HEIGHT, LENGTH, NAME,
        PLACE_UNITS, PlaceColumns, TENANT, WAREHOUSE, WAREHOUSE_WAYS, WIDTH, field_of_values,
    },
    stock::quantity_columns::{
        AVAILABILITY, LEAD_TIME, QUANTITY, QUANTITY_UNIT, QUANTITY_UNITS, QuantityColumns, QuantitySide,
    },
    template::{self, Places},
};

#[cfg(test)]
mod tests;
pub mod undo;

const HEADINGS: Headings = Headings {
    all: &[
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
    unread: &[&CHANGED],
    units: &[PLACE_UNITS, QUANTITY_UNITS],
};

/// Columns of the template.
const SHOWN: &[&Heading] =
    &[&ARTICLE, &WAREHOUSE, &AVAILABILITY, &QUANTITY, &QUANTITY_UNIT, &LEAD_TIME, &LENGTH, &WIDTH, &HEIGHT];

/// State of a running import of stocks.
pub struct StockImporter {
    place: PlaceColumns,
    quantity: QuantityColumns,
}

impl FileColumns for StockImporter {
    const TYPE: ImportType = ImportType::Stock;
    const HEADINGS: &'static Headings = &HEADINGS;

    async fn template(db: &Database, scope: &Scope, language: Language) -> Result<Template> {
        let stocks = scope.find::<Stocks>().filter(Column::TenantId.eq(scope.tenant()?));
        let stocks = stocks.order_by_asc(Column::Id).limit(template::EXAMPLES).all(db).await?;
        let place_ids = stocks.iter().map(|stock| (Some(stock.article_id), Some(stock.warehouse_id)));
        let places = Places::load(db, scope, place_ids).await?;
        let row = |article: i64, warehouse: i64, dimensions: Dimensions, side: QuantitySide| {
            let place = [places.article_cell(Some(article)), places.warehouse_cell(Some(warehouse))];
            let quantity = template::quantity_cells(side, places.article(article)?, language);
            let sides = template::dimension_cells(dimensions);
            Some(place.into_iter().chain(quantity).chain(sides).collect())
        };
        let existing_rows = stocks.iter().map(|stock| {
            row(
                stock.article_id,
                stock.warehouse_id,
                Dimensions::from_stock(stock),
                QuantitySide::from(stock),
            )
        });
        let mut rows: Vec<Vec<CellContent>> = existing_rows.flatten().collect();
        if let (true, Some((article, warehouse))) = (rows.is_empty(), places.possible) {
            rows.extend(row(article, warehouse, Dimensions::default(), template::possible_quantity()));
        }
        Ok(Template::new(SHOWN, language, rows))
    }

    async fn prepare(
        db: &Database,
        scope: &Scope,
        header: &[Title],
        language: Language,
    ) -> Result<Result<Self, Vec<Message>>> {
        let layout = match Layout::read(Self::HEADINGS, header, language, |_, _| None) {
            Ok(layout) => layout,
            Err(messages) => return Ok(Err(messages)),
        };
        let place = PlaceColumns::read(db, scope, &layout).await?;
        Ok(place.and_then(|place| Ok(Self { place, quantity: QuantityColumns::read(&layout)? })))
    }

    fn numbers(&self) -> Vec<usize> {
        self.place.numbers().chain(self.quantity.numbers()).collect()
    }

    async fn field_of_values(
        db: &Database,
        scope: &Scope,
        values: &[String],
    ) -> Result<Option<&'static Heading>> {
        field_of_values(db, scope, values).await
    }

    fn sum_columns(&self) -> Option<SumColumns> {
        let (quantity, unit) = self.quantity.quantity();
        Some(SumColumns { same: self.place.key_columns().chain(unit).collect(), quantity: quantity? })
    }

    fn key_column(&self) -> Option<usize> {
        self.place.key_column()
    }
}

impl Importer for StockImporter {
    type Record = Stocks;
    type Aim = ();
    type Staging = ();
    type UnderReview = ();
    type Parts = ();

    async fn resolve(&mut self, tx: &Write, scope: &Scope, lines: &[Line<'_>]) -> Result<()> {
        self.place.resolve(tx, scope, lines).await
    }

    fn warnings(&self, line: Line<'_>) -> Vec<RowFault> {
        self.quantity.notes(line)
    }

    fn replaced((): ()) -> Option<Condition> {
        let empty = Condition::all()
            .add(Column::AvailabilityType.eq(Availability::Quantity))
            .add(Column::Quantity.eq(Decimal::ZERO));
        Some(empty.not())
    }

    fn replaced_within() -> Option<Column> {
        Some(Column::WarehouseId)
    }

    /// Sets stocks that a file does not name to zero instead of deleting them, because the row may have a
    /// price.
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

    async fn confirm(tx: &Write, scope: &Scope, ids: &[i64]) -> Result<()> {
        confirmation::confirm(tx, scope, ids).await
    }

    fn unmatched(&self, line: Line<'_>, column: usize) -> Option<UnmatchedNumber> {
        self.place.unmatched(line, column)
    }

    fn key(&self, line: Line<'_>) -> Result<KeyOf, Vec<RowFault>> {
        // Collects all faults of the row.
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
