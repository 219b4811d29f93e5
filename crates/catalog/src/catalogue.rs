//! Compiled catalogue, cached in memory until a part of it changes: article types with their attributes,
//! options and commercial lengths, and materials.

use std::{collections::HashMap, sync::Arc};

use sea_orm::{ColumnTrait, ConnectionTrait, DbBackend, QueryFilter, QueryOrder, QuerySelect};
use store::{CacheTopic, Compiled, Database, Recorded, Scope, Write};
use values::{Result, fold};

use crate::{
    article_type::ArticleTypes,
    blueprint::Blueprint,
    cache_topics,
    material::{self, Material, Materials},
};

/// Article types and materials at one moment.
#[derive(Debug)]
pub struct Catalogue {
    blueprints: Vec<Blueprint>,
    by_name: HashMap<String, usize>,
    by_id: HashMap<i64, usize>,
    materials: Vec<Material>,
    material_by_id: HashMap<i64, usize>,
}

impl Compiled for Catalogue {
    const TOPIC: CacheTopic = cache_topics::CATALOGUE;

    async fn compile(db: &impl ConnectionTrait) -> Result<Self> {
        let everything = &Scope::platform();
        let blueprints = Blueprint::load_all(db, everything).await?;
        let materials = everything.find::<Materials>().order_by_asc(material::Column::Id).all(db).await?;
        Ok(Self::new(blueprints, materials))
    }
}

impl Catalogue {
    pub(crate) fn new(blueprints: Vec<Blueprint>, materials: Vec<Material>) -> Self {
        let types = || blueprints.iter().map(|blueprint| &blueprint.article_type).enumerate();
        let by_name = types().map(|(index, article_type)| (article_type.name_fold.clone(), index)).collect();
        let by_id = types().map(|(index, article_type)| (article_type.id, index)).collect();
        let material_by_id =
            materials.iter().enumerate().map(|(index, material)| (material.id, index)).collect();
        Self { blueprints, by_name, by_id, materials, material_by_id }
    }

    /// Returns the request's cached catalogue, or the current one if an article type is missing because it is
    /// newer than the cached one.
    pub async fn with_types(
        db: &Database,
        scope: &Scope,
        article_types: impl IntoIterator<Item = i64>,
    ) -> Result<Arc<Self>> {
        let catalogue = db.compiled::<Self>(scope).await?;
        if article_types.into_iter().all(|article_type| catalogue.blueprint(article_type).is_some()) {
            return Ok(catalogue);
        }
        Ok(db.compiled_now::<Self>().await?.0)
    }

    /// Blueprints in the order of the article types' ids.
    pub fn blueprints(&self) -> &[Blueprint] {
        &self.blueprints
    }

    /// Returns the blueprint of an article type.
    pub fn blueprint(&self, article_type: i64) -> Option<&Blueprint> {
        self.by_id.get(&article_type).and_then(|index| self.blueprints.get(*index))
    }

    /// Finds the blueprint of the article type with this name, ignoring case.
    pub fn blueprint_named(&self, name: &str) -> Option<&Blueprint> {
        self.by_name.get(&fold(name)).and_then(|index| self.blueprints.get(*index))
    }

    /// Materials in the order of their ids.
    pub fn materials(&self) -> &[Material] {
        &self.materials
    }

    /// Returns the material with this id.
    pub fn material(&self, id: i64) -> Option<&Material> {
        self.material_by_id.get(&id).and_then(|index| self.materials.get(*index))
    }
}

/// Locks article types until the transaction ends. A material needs no lock if the statement that makes an
/// article refer to it precedes the check of the version.
pub async fn lock_article_types(
    tx: &Write,
    scope: &Scope,
    article_types: impl IntoIterator<Item = i64>,
) -> Result<()> {
    lock_rows::<ArticleTypes>(tx, scope, article_types).await
}

/// Locks materials until the transaction ends. Article types are always locked first, to avoid deadlocks.
pub(crate) async fn lock_materials(
    tx: &Write,
    scope: &Scope,
    materials: impl IntoIterator<Item = i64>,
) -> Result<()> {
    lock_rows::<Materials>(tx, scope, materials).await
}

/// Takes shared row locks; not needed on SQLite, which has a single writer.
async fn lock_rows<E: Recorded>(tx: &Write, scope: &Scope, ids: impl IntoIterator<Item = i64>) -> Result<()> {
    let ids: Vec<i64> = ids.into_iter().collect();
    if ids.is_empty() || tx.get_database_backend() == DbBackend::Sqlite {
        return Ok(());
    }
    let rows = scope.find::<E>().select_only().column(E::ID).filter(E::ID.is_in(ids)).order_by_asc(E::ID);
    let _: Vec<i64> = rows.lock_shared().into_tuple().all(tx).await?;
    Ok(())
}
