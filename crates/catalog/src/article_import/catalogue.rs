//! The master data that articles are made of, in memory: loaded once, and again when any of it has changed.

use std::collections::HashMap;

use kernel::{Code, Message, Result, Scope, Topic, Write, fold, kept};
use sea_orm::{ConnectionTrait, QueryOrder};
use sheets::header::key;

use crate::{
    blueprint::Blueprint,
    catalogue,
    material::{self, Material, Materials},
};

/// Article types, attributes and materials.
pub(super) struct Catalogue {
    blueprints: Vec<Blueprint>,
    by_name: HashMap<String, usize>,
    by_id: HashMap<i64, usize>,
    /// The attributes of all article types by [`key`] and by placeholder.
    attributes: HashMap<String, i64>,
    materials: Vec<Material>,
    material_by_id: HashMap<i64, usize>,
    /// Names and numbers, folded. Usually one material each.
    material_by_text: HashMap<String, Vec<usize>>,
    version: i64,
}

impl Catalogue {
    pub(super) async fn load(db: &impl ConnectionTrait, scope: &Scope) -> Result<Self> {
        // before the rows: should they change in between, they are read again
        let version = kept::current(db, Topic::Catalogue).await?;
        let blueprints = Blueprint::load_all(db, scope).await?;
        let materials = scope.find::<Materials>().order_by_asc(material::Column::Id).all(db).await?;

        let by_name = blueprints
            .iter()
            .enumerate()
            .map(|(index, blueprint)| (blueprint.article_type.name_fold.clone(), index));
        let by_id =
            blueprints.iter().enumerate().map(|(index, blueprint)| (blueprint.article_type.id, index));
        let attributes = || blueprints.iter().flat_map(Blueprint::attributes);
        let named = attributes().map(|attribute| (key(&attribute.name), attribute.id));
        let placed = attributes().map(|attribute| (attribute.placeholder.clone(), attribute.id));
        let mut material_by_text = HashMap::<String, Vec<usize>>::new();
        for (index, material) in materials.iter().enumerate() {
            let Material {
                name_fold, display_name_fold, article_number_name_fold, material_number_fold, ..
            } = material;
            for text in [name_fold, display_name_fold, article_number_name_fold, material_number_fold] {
                let known = material_by_text.entry(text.clone()).or_default();
                if !text.is_empty() && !known.contains(&index) {
                    known.push(index);
                }
            }
        }
        Ok(Self {
            by_name: by_name.collect(),
            by_id: by_id.collect(),
            attributes: named.chain(placed).collect(),
            material_by_id: materials
                .iter()
                .enumerate()
                .map(|(index, material)| (material.id, index))
                .collect(),
            material_by_text,
            blueprints,
            materials,
            version,
        })
    }

    /// Whether nothing has changed since it was loaded.
    pub(super) async fn is_current(&self, db: &impl ConnectionTrait) -> Result<bool> {
        Ok(kept::current(db, Topic::Catalogue).await? == self.version)
    }

    /// Whether it is as it was loaded; these article types will be until the transaction ends, and a material that an article
    /// begins to refer to.
    pub(super) async fn hold(
        &self,
        tx: &Write,
        scope: &Scope,
        indexes: impl IntoIterator<Item = usize>,
    ) -> Result<bool> {
        let types = indexes.into_iter().map(|index| self.blueprint(index).article_type.id);
        catalogue::hold(tx, scope, types).await?;
        self.is_current(tx).await
    }

    pub(super) fn blueprint(&self, index: usize) -> &Blueprint {
        self.blueprints.get(index).expect("indexes come from this catalogue")
    }

    pub(super) fn blueprint_of(&self, article_type: i64) -> Option<usize> {
        self.by_id.get(&article_type).copied()
    }

    pub(super) fn blueprint_named(&self, name: &str) -> Result<usize, Message> {
        let known = self.by_name.get(&fold(name)).copied();
        known.ok_or_else(|| Code::UnknownArticleType.with("value", name))
    }

    pub(super) fn blueprints(&self) -> &[Blueprint] {
        &self.blueprints
    }

    pub(super) fn attribute_named(&self, name: &str) -> Option<i64> {
        self.attributes.get(name).or_else(|| self.attributes.get(&key(name))).copied()
    }

    pub(super) fn material(&self, id: i64) -> Option<&Material> {
        self.material_by_id.get(&id).and_then(|index| self.materials.get(*index))
    }

    /// The material of a name, of whatever kind, or of a material number. A name proper wins over the others.
    pub(super) fn material_named(&self, text: &str) -> Result<&Material, Message> {
        let folded = fold(text);
        let known = self.material_by_text.get(&folded).map(Vec::as_slice).unwrap_or_default();
        let mut found = known.iter().filter_map(|index| self.materials.get(*index));
        if let Some(named) = found.clone().find(|material| material.name_fold == folded) {
            return Ok(named);
        }
        match (found.next(), found.next()) {
            (Some(material), None) => Ok(material),
            (None, _) => Err(Code::UnknownMaterial.with("value", text)),
            (Some(_), Some(_)) => {
                let names = known
                    .iter()
                    .filter_map(|index| self.materials.get(*index))
                    .map(|found| found.name.as_str());
                Err(Code::AmbiguousMaterial.with("value", text).list("known", names))
            }
        }
    }
}
