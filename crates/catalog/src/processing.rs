//! Processings: work on an article before delivery. A sawn piece has its article's number plus a suffix with
//! the length it is cut to, so that pieces of different lengths have different numbers.

pub mod entity;

use std::collections::HashMap;

use lists::{Creatable, Deletable, Detailed, Field, Listed, Managed};
use sea_orm::{ActiveValue::Set, ConnectionTrait, QuerySelect};
use serde::Deserialize;
use store::{CacheTopic, Compiled, Database, Owner, Recorded, Resource, Scope, Scoped, Unique, usage};
use utoipa::ToSchema;
use validator::Validate;
use values::{Decimal, Message, Phrase, Result, Unit, Validated, fold, rule::printable, tidy};

use crate::{
    cache_topics, codes, permissions,
    template::{Bound, Content, DecimalSign, Slot, Template},
};

pub use self::entity::{ActiveModel, Column, Entity as Processings, Model as Processing, ProcessingType};

/// Placeholder of the length that is cut, in millimetres by default.
pub const CUT_LENGTH: &str = "schnittlaenge";

impl Scoped for Processings {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::Platform;
}

impl Recorded for Processings {
    const RESOURCE: &'static Resource = &Resource::new::<Self>(
        "processings",
        Phrase { de: "Anarbeitungen", en: "processings" },
        permissions::LIST_PROCESSINGS,
    );
    const NAME: Column = Column::Name;
    const VERSION: Column = Column::Version;
    const CREATED_AT: Column = Column::CreatedAt;
    const UPDATED_AT: Column = Column::UpdatedAt;
    const TOPIC: Option<CacheTopic> = Some(cache_topics::CATALOGUE);
    const UNIQUE: &'static [Unique] = &[Unique::new("processing_name_fold_key", "name", codes::TAKEN)];
}

/// Names of all processings by id, compiled with the catalogue.
#[derive(Debug)]
pub struct ProcessingNames(pub HashMap<i64, String>);

impl Compiled for ProcessingNames {
    const TOPIC: CacheTopic = cache_topics::CATALOGUE;

    async fn compile(db: &impl ConnectionTrait) -> Result<Self> {
        let all = Scope::platform();
        let names = all.find::<Processings>().select_only().columns([Column::Id, Column::Name]);
        Ok(Self(names.into_tuple::<(i64, String)>().all(db).await?.into_iter().collect()))
    }
}

impl Listed for Processings {
    const FIELDS: &'static [Field] = &[
        Field::text("name", &Column::NameFold),
        Field::text("display_name", &Column::DisplayNameFold).optional(),
        Field::choice("type", &Column::Type, &["sawing"]).unsorted(),
        Field::time("updated_at", &Column::UpdatedAt),
    ];
    const DEFAULT_SORT: &'static str = "name";
}

/// Input to create or change a processing.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct ProcessingInput {
    /// Name; unique, ignoring case.
    #[schema(min_length = 1, max_length = 255, example = "Sägen gerade")]
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    pub name: String,
    /// Name for buyers; the name if absent.
    #[schema(max_length = 255, example = "Sägezuschnitt")]
    #[validate(length(max = 255), custom(function = printable))]
    pub display_name: Option<String>,
    pub r#type: ProcessingType,
    /// Template of the suffix that a processed piece adds to the article number: text with `{schnittlaenge}`,
    /// `{schnittlaenge:unit}` or `{schnittlaenge:unit:decimals}`; `{{` and `}}` are literal braces.
    #[schema(min_length = 1, max_length = 255, example = "-S{schnittlaenge}")]
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    pub article_number_addition_template: String,
    /// Version that was edited; rejected if it is older than the current one.
    pub version: Option<i64>,
}

tidy!(ProcessingInput: trim name, article_number_addition_template; or_none display_name;);

impl<C: ConnectionTrait> Detailed<C> for Processings {
    type Detail = Processing;

    async fn detailed(_: &C, _: &Scope, rows: Vec<Processing>) -> Result<Vec<Processing>> {
        Ok(rows)
    }
}

impl Managed for Processings {
    type Input = ProcessingInput;

    /// Updates a processing.
    async fn update(
        db: &Database,
        scope: &Scope,
        id: i64,
        input: impl Into<Validated<ProcessingInput>>,
    ) -> Result<Processing> {
        let input = input.into();
        let version = input.version;
        let row = row(input)?;
        let tx = db.begin().await?;
        let processing = scope.update::<Self>(&tx, id, version, row).await?;
        tx.commit().await?;
        Ok(processing)
    }
}

impl Creatable for Processings {
    /// Creates a processing.
    async fn create(
        db: &Database,
        scope: &Scope,
        input: impl Into<Validated<ProcessingInput>>,
    ) -> Result<Processing> {
        let row = row(input.into())?;
        let tx = db.begin().await?;
        let processing = scope.create::<Self>(&tx, row).await?;
        tx.commit().await?;
        Ok(processing)
    }
}

impl Deletable for Processings {
    /// Deletes a processing. Refused while other records refer to it.
    async fn delete(db: &Database, scope: &Scope, id: i64) -> Result<()> {
        usage::delete::<Self>(db, scope, id, |_| Ok(())).await
    }
}

/// Parses a template of a suffix; returns everything that is wrong with it otherwise.
fn addition(template: &str) -> Result<Bound, Vec<Message>> {
    let cut_length = Slot { placeholder: CUT_LENGTH, unit: Some(Unit::Millimetre) };
    let bound = Template::parse(template)?.bind(&[cut_length])?;
    if bound.uses(0) {
        Ok(bound)
    } else {
        Err(vec![codes::CUT_LENGTH_MISSING.with("placeholder", format!("{{{CUT_LENGTH}}}"))])
    }
}

/// Number of an article cut to 2.5 m; returns what is wrong with the template otherwise.
pub fn example(template: &str) -> Result<String, Vec<Message>> {
    const ARTICLE: &str = "HEB-200-S235JR";
    const CUT: i32 = 2500;
    let cut = Content::Number(Decimal::from(CUT));
    let ending = addition(template.trim())?.render(DecimalSign::Point, |_| Some(cut));
    Ok(format!("{ARTICLE}{}", ending.unwrap_or_default()))
}

/// Converts a validated input to a row.
fn row(input: Validated<ProcessingInput>) -> Result<ActiveModel> {
    let (
        ProcessingInput { name, display_name, r#type, article_number_addition_template: template, .. },
        mut violations,
    ) = input.parts();
    if !template.is_empty() {
        for fault in addition(&template).err().into_iter().flatten() {
            violations.add("article_number_addition_template", fault);
        }
    }
    violations.check()?;

    Ok(ActiveModel {
        name_fold: Set(fold(&name)),
        name: Set(name),
        display_name_fold: Set(fold(display_name.as_deref().unwrap_or_default())),
        display_name: Set(display_name),
        r#type: Set(r#type),
        article_number_addition_template: Set(template),
        ..Default::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_follow_the_shared_rules() {
        crate::testdata::check_rows("processing.json", row);
    }

    #[test]
    fn an_article_number_addition_contains_only_the_cut_length_placeholder() {
        for (template, expected) in [
            ("-S{schnittlaenge}", Ok("HEB-200-S235JR-S2500")),
            (" -S{schnittlaenge:m} ", Ok("HEB-200-S235JR-S2.5")),
            ("-S{schnittlaenge:cm:1}{{x}}", Ok("HEB-200-S235JR-S250.0{x}")),
            ("-S", Err(codes::CUT_LENGTH_MISSING)),
            ("-S{laenge}", Err(codes::UNKNOWN_PLACEHOLDER)),
            ("-S{schnittlaenge}-{material}", Err(codes::UNKNOWN_PLACEHOLDER)),
            ("-S{schnittlaenge:kg}", Err(codes::WRONG_UNIT_CATEGORY)),
            ("-S{schnittlaenge", Err(codes::UNBALANCED_BRACE)),
        ] {
            let result = example(template).map_err(|faults| faults[0].code);
            assert_eq!(result.as_deref().map_err(|code| *code), expected, "{template}");
        }
        let unknown = example("-{material}").unwrap_err()[0].text(values::Language::De);
        assert!(unknown.ends_with("möglich sind schnittlaenge"), "{unknown}");
    }
}
