//! Deserialisation of patches, which change only the fields that they contain.

use serde::{
    Deserialize, Deserializer,
    de::{Error, Unexpected},
};

/// Field of a patch: unchanged if left out; `null` is rejected as ambiguous.
pub(crate) fn non_null<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    input: D,
) -> Result<Option<T>, D::Error> {
    let value = Option::deserialize(input)?;
    value.map(Some).ok_or_else(|| Error::invalid_type(Unexpected::Unit, &"a value"))
}
