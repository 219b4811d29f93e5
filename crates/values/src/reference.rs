//! References in requests: a record is given by its id, by its name (a number, a short code), or by both if
//! they identify the same record.

use std::collections::HashMap;

use sea_orm::{ColumnTrait, Condition};

use crate::{codes, error::Violations, fold::fold, rule::trimmed};

/// Reference to a record in a request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RecordReference {
    id: Option<i64>,
    name: Option<String>,
}

/// Names of the request's fields for id and name: `article_id`, `article_number`.
#[derive(Debug, Clone, Copy)]
pub struct ReferenceFields {
    pub id: &'static str,
    pub name: &'static str,
}

/// Records that requests may refer to, by id and by name.
#[derive(Debug)]
pub struct Referable<R> {
    by_id: HashMap<i64, R>,
    ids: HashMap<String, i64>,
}

/// Condition for rows with one of these ids or folded names, in the columns `id` and `name`. An empty side is
/// left out: for `1 = 2 OR …` SQLite scans the table instead of using an index.
pub fn named_by<C: ColumnTrait>(
    id: C,
    ids: impl IntoIterator<Item = i64>,
    name: C,
    names: impl IntoIterator<Item = String>,
) -> Condition {
    let (ids, names): (Vec<_>, Vec<_>) = (ids.into_iter().collect(), names.into_iter().collect());
    let by_name = (!names.is_empty()).then(|| name.is_in(names));
    let by_id = (!ids.is_empty() || by_name.is_none()).then(|| id.is_in(ids));
    Condition::any().add_option(by_id).add_option(by_name)
}

/// Condition for the rows that these references identify, like [`named_by`]; absent ids and names are left
/// out.
pub fn named_by_references<'r, C: ColumnTrait>(
    id: C,
    name: C,
    references: impl IntoIterator<Item = &'r RecordReference>,
) -> Condition {
    let parts = references.into_iter().map(|reference| (reference.id(), reference.folded()));
    let (ids, names): (Vec<_>, Vec<_>) = parts.unzip();
    named_by(id, ids.into_iter().flatten(), name, names.into_iter().flatten())
}

impl<R> Default for Referable<R> {
    fn default() -> Self {
        Self { by_id: HashMap::new(), ids: HashMap::new() }
    }
}

impl<R> Referable<R> {
    /// Creates a look-up of records from their ids and folded names.
    pub fn new(records: impl IntoIterator<Item = (i64, String, R)>) -> Self {
        let (mut by_id, mut ids) = (HashMap::new(), HashMap::new());
        for (id, folded, record) in records {
            ids.insert(folded, id);
            by_id.insert(id, record);
        }
        Self { by_id, ids }
    }

    /// All records, in no particular order.
    pub fn records(&self) -> impl Iterator<Item = &R> {
        self.by_id.values()
    }

    /// Record with this id.
    pub fn get(&self, id: i64) -> Option<&R> {
        self.by_id.get(&id)
    }
}

impl RecordReference {
    /// Creates a reference; a name of white space alone is ignored.
    pub fn new(id: Option<i64>, name: Option<String>) -> Self {
        Self { id, name: trimmed(name) }
    }

    /// True if neither id nor name is given.
    pub fn is_absent(&self) -> bool {
        self.id.is_none() && self.name.is_none()
    }

    /// Id, if given.
    pub fn id(&self) -> Option<i64> {
        self.id
    }

    /// Folded name, if given; case is ignored.
    pub fn folded(&self) -> Option<String> {
        self.name.as_deref().map(fold)
    }

    /// Returns the record among those that were found; `None` if the reference is absent or wrong.
    pub fn resolve<'r, R>(
        &self,
        violations: &mut Violations,
        fields: ReferenceFields,
        referable: &'r Referable<R>,
    ) -> Option<&'r R> {
        let existing_id = |id: i64| referable.by_id.contains_key(&id).then_some(id);
        let by_id = self.id.map(existing_id);
        let by_name = self.folded().map(|name| referable.ids.get(&name).copied());
        for (way, field) in [(by_id, fields.id), (by_name, fields.name)] {
            if way == Some(None) {
                violations.add(field, codes::UNKNOWN_REFERENCE);
            }
        }
        let record_id = match (by_id, by_name) {
            (Some(None), _) | (_, Some(None)) | (None, None) => return None,
            (Some(Some(id)), Some(Some(other))) if id != other => {
                violations.add(fields.id, codes::REFERENCES_DISAGREE);
                violations.add(fields.name, codes::REFERENCES_DISAGREE);
                return None;
            }
            (Some(Some(id)), _) | (None, Some(Some(id))) => id,
        };
        referable.by_id.get(&record_id)
    }

    /// Resolves a required reference like [`RecordReference::resolve`].
    pub fn require<'r, R>(
        &self,
        violations: &mut Violations,
        fields: ReferenceFields,
        referable: &'r Referable<R>,
    ) -> Option<&'r R> {
        if self.is_absent() {
            violations.add(fields.id, codes::REQUIRED);
        }
        self.resolve(violations, fields, referable)
    }
}

#[cfg(test)]
mod tests {
    use sea_orm::{DbBackend, EntityTrait, QueryFilter, QueryTrait};

    use super::*;
    use crate::code::Code;

    const FIELDS: ReferenceFields = ReferenceFields { id: "article_id", name: "article_number" };

    fn resolved(id: Option<i64>, name: Option<&str>) -> (Option<&'static str>, Vec<(String, Code)>) {
        let referable = Referable::new([(1, fold("HEB-200"), "first"), (2, fold("ÖSE-8"), "second")]);
        let mut violations = Violations::new();
        let reference = RecordReference::new(id, name.map(str::to_owned));
        let record = reference.require(&mut violations, FIELDS, &referable).copied();
        let codes = violations.iter().map(|violation| (violation.path.clone(), violation.message.code));
        (record, codes.collect())
    }

    #[test]
    fn an_empty_list_is_left_out_and_two_empty_lists_match_nothing() {
        use testkit::note::{Column, Notes};
        let sql = |ids: &[i64], names: &[&str]| {
            let names = names.iter().map(|name| (*name).to_owned());
            let condition = named_by(Column::Id, ids.iter().copied(), Column::Name, names);
            #[expect(clippy::disallowed_methods, reason = "nothing is read")]
            let sql = Notes::find().filter(condition).build(DbBackend::Sqlite).to_string();
            sql.split_once(" WHERE ").unwrap().1.replace("\"note\".", "")
        };
        assert_eq!(sql(&[7], &["a"]), r#""id" IN (7) OR "name" IN ('a')"#);
        assert_eq!(sql(&[7], &[]), r#""id" IN (7)"#);
        assert_eq!(sql(&[], &["a"]), r#""name" IN ('a')"#);
        assert_eq!(sql(&[], &[]), "1 = 2");
    }

    #[test]
    fn references_are_found_by_their_ids_and_names() {
        use testkit::note::{Column, Notes};
        let reference = |id, name: Option<&str>| RecordReference::new(id, name.map(str::to_owned));
        let references = [
            reference(Some(7), None),
            reference(None, Some("Öse")),
            reference(None, None),
            reference(Some(8), Some("b")),
        ];
        let condition = named_by_references(Column::Id, Column::Name, &references);
        #[expect(clippy::disallowed_methods, reason = "nothing is read")]
        let sql = Notes::find().filter(condition).build(DbBackend::Sqlite).to_string();
        let expected = format!(r#""note"."id" IN (7, 8) OR "note"."name" IN ('{}', 'b')"#, fold("Öse"));
        assert_eq!(sql.split_once(" WHERE ").unwrap().1, expected);
    }

    #[test]
    fn a_record_is_referenced_by_id_by_number_or_by_both_if_they_agree() {
        assert_eq!(resolved(Some(1), None), (Some("first"), vec![]));
        assert_eq!(resolved(None, Some(" heb-200 ")), (Some("first"), vec![]));
        assert_eq!(resolved(Some(2), Some("öse-8")), (Some("second"), vec![]));
        assert_eq!(resolved(Some(2), Some("  ")), (Some("second"), vec![]));
    }

    #[test]
    fn a_wrong_reference_is_reported_at_the_field_that_was_used() {
        let at = |field: &str, code| (field.to_owned(), code);
        for (id, name, expected) in [
            (None, None, vec![at("article_id", codes::REQUIRED)]),
            (None, Some(" "), vec![at("article_id", codes::REQUIRED)]),
            (Some(3), None, vec![at("article_id", codes::UNKNOWN_REFERENCE)]),
            (None, Some("HEB-300"), vec![at("article_number", codes::UNKNOWN_REFERENCE)]),
            (Some(1), Some("HEB-300"), vec![at("article_number", codes::UNKNOWN_REFERENCE)]),
            (Some(3), Some("HEB-200"), vec![at("article_id", codes::UNKNOWN_REFERENCE)]),
            (
                Some(3),
                Some("HEB-300"),
                vec![
                    at("article_id", codes::UNKNOWN_REFERENCE),
                    at("article_number", codes::UNKNOWN_REFERENCE),
                ],
            ),
            (
                Some(1),
                Some("Öse-8"),
                vec![
                    at("article_id", codes::REFERENCES_DISAGREE),
                    at("article_number", codes::REFERENCES_DISAGREE),
                ],
            ),
        ] {
            assert_eq!(resolved(id, name), (None, expected), "{id:?} {name:?}");
        }
    }
}
