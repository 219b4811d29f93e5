//! Sort and filters of a list in the contract. The filters are one parameter, an object with all filters of
//! the list, which `form` turns into separate parameters; their values are described once for each kind.

use lists::{
    Listed,
    list::{Field, Kind, Operator, fields, sorts},
};
use store::resource;
use utoipa::openapi::{
    ObjectBuilder, Ref, RefOr, Required, Schema,
    path::{Operation, ParameterBuilder, ParameterIn, ParameterStyle},
    schema::{AdditionalProperties, KnownFormat, SchemaFormat, Type},
};

use crate::contract::{self, Schemas, one_or_several};

const GRAMMAR: &str = "`filter[field]` beside the other parameters. A text contains the value, regardless of case and \
    umlauts; everything else equals it, and ids can be joined by commas. `_equals`, `_starts_with`: the text is the \
    value, begins with it. `_not_equals`: differs from it. `_lesser_than`, `_lesser_equals`, `_greater_than`, \
    `_greater_equals`: comparison. `_empty`: has no value; with `false`, has one. Several values: any of them; with \
    `_not_equals`, none of them.";

pub(crate) fn describe<E: Listed>(operation: &mut Operation, schemas: &mut Schemas) {
    let sorts = sorts::<E>().flat_map(|name| [name.to_owned(), format!("-{name}")]);
    let mut sort = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(sorts));
    let mut about = "Order of the rows; `-` for descending".to_owned();
    if fields::<E>().any(|field| field.kind == Kind::Search) {
        // clients would send a default; a search without a sort returns the best matches first
        about = format!("{about}; if omitted, `{}`, or the best matches of a search first", E::DEFAULT_SORT);
    } else {
        sort = sort.default(Some(E::DEFAULT_SORT.into()));
    }
    contract::query_parameter(operation, "sort", &about, sort.into());

    // operations for programs are named by their id
    let of_programs = operation.operation_id.as_deref().and_then(|id| id.strip_prefix("v1."));
    let tag = operation.tags.iter().flatten().next().map(String::as_str);
    let list = of_programs.or(tag).unwrap_or_default().to_owned();
    let mut filters = ObjectBuilder::new().additional_properties(Some(AdditionalProperties::FreeForm(false)));
    for field in fields::<E>() {
        let value = value_of(&list, &field, schemas);
        for operator in field.operators() {
            let value = if *operator == Operator::Empty { yes_or_no(schemas) } else { value.clone() };
            filters = filters.property(format!("filter[{}{}]", field.name, operator.suffix()), value);
        }
    }
    let parameter = ParameterBuilder::new()
        .name("filter")
        .parameter_in(ParameterIn::Query)
        .required(Required::False)
        .description(Some(GRAMMAR))
        .style(Some(ParameterStyle::Form))
        .explode(Some(true))
        .schema(Some(Schema::from(filters)));
    operation.parameters.get_or_insert_default().push(parameter.build().into());

    if let Some(open) = E::OPEN {
        let values = one_or_several(contract::text());
        let parameter = ParameterBuilder::new()
            .name(format!("filter[{open}]"))
            .parameter_in(ParameterIn::Query)
            .required(Required::False)
            .description(Some(E::OPEN_MEANING))
            .style(Some(ParameterStyle::DeepObject))
            .explode(Some(true))
            .schema(Some(ObjectBuilder::new().additional_properties(Some(Schema::from(values)))));
        operation.parameters.get_or_insert_default().push(parameter.build().into());
    }
}

/// Returns the schema of a filter's values.
fn value_of(list: &str, field: &Field, schemas: &mut Schemas) -> Ref {
    let string = || ObjectBuilder::new().schema_type(Type::String);
    let of_format = |format| string().format(Some(SchemaFormat::KnownFormat(format)));
    let (name, about, value, example): (_, _, RefOr<Schema>, serde_json::Value) = match field.kind {
        Kind::Text => ("TextFilter", "Text.", contract::text(), "S355".into()),
        Kind::Key if field.takes_names() => (
            "NameFilter",
            "Number or name, complete, in any case.",
            contract::text(),
            "HEB-200-S235JR-12.1".into(),
        ),
        Kind::Key => {
            ("KeyFilter", "Key, complete.", contract::text(), "019376f0c2d87b3fb1f4a0e5c6d7e8f9".into())
        }
        Kind::Search => (
            "SearchFilter",
            "Designation as people write it: sections, sizes and materials in any spelling. All words must match.",
            contract::text(),
            "heb 200 s235".into(),
        ),
        Kind::Id | Kind::Integer => ("NumberFilter", "Id or count.", contract::integer(), 7.into()),
        Kind::Decimal => (
            "DecimalFilter",
            "Decimal number.",
            string().pattern(Some(r"^-?[0-9]{1,12}(\.[0-9]{1,6})?$")).into(),
            "61.3".into(),
        ),
        Kind::Time => {
            ("TimeFilter", "Time.", of_format(KnownFormat::DateTime).into(), "2026-11-21T09:30:00Z".into())
        }
        Kind::Date => ("DateFilter", "Date.", of_format(KnownFormat::Date).into(), "2026-12-24".into()),
        Kind::Bool | Kind::Filled => return yes_or_no(schemas),
        Kind::Choice(values) => return schemas.choice(list, field.name, values.to_vec()),
        Kind::Resource => return schemas.choice(list, field.name, resource::tables()),
    };
    define(schemas, name, about, value, example)
}

fn yes_or_no(schemas: &mut Schemas) -> Ref {
    let value = ObjectBuilder::new().schema_type(Type::Boolean).into();
    define(schemas, "BoolFilter", "Yes or no.", value, true.into())
}

fn define(
    schemas: &mut Schemas,
    name: &str,
    about: &str,
    value: RefOr<Schema>,
    example: serde_json::Value,
) -> Ref {
    schemas.define(name, one_or_several(value).description(Some(about)).examples([example]).into());
    Ref::from_schema_name(name)
}
