//! Import of prices from files, alone or with the quantity side (listings). A row names a stock by article,
//! warehouse and dimensions; empty cells leave the current value. Implausible prices are put under review;
//! the quantities of the same row are written all the same.

use std::marker::PhantomData;

use imports::{
    cells::Line,
    columns::{Further, Template},
    import_type::ImportType,
    importer::{FileColumns, Importer, KeyOf, ReviewedDraft, Waiting, parts::RowParts},
    unresolved::UnmatchedNumber,
};
use logistics::stock::{
    self, confirmation,
    place_columns::{
        ARTICLE, ARTICLE_WAYS, CHANGED, EXTERNAL_ARTICLE, EXTERNAL_WAREHOUSE, HEIGHT, LENGTH, NAME,
        PLACE_UNITS, PlaceColumns, TENANT, WAREHOUSE, WAREHOUSE_WAYS, WIDTH, field_of_values,
    },
    quantity_columns::{
        AVAILABILITY, LEAD_TIME, QUANTITY, QUANTITY_UNIT, QUANTITY_UNITS, QuantityColumns, QuantitySide,
    },
};
use sea_orm::{ActiveValue::Set, ColumnTrait, Condition};
use sheets::{
    RowFault,
    header::{Heading, Headings, Layout, Title, UnitKind, WithUnit},
};
use store::{Database, Scope, Write, audit::Change};
use values::{Currency, Decimal, Language, Message, Phrase, Result, Violations, now};

use crate::{
    codes,
    guard::{self, Suspicion, Verdict},
    held_price::{self, NewReview},
    listing::{self, ActiveModel, Column, Listing, Listings},
    price_side::{
        Prices,
        side_columns::{GoodsUnit, SideColumns, tier_of},
        tier_columns::{self, TierColumn},
    },
};

mod template;
#[cfg(test)]
mod tests;
pub(crate) mod undo;

pub(crate) static EXTERNAL: Heading = Heading {
    de: "Preis",
    en: "Price",
    synonyms: &[
        "Externer Preis",
        "External price",
        "Verkaufspreis",
        "VK",
        "EP",
        "Preis 1",
        "VK 1",
        "VK-Preis",
        "VK netto",
        "Netto-VK",
        "Nettopreis",
        "Preis netto",
        "Verkaufspreis netto",
        "Verkaufspreis 1",
        "Listenpreis",
        "Einzelpreis",
        "Effektivpreis",
        "Unit price",
        "Net price",
        "List price",
    ],
    help: Some(Phrase {
        de: "Der Preis, den Kunden sehen, in Euro; auch mit Einheit wie „Preis [EUR/100 kg]“",
        en: "The price that customers see, in euros; also with a unit as in “Price [EUR/100 kg]”",
    }),
};
pub(crate) static EXTERNAL_PER: Heading = Heading {
    de: "Preismenge",
    en: "Price quantity",
    synonyms: &[
        "Externe Preismenge",
        "External price quantity",
        "PE",
        "je",
        "per",
        "Preis pro Anzahl",
        "Preis pro",
        "Preis per",
        "Preis je",
        "Preis je (Menge)",
        "Externer Preis je (Menge)",
        "Preisfaktor",
    ],
    help: Some(Phrase {
        de: "Wofür der Preis gilt, zum Beispiel 100; ohne Angabe 1",
        en: "What the price is for, as 100; without it 1",
    }),
};
pub(crate) static EXTERNAL_UNIT: Heading = Heading {
    de: "Preiseinheit",
    en: "Price unit",
    synonyms: &["Externe Preiseinheit", "External price unit"],
    help: Some(Phrase {
        de: "Zum Beispiel t, kg oder m; ohne Angabe die Preiseinheit des Artikels",
        en: "As t, kg or m; without it the price unit of the article",
    }),
};
static INTERNAL: Heading = Heading {
    de: "Interner Preis",
    en: "Internal price",
    synonyms: &[
        "Einkaufspreis",
        "EK",
        "EK-Preis",
        "EK netto",
        "Einstandspreis",
        "Purchase price",
        "Cost price",
    ],
    help: Some(Phrase { de: "Der eigene Preis, in Euro", en: "Your own price, in euros" }),
};
static INTERNAL_PER: Heading = Heading {
    de: "Interne Preismenge",
    en: "Internal price quantity",
    synonyms: &["Interner Preis je (Menge)"],
    help: None,
};
static INTERNAL_UNIT: Heading =
    Heading { de: "Interne Preiseinheit", en: "Internal price unit", synonyms: &[], help: None };
pub(crate) static CURRENCY: Heading = Heading {
    de: "Währung",
    en: "Currency",
    synonyms: &["Whg", "Währg.", "WSL", "Curr."],
    help: Some(Phrase { de: "Nur EUR", en: "EUR only" }),
};

/// Unit of the goods, in files without quantities: the price unit, if the price unit column names none.
pub(crate) static GOODS_UNIT: Heading = Heading {
    de: "Mengeneinheit",
    en: "Quantity unit",
    synonyms: QUANTITY_UNIT.synonyms,
    help: Some(Phrase {
        de: "Wofür der Preis gilt, wenn die Preiseinheit keine Einheit nennt",
        en: "What the price is for if the price unit names no unit",
    }),
};

/// Headings that may be followed by the price unit: the price and the price quantity.
pub(crate) const EXTERNAL_UNITS: &[WithUnit] =
    &[(&EXTERNAL, UnitKind::Price), (&EXTERNAL_PER, UnitKind::Price)];
const INTERNAL_UNITS: &[WithUnit] = &[(&INTERNAL, UnitKind::Price), (&INTERNAL_PER, UnitKind::Price)];

/// Headings of a price, its quantity and its unit.
pub(crate) const EXTERNAL_SIDE: [&Heading; 3] = [&EXTERNAL, &EXTERNAL_PER, &EXTERNAL_UNIT];
pub(crate) const INTERNAL_SIDE: [&Heading; 3] = [&INTERNAL, &INTERNAL_PER, &INTERNAL_UNIT];

const PRICE: Headings = Headings {
    all: &[
        &TENANT,
        &ARTICLE,
        &EXTERNAL_ARTICLE,
        &NAME,
        &WAREHOUSE,
        &EXTERNAL_WAREHOUSE,
        &LENGTH,
        &WIDTH,
        &HEIGHT,
        &EXTERNAL,
        &EXTERNAL_PER,
        &EXTERNAL_UNIT,
        &INTERNAL,
        &INTERNAL_PER,
        &INTERNAL_UNIT,
        &GOODS_UNIT,
        &CURRENCY,
        &CHANGED,
    ],
    required: &[ARTICLE_WAYS, WAREHOUSE_WAYS, &[&EXTERNAL, &INTERNAL]],
    together: &[],
    unread: &[&CHANGED],
    units: &[PLACE_UNITS, EXTERNAL_UNITS, INTERNAL_UNITS, QUANTITY_UNITS],
};

const LISTING: Headings = Headings {
    all: &[
        &TENANT,
        &ARTICLE,
        &EXTERNAL_ARTICLE,
        &NAME,
        &WAREHOUSE,
        &EXTERNAL_WAREHOUSE,
        &LENGTH,
        &WIDTH,
        &HEIGHT,
        &AVAILABILITY,
        &QUANTITY,
        &QUANTITY_UNIT,
        &LEAD_TIME,
        &EXTERNAL,
        &EXTERNAL_PER,
        &EXTERNAL_UNIT,
        &INTERNAL,
        &INTERNAL_PER,
        &INTERNAL_UNIT,
        &CURRENCY,
        &CHANGED,
    ],
    ..PRICE
};

/// Kind of a file with prices.
pub trait Contents: Send + Sync + 'static {
    const TYPE: ImportType;
    const HEADINGS: &'static Headings;
    /// True if rows have quantities, and create stocks.
    const WITH_QUANTITY: bool;
}

/// Prices of existing stocks only.
#[derive(Debug)]
pub struct PricesOnly;

/// Prices and quantities.
#[derive(Debug)]
pub struct BothSides;

impl Contents for PricesOnly {
    const TYPE: ImportType = ImportType::Price;
    const HEADINGS: &'static Headings = &PRICE;
    const WITH_QUANTITY: bool = false;
}

impl Contents for BothSides {
    const TYPE: ImportType = ImportType::Listing;
    const HEADINGS: &'static Headings = &LISTING;
    const WITH_QUANTITY: bool = true;
}

/// Importer of prices of stocks, without their quantities.
pub type PriceImporter = OfferImporter<PricesOnly>;
/// Importer of stocks with quantities and prices.
pub type ListingImporter = OfferImporter<BothSides>;

/// State of a running import of prices.
pub struct OfferImporter<C> {
    place: PlaceColumns,
    quantity: QuantityColumns,
    internal: SideColumns,
    external: SideColumns,
    currency: Option<usize>,
    /// Limit in percent of a price change, for the tenant's guard.
    percent: i64,
    contents: PhantomData<fn() -> C>,
}

impl<C: Contents> FileColumns for OfferImporter<C> {
    const TYPE: ImportType = C::TYPE;
    const HEADINGS: &'static Headings = C::HEADINGS;

    async fn template(db: &Database, scope: &Scope, language: Language) -> Result<Template> {
        template::load_template(db, scope, language, C::WITH_QUANTITY).await
    }

    async fn further(_: &Database) -> Result<Further> {
        Ok(tier_columns::further())
    }

    async fn prepare(
        db: &Database,
        scope: &Scope,
        header: &[Title],
        language: Language,
    ) -> Result<Result<Self, Vec<Message>>> {
        let layout = match Layout::read(C::HEADINGS, header, language, TierColumn::column_named) {
            Ok(layout) => layout,
            Err(messages) => return Ok(Err(messages)),
        };
        let percent = listing::guard_percent(db, scope).await?;
        let place = PlaceColumns::read(db, scope, &layout).await?;
        Ok(place.and_then(|place| {
            let quantity = if C::WITH_QUANTITY {
                QuantityColumns::read(&layout)
            } else {
                Ok(QuantityColumns::default())
            };
            let internal = SideColumns::read(&layout, INTERNAL_SIDE, true);
            let external = SideColumns::read(&layout, EXTERNAL_SIDE, false);
            let (quantity, internal, external) = match (quantity, internal, external) {
                (Ok(quantity), Ok(internal), Ok(external)) => (quantity, internal, external),
                (quantity, internal, external) => {
                    let problems = [quantity.err(), internal.err(), external.err()];
                    return Err(problems.into_iter().flatten().flatten().collect());
                }
            };
            let heading = if C::WITH_QUANTITY { &QUANTITY_UNIT } else { &GOODS_UNIT };
            let goods = layout.position(heading);
            let goods = goods.map(|column| GoodsUnit { column, always: !C::WITH_QUANTITY });
            Ok(Self {
                place,
                quantity,
                internal: internal.with_goods(goods),
                external: external.with_goods(goods),
                currency: layout.position(&CURRENCY),
                percent,
                contents: PhantomData,
            })
        }))
    }

    fn numbers(&self) -> Vec<usize> {
        let prices = self.internal.numbers().chain(self.external.numbers());
        self.place.numbers().chain(self.quantity.numbers()).chain(prices).collect()
    }

    async fn field_of_values(
        db: &Database,
        scope: &Scope,
        values: &[String],
    ) -> Result<Option<&'static Heading>> {
        field_of_values(db, scope, values).await
    }

    fn key_column(&self) -> Option<usize> {
        self.place.key_column()
    }
}

impl<C: Contents> Importer for OfferImporter<C> {
    type Record = Listings;
    type Aim = ();
    type Staging = ();
    /// Prices as set by the row.
    type UnderReview = (Prices, Verdict);
    type Parts = HasPrice;

    async fn resolve(&mut self, tx: &Write, scope: &Scope, lines: &[Line<'_>]) -> Result<()> {
        self.place.resolve(tx, scope, lines).await
    }

    fn warnings(&self, line: Line<'_>) -> Vec<RowFault> {
        let prices = self.external.notes(line).into_iter().chain(self.internal.notes(line));
        prices.chain(self.quantity.notes(line)).collect()
    }

    fn replaced((): ()) -> Option<Condition> {
        if C::WITH_QUANTITY {
            return Some(Condition::all());
        }
        let some = [
            Column::InternalPrice.is_not_null(),
            Column::ExternalPrice.is_not_null(),
            Column::InternalBulkPrices.is_not_null(),
            Column::ExternalBulkPrices.is_not_null(),
        ];
        Some(some.into_iter().fold(Condition::any(), Condition::add))
    }

    fn replaced_within() -> Option<Column> {
        Some(Column::WarehouseId)
    }

    /// Row of a stock that loses its prices but stays in stock.
    fn remainder(listing: &Listing) -> Option<ActiveModel> {
        if C::WITH_QUANTITY {
            return None;
        }
        let mut row = unchanged_quantity(listing);
        row.name = Set(listing.name.clone());
        Prices::default().write(&mut row);
        Some(row)
    }

    async fn on_reduced(tx: &Write, scope: &Scope, ids: &[i64]) -> Result<()> {
        held_price::remove_all(tx, scope, ids.to_vec()).await
    }

    async fn confirm(tx: &Write, scope: &Scope, ids: &[i64]) -> Result<()> {
        confirmation::confirm(tx, scope, ids).await
    }

    fn unmatched(&self, line: Line<'_>, column: usize) -> Option<UnmatchedNumber> {
        self.place.unmatched(line, column)
    }

    fn key(&self, line: Line<'_>) -> Result<KeyOf, Vec<RowFault>> {
        Ok(KeyOf::exactly(self.place.key(line)?))
    }

    fn draft(&self, line: Line<'_>, existing: Option<&Listing>) -> Result<ActiveModel, Vec<RowFault>> {
        let (place, dimensions) = self.place.place(line)?;
        let (mut faults, mut violations) = (Vec::new(), Violations::new());
        if existing.is_none() && !C::WITH_QUANTITY {
            let message = codes::NO_STOCK.into();
            return Err(vec![RowFault { column: self.key_column(), message }]);
        }
        faults.extend(currency_fault(self.currency, line));
        let existing_prices = existing.map(Prices::from_listing).unwrap_or_default();
        let internal = self.internal.side(
            line,
            &existing_prices.internal,
            place.article,
            "internal_price",
            &mut faults,
            &mut violations,
        );
        let external = self.external.side(
            line,
            &existing_prices.external,
            place.article,
            "external_price",
            &mut faults,
            &mut violations,
        );
        let mut row = if let Some(existing) = existing.filter(|_| !C::WITH_QUANTITY) {
            unchanged_quantity(existing)
        } else {
            let side = existing.map(|existing| QuantitySide {
                availability: existing.availability_type,
                quantity: existing.quantity,
                lead_time: existing.lead_time,
            });
            let draft = self.quantity.draft(line, side, dimensions, &mut faults);
            match draft.row(place) {
                Ok(row) => changed_quantity(row, existing),
                Err(more) => {
                    violations.extend(more);
                    ActiveModel::default()
                }
            }
        };
        if !violations.is_empty() || !faults.is_empty() {
            return Err(self.place.faults(line, faults, violations, |path| self.column_of(path)));
        }
        row.name = Set(stock::name(place.article, place.warehouse, dimensions));
        Prices { internal, external }.write(&mut row);
        Ok(row)
    }

    fn judge(
        &self,
        line: Line<'_>,
        mut draft: ActiveModel,
        existing: Option<&Listing>,
    ) -> ReviewedDraft<Self> {
        let before = existing.map(Prices::from_listing).unwrap_or_default();
        let drafted_prices = Prices::drafted(&draft);
        let article = self.place.place(line).ok().map(|(place, _)| place.article);
        let verdict =
            article.and_then(|article| guard::check(&before, &drafted_prices, article, self.percent));
        let Some(verdict) = verdict else { return ReviewedDraft { draft, under_review: None } };
        before.write(&mut draft);
        let why = verdict.suspicions.0.iter().map(|Suspicion { field, message }| {
            let (columns, side, field) = match field.strip_prefix("internal_") {
                Some(field) => (&self.internal, &drafted_prices.internal, field),
                None => (&self.external, &drafted_prices.external, field.trim_start_matches("external_")),
            };
            let column = match tier_of(field).and_then(|index| side.tiers.iter().nth(index)) {
                // a quantity break that existed before is in no column
                Some(tier) => article.and_then(|article| columns.column_of_tier(line, article, tier)),
                None => columns.column_of(field.trim_start_matches("price.")),
            };
            RowFault { column: column.or(columns.price), message: message.clone() }
        });
        let why = why.collect();
        ReviewedDraft { draft, under_review: Some(((drafted_prices, verdict), why)) }
    }

    fn change_percent(&self, line: Line<'_>, draft: &ActiveModel, existing: &Listing) -> Option<Decimal> {
        let (place, _) = self.place.place(line).ok()?;
        guard::largest_change(&Prices::from_listing(existing), &Prices::drafted(draft), place.article)
    }

    async fn store_under_review(
        &self,
        tx: &Write,
        scope: &Scope,
        waiting: Vec<Waiting<Self::UnderReview>>,
    ) -> Result<()> {
        let reviews = waiting.into_iter().map(|Waiting { record, name, import, line, under_review }| {
            let (prices, Verdict { suspicions, mended }) = under_review;
            let row = import.map(|import| (import, line.into()));
            NewReview { stock: record, name, prices, mended, suspicions, row }
        });
        held_price::put_under_review(tx, scope, reviews.collect()).await
    }

    fn is_same(draft: &ActiveModel, existing: &Listing) -> bool {
        let same = |one: Option<&Decimal>, other: Decimal| one.is_none_or(|one| *one == other);
        Prices::drafted(draft) == Prices::from_listing(existing)
            && draft.availability_type.try_as_ref().is_none_or(|one| *one == existing.availability_type)
            && draft.quantity.try_as_ref().is_none_or(|one| *one == existing.quantity)
            && draft.lead_time.try_as_ref().is_none_or(|one| *one == existing.lead_time)
            && draft.name.try_as_ref().is_none_or(|one| *one == existing.name)
            && same(draft.length.try_as_ref(), existing.length)
    }
}

/// True if a row has a price.
#[derive(Debug, Default)]
pub struct HasPrice(bool);

impl<C: Contents> RowParts<OfferImporter<C>> for HasPrice {
    async fn find(_: &mut OfferImporter<C>, _: &Write, _: &Scope, _: &[&Listing]) -> Result<()> {
        Ok(())
    }

    fn read(
        importer: &OfferImporter<C>,
        line: Line<'_>,
        _: Option<&Listing>,
    ) -> Result<(Self, bool), Vec<RowFault>> {
        let mut columns = importer.internal.prices().chain(importer.external.prices());
        Ok((Self(columns.any(|column| !line.text(column).is_empty())), true))
    }

    /// Plausible prices replace the same user's prices under review for these stocks; those of this file are
    /// added afterwards.
    async fn write(
        _: &OfferImporter<C>,
        tx: &Write,
        scope: &Scope,
        written: Vec<(&Listing, Self)>,
    ) -> Result<()> {
        let priced = written.into_iter().filter(|(_, Self(says_price))| *says_price);
        held_price::remove_own(tx, scope, priced.map(|(listing, _)| listing.id).collect()).await
    }

    fn changes(&self, _: &OfferImporter<C>, _: Option<&Listing>) -> Vec<Change> {
        Vec::new()
    }
}

impl<C: Contents> OfferImporter<C> {
    fn column_of(&self, path: &str) -> Option<usize> {
        if let Some(rest) = path.strip_prefix("internal_price") {
            return self.internal.column_of(rest.trim_start_matches('.'));
        }
        if let Some(rest) = path.strip_prefix("external_price") {
            return self.external.column_of(rest.trim_start_matches('.'));
        }
        self.quantity.column_of(path)
    }
}

/// Returns a fault if the currency is not the euro, the only one supported.
pub(crate) fn currency_fault(column: Option<usize>, line: Line<'_>) -> Option<RowFault> {
    let text = line.text(column?);
    if text.is_empty() || Currency::parse(text) == Some(Currency::Euro) {
        return None;
    }
    Some(RowFault { column, message: codes::OTHER_CURRENCY.with("value", text) })
}

/// Row with the quantity side unchanged.
fn unchanged_quantity(existing: &Listing) -> ActiveModel {
    ActiveModel {
        article_id: Set(existing.article_id),
        warehouse_id: Set(existing.warehouse_id),
        length: Set(existing.length),
        width: Set(existing.width),
        height: Set(existing.height),
        availability_type: Set(existing.availability_type),
        quantity: Set(existing.quantity),
        lead_time: Set(existing.lead_time),
        version: Set(existing.version),
        updated_at: Set(existing.updated_at),
        ..Default::default()
    }
}

/// Row with the quantity side of a file; its own version is raised if it differs.
fn changed_quantity(row: stock::ActiveModel, existing: Option<&Listing>) -> ActiveModel {
    let same = existing.filter(|existing| {
        row.availability_type.try_as_ref() == Some(&existing.availability_type)
            && row.quantity.try_as_ref() == Some(&existing.quantity)
            && row.lead_time.try_as_ref() == Some(&existing.lead_time)
    });
    ActiveModel {
        article_id: row.article_id,
        warehouse_id: row.warehouse_id,
        length: row.length,
        width: row.width,
        height: row.height,
        availability_type: row.availability_type,
        quantity: row.quantity,
        lead_time: row.lead_time,
        version: Set(match (existing, same) {
            (None, _) => 1,
            (Some(existing), Some(_)) => existing.version,
            (Some(existing), None) => existing.version + 1,
        }),
        updated_at: Set(same.map_or_else(now, |existing| existing.updated_at)),
        ..Default::default()
    }
}
