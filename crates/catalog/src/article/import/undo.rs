//! Undo of article imports: articles get their previous values back, subject to the current templates and
//! rules.

use std::collections::HashMap;

use imports::revert::reversible::{Exchange, RestoredRecord, Reversible};
use sea_orm::{ColumnTrait, Condition, QueryFilter, QuerySelect};
use serde_json::Value as Json;
use store::{Compiled, Scope, Scoped, Write};
use values::{Message, Result};

use super::ArticleImporter;
use crate::{
    article::{
        ActiveModel, Article, Articles, Column, Draft,
        other_number::{self, Column as NumberColumn, OtherNumber, OtherNumbers},
    },
    catalogue::{self, Catalogue},
    codes,
};

impl Reversible for ArticleImporter {
    const PARTS: Option<&'static str> = Some("article_other_number");

    /// Locks article types before articles.
    async fn begin(tx: &Write, scope: &Scope, ids: &[i64], (): ()) -> Result<()> {
        let types = scope
            .find::<Articles>()
            .select_only()
            .column(Column::ArticleTypeId)
            .distinct()
            .filter(Articles::ID.is_in(ids.iter().copied()));
        let types: Vec<i64> = types.into_tuple().all(tx).await?;
        catalogue::lock_article_types(tx, scope, types).await
    }

    async fn drafts(
        tx: &Write,
        scope: &Scope,
        former: &[RestoredRecord<Self>],
    ) -> Result<Vec<Result<ActiveModel, Vec<Message>>>> {
        catalogue::lock_article_types(tx, scope, former.iter().map(|former| former.was.article_type_id))
            .await?;
        let materials = former.iter().filter_map(|former| former.was.material_id);
        catalogue::lock_materials(tx, scope, materials).await?;
        let catalogue = Catalogue::compile(tx).await?;
        Ok(former.iter().map(|former| draft(&catalogue, &former.was)).collect())
    }

    async fn parts_of(tx: &Write, scope: &Scope, ids: &[i64]) -> Result<HashMap<i64, Vec<Json>>> {
        let numbers = other_number::load_by_article(tx, scope, ids.iter().copied()).await?;
        let as_json = |numbers: Vec<OtherNumber>| {
            numbers.into_iter().filter_map(|number| serde_json::to_value(number).ok()).collect()
        };
        Ok(numbers.into_iter().map(|(article, numbers)| (article, as_json(numbers))).collect())
    }

    async fn refused_parts(
        tx: &Write,
        scope: &Scope,
        exchanges: &[Exchange],
    ) -> Result<HashMap<i64, Message>> {
        let added_keys = || {
            exchanges.iter().flat_map(|it| parse_numbers(&it.added).map(|number| (it.record, number.key())))
        };
        let owners = other_number::find_owners(tx, scope, added_keys().map(|(_, key)| key).collect()).await?;
        let collisions = added_keys().filter_map(|(article, key)| {
            let owner = owners.get(&key).filter(|owner| owner.id != article)?;
            Some((article, codes::OTHER_NUMBER_TAKEN.with("article", &owner.article_number)))
        });
        Ok(collisions.collect())
    }

    async fn exchange(tx: &Write, scope: &Scope, exchanges: Vec<Exchange>) -> Result<()> {
        let same_number = |record: i64, number: &OtherNumber| {
            let (kind, fold) = number.key();
            Condition::all()
                .add(NumberColumn::ArticleId.eq(record))
                .add(NumberColumn::Kind.eq(kind))
                .add(NumberColumn::NumberFold.eq(fold))
        };
        // Matches nothing until a condition is added.
        let mut removed = Condition::any().add(NumberColumn::Id.is_in(Vec::<i64>::new()));
        let mut added = Vec::new();
        for Exchange { record, removed: removed_parts, added: added_parts } in &exchanges {
            removed = parse_numbers(removed_parts)
                .fold(removed, |condition, number| condition.add(same_number(*record, &number)));
            added.extend(parse_numbers(added_parts).map(|number| number.row(*record)));
        }
        if exchanges.is_empty() {
            return Ok(());
        }
        scope.replace_parts::<OtherNumbers>(tx, removed, added).await.map_err(other_number::taken_meanwhile)
    }

    /// Recreated articles get their numbers back; those become no other article's former number any more.
    async fn on_recreated(tx: &Write, scope: &Scope, articles: &[&Article]) -> Result<()> {
        if articles.is_empty() {
            return Ok(());
        }
        let numbers = articles.iter().map(|article| article.article_number_fold.clone());
        other_number::remove_former_numbers(tx, scope, numbers.collect::<Vec<_>>()).await
    }
}

fn parse_numbers(parts: &[Json]) -> impl Iterator<Item = OtherNumber> {
    parts.iter().filter_map(|part| serde_json::from_value(part.clone()).ok())
}

fn draft(catalogue: &Catalogue, was: &Article) -> Result<ActiveModel, Vec<Message>> {
    let material = was.material_id.and_then(|id| catalogue.material(id));
    let blueprint = catalogue.blueprint(was.article_type_id);
    let (Some(blueprint), true) = (blueprint, material.is_some() == was.material_id.is_some()) else {
        return Err(vec![codes::UNKNOWN_REFERENCE.into()]);
    };
    let draft = Draft {
        material_id: was.material_id,
        values: was.attribute_values.clone(),
        // Other systems refer to it by its number, whatever the template gives now.
        article_number: Some(was.article_number.clone()),
        article_name: was.article_name_overridden.then(|| was.article_name.clone()),
        weight_per_base_unit: was.weight_per_base_unit.filter(|_| was.weight_per_base_unit_overridden),
    };
    let row = draft.row(blueprint, material);
    row.map_err(|violations| violations.into_iter().map(|violation| violation.message).collect())
}
