//! Steel catalogue: master data that every steel trader needs, without companies, accounts or articles.
//! Existing records stay unchanged.

pub mod assortment;
mod kinds;
mod records;

use std::collections::HashSet;

use catalog::{
    article_type::{self, ArticleTypeInput, ArticleTypes, group::ArticleTypeGroups},
    attribute::{self, Attributes},
    material::{self, Materials},
    processing::{self, Processings},
    trade_dimension::{self, TradeDimensions},
};
use clap::ValueEnum;
use lists::Creatable;
use sea_orm::QuerySelect;
use serde::{Deserialize, Serialize};
use store::{Database, Scope, Scoped};
use utoipa::ToSchema;
use values::{Result, fold};

use self::{
    kinds::{GROUPS, KINDS},
    records::{attributes, materials, processings, trade_dimensions},
};

/// A part of the steel catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[value(rename_all = "kebab-case")]
#[schema(as = SteelCataloguePart)]
pub enum Part {
    /// Steel grades with their numbers and densities
    Materials,
    /// Attributes with the sections of the norms and their weights
    Attributes,
    /// Commercial lengths
    TradeDimensions,
    /// Article types and their groups; they bring their attributes
    ArticleTypes,
    /// Sawing
    Processings,
}

impl Part {
    /// All parts, each after those that it refers to.
    pub const ALL: &'static [Self] =
        &[Self::Materials, Self::Attributes, Self::TradeDimensions, Self::ArticleTypes, Self::Processings];

    /// True if a choice of parts contains this one or one that needs it.
    fn is_needed_by(self, chosen: &[Self]) -> bool {
        chosen.contains(&self) || self == Self::Attributes && chosen.contains(&Self::ArticleTypes)
    }
}

/// Creates the missing records of some parts, by their names, and returns their number for each part.
pub async fn fill(db: &Database, scope: &Scope, chosen: &[Part]) -> Result<Vec<(Part, u64)>> {
    let mut created = Vec::new();
    for part in Part::ALL.iter().copied().filter(|part| part.is_needed_by(chosen)) {
        let count = match part {
            Part::Materials => fill_materials(db, scope).await?,
            Part::Attributes => fill_attributes(db, scope).await?,
            Part::TradeDimensions => fill_trade_dimensions(db, scope).await?,
            Part::ArticleTypes => fill_groups(db, scope).await? + fill_article_types(db, scope).await?,
            Part::Processings => fill_processings(db, scope).await?,
        };
        created.push((part, count));
    }
    Ok(created)
}

async fn fill_materials(db: &Database, scope: &Scope) -> Result<u64> {
    let existing_names = names::<Materials>(db, scope, material::Column::NameFold).await?;
    let mut created = 0;
    for input in materials().filter(|input| !existing_names.contains(&fold(&input.name))) {
        Materials::create(db, scope, input).await?;
        created += 1;
    }
    Ok(created)
}

async fn fill_attributes(db: &Database, scope: &Scope) -> Result<u64> {
    let existing_names = names::<Attributes>(db, scope, attribute::Column::NameFold).await?;
    let mut created = 0;
    for input in attributes().into_iter().filter(|input| !existing_names.contains(&fold(&input.name))) {
        Attributes::create(db, scope, input).await?;
        created += 1;
    }
    Ok(created)
}

async fn fill_trade_dimensions(db: &Database, scope: &Scope) -> Result<u64> {
    let existing_names = names::<TradeDimensions>(db, scope, trade_dimension::Column::NameFold).await?;
    let mut created = 0;
    for input in trade_dimensions().filter(|input| !existing_names.contains(&fold(&input.name))) {
        TradeDimensions::create(db, scope, input).await?;
        created += 1;
    }
    Ok(created)
}

async fn fill_groups(db: &Database, scope: &Scope) -> Result<u64> {
    let existing_names = names::<ArticleTypeGroups>(db, scope, article_type::group::Column::NameFold).await?;
    let mut created = 0;
    for group in GROUPS.iter().filter(|group| !existing_names.contains(&fold(group.name))) {
        ArticleTypeGroups::create(db, scope, group.input()).await?;
        created += 1;
    }
    Ok(created)
}

/// Creates article types with the existing commercial lengths.
async fn fill_article_types(db: &Database, scope: &Scope) -> Result<u64> {
    let attributes = scope.find::<Attributes>().all(db).await?;
    let ladders = scope.find::<TradeDimensions>().all(db).await?;
    let groups = scope.find::<ArticleTypeGroups>().all(db).await?;
    let existing_names = names::<ArticleTypes>(db, scope, article_type::Column::NameFold).await?;
    let mut created = 0;
    for kind in KINDS.iter().filter(|kind| !existing_names.contains(&fold(kind.name))) {
        let group = GROUPS.iter().find(|group| group.kinds.contains(&kind.name));
        let ladder = ladders.iter().find(|ladder| group.and_then(|group| group.ladder) == Some(&ladder.name));
        let row = groups.iter().find(|row| group.is_some_and(|group| group.name == row.name));
        let input = ArticleTypeInput {
            article_type_group_id: row.map(|row| row.id),
            trade_dimension_id: ladder.map(|ladder| ladder.id),
            ..kind.input(&attributes)
        };
        ArticleTypes::create(db, scope, input).await?;
        created += 1;
    }
    Ok(created)
}

async fn fill_processings(db: &Database, scope: &Scope) -> Result<u64> {
    let existing_names = names::<Processings>(db, scope, processing::Column::NameFold).await?;
    let mut created = 0;
    for input in processings().filter(|input| !existing_names.contains(&fold(&input.name))) {
        Processings::create(db, scope, input).await?;
        created += 1;
    }
    Ok(created)
}

async fn names<E: Scoped>(db: &Database, scope: &Scope, name: E::Column) -> Result<HashSet<String>> {
    let names: Vec<String> = scope.find::<E>().select_only().column(name).into_tuple().all(db).await?;
    Ok(names.into_iter().collect())
}
