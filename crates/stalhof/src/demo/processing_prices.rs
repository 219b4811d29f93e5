//! Prices of the demo's companies for sawing: higher for larger cross sections.

use catalog::{
    article_type::{self, ArticleTypes},
    processing::{self, Processings},
};
use lists::Creatable;
use pricing::processing_price::{ProcessingPriceInput, ProcessingPrices};
use sea_orm::{ColumnTrait, QueryFilter};
use store::{Database, Scope};
use values::{Decimal, Money, Result, TenantId, Unit};

/// Prices per cut in cents at the first company, by article type; the first one is for all other types.
const CUTS: &[(Option<&str>, i64)] =
    &[(None, 450), (Some("IPE"), 980), (Some("HEA"), 1_150), (Some("HEB"), 1_290), (Some("Flachstahl"), 320)];
/// Difference in cents between one company and the next.
const MORE: i64 = 35;
const MILLIONTHS_OF_A_CENT: i64 = 10_000;

/// Creates the prices of tenants that have none.
pub(super) async fn fill(db: &Database, tenants: &[(&str, i64)]) -> Result<()> {
    let sawing =
        Scope::platform().find::<Processings>().filter(processing::Column::Name.starts_with("Sägen"));
    let Some(sawing) = sawing.one(db).await? else { return Ok(()) };
    let types = Scope::platform().find::<ArticleTypes>();
    let types = types.filter(article_type::Column::Name.is_in(CUTS.iter().filter_map(|(name, _)| *name)));
    let types = types.all(db).await?;
    for ((_, tenant), more) in tenants.iter().zip(0..) {
        let scope = Scope::platform().acting_for(Some(TenantId(*tenant)));
        if scope.find::<ProcessingPrices>().one(db).await?.is_some() {
            continue;
        }
        for (name, cents) in CUTS {
            let article_type =
                name.and_then(|name| types.iter().find(|article_type| article_type.name == name));
            if name.is_some() && article_type.is_none() {
                continue;
            }
            let price = Decimal::from_millionths((cents + more * MORE) * MILLIONTHS_OF_A_CENT);
            let input = ProcessingPriceInput {
                processing_id: sawing.id,
                article_type_id: article_type.map(|article_type| article_type.id),
                price: Money { price, price_quantity: Decimal::ONE, unit: Unit::Piece },
                version: None,
                release: None,
            };
            ProcessingPrices::create(db, &scope, input).await?;
        }
    }
    Ok(())
}
