//! Article type groups: the name is unique, ignoring case; a group with article types cannot be deleted.

pub mod entity;

use std::collections::HashMap;

use lists::{Creatable, Deletable, Detailed, Field, Listed, Managed};
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, QueryFilter, QuerySelect};
use serde::Deserialize;
use store::{Database, Owner, Recorded, Resource, Scope, Scoped, Unique, usage};
use utoipa::ToSchema;
use validator::Validate;
use values::{Phrase, Result, Validated, fold, rule::printable, tidy};

use super::{ArticleTypes, entity as article_type};
use crate::{codes, permissions};

pub use self::entity::{ActiveModel, Column, Entity as ArticleTypeGroups, Model as ArticleTypeGroup};

impl Scoped for ArticleTypeGroups {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::Platform;
}

impl Recorded for ArticleTypeGroups {
    const RESOURCE: &'static Resource = &Resource::new::<Self>(
        "article_type_groups",
        Phrase { de: "Artikeltypgruppen", en: "article type groups" },
        permissions::LIST_ARTICLE_TYPE_GROUPS,
    );
    const NAME: Column = Column::Name;
    const VERSION: Column = Column::Version;
    const CREATED_AT: Column = Column::CreatedAt;
    const UPDATED_AT: Column = Column::UpdatedAt;
    const UNIQUE: &'static [Unique] =
        &[Unique::new("article_type_group_name_fold_key", "name", codes::TAKEN)];
}

impl Listed for ArticleTypeGroups {
    const FIELDS: &'static [Field] = &[
        Field::text("name", &Column::NameFold),
        Field::text("description", &Column::DescriptionFold).optional(),
        Field::time("updated_at", &Column::UpdatedAt),
    ];
    const DEFAULT_SORT: &'static str = "name";
}

/// Input to create or change an article type group.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct ArticleTypeGroupInput {
    /// Name; unique, ignoring case.
    #[schema(min_length = 1, max_length = 255, example = "Breitflanschträger")]
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    pub name: String,
    #[schema(max_length = 255, example = "I-, H- und U-Profile")]
    #[validate(length(max = 255), custom(function = printable))]
    pub description: Option<String>,
    /// Version that was edited; rejected if it is older than the current one.
    pub version: Option<i64>,
}

tidy!(ArticleTypeGroupInput: trim name; or_none description;);

/// Article type group with the number of its article types.
#[derive(Debug, Clone)]
pub struct ArticleTypeGroupDetail {
    pub group: ArticleTypeGroup,
    pub article_type_count: u64,
}

impl<C: ConnectionTrait> Detailed<C> for ArticleTypeGroups {
    type Detail = ArticleTypeGroupDetail;

    /// Loads the numbers of article types of groups.
    async fn detailed(
        db: &C,
        scope: &Scope,
        rows: Vec<ArticleTypeGroup>,
    ) -> Result<Vec<ArticleTypeGroupDetail>> {
        let counts = counts(db, scope, rows.iter().map(|group| group.id)).await?;
        Ok(rows.into_iter().map(|group| detail(group, &counts)).collect())
    }
}

/// Loads a group of article types.
pub async fn get(db: &impl ConnectionTrait, scope: &Scope, id: i64) -> Result<ArticleTypeGroupDetail> {
    let group = scope.get::<ArticleTypeGroups>(db, id).await?;
    Ok(detail(group, &counts(db, scope, [id]).await?))
}

impl Managed for ArticleTypeGroups {
    type Input = ArticleTypeGroupInput;

    /// Updates a group of article types.
    async fn update(
        db: &Database,
        scope: &Scope,
        id: i64,
        input: impl Into<Validated<ArticleTypeGroupInput>>,
    ) -> Result<ArticleTypeGroupDetail> {
        let input = input.into();
        let version = input.version;
        let row = row(input)?;
        let tx = db.begin().await?;
        scope.update::<Self>(&tx, id, version, row).await?;
        let updated = get(&tx, scope, id).await?;
        tx.commit().await?;
        Ok(updated)
    }
}

impl Creatable for ArticleTypeGroups {
    /// Creates a group of article types.
    async fn create(
        db: &Database,
        scope: &Scope,
        input: impl Into<Validated<ArticleTypeGroupInput>>,
    ) -> Result<ArticleTypeGroupDetail> {
        let row = row(input.into())?;
        let tx = db.begin().await?;
        let group = scope.create::<Self>(&tx, row).await?;
        tx.commit().await?;
        Ok(ArticleTypeGroupDetail { group, article_type_count: 0 })
    }
}

impl Deletable for ArticleTypeGroups {
    /// Deletes a group. Refused while it has article types.
    async fn delete(db: &Database, scope: &Scope, id: i64) -> Result<()> {
        usage::delete::<Self>(db, scope, id, |_| Ok(())).await
    }
}

fn detail(group: ArticleTypeGroup, counts: &HashMap<i64, i64>) -> ArticleTypeGroupDetail {
    let article_type_count = counts.get(&group.id).copied().unwrap_or_default().unsigned_abs();
    ArticleTypeGroupDetail { group, article_type_count }
}

/// Counts the article types of groups; groups without any are absent.
async fn counts(
    db: &impl ConnectionTrait,
    scope: &Scope,
    groups: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, i64>> {
    let counts: Vec<(i64, i64)> = scope
        .find::<ArticleTypes>()
        .select_only()
        .column(article_type::Column::ArticleTypeGroupId)
        .column_as(article_type::Column::Id.count(), "article_types")
        .filter(article_type::Column::ArticleTypeGroupId.is_in(groups))
        .group_by(article_type::Column::ArticleTypeGroupId)
        .into_tuple()
        .all(db)
        .await?;
    Ok(counts.into_iter().collect())
}

/// Converts a validated input to a row.
fn row(input: Validated<ArticleTypeGroupInput>) -> Result<ActiveModel> {
    let ArticleTypeGroupInput { name, description, .. } = input.valid()?;
    Ok(ActiveModel {
        name_fold: Set(fold(&name)),
        name: Set(name),
        description_fold: Set(fold(description.as_deref().unwrap_or_default())),
        description: Set(description),
        ..Default::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_follow_the_shared_rules() {
        crate::testdata::check_rows("article_type_group.json", row);
    }
}
