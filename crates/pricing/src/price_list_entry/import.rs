//! Import of prices into a price list from files and calls, with the columns of its export. A row names an
//! article; empty cells leave the current value, and an article whose price and quantity breaks are all
//! cleared is removed from the list. A file takes effect as a whole or not at all ([`staged`]). Implausible
//! prices are put under review.

use imports::{
    cells::Line,
    columns::{Further, Template},
    import::Import,
    import_type::ImportType,
    importer::{
        Aim, FileColumns, Importer, Key, KeyOf, ReviewedDraft,
        stage::{RequestedChange, StagePlan, Staging},
    },
    unresolved::UnmatchedNumber,
};
use logistics::{
    stock::place_columns::{
        ARTICLE, ARTICLE_WAYS, EXTERNAL_ARTICLE, NAME, PlaceColumns, TENANT, field_of_values,
    },
    template::{self, Places},
};
use sea_orm::{ActiveValue::Set, ColumnTrait, Condition};
use sheets::{
    RowFault,
    header::{Heading, Headings, Layout, Title},
    table::CellContent,
};
use store::{Database, Scope, Write};
use values::{Code, Decimal, Error, Language, Message, Result, Violations};

use crate::{
    codes, guard,
    listing::import::{
        CURRENCY, EXTERNAL, EXTERNAL_PER, EXTERNAL_SIDE, EXTERNAL_UNIT, EXTERNAL_UNITS, GOODS_UNIT,
        currency_fault,
    },
    price_list::{self, PriceLists},
    price_list_entry::{ActiveModel, Column, Entries, Entry, Guard, HeldEntry, guarded, writing},
    price_side::{
        Side,
        price_cells::PriceCells,
        side_columns::{GoodsUnit, SideColumns, tier_of},
        tier_columns::{self, TierColumn},
    },
};

pub mod stage_entity;
mod staged;
#[cfg(test)]
mod tests;
mod undo;

/// Column of the list's export, which imports ignore.
static CHANGED: Heading =
    Heading { de: "Preis geändert", en: "Price changed", synonyms: &["Geändert", "Changed"], help: None };

const HEADINGS: Headings = Headings {
    all: &[
        &TENANT,
        &ARTICLE,
        &EXTERNAL_ARTICLE,
        &NAME,
        &EXTERNAL,
        &EXTERNAL_PER,
        &EXTERNAL_UNIT,
        &GOODS_UNIT,
        &CURRENCY,
        &CHANGED,
    ],
    required: &[ARTICLE_WAYS],
    together: &[],
    unread: &[&CHANGED],
    units: &[EXTERNAL_UNITS],
};

const SHOWN: &[&Heading] = &[&ARTICLE, &EXTERNAL, &EXTERNAL_PER, &EXTERNAL_UNIT];

/// Price list that a file is imported into.
#[derive(Debug, Clone, Copy)]
pub struct ListAim(i64);

impl Aim for ListAim {
    const GONE: Option<Code> = Some(codes::PRICE_LIST_GONE);

    async fn writer(db: &Database, scope: &Scope, id: Option<i64>) -> Result<Scope> {
        let Some(id) = id else { return Err(Violations::error("price_list_id", codes::REQUIRED)) };
        let list = scope.get::<PriceLists>(db, id).await.map_err(|error| match error.code() {
            codes::NOT_FOUND => Violations::error("price_list_id", codes::UNKNOWN_REFERENCE),
            _ => error,
        })?;
        let writer = list.writer(scope)?;
        if writer.tenant().is_err() {
            return Err(codes::LIST_OF_GROUP.into());
        }
        list.refuse_expired(&values::now())?;
        Ok(writer)
    }

    fn from_id(id: Option<i64>) -> Self {
        Self(id.unwrap_or_default())
    }
}

/// State of a running import into a price list.
pub struct PriceListImporter {
    article: PlaceColumns,
    side: SideColumns,
    currency: Option<usize>,
    /// Guard of the list, loaded with the first rows.
    guard: Option<Guard>,
    list: i64,
    /// Id of the import; `None` for an API call.
    import: Option<i64>,
    /// True if rows are written without staging, so that the list has to be locked.
    holds_list: bool,
}

impl FileColumns for PriceListImporter {
    const TYPE: ImportType = ImportType::PriceList;
    const HEADINGS: &'static Headings = &HEADINGS;

    async fn template(db: &Database, scope: &Scope, language: Language) -> Result<Template> {
        let places = Places::load(db, scope, []).await?;
        let possible = places.possible.and_then(|(article, _)| places.article(article));
        let row = possible.map(|article| {
            let unit: CellContent = article.price_unit.symbol(language).into();
            vec![
                template::text(&article.article_number),
                Decimal::from(100).into(),
                Decimal::ONE.into(),
                unit,
            ]
        });
        Ok(Template::new(SHOWN, language, row.into_iter().collect()))
    }

    async fn further(_: &Database) -> Result<Further> {
        Ok(tier_columns::list_columns())
    }

    async fn prepare(
        db: &Database,
        scope: &Scope,
        header: &[Title],
        language: Language,
    ) -> Result<Result<Self, Vec<Message>>> {
        let layout = match Layout::read(Self::HEADINGS, header, language, TierColumn::column_of_list) {
            Ok(layout) => layout,
            Err(messages) => return Ok(Err(messages)),
        };
        let article = PlaceColumns::read(db, scope, &layout).await?;
        Ok(article.and_then(|article| {
            Ok(Self {
                article,
                side: SideColumns::read(&layout, EXTERNAL_SIDE, false)?.with_goods(
                    layout.position(&GOODS_UNIT).map(|column| GoodsUnit { column, always: true }),
                ),
                currency: layout.position(&CURRENCY),
                guard: None,
                list: 0,
                import: None,
                holds_list: true,
            })
        }))
    }

    fn numbers(&self) -> Vec<usize> {
        self.side.numbers().collect()
    }

    async fn field_of_values(
        db: &Database,
        scope: &Scope,
        values: &[String],
    ) -> Result<Option<&'static Heading>> {
        field_of_values(db, scope, values).await
    }

    fn key_column(&self) -> Option<usize> {
        self.article.key_column()
    }
}

impl Importer for PriceListImporter {
    type Record = Entries;
    type Aim = ListAim;
    type Staging = ListStaging;
    type UnderReview = ();
    type Parts = ();

    fn aim(&mut self, ListAim(list): ListAim, import: Option<&Import>) {
        self.list = list;
        self.import = import.map(|import| import.id);
        self.holds_list = import.is_none_or(|import| import.dry_run);
    }

    async fn resolve(&mut self, tx: &Write, scope: &Scope, lines: &[Line<'_>]) -> Result<()> {
        if self.holds_list {
            price_list::lock_for_change(tx, scope, self.list).await?;
        }
        self.article.resolve(tx, scope, lines).await?;
        if self.guard.is_none() {
            let list = scope.get::<PriceLists>(tx, self.list).await?;
            self.guard = Some(Guard::load(tx, scope, &list).await?);
        }
        let articles = self.article.articles();
        if let Some(guard) = &mut self.guard {
            guard.load_costs(tx, scope, articles).await?;
        }
        Ok(())
    }

    fn warnings(&self, line: Line<'_>) -> Vec<RowFault> {
        self.side.notes(line)
    }

    fn key(&self, line: Line<'_>) -> Result<KeyOf, Vec<RowFault>> {
        let article = self.article.article(line)?;
        Ok(KeyOf::exactly(Key(vec![self.list.into(), article.id.into()])))
    }

    fn draft(&self, line: Line<'_>, existing: Option<&Entry>) -> Result<ActiveModel, Vec<RowFault>> {
        let article = self.article.article(line)?;
        let existing_side = existing.map(Side::from_entry).unwrap_or_default();
        let (mut faults, mut violations) = (Vec::new(), Violations::new());
        faults.extend(currency_fault(self.currency, line));
        let side = self.side.side(line, &existing_side, article, "price", &mut faults, &mut violations);
        if side.is_empty() && existing_side.is_empty() && !self.clears(line) {
            faults.push(RowFault {
                column: self.side.price.or(self.key_column()),
                message: codes::REQUIRED.into(),
            });
        }
        if !violations.is_empty() || !faults.is_empty() {
            let column = |path: &str| {
                self.side.column_of(path.strip_prefix("price").unwrap_or(path).trim_start_matches('.'))
            };
            return Err(self.article.faults(line, faults, violations, column));
        }
        Ok(ActiveModel {
            name: Set(article.article_number.clone()),
            price_list_id: Set(self.list),
            article_id: Set(article.id),
            ..writing::columns(side, None)
        })
    }

    /// Returns the article number if a row clears a price that the list does not have: such a row is accepted
    /// as unchanged.
    fn settled(&self, line: Line<'_>, existing: Option<&Entry>) -> Option<String> {
        if existing.is_some() || !self.clears(line) {
            return None;
        }
        let article = self.article.article(line).ok()?;
        let (mut faults, mut violations) = (Vec::new(), Violations::new());
        let side = self.side.side(line, &Side::default(), article, "price", &mut faults, &mut violations);
        side.is_empty().then(|| article.article_number.clone())
    }

    fn is_removal(&self, draft: &ActiveModel) -> bool {
        drafted(draft).is_empty()
    }

    fn replaced(ListAim(list): ListAim) -> Option<Condition> {
        Some(Condition::all().add(Column::PriceListId.eq(list)))
    }

    async fn on_created_or_deleted(
        tx: &Write,
        scope: &Scope,
        added: &[&Entry],
        removed: &[&Entry],
    ) -> Result<()> {
        let Some(entry) = added.first().or(removed.first()) else { return Ok(()) };
        writing::adjust_price_count_by_id(tx, scope, entry.price_list_id, added.len(), removed.len()).await
    }

    fn judge(&self, line: Line<'_>, mut draft: ActiveModel, existing: Option<&Entry>) -> ReviewedDraft<Self> {
        let (Some(guard), Ok(article)) = (&self.guard, self.article.article(line)) else {
            return ReviewedDraft { draft, under_review: None };
        };
        let waiting = existing.and_then(|existing| existing.held.clone());
        let (before, drafted_side) = (existing.map(Side::from_entry).unwrap_or_default(), drafted(&draft));
        let row = self.import.map(|import| (import, i64::from(line.row.line)));
        let Some(held_entry) = guard.check(&before, &drafted_side, article, row) else {
            draft.held = Set(HeldEntry::without_own(waiting, guard.created_by));
            return ReviewedDraft { draft, under_review: None };
        };
        let why = held_entry.suspicions.0.iter().map(|suspicion| {
            let column =
                match tier_of(&suspicion.field).and_then(|index| drafted_side.tiers.iter().nth(index)) {
                    Some(tier) => self.side.column_of_tier(line, article, tier),
                    None => self.side.column_of(suspicion.field.trim_start_matches("price.")),
                };
            RowFault { column: column.or(self.side.price), message: suspicion.message.clone() }
        });
        let why = why.collect();
        let columns = writing::columns(before, Some(held_entry.join(waiting)));
        draft.price = columns.price;
        draft.price_quantity = columns.price_quantity;
        draft.price_unit = columns.price_unit;
        draft.bulk_prices = columns.bulk_prices;
        draft.held = columns.held;
        ReviewedDraft { draft, under_review: Some(((), why)) }
    }

    fn change_percent(&self, line: Line<'_>, draft: &ActiveModel, existing: &Entry) -> Option<Decimal> {
        let article = self.article.article(line).ok()?;
        guard::largest_change(&guarded(&Side::from_entry(existing)), &guarded(&drafted(draft)), article)
    }

    fn unmatched(&self, line: Line<'_>, column: usize) -> Option<UnmatchedNumber> {
        self.article.unmatched(line, column)
    }
}

/// Staging of list prices until a whole file takes effect.
#[derive(Debug)]
pub struct ListStaging;

impl Staging<PriceListImporter> for ListStaging {
    async fn stage(
        _: &PriceListImporter,
        tx: &Write,
        scope: &Scope,
        import: i64,
        rows: Vec<RequestedChange<PriceListImporter>>,
    ) -> Result<StagePlan<PriceListImporter>> {
        staged::plan(tx, scope, import, rows).await
    }

    async fn staged(tx: &Write, import: &Import) -> Result<Vec<(Key, u32)>> {
        let list = import.aim_id.unwrap_or_default();
        let staged_rows = staged::list_staged(tx, import.tenant_id, import.id).await?;
        Ok(staged_rows
            .into_iter()
            .map(|(article, line)| (Key(vec![list.into(), article.into()]), line))
            .collect())
    }

    async fn switch(
        importer: &PriceListImporter,
        tx: &Write,
        scope: &Scope,
        import: i64,
    ) -> Result<Result<(), Message>> {
        match price_list::lock_for_change(tx, scope, importer.list).await {
            Ok((list, writer)) => staged::switch(tx, &writer, &list, import).await,
            Err(error) if error.code() == codes::NOT_FOUND => Ok(Err(codes::PRICE_LIST_GONE.into())),
            Err(Error::Refused(why)) => Ok(Err(why)),
            Err(error) => Err(error),
        }
    }

    async fn forget(tx: &Write, import: &Import) -> Result<()> {
        staged::discard(tx, import.tenant_id, import.id).await
    }
}

impl PriceListImporter {
    /// True if a row clears a price or a quantity break, or has a price on request.
    fn clears(&self, line: Line<'_>) -> bool {
        line.no_price(self.side.price).is_some()
            || self.side.numbers().any(|column| imports::cells::is_clear(line.text(column)))
    }
}

/// Returns the price of a draft.
fn drafted(draft: &ActiveModel) -> Side {
    let tiers = draft.bulk_prices.try_as_ref().and_then(Option::as_ref);
    Side::from_columns(
        draft.price.try_as_ref().copied().flatten(),
        draft.price_quantity.try_as_ref().copied().flatten(),
        draft.price_unit.try_as_ref().copied().flatten(),
        tiers,
    )
}
