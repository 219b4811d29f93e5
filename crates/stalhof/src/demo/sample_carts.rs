//! Sample carts of the demo's companies. Their totals were accepted before there were adjustments; one was
//! not accepted again since.

use catalog::article::{self, Articles};
use chrono_tz::Europe::Berlin;
use logistics::stock::{self, Stocks};
use pricing::{
    quote::{calculation::Calculator, load::Books},
    sample_cart::{self, LineInput, SampleCart, SampleCartInput, SampleCarts},
};
use sea_orm::{ColumnTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait};
use store::{Database, Scope};
use values::{Decimal, Result, TenantId, Unit};

/// Name, number of articles, tonnes of each.
const CARTS: &[(&str, usize, i32)] = &[
    ("Kleinbestellung Werkstatt", 1, 1),
    ("Hallenbau, 12 t", 4, 3),
    ("Stammkunde, Streckengeschäft", 2, 12),
];

/// Cart that was not accepted again since the adjustments.
const NOT_ACCEPTED: &str = "Hallenbau, 12 t";

/// Creates the carts of tenants that have none.
pub(super) async fn fill(db: &Database, tenants: &[(&str, i64)]) -> Result<()> {
    let books = Books::default();
    let calculator = Calculator { books: &books, time_zone: Berlin };
    for (_, tenant) in tenants {
        let scope = Scope::platform().acting_for(Some(TenantId(*tenant)));
        if scope.find::<SampleCarts>().one(db).await?.is_some() {
            continue;
        }
        let priced = scope.find::<Stocks>().select_only().column(stock::Column::ArticleId);
        let articles = scope.find::<Articles>().filter(article::Column::WeightPerBaseUnit.is_not_null());
        let articles = articles.filter(article::Column::Id.in_subquery(priced.into_query()));
        let articles = articles.order_by_asc(article::Column::Id).all(db).await?;
        for (name, count, tonnes) in CARTS {
            let line = |article: &article::Article| LineInput {
                article_id: article.id,
                quantity: Decimal::from(*tonnes),
                unit: Some(Unit::Tonne),
                warehouse_id: None,
                processings: Vec::new(),
            };
            let input = SampleCartInput {
                name: (*name).to_owned(),
                buyer_id: None,
                at: None,
                lines: articles.iter().take(*count).map(line).collect(),
                expected_total: None,
                version: None,
            };
            sample_cart::create(db, &scope, calculator, input).await?;
        }
    }
    Ok(())
}

/// Accepts the present totals.
pub(super) async fn accept(db: &Database, tenants: &[(&str, i64)]) -> Result<()> {
    let books = Books::default();
    let calculator = Calculator { books: &books, time_zone: Berlin };
    for (_, tenant) in tenants {
        let scope = Scope::platform().acting_for(Some(TenantId(*tenant)));
        let carts: Vec<SampleCart> = scope.find::<SampleCarts>().all(db).await?;
        for cart in carts.into_iter().filter(|cart| cart.name != NOT_ACCEPTED) {
            let now = sample_cart::read(db, &scope, calculator, cart).await?;
            sample_cart::accept(db, &scope, calculator, now.cart.id, now.total, None).await?;
        }
    }
    Ok(())
}
