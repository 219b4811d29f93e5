//! Example rows for templates of imports: existing records of the tenant, or possible ones.

use catalog::{
    article::{self, Articles},
    article_units::ArticleUnits,
};
use imports::cells::literal;
use sea_orm::{ColumnTrait, ConnectionTrait, QueryFilter, QueryOrder, QuerySelect};
use sheets::table::CellContent;
use store::Scope;
use values::{Decimal, Language, RecordReference, Result};

use crate::{
    matching::directory::{Directory, PlaceReference},
    stock::{Availability, Dimensions, quantity_columns::QuantitySide},
    warehouse::{self, Warehouses},
};

/// Maximum number of example rows.
pub const EXAMPLES: u64 = 2;

/// Articles and warehouses that example rows name.
#[derive(Debug)]
pub struct Places {
    directory: Directory,
    /// Possible stock: the first article and the tenant's first warehouse, if both exist.
    pub possible: Option<(i64, i64)>,
}

impl Places {
    /// Loads the named articles and warehouses, and those of a possible stock.
    pub async fn load(
        db: &impl ConnectionTrait,
        scope: &Scope,
        ids: impl IntoIterator<Item = (Option<i64>, Option<i64>)>,
    ) -> Result<Self> {
        let articles = scope.find::<Articles>().select_only().column(article::Column::Id);
        let article: Option<i64> = articles.order_by_asc(article::Column::Id).into_tuple().one(db).await?;
        let warehouses = scope.find::<Warehouses>().select_only().column(warehouse::Column::Id);
        let warehouse: Option<i64> = warehouses
            .filter(warehouse::Column::TenantId.eq(scope.tenant()?))
            .order_by_asc(warehouse::Column::Id)
            .into_tuple()
            .one(db)
            .await?;
        let all = ids.into_iter().chain([(article, warehouse)]).map(|(article, warehouse)| PlaceReference {
            article: RecordReference::new(article, None),
            warehouse: RecordReference::new(warehouse, None),
            ..PlaceReference::default()
        });
        let directory = Directory::load(db, scope, &all.collect::<Vec<_>>()).await?;
        Ok(Self { directory, possible: article.zip(warehouse) })
    }

    /// Returns the article with this id.
    pub fn article(&self, id: i64) -> Option<&ArticleUnits> {
        self.directory.article(id)
    }

    /// Cell that names an article.
    pub fn article_cell(&self, id: Option<i64>) -> CellContent {
        let article = id.and_then(|id| self.directory.article(id));
        article.map(|article| text(&article.article_number)).into()
    }

    /// Cell that names a warehouse.
    pub fn warehouse_cell(&self, id: Option<i64>) -> CellContent {
        let warehouse = id.and_then(|id| self.directory.warehouse(id));
        warehouse.map(|warehouse| text(&warehouse.short_code)).into()
    }
}

/// Cell with a literal text, escaped if it would have a special meaning.
pub fn text(text: &str) -> CellContent {
    CellContent::Text(literal(text).into_owned())
}

/// Cells of the sides of a remnant; empty if they are the article's own.
pub fn dimension_cells(dimensions: Dimensions) -> [CellContent; 3] {
    let Dimensions { length, width, height } = dimensions;
    [length, width, height].map(CellContent::from)
}

/// Cells of availability, quantity, its unit and the lead time.
pub fn quantity_cells(side: QuantitySide, article: &ArticleUnits, language: Language) -> [CellContent; 4] {
    let availability = match (side.availability, language) {
        (Availability::Quantity, Language::De) => "Menge",
        (Availability::Always, Language::De) => "immer",
        (Availability::ExternalApi, Language::De) => "api",
        (other, Language::En) => other.as_str(),
    };
    let unit = side.quantity.map(|_| article.base_unit.symbol(language));
    let lead_time = side.lead_time.map(|lead_time| CellContent::Text(lead_time.lead_time_text(language)));
    [availability.into(), side.quantity.into(), unit.into(), lead_time.unwrap_or_default()]
}

/// Quantity side of a possible stock.
pub fn possible_quantity() -> QuantitySide {
    QuantitySide { availability: Availability::Quantity, quantity: Some(Decimal::from(100)), lead_time: None }
}
