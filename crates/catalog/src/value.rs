//! Values of an article as they are stored, one for each attribute of its type.

use std::collections::BTreeMap;

use sea_orm::FromJsonQueryResult;
use serde::{Deserialize, Serialize};
use values::Decimal;

/// Value of an attribute.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Value {
    /// Id of an option of a categorial attribute.
    #[serde(rename = "o")]
    Option(i64),
    /// Number in the base unit of a metric attribute's category.
    #[serde(rename = "n")]
    Number(Decimal),
    /// Text of a custom attribute.
    #[serde(rename = "t")]
    Text(String),
}

/// Values by attribute id; stored as `{"12":{"o":5},"13":{"n":"12100"},"14":{"t":"text"}}`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult)]
pub struct AttributeValues(BTreeMap<i64, Value>);

impl AttributeValues {
    /// Returns the value of an attribute.
    pub fn get(&self, attribute_id: i64) -> Option<&Value> {
        self.0.get(&attribute_id)
    }

    /// Sets the value of an attribute, replacing the one before.
    pub fn set(&mut self, attribute_id: i64, value: Value) {
        self.0.insert(attribute_id, value);
    }

    /// Removes the value of an attribute.
    pub fn remove(&mut self, attribute_id: i64) {
        self.0.remove(&attribute_id);
    }

    /// Iterates over attribute ids and values, in the order of the ids.
    pub fn iter(&self) -> impl Iterator<Item = (i64, &Value)> {
        self.0.iter().map(|(attribute_id, value)| (*attribute_id, value))
    }

    /// Ids of the chosen options.
    pub fn options(&self) -> impl Iterator<Item = i64> {
        self.0.values().filter_map(|value| match value {
            Value::Option(option) => Some(*option),
            _ => None,
        })
    }
}

impl FromIterator<(i64, Value)> for AttributeValues {
    fn from_iter<I: IntoIterator<Item = (i64, Value)>>(values: I) -> Self {
        Self(values.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_stored_compactly_and_read_back() {
        let values: AttributeValues = [
            (12, Value::Option(5)),
            (13, Value::Number("12100".parse().unwrap())),
            (14, Value::Text("blank".into())),
        ]
        .into_iter()
        .collect();
        let stored = serde_json::to_value(&values).unwrap();
        assert_eq!(stored.to_string(), r#"{"12":{"o":5},"13":{"n":"12100"},"14":{"t":"blank"}}"#);
        assert_eq!(serde_json::from_value::<AttributeValues>(stored).unwrap(), values);
        assert_eq!(values.options().collect::<Vec<_>>(), [5]);
    }
}
