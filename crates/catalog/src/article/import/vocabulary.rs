//! Catalogue with the texts by which files refer to its records.

use std::collections::{HashMap, HashSet};

use imports::columns::FurtherColumn;
use sea_orm::ConnectionTrait;
use sheets::header::{UnitKind, key};
use store::{Compiled, versioned_cache};
use values::{Message, Result, fold};

use crate::{
    attribute::AttributeType, blueprint::Blueprint, cache_topics, catalogue, codes,
    designation::former_names, material::Material,
};

/// Article types, attributes and materials.
pub(super) struct Vocabulary {
    all: catalogue::Catalogue,
    /// Attributes of all article types by [`key`] and by placeholder.
    attributes: HashMap<String, i64>,
    /// Ids of materials by folded names and numbers, usually one each.
    material_by_text: HashMap<String, Vec<i64>>,
    version: i64,
}

impl Vocabulary {
    pub(super) async fn load(db: &impl ConnectionTrait) -> Result<Self> {
        // Read before the rows: if they change in between, they are loaded again.
        let version = versioned_cache::current(db, cache_topics::CATALOGUE).await?;
        let all = catalogue::Catalogue::compile(db).await?;
        let attributes = || all.blueprints().iter().flat_map(Blueprint::attributes);
        let ids_by_name = attributes().map(|attribute| (key(&attribute.name), attribute.id));
        let ids_by_placeholder = attributes().map(|attribute| (attribute.placeholder.clone(), attribute.id));
        let attributes = ids_by_name.chain(ids_by_placeholder).collect();
        let mut material_by_text = HashMap::<String, Vec<i64>>::new();
        for material in all.materials() {
            let Material {
                name_fold, display_name_fold, article_number_name_fold, material_number_fold, ..
            } = material;
            for text in [name_fold, display_name_fold, article_number_name_fold, material_number_fold] {
                let material_ids = material_by_text.entry(text.clone()).or_default();
                if !text.is_empty() && !material_ids.contains(&material.id) {
                    material_ids.push(material.id);
                }
            }
        }
        Ok(Self { all, attributes, material_by_text, version })
    }

    /// True if nothing has changed since it was loaded.
    pub(super) async fn is_current(&self, db: &impl ConnectionTrait) -> Result<bool> {
        Ok(versioned_cache::current(db, cache_topics::CATALOGUE).await? == self.version)
    }

    pub(super) fn blueprint_of(&self, article_type: i64) -> Option<&Blueprint> {
        self.all.blueprint(article_type)
    }

    pub(super) fn blueprint_named(&self, name: &str) -> Result<&Blueprint, Message> {
        self.all.blueprint_named(name).ok_or_else(|| codes::UNKNOWN_ARTICLE_TYPE.with("value", name))
    }

    pub(super) fn blueprints(&self) -> &[Blueprint] {
        self.all.blueprints()
    }

    /// Returns a column for each attribute, found by its name, or by its placeholder if the name is
    /// ambiguous.
    pub(super) fn attribute_columns(&self) -> Vec<FurtherColumn> {
        let mut seen = HashSet::new();
        let attributes = self.blueprints().iter().flat_map(Blueprint::attributes);
        attributes
            .filter(|attribute| seen.insert(attribute.id))
            .map(|attribute| FurtherColumn {
                id: attribute.id,
                key: format!("{{{}}}", attribute.placeholder),
                de: attribute.name.clone(),
                en: attribute.name.clone(),
                rare: false,
                unit: (attribute.r#type == AttributeType::Metric).then_some(UnitKind::Other),
            })
            .collect()
    }

    /// Finds the attribute that a column name refers to. Only metric ones may be followed by a unit.
    pub(super) fn column_named(&self, name: &str, unit: Option<&str>) -> Option<i64> {
        let is_metric = |id: i64| {
            let mut attributes = self.blueprints().iter().filter_map(|blueprint| blueprint.attribute(id));
            attributes.any(|attribute| attribute.r#type == AttributeType::Metric)
        };
        let attribute_id = self.attributes.get(name).or_else(|| self.attributes.get(&key(name))).copied();
        attribute_id.filter(|id| unit.is_none() || is_metric(*id))
    }

    pub(super) fn material(&self, id: i64) -> Option<&Material> {
        self.all.material(id)
    }

    /// Finds the material with a name of any kind or a material number, and returns a note if the name is a
    /// former one. The proper name takes precedence over the others, these over former ones.
    pub(super) fn material_named(&self, text: &str) -> Result<(&Material, Option<Message>), Message> {
        let folded = fold(text);
        let materials = self.materials_of(&folded);
        if let Some(material) = materials.iter().find(|material| material.name_fold == folded) {
            return Ok((material, None));
        }
        if !materials.is_empty() {
            return Ok((single_material(&materials, text)?, None));
        }
        let today = former_names::find(&folded).map(|former| former.today).unwrap_or_default();
        let mut materials: Vec<_> = today.iter().flat_map(|name| self.materials_of(name)).collect();
        materials.dedup_by_key(|material| material.id);
        let material = single_material(&materials, text)?;
        Ok((material, Some(codes::FORMER_MATERIAL.with("value", text).with("material", &material.name))))
    }

    /// Materials that have a folded text as their name or number.
    fn materials_of(&self, folded: &str) -> Vec<&Material> {
        let material_ids = self.material_by_text.get(folded).map(Vec::as_slice).unwrap_or_default();
        material_ids.iter().filter_map(|id| self.material(*id)).collect()
    }
}

fn single_material<'m>(materials: &[&'m Material], text: &str) -> Result<&'m Material, Message> {
    match materials {
        [material] => Ok(material),
        [] => Err(codes::UNKNOWN_MATERIAL.with("value", text)),
        [..] => {
            let names = materials.iter().map(|material| material.name.as_str());
            Err(codes::AMBIGUOUS_MATERIAL.with("value", text).list("known", names))
        }
    }
}
