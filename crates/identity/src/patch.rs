//! Fields of inputs that change only what they name.

use serde::{
    Deserialize, Deserializer,
    de::{Error, Unexpected},
};

/// A field of a patch: left out it stays, and there is no `null` that could mean anything else.
pub(crate) fn given<'de, T: Deserialize<'de>, D: Deserializer<'de>>(input: D) -> Result<Option<T>, D::Error> {
    let value = Option::deserialize(input)?;
    value.map(Some).ok_or_else(|| Error::invalid_type(Unexpected::Unit, &"a value"))
}
