//! Records that are written back after others have changed their read-only fields.

use chrono::DateTime;
use lists::UnversionedField;
use serde_json::Value;
use store::Scope;
use values::{Error, Language, Result};

use super::{Current, difference};
use crate::{
    resource::view::{DataSource, Writable},
    state::State,
};

/// Puts the present values of moving fields into a body that has former values of this version of the record.
///
/// # Errors
/// [`Error::Changed`] with the present record if a field of the other side never had the value since then.
pub(in crate::resource) async fn refresh_unversioned_fields<R: Writable>(
    state: &State,
    scope: &Scope,
    body: &mut Value,
    current: &Current,
) -> Result<()> {
    let (Some(now), Some(id)) = (current.0.first(), current.id()) else { return Ok(()) };
    let is_read = body.get("version").is_some_and(|version| Some(version) == now.get("version"));
    let Some(fields) = body.as_object_mut().filter(|_| is_read) else { return Ok(()) };
    let mut by_other_side = Vec::new();
    for (name, kind) in R::UNVERSIONED_FIELDS {
        let (Some(body_value), Some(value)) = (fields.get_mut(*name), now.get(*name)) else { continue };
        let current_values: Vec<&Value> = current.0.iter().filter_map(|now| now.get(*name)).collect();
        if difference(body_value, &current_values, name).is_none() {
            continue;
        }
        match kind {
            UnversionedField::OtherSide => by_other_side.push((*name, body_value.clone())),
            UnversionedField::Reference if body_value.get("id") != value.get("id") => continue,
            UnversionedField::Time if !is_earlier(body_value, value) => continue,
            UnversionedField::Derived | UnversionedField::Reference | UnversionedField::Time => {}
        }
        body_value.clone_from(value);
    }
    if by_other_side.is_empty() {
        return Ok(());
    }
    let former = R::former_states(R::Source::from_state(state), scope, id).await?;
    let former: Vec<Value> = former
        .into_iter()
        .map(|detail| {
            serde_json::to_value(R::View::from((detail, Language::default()))).map_err(Error::internal)
        })
        .collect::<Result<_>>()?;
    let was_so = |(name, body_value): &(&str, Value)| {
        former
            .iter()
            .filter_map(|was| was.get(*name))
            .any(|was| difference(body_value, &[was], name).is_none())
    };
    if by_other_side.iter().all(was_so) {
        return Ok(());
    }
    let has_changed =
        former.iter().any(|was| by_other_side.iter().any(|(name, _)| was.get(*name) != now.get(*name)));
    if !has_changed {
        // the caller has changed a read-only field: its value stays, so that the error names it
        fields.extend(by_other_side.into_iter().map(|(name, body_value)| (name.to_owned(), body_value)));
        return Ok(());
    }
    Err(Error::Changed(current.0.clone()))
}

fn is_earlier(value: &Value, now: &Value) -> bool {
    let time = |value: &Value| value.as_str().and_then(|text| DateTime::parse_from_rfc3339(text).ok());
    value.is_null() || time(value).zip(time(now)).is_some_and(|(body_time, now)| body_time < now)
}
