//! Price sheets: net prices of a seller's articles for one trading partner.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use catalog::{
    article,
    article_units::{self, ArticleUnits},
};
use sea_orm::ColumnTrait;
use store::{Database, Scope};
use tenancy::{partner::Partners, tenant_group};
use values::{Decimal, Instant, Result, Unit, fold};

use crate::{
    blocking::run_limited,
    codes,
    exact::{Exact, Ratio},
    findings::generated_carts::{CartAmount, SoldArticle, amount},
    partner_terms,
    quote::{
        Buyer, Cart, Line, Moment, Viewpoint, book::Book, calculation::Calculator, lines::LineRecords, quote,
    },
};

/// Maximum number of articles of a sheet.
pub const ARTICLES_MAX: usize = 20_000;
/// Number of articles read by one statement.
const READ: usize = 5_000;

/// Net price of an article from a quantity on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SheetLine {
    pub article_id: i64,
    pub article_number: String,
    pub article_name: String,
    /// Smallest quantity with this price.
    pub quantity: Decimal,
    pub unit: Unit,
    /// Price in EUR for one price unit, rounded to cents.
    pub price: Decimal,
    pub price_unit: Unit,
}

/// Returns the net prices of a partner at a moment, by article number and quantity. Articles without a price
/// for the partner are left out.
///
/// # Errors
/// [`codes::TOO_MANY`] if the seller has prices for more than [`ARTICLES_MAX`] articles.
pub async fn load(
    db: &Database,
    scope: &Scope,
    calculator: Calculator<'_>,
    partner: i64,
    at: Instant,
) -> Result<Vec<SheetLine>> {
    let seller = scope.tenant()?;
    let partner = scope.get::<Partners>(db, partner).await?;
    let groups = tenant_group::load_groups(db, partner.id).await?;
    let lists = partner_terms::list_ids(db, scope, partner.id, &groups).await?;
    let book = calculator.books.load(db, seller).await?;
    let mut ids: Vec<i64> = book.articles().collect();
    if ids.len() > ARTICLES_MAX {
        return Err(codes::TOO_MANY.with("max", ARTICLES_MAX).into());
    }
    ids.sort_unstable();
    let line_records = LineRecords::load(db, [&*book], HashSet::new()).await?;
    let buyer = Some(Buyer { tenant: partner.id, groups });
    let bare = Arc::new(Cart { buyer, moment: Moment::new(at, calculator.time_zone), lines: Vec::new() });
    let lists = Arc::new(lists);
    let mut lines = Vec::new();
    for ids in ids.chunks(READ) {
        let id_filter = article::Column::Id.is_in(ids.iter().copied());
        let articles = article_units::load(db, &Scope::platform(), id_filter).await?;
        let sold: HashMap<i64, SoldArticle> = articles
            .iter()
            .map(|measured| (measured.id, SoldArticle::new(measured, &line_records)))
            .collect();
        let (book, bare, lists) = (book.clone(), bare.clone(), lists.clone());
        let priced = run_limited(move || {
            let lines_for = |measured: &ArticleUnits| {
                sold.get(&measured.id).map(|sold| lines_of(&book, &bare, &lists, measured, sold))
            };
            articles.iter().filter_map(lines_for).flatten().collect::<Vec<_>>()
        });
        lines.extend(priced.await?);
    }
    // stable sort: the lines of an article keep their order
    lines.sort_by_cached_key(|line| (fold(&line.article_number), line.article_id));
    Ok(lines)
}

/// Returns the lines of one article: its usual quantity, and each quantity break at which the price changes,
/// the smallest quantity first.
fn lines_of(
    book: &Arc<Book>,
    bare: &Cart,
    lists: &[i64],
    measured: &ArticleUnits,
    sold: &SoldArticle,
) -> Vec<SheetLine> {
    // if one unit is refused as too small a quantity, a truckload is priced
    let usual = [CartAmount::One, CartAmount::Truckload]
        .iter()
        .filter_map(|cart_amount| amount(book, sold, bare, cart_amount))
        .find_map(|(quantity, unit)| PricedQuantity::new(book, bare, sold, quantity, unit));
    let in_lists = book.breaks(measured.id, lists, measured.listing_unit);
    let in_stocks = (!lists.is_empty()).then(|| book.breaks(measured.id, &[], measured.listing_unit));
    let breaks = in_lists.into_iter().chain(in_stocks.into_iter().flatten());
    let at_breaks =
        breaks.filter_map(|(quantity, unit)| PricedQuantity::new(book, bare, sold, quantity, unit));
    let mut priced: Vec<PricedQuantity> = usual.into_iter().chain(at_breaks).collect();
    priced.sort_by_key(|line| line.counted);
    priced.dedup_by(|next, last| next.each == last.each);
    let line = |priced: PricedQuantity| SheetLine {
        article_id: measured.id,
        article_number: measured.article_number.clone(),
        article_name: measured.article_name.clone(),
        quantity: priced.quantity,
        unit: priced.unit,
        price: priced.each.shown(),
        price_unit: sold.unit,
    };
    priced.into_iter().map(line).collect()
}

/// Price of an article for a quantity.
struct PricedQuantity {
    quantity: Decimal,
    unit: Unit,
    /// Quantity in the price unit.
    counted: Exact,
    /// Exact price for one price unit.
    each: Exact,
}

impl PricedQuantity {
    /// Prices a quantity; `None` if the article has no price for the buyer.
    fn new(book: &Book, bare: &Cart, sold: &SoldArticle, quantity: Decimal, unit: Unit) -> Option<Self> {
        let (article, warehouse, processings) = (sold.article.clone(), None, Vec::new());
        let line = Line { article, quantity, unit, warehouse, processings };
        let cart = Cart { lines: vec![line], ..bare.clone() };
        let quote = quote(book, &cart, Viewpoint::Buyer, false);
        quote.lines.first().filter(|line| line.refused.is_empty() && !line.items.is_empty())?;
        let counted = sold.article.convert(Ratio::from_decimal(quantity)?, unit, sold.unit)?;
        let each = Exact::from_ratio(Ratio::from_decimal(quote.total.to_decimal())?.over(counted)?)?;
        Some(Self { quantity, unit, counted: Exact::from_ratio(counted)?, each })
    }
}
