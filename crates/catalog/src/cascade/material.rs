//! Changes of a material, together with the articles that depend on it.

use lists::{Changeable, Creatable, Managed};
use sea_orm::{ColumnTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait, Select};
use store::{Database, Scope, Write};
use values::{Result, Validated};

use super::ArticleEffect;
use crate::{
    article::{Articles, entity as article},
    article_type::{ArticleTypes, entity as article_type},
    blueprint::Blueprint,
    cascade,
    material::{Column, Material, MaterialFieldChange, MaterialInput, Materials, row},
};

impl Managed for Materials {
    type Input = MaterialInput;

    /// Updates a material and recalculates the articles whose numbers, names or weights depend on it.
    async fn update(
        db: &Database,
        scope: &Scope,
        id: i64,
        input: impl Into<Validated<MaterialInput>>,
    ) -> Result<Material> {
        let input = input.into();
        let confirmed = input.change_articles;
        let tx = db.begin_long().await?;
        let (material, blueprints) = write(&tx, scope, id, input).await?;
        cascade::apply(&tx, scope, &blueprints, confirmed, |path| match path {
            "article_name_template" => "display_name".to_owned(),
            _ => "article_number_name".to_owned(),
        })
        .await?;
        tx.commit().await?;
        Ok(material)
    }
}

impl Creatable for Materials {
    /// Creates a material.
    async fn create(
        db: &Database,
        scope: &Scope,
        input: impl Into<Validated<MaterialInput>>,
    ) -> Result<Material> {
        let row = row(input.into())?;
        let tx = db.begin().await?;
        let material = scope.create::<Self>(&tx, row).await?;
        tx.commit().await?;
        Ok(material)
    }
}

/// Calculates the effect of a material change on articles.
pub async fn effect(
    db: &Database,
    scope: &Scope,
    id: i64,
    input: impl Into<Validated<MaterialInput>>,
) -> Result<ArticleEffect> {
    let tx = db.begin_long().await?;
    let (_, blueprints) = write(&tx, scope, id, input.into()).await?;
    cascade::preview_and_roll_back(tx, scope, &blueprints).await
}

/// Writes the material and returns it with the article types whose articles depend on it.
async fn write(
    tx: &Write,
    scope: &Scope,
    id: i64,
    input: Validated<MaterialInput>,
) -> Result<(Material, Vec<Blueprint>)> {
    let version = input.version;
    let row = row(input)?;
    let before = scope.get::<Materials>(tx, id).await?;
    let same = row.name.try_as_ref() == Some(&before.name)
        && row.display_name.try_as_ref() == Some(&before.display_name)
        && row.article_number_name.try_as_ref() == Some(&before.article_number_name)
        && row.density.try_as_ref() == Some(&before.density);
    if same {
        return Ok((scope.update::<Materials>(tx, id, version, row).await?, Vec::new()));
    }
    // Article types are locked first, as when articles are written, to avoid deadlocks.
    types_with(scope, id).lock_exclusive().all(tx).await?;
    // Articles that are given this material concurrently wait.
    scope.find::<Materials>().filter(Column::Id.eq(id)).lock_exclusive().one(tx).await?;
    let after = scope.update::<Materials>(tx, id, version, row).await?;
    Ok((after, Blueprint::load_some(tx, scope, types_with(scope, id)).await?))
}

/// Selects the types of articles made of a material.
fn types_with(scope: &Scope, id: i64) -> Select<ArticleTypes> {
    let articles = scope
        .find::<Articles>()
        .select_only()
        .column(article::Column::ArticleTypeId)
        .filter(article::Column::MaterialId.eq(id));
    scope
        .find::<ArticleTypes>()
        .filter(article_type::Column::Id.in_subquery(articles.into_query()))
        .order_by_asc(article_type::Column::Id)
}

impl Changeable for Materials {
    type Change = MaterialFieldChange;

    /// Changes one field and checks all rules of a material.
    async fn change(db: &Database, scope: &Scope, id: i64, change: &MaterialFieldChange) -> Result<()> {
        let mut input = MaterialInput::from(scope.get::<Self>(db, id).await?);
        match change.clone() {
            MaterialFieldChange::DisplayName(name) => input.display_name = name,
            MaterialFieldChange::ArticleNumberName(name) => input.article_number_name = name,
            MaterialFieldChange::Density(density) => input.density = density,
        }
        Self::update(db, scope, id, input).await.map(|_| ())
    }
}
