//! The catalogue as files speak of it: what it holds, and by which texts a file finds that.

use std::collections::HashMap;

use kernel::{Code, Compiled, Message, Result, Topic, fold, kept};
use sea_orm::ConnectionTrait;
use sheets::header::key;

use crate::{blueprint::Blueprint, catalogue, material::Material};

/// Article types, attributes and materials.
pub(super) struct Vocabulary {
    all: catalogue::Catalogue,
    /// The attributes of all article types by [`key`] and by placeholder.
    attributes: HashMap<String, i64>,
    /// Ids by names and numbers, folded. Usually one material each.
    material_by_text: HashMap<String, Vec<i64>>,
    version: i64,
}

impl Vocabulary {
    pub(super) async fn load(db: &impl ConnectionTrait) -> Result<Self> {
        // before the rows: should they change in between, they are read again
        let version = kept::current(db, Topic::Catalogue).await?;
        let all = catalogue::Catalogue::compile(db).await?;
        let attributes = || all.blueprints().iter().flat_map(Blueprint::attributes);
        let named = attributes().map(|attribute| (key(&attribute.name), attribute.id));
        let placed = attributes().map(|attribute| (attribute.placeholder.clone(), attribute.id));
        let attributes = named.chain(placed).collect();
        let mut material_by_text = HashMap::<String, Vec<i64>>::new();
        for material in all.materials() {
            let Material {
                name_fold, display_name_fold, article_number_name_fold, material_number_fold, ..
            } = material;
            for text in [name_fold, display_name_fold, article_number_name_fold, material_number_fold] {
                let known = material_by_text.entry(text.clone()).or_default();
                if !text.is_empty() && !known.contains(&material.id) {
                    known.push(material.id);
                }
            }
        }
        Ok(Self { all, attributes, material_by_text, version })
    }

    /// Whether nothing has changed since it was loaded.
    pub(super) async fn is_current(&self, db: &impl ConnectionTrait) -> Result<bool> {
        Ok(kept::current(db, Topic::Catalogue).await? == self.version)
    }

    pub(super) fn blueprint_of(&self, article_type: i64) -> Option<&Blueprint> {
        self.all.blueprint(article_type)
    }

    pub(super) fn blueprint_named(&self, name: &str) -> Result<&Blueprint, Message> {
        self.all.blueprint_named(name).ok_or_else(|| Code::UnknownArticleType.with("value", name))
    }

    pub(super) fn blueprints(&self) -> &[Blueprint] {
        self.all.blueprints()
    }

    pub(super) fn attribute_named(&self, name: &str) -> Option<i64> {
        self.attributes.get(name).or_else(|| self.attributes.get(&key(name))).copied()
    }

    pub(super) fn material(&self, id: i64) -> Option<&Material> {
        self.all.material(id)
    }

    /// The material of a name, of whatever kind, or of a material number. A name proper wins over the others.
    pub(super) fn material_named(&self, text: &str) -> Result<&Material, Message> {
        let folded = fold(text);
        let known = self.material_by_text.get(&folded).map(Vec::as_slice).unwrap_or_default();
        let mut found = known.iter().filter_map(|id| self.material(*id));
        if let Some(named) = found.clone().find(|material| material.name_fold == folded) {
            return Ok(named);
        }
        match (found.next(), found.next()) {
            (Some(material), None) => Ok(material),
            (None, _) => Err(Code::UnknownMaterial.with("value", text)),
            (Some(_), Some(_)) => {
                let names = known.iter().filter_map(|id| self.material(*id)).map(|found| found.name.as_str());
                Err(Code::AmbiguousMaterial.with("value", text).list("known", names))
            }
        }
    }
}
