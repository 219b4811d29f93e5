//! Materials: the name is unique, ignoring case; the material number has the form of EN 10027-2.

pub mod entity;

use lists::{Deletable, Detailed, Field, Listed, list::AnyColumn, search::SearchedColumns};
use sea_orm::{ActiveValue::Set, ConnectionTrait};
use serde::Deserialize;
use store::{CacheTopic, Database, NumberedColumns, Owner, Recorded, Resource, Scope, Scoped, Unique, usage};
use utoipa::ToSchema;
use validator::Validate;
use values::{
    Decimal, Phrase, Result, Validated, fold,
    rule::{MATERIAL_NUMBER, positive, printable},
    tidy,
};

use crate::{cache_topics, codes, designation, permissions};

pub use self::entity::{ActiveModel, Column, Entity as Materials, Model as Material};

impl Scoped for Materials {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::Platform;
}

impl Recorded for Materials {
    const RESOURCE: &'static Resource = &Resource::new::<Self>(
        "materials",
        Phrase { de: "Werkstoffe", en: "materials" },
        permissions::LIST_MATERIALS,
    );
    const NAME: Column = Column::Name;
    const VERSION: Column = Column::Version;
    const CREATED_AT: Column = Column::CreatedAt;
    const UPDATED_AT: Column = Column::UpdatedAt;
    const NUMBERED: Option<NumberedColumns<Column>> = Some(NumberedColumns::by_owner(Column::Change));
    const TOPIC: Option<CacheTopic> = Some(cache_topics::CATALOGUE);
    const UNIQUE: &'static [Unique] = &[Unique::new("material_name_fold_key", "name", codes::TAKEN)];
}

impl Listed for Materials {
    const FIELDS: &'static [Field] = &[
        Field::text("name", &Column::NameFold).sorted_by(&Column::NameSort),
        Field::search("search", &Column::NameFold, &SEARCHED),
        Field::text("display_name", &Column::DisplayNameFold).optional().sorted_by(&Column::DisplayNameSort),
        Field::text("article_number_name", &Column::ArticleNumberNameFold)
            .optional()
            .sorted_by(&Column::ArticleNumberNameSort),
        Field::text("material_number", &Column::MaterialNumberFold)
            .optional()
            .sorted_by(&Column::MaterialNumberSort),
        Field::decimal("density", &Column::Density).nullable(),
        Field::time("updated_at", &Column::UpdatedAt),
    ];
    const DEFAULT_SORT: &'static str = "name";
}

/// Columns that the search for materials looks at.
pub(crate) const MATERIAL_NAMES: &[&dyn AnyColumn] = &[
    &Column::NameFold,
    &Column::DisplayNameFold,
    &Column::ArticleNumberNameFold,
    &Column::MaterialNumberFold,
];

const SEARCHED: SearchedColumns = SearchedColumns {
    columns: MATERIAL_NAMES,
    trigrams: None,
    references: &[],
    read: designation::materials,
    beginnings: None,
};

/// Input to create or change a material.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({
    "name": "S355J2", "display_name": "Baustahl S355J2", "article_number_name": "S355J2", "material_number": "1.0577",
    "density": "7.85", "version": 3
}))]
pub struct MaterialInput {
    /// Name; unique, ignoring case: `S355J2`.
    #[schema(min_length = 1, max_length = 255, example = "S355J2")]
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    pub name: String,
    /// Text in article names; the name if absent.
    #[schema(max_length = 255, example = "Baustahl S355J2")]
    #[validate(length(max = 255), custom(function = printable))]
    pub display_name: Option<String>,
    /// Text in article numbers; the name if absent.
    #[schema(max_length = 255, example = "S355J2")]
    #[validate(length(max = 255), custom(function = printable))]
    pub article_number_name: Option<String>,
    /// Material number according to EN 10027-2: `1.0577` or, extended, `1.990100`.
    #[schema(max_length = 255, pattern = r"^[0-9]\.[0-9]{4}([0-9]{2})?$", example = "1.0577")]
    #[validate(length(max = 255), regex(path = *MATERIAL_NUMBER, code = "invalid_material_number"))]
    pub material_number: Option<String>,
    /// Density in kg/dm³.
    #[validate(custom(function = positive::<3, 6>))]
    pub density: Option<Decimal>,
    /// Number of articles that the user has confirmed to change; the request is rejected unless it equals the
    /// actual number.
    #[schema(example = 12)]
    pub change_articles: Option<u64>,
    /// Version that was edited; rejected if it is older than the current one.
    pub version: Option<i64>,
}

tidy!(MaterialInput: trim name; or_none display_name, article_number_name, material_number;);

/// Field that can be changed in many materials in one request.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(tag = "field", content = "value", rename_all = "snake_case")]
#[schema(example = json!({ "field": "density", "value": "7.85" }))]
pub enum MaterialFieldChange {
    DisplayName(Option<String>),
    ArticleNumberName(Option<String>),
    Density(Option<Decimal>),
}

impl From<Material> for MaterialInput {
    fn from(material: Material) -> Self {
        let Material { name, display_name, article_number_name, material_number, density, version, .. } =
            material;
        Self {
            name,
            display_name,
            article_number_name,
            material_number,
            density,
            change_articles: None,
            version: Some(version),
        }
    }
}

impl<C: ConnectionTrait> Detailed<C> for Materials {
    type Detail = Material;

    async fn detailed(_: &C, _: &Scope, rows: Vec<Material>) -> Result<Vec<Material>> {
        Ok(rows)
    }
}

impl Deletable for Materials {
    /// Deletes a material. Refused while articles use it.
    async fn delete(db: &Database, scope: &Scope, id: i64) -> Result<()> {
        usage::delete::<Self>(db, scope, id, |_| Ok(())).await
    }
}

/// Converts a validated input to a row.
pub(crate) fn row(input: Validated<MaterialInput>) -> Result<ActiveModel> {
    let MaterialInput { name, display_name, article_number_name, material_number, density, .. } =
        input.valid()?;
    let folded = |text: &Option<String>| Set(fold(text.as_deref().unwrap_or_default()));
    Ok(ActiveModel {
        name_fold: Set(fold(&name)),
        name: Set(name),
        display_name_fold: folded(&display_name),
        display_name: Set(display_name),
        article_number_name_fold: folded(&article_number_name),
        article_number_name: Set(article_number_name),
        material_number_fold: folded(&material_number),
        material_number: Set(material_number),
        density: Set(density),
        ..Default::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_follow_the_shared_rules() {
        crate::testdata::check_rows("material.json", row);
    }

    #[test]
    fn searched_texts_are_folded_and_empty_texts_become_null() {
        let input = MaterialInput {
            name: " Baustahl Süß ".into(),
            display_name: Some("  ".into()),
            article_number_name: None,
            material_number: Some(" 1.0038 ".into()),
            density: None,
            change_articles: None,
            version: None,
        };
        let row = row(input.into()).unwrap();
        assert_eq!(row.name, Set("Baustahl Süß".into()));
        assert_eq!(row.name_fold, Set("baustahl suss".into()));
        assert_eq!(row.display_name, Set(None));
        assert_eq!(row.display_name_fold, Set(String::new()));
        assert_eq!(row.material_number, Set(Some("1.0038".into())));
    }
}
