//! Items of a body that are read one by one, so that an invalid number refuses its item and not the whole
//! call.

use std::{collections::BTreeMap, marker::PhantomData};

use serde::{Deserialize, Deserializer, de::DeserializeOwned};
use serde_json::value::RawValue;
use utoipa::ToSchema;
use values::{Error, Result, Violations};

use super::json;
use crate::codes;

/// Item as it was sent.
#[derive(Debug)]
pub struct RawItem<T> {
    text: Box<RawValue>,
    item: PhantomData<T>,
}

/// Items of a body, and those among them that are refused.
#[derive(Debug)]
pub struct Items<T> {
    pub read: Vec<T>,
    /// Refusals, by the item's index among all.
    pub refused: BTreeMap<usize, Violations>,
}

impl<'de, T> Deserialize<'de> for RawItem<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self { text: Box::deserialize(deserializer)?, item: PhantomData })
    }
}

impl<T: DeserializeOwned + ToSchema> Items<T> {
    /// Reads the items of the field `items`, and checks each readable one.
    ///
    /// # Errors
    /// All violations of the contract, at the fields of the items: the call as a whole is refused.
    pub fn read(raw: &[RawItem<T>], check: impl Fn(&T, &mut Violations)) -> Result<Self> {
        let (mut items, mut violations) =
            (Self { read: Vec::new(), refused: BTreeMap::new() }, Violations::new());
        for (index, item) in raw.iter().enumerate() {
            let wrong = match json::read(item.text.get().as_bytes()) {
                Ok(item) => {
                    let mut wrong = Violations::new();
                    check(&item, &mut wrong);
                    items.read.push(item);
                    wrong
                }
                Err(Error::Invalid(wrong)) if is_no_decimal(&wrong) => {
                    items.refused.insert(index, wrong);
                    continue;
                }
                Err(Error::Invalid(wrong)) => wrong,
                Err(error) => return Err(error),
            };
            for violation in wrong {
                let place = format!("items.{index}");
                let path =
                    if violation.path == json::WHOLE { place } else { format!("{place}.{}", violation.path) };
                violations.add(path, violation.message);
            }
        }
        violations.check()?;
        Ok(items)
    }
}

fn is_no_decimal(wrong: &Violations) -> bool {
    wrong.iter().all(|violation| violation.message.code == codes::NO_DECIMAL)
}
