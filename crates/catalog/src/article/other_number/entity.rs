//! Table of other numbers of articles.

use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Kind of another number of an article.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    ToSchema,
    EnumIter,
    DeriveActiveEnum,
)]
#[serde(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(16))", rename_all = "snake_case")]
pub enum NumberKind {
    /// Former number; added automatically when the number changes.
    Former,
    /// GTIN (EAN): 8, 12, 13 or 14 digits with a check digit.
    Gtin,
    /// Number of the drawing.
    Drawing,
    /// Any other number.
    Free,
}

/// Row of the table `article_other_number`: a number under which an article is known besides its own.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "article_other_number")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub article_id: i64,
    pub kind: NumberKind,
    /// Number as people write it.
    pub number: String,
    /// Folded number for comparisons; a GTIN with all 14 digits.
    pub number_fold: String,
}

/// Relations to other tables; none is declared.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
