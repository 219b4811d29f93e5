//! Lookup of stocks by the article numbers of other systems, for the filters of lists.

use sea_orm::{
    Condition,
    sea_query::{Expr, ExprTrait, Query, SelectStatement},
};
use store::Scope;
use values::{fold, rule::identifier};

use super::{Column, Stocks};
use crate::matching::{self, Matchings};

/// Selects the stocks whose article has one of these numbers in another system, for their warehouse or any.
pub fn stocks_of_numbers(scope: &Scope, numbers: Vec<String>) -> SelectStatement {
    let numbers = numbers.into_iter().filter_map(|text| identifier(Some(text))).map(|number| fold(&number));
    let col = |column: matching::Column| Expr::col((Matchings, column));
    let same_place = Condition::all()
        .add(col(matching::Column::TenantId).equals((Stocks, Column::TenantId)))
        .add(col(matching::Column::ArticleId).equals((Stocks, Column::ArticleId)))
        .add(
            Condition::any()
                .add(col(matching::Column::WarehouseId).is_null())
                .add(col(matching::Column::WarehouseId).equals((Stocks, Column::WarehouseId))),
        );
    Query::select()
        .column((Stocks, Column::Id))
        .from(Stocks)
        .inner_join(Matchings, same_place)
        .cond_where(scope.own::<Stocks>())
        .cond_where(scope.own::<Matchings>())
        .and_where(col(matching::Column::ExternalArticleNumberFold).is_in(numbers))
        .take()
}
