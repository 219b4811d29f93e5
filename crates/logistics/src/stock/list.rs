//! List of stocks: filters, sorts, and the search by their articles.

use catalog::{
    article as article_table,
    article::{self, Articles},
};
use lists::{
    Field, Listed,
    list::{self, OpenFilter, ResolvedFilter},
    search::{self, SearchedColumns},
};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DbBackend, QueryFilter, QueryOrder, QuerySelect, QueryTrait,
    sea_query::{Asterisk, CaseStatement, Expr, ExprTrait, Func, Query, SelectStatement, SimpleExpr},
};
use store::{Database, Scope};
use values::{Decimal, Error, Instant, Message, Result};

use super::{Availability, Column, Stocks, confirmation, external_numbers};
use crate::{matching, warehouse};

impl Listed for Stocks {
    const FIELDS: &'static [Field] = &[
        Field::search("search", &Column::ArticleId, &SEARCHED),
        Field::id("article_id", &Column::ArticleId).grouped_as(
            "article_number",
            &article_table::Column::Id,
            &article_table::Column::ArticleNumberSort,
        ),
        Field::by_name("article_number", &Column::ArticleId, article::select_by_numbers),
        Field::by_name("external_article_number", &Column::Id, external_numbers::stocks_of_numbers),
        Field::id("warehouse_id", &Column::WarehouseId),
        Field::by_name("warehouse_short_code", &Column::WarehouseId, warehouse::ids_of_short_codes),
        Field::by_name(
            "external_warehouse_identifier",
            &Column::WarehouseId,
            matching::warehouses_of_identifiers,
        ),
        Field::id("tenant_id", &Column::TenantId),
        Field::by_subquery("article_type_id", &Column::ArticleId, article::select_by_types),
        Field::by_subquery("material_id", &Column::ArticleId, article::select_by_materials),
        Field::choice("availability_type", &Column::AvailabilityType, Availability::NAMES).unsorted(),
        Field::decimal("quantity", &Column::Quantity).nullable(),
        // Not indexed: the stocks of one tenant are scanned, as for `availability_type`. An index would cost
        // a write for each stock, and only a few per mille fulfil the condition.
        Field::derived("size", &Column::Length, SIZES, has_size),
        // Calculated for each stock of a tenant, like `size`, because most take their length from the
        // article.
        Field::computed("length", &Column::Length, length),
        Field::integer("lead_time", &Column::LeadTime).optional().unsorted(),
        Field::by_subquery("import_id", &Column::Id, ids_of_imports),
        Field::time("updated_at", &Column::UpdatedAt),
        Field::last("known_at", &Column::UpdatedAt, confirmation::is_since),
    ];
    const DEFAULT_SORT: &'static str = "-updated_at";
    const NEEDS_TENANT: bool = true;
    const OPEN: Option<&'static str> = <Articles as Listed>::OPEN;
    const OPEN_MEANING: &'static str = <Articles as Listed>::OPEN_MEANING;

    async fn resolve_open_filters(
        db: &Database,
        open: &[OpenFilter],
    ) -> Result<Vec<Result<ResolvedFilter, Message>>> {
        let of_articles = <Articles as Listed>::resolve_open_filters(db, open).await?;
        Ok(of_articles.into_iter().map(|filter| Ok(by_article(filter?))).collect())
    }
}

/// Applies the conditions of an article filter to the article of a stock. The article of each stock of the
/// tenant is looked up by id: these are fewer than all articles of the platform, and no index covers the
/// values of attributes.
fn by_article(filter: ResolvedFilter) -> ResolvedFilter {
    ResolvedFilter::new(move |backend| {
        let article = Query::select()
            .expr(Expr::val(1))
            .from(Articles)
            .and_where(Expr::col((Articles, article_table::Column::Id)).equals((Stocks, Column::ArticleId)))
            .cond_where(filter.condition(backend))
            .take();
        Condition::all().add(Expr::exists(article))
    })
}

/// Sizes of stocks: same length and width as the article, or cut to size.
const SIZES: &[&str] = &["whole", REMNANT];
const REMNANT: &str = "remnant";

fn has_size(size: &str) -> SimpleExpr {
    let cut = [Column::Length, Column::Width, Column::Height].map(|side| side.gt(Decimal::ZERO));
    let remnant = cut.into_iter().reduce(ExprTrait::or).unwrap_or_else(|| Expr::val(false));
    if size == REMNANT { remnant } else { remnant.not() }
}

/// Length of a stock's pieces in millimetres: that of the remnant, otherwise that of the article.
fn length(backend: DbBackend) -> SimpleExpr {
    let own = Expr::col((Stocks, Column::Length));
    let whole = article::length_of(backend, Expr::col((Stocks, Column::ArticleId)));
    CaseStatement::new().case(own.clone().gt(Decimal::ZERO), own).finally(whole).into()
}

/// Search of stocks by their articles: by number, name, former and external numbers, `HEB 200 S235JR`.
pub const SEARCHED: SearchedColumns = SearchedColumns {
    columns: &[],
    trigrams: None,
    references: &[search::ReferredTable {
        name: "article",
        column: &Column::ArticleId,
        id: &article_table::Column::Id,
        columns: &[],
        within: Some(list::within::<Articles>),
        beginnings: None,
    }],
    read: search_of_articles,
    beginnings: None,
};

/// Search by the articles that records refer to under the name `article`.
pub fn search_of_articles(text: &str) -> Result<search::Search, values::Message> {
    Ok(search::Search::Within("article", Box::new(article::search(text)?)))
}

/// Selects the stocks that imports have written, or found to match their files already.
fn ids_of_imports(imports: Vec<i64>) -> SelectStatement {
    imports::import::row::records(store::audit::table::<Stocks>(), &imports)
}

/// Number of stocks, those unchanged for longest, that are checked for a confirmation by an import.
const LOOKED_AT: u64 = 10_000;

/// Counts the stocks that neither a change nor an import has touched since, up to `most`, among the 10,000
/// that were unchanged for longest. The list has a filter that finds all of them.
pub async fn counted_old(db: &Database, scope: &Scope, since: Instant, most: u64) -> Result<u64> {
    let unchanged = scope.find::<Stocks>().select_only().columns([Column::TenantId, Column::Id]);
    let unchanged = unchanged.filter(Column::UpdatedAt.lt(since)).order_by_asc(Column::UpdatedAt);
    let mut old = Query::select();
    old.column(Column::Id)
        .from_subquery(unchanged.limit(LOOKED_AT).into_query(), store::audit::table::<Stocks>())
        .and_where(confirmation::is_since(since.into()).not())
        .limit(most);
    let mut counted = Query::select();
    counted.expr_as(Func::count(Expr::col(Asterisk)), "total").from_subquery(old, "old");
    let row = db.query_one(&counted).await?.ok_or_else(|| Error::internal("a count without a row"))?;
    Ok(row.try_get::<i64>("", "total")?.unsigned_abs())
}
