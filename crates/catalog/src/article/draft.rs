//! Drafts: the editable fields of an article, from a form or from a file.

use sea_orm::ActiveValue::Set;
use validator::Validate;
use values::{
    Decimal, Validated, Violations, fold,
    rule::{positive, required},
    tidy,
};

use super::ActiveModel;
use crate::{
    blueprint::{Blueprint, RenderedArticle},
    material::Material,
    value::AttributeValues,
};

/// Editable fields of an article, from a form or from a file.
#[derive(Debug, Clone, Default, Validate)]
pub struct Draft {
    pub material_id: Option<i64>,
    pub values: AttributeValues,
    /// Number that replaces the one given by the template.
    pub article_number: Option<String>,
    /// Name that replaces the one given by the template.
    pub article_name: Option<String>,
    /// Weight that replaces the one calculated from the values.
    #[validate(custom(function = positive::<12, 6>))]
    pub weight_per_base_unit: Option<Decimal>,
}

tidy!(Draft: or_none article_number, article_name;);

impl Draft {
    /// Converts a draft to a row if it obeys all rules; `material` is the one of `material_id`. Errors of
    /// values are reported as by [`Blueprint::render`].
    pub fn row(self, blueprint: &Blueprint, material: Option<&Material>) -> Result<ActiveModel, Violations> {
        let (draft, mut violations) = Validated::from(self).parts();
        let (number, name, weight) = match blueprint.render(material, &draft.values) {
            Ok(RenderedArticle { article_number, article_name, weight_per_base_unit }) => {
                (Some(article_number), Some(article_name), weight_per_base_unit)
            }
            Err(faults) => {
                violations.extend(faults);
                (None, None, None)
            }
        };
        let (article_number, number_overridden) = choose(draft.article_number, number);
        let (article_name, name_overridden) = choose(draft.article_name, name);
        let (weight_per_base_unit, weight_overridden) = choose(draft.weight_per_base_unit, weight);
        for (path, text) in [("article_number", &article_number), ("article_name", &article_name)] {
            if let Some(text) = text {
                required(&mut violations, path, text);
            }
        }
        let (Some(article_number), Some(article_name), true) =
            (article_number, article_name, violations.is_empty())
        else {
            return Err(violations);
        };
        Ok(ActiveModel {
            article_type_id: Set(blueprint.article_type.id),
            material_id: Set(draft.material_id),
            article_number_fold: Set(fold(&article_number)),
            article_number: Set(article_number),
            article_number_overridden: Set(number_overridden),
            article_name_fold: Set(fold(&article_name)),
            article_name: Set(article_name),
            article_name_overridden: Set(name_overridden),
            attribute_values: Set(draft.values),
            weight_per_base_unit: Set(weight_per_base_unit),
            weight_per_base_unit_overridden: Set(weight_overridden),
            ..Default::default()
        })
    }
}

/// Returns the given value or else the rendered one, and true if a given one differs from the rendered one.
fn choose<T: PartialEq>(input: Option<T>, rendered: Option<T>) -> (Option<T>, bool) {
    let overridden = input.is_some() && input != rendered;
    (input.or(rendered), overridden)
}
