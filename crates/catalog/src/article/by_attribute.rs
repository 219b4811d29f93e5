//! Filters articles by the value of an attribute: `filter[attribute][laenge_greater_equals]=6 m`. The
//! attribute is given by its placeholder in templates, or by its id.

use std::collections::BTreeSet;

use lists::{
    Detailed,
    list::{self, AnyColumn, OpenFilter, Operator, ResolvedFilter},
};
use sea_orm::{
    ColumnTrait, Condition, DbBackend, QueryFilter,
    sea_query::{Expr, ExprTrait, Query, SimpleExpr},
};
use store::{Database, Scope};
use values::{Decimal, Message, Result, Unit, rule::trimmed};

use super::{Articles, Column};
use crate::{
    article_type::attribute_entity::{self as type_attribute, Entity as TypeAttributes},
    attribute::{AttributeType, Attributes, entity as table},
    blueprint::BlueprintAttribute,
    codes,
    shape::Dimension,
    value::Value,
};

pub(super) async fn resolve_open_filters(
    db: &Database,
    open: &[OpenFilter],
) -> Result<Vec<Result<ResolvedFilter, Message>>> {
    let names: BTreeSet<&str> = open.iter().flat_map(|open| beginnings(&open.key)).collect();
    let ids = names.iter().filter_map(|name| name.parse::<i64>().ok());
    let condition = Condition::any()
        .add(table::Column::Id.is_in(ids))
        .add(table::Column::Placeholder.is_in(names.iter().copied()));
    let everything = Scope::platform();
    let rows = everything.find::<Attributes>().filter(condition).all(db).await?;
    let attributes = Attributes::detailed(db, &everything, rows).await?;
    let attributes: Vec<_> =
        attributes.into_iter().map(|detail| BlueprintAttribute::new(detail, false, None)).collect();
    Ok(open.iter().map(|open| meaning(open, &attributes)).collect())
}

/// Possible attribute names at the beginning of a filter key: `a`, `a_b` and `a_b_c` for `a_b_c`. The rest is
/// an operator.
fn beginnings(key: &str) -> impl Iterator<Item = &str> {
    key.match_indices('_').filter_map(|(at, _)| key.get(..at)).chain([key])
}

fn meaning(open: &OpenFilter, attributes: &[BlueprintAttribute]) -> Result<ResolvedFilter, Message> {
    let find_attribute = |name: &str| {
        let by_name = attributes.iter().find(|attribute| attribute.placeholder == name);
        by_name.or_else(|| attributes.iter().find(|attribute| attribute.id.to_string() == name))
    };
    let Some((attribute, operator)) = Operator::split(&open.key, find_attribute) else {
        let longest_prefix =
            beginnings(&open.key).filter_map(|name| Some((name, find_attribute(name)?))).last();
        return Err(match longest_prefix {
            Some((name, attribute)) => Operator::unknown(name, operators(attribute.r#type)),
            None => codes::UNKNOWN_NAME.with("value", &open.key),
        });
    };
    let allowed_operators = operators(attribute.r#type);
    if !allowed_operators.contains(&operator) {
        let name = open.key.strip_suffix(operator.suffix()).unwrap_or_default();
        return Err(Operator::unknown(name, allowed_operators));
    }
    let id = attribute.id;
    if operator == Operator::Empty {
        let values = open.texts.iter().map(|text| list::read_yes_or_no(text));
        let values = values.collect::<Result<Vec<_>, _>>()?;
        return Ok(ResolvedFilter::new(move |backend| {
            let empty = || has_none(backend, id);
            values.iter().fold(Condition::any(), |any, is_empty| {
                any.add(if *is_empty { empty() } else { empty().not() })
            })
        }));
    }
    let values = open.texts.iter().map(|text| value(attribute, text)).collect::<Result<Vec<_>, _>>()?;
    Ok(ResolvedFilter::new(move |backend| {
        let all = values.iter().map(|value| holds(backend, id, operator, value));
        // `NotEquals` excludes all values; other operators match any of them.
        let start = if operator == Operator::NotEquals { Condition::all() } else { Condition::any() };
        all.fold(start, Condition::add)
    }))
}

fn operators(attribute_type: AttributeType) -> &'static [Operator] {
    use Operator::{Empty, GreaterEquals, GreaterThan, Is, LesserEquals, LesserThan, NotEquals};
    match attribute_type {
        AttributeType::Metric => {
            &[Is, NotEquals, LesserThan, LesserEquals, GreaterThan, GreaterEquals, Empty]
        }
        AttributeType::Categorial | AttributeType::Custom => &[Is, NotEquals, Empty],
    }
}

/// Reads an option by its name or value, a number with its unit or in the default unit, or a text as it is.
fn value(attribute: &BlueprintAttribute, text: &str) -> Result<Value, Message> {
    let text = trimmed(Some(text.to_owned())).ok_or(codes::REQUIRED)?;
    match attribute.r#type {
        AttributeType::Categorial => attribute.option_named(&text),
        AttributeType::Custom => attribute.text(text),
        AttributeType::Metric => {
            let (number, unit) = match text.find(char::is_alphabetic).and_then(|at| text.split_at_checked(at))
            {
                Some((number, unit)) => (number.trim_end(), Some(unit)),
                None => (text.as_str(), None),
            };
            let number: Decimal = number.parse().map_err(|_| codes::NOT_A_NUMBER.with("value", number))?;
            let unit = match (unit, attribute.unit_category) {
                (Some(unit), Some(category)) => Some(Unit::parse_in(unit, category)?),
                _ => None,
            };
            attribute.measure(number, unit)
        }
    }
}

/// Length of an article's pieces in millimetres, encoded like a stored decimal; NULL if its type has no
/// length. Looks up one row of the article and one of its type.
pub fn length_of(backend: DbBackend, article: SimpleExpr) -> SimpleExpr {
    let attribute = Expr::col((TypeAttributes, type_attribute::Column::AttributeId));
    let values = Expr::col(Column::AttributeValues.reference());
    // Metric values are stored in millimetres, decimals in millionths.
    let length = match backend {
        DbBackend::Postgres => Expr::cust_with_exprs(
            "CAST(ROUND(CAST($1 -> CAST($2 AS text) ->> 'n' AS numeric) * 1000000) AS bigint)",
            [values, attribute],
        ),
        _ => Expr::cust_with_exprs(
            "CAST(ROUND(CAST(json_extract(?, '$.\"' || ? || '\".n') AS REAL) * 1000000) AS integer)",
            [values, attribute],
        ),
    };
    let of_article = Query::select()
        .expr(length)
        .from(Articles)
        .inner_join(
            TypeAttributes,
            Expr::col((TypeAttributes, type_attribute::Column::ArticleTypeId))
                .equals((Articles, Column::ArticleTypeId)),
        )
        .and_where(type_attribute::Column::Dimension.eq(Dimension::Length))
        .and_where(Expr::col((Articles, Column::Id)).eq(article))
        .take();
    SimpleExpr::SubQuery(None, Box::new(of_article.into()))
}

/// True if an article has no value of the attribute.
fn has_none(backend: DbBackend, attribute: i64) -> SimpleExpr {
    let values = Expr::col(Column::AttributeValues.reference());
    let value = match backend {
        DbBackend::Postgres => Expr::cust_with_expr(format!("($1 -> '{attribute}')"), values),
        _ => Expr::cust_with_expr(format!("json_extract(?, '$.\"{attribute}\"')"), values),
    };
    value.is_null()
}

/// True if an article has such a value. PostgreSQL compares `numeric`; SQLite compares floats, which are
/// exact to fifteen digits. Equality compares all digits.
fn holds(backend: DbBackend, attribute: i64, operator: Operator, value: &Value) -> Condition {
    let (kind, operand) = match value {
        Value::Option(option) => ("o", option.to_string()),
        Value::Number(number) => ("n", number.to_string()),
        Value::Text(text) => ("t", text.clone()),
    };
    let stored = || {
        let values = Expr::col(Column::AttributeValues.reference());
        match backend {
            DbBackend::Postgres => {
                Expr::cust_with_expr(format!("($1 -> '{attribute}' ->> '{kind}')"), values)
            }
            _ => Expr::cust_with_expr(
                format!("CAST(json_extract(?, '$.\"{attribute}\".{kind}') AS TEXT)"),
                values,
            ),
        }
    };
    let number = |text: SimpleExpr| match backend {
        DbBackend::Postgres => Expr::cust_with_expr("CAST($1 AS numeric)", text),
        _ => Expr::cust_with_expr("CAST(? AS REAL)", text),
    };
    let (stored_number, operand_number) = (|| number(stored()), || number(Expr::val(operand.as_str())));
    let differs = || stored().ne(operand.as_str());
    match operator {
        Operator::NotEquals => Condition::any().add(differs()).add(stored().is_null()),
        Operator::LesserThan => Condition::all().add(stored_number().lt(operand_number())).add(differs()),
        Operator::LesserEquals => Condition::all().add(stored_number().lte(operand_number())),
        Operator::GreaterThan => Condition::all().add(stored_number().gt(operand_number())).add(differs()),
        Operator::GreaterEquals => Condition::all().add(stored_number().gte(operand_number())),
        _ => Condition::all().add(stored().eq(operand.as_str())),
    }
}
