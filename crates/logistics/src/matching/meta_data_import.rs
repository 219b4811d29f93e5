//! Import of documents that list another system's articles, warehouses and tenants. A number that no matching
//! resolves becomes an unresolved number with its designation, to be matched by a user; stocks and prices
//! stay unchanged.

use std::collections::HashSet;

use imports::{
    cells::Line,
    import_type::ImportType,
    importer::{FileColumns, Importer, Key, KeyOf, KeyPart},
    revert::reversible::Reversible,
    unresolved::{ActiveModel, Column, Kind, State, UnresolvedNumber, UnresolvedNumbers},
};
use sea_orm::{ActiveEnum, ActiveValue::Set, ColumnTrait, QueryFilter, QuerySelect};
use sheets::{
    Cell, RowFault,
    header::{Headings, Title},
    visible,
};
use store::{Database, Scope, Write};
use values::{
    Language, Message, Result, Violations, fold,
    rule::{identifier, optional},
};

use super::{Matchings, entity as matching, tenant_identifiers};
use crate::codes;

#[cfg(test)]
mod tests;

/// Lists of a document: name, kind, and the member with the number.
const LISTS: [(&str, Kind, &str); 3] = [
    ("articles", Kind::Article, "number"),
    ("warehouses", Kind::Warehouse, "identifier"),
    ("tenants", Kind::Tenant, "identifier"),
];
const NAME: &str = "name";
const GTIN: &str = "gtin";

/// State of a running import of such a document.
pub struct MetaDataImporter {
    /// Members of its entries, in the order of the cells.
    members: Vec<String>,
    import: Option<i64>,
    /// Numbers of the batch that a matching resolves.
    matched: HashSet<(Kind, String)>,
}

/// Readable values of an entry.
struct Entry {
    kind: Kind,
    number: String,
    name: String,
    gtin: String,
}

impl FileColumns for MetaDataImporter {
    const TYPE: ImportType = ImportType::ExternalApiMetaData;
    /// Empty, because these files are not tables.
    const HEADINGS: &'static Headings =
        &Headings { all: &[], required: &[], together: &[], unread: &[], units: &[] };

    async fn prepare(
        _: &Database,
        _: &Scope,
        header: &[Title],
        _: Language,
    ) -> Result<Result<Self, Vec<Message>>> {
        let members = header.iter().map(|title| title.name.clone()).collect();
        Ok(Ok(Self { members, import: None, matched: HashSet::new() }))
    }

    fn key_column(&self) -> Option<usize> {
        // The place identifies the entry, and each list has another member for the number.
        None
    }
}

impl Importer for MetaDataImporter {
    type Record = UnresolvedNumbers;
    type Aim = ();
    type Staging = ();
    type UnderReview = ();
    type Parts = ();

    async fn resolve(&mut self, tx: &Write, scope: &Scope, lines: &[Line<'_>]) -> Result<()> {
        self.import = scope.import();
        let mut numbers: Vec<(Kind, String)> = Vec::new();
        for line in lines {
            if let Ok(entry) = self.entry(*line) {
                numbers.push((entry.kind, fold(&entry.number)));
            }
        }
        self.matched = find_matched_numbers(tx, scope, &numbers).await?;
        Ok(())
    }

    fn key(&self, line: Line<'_>) -> Result<KeyOf, Vec<RowFault>> {
        let Entry { kind, number, .. } = self.entry(line)?;
        Ok(KeyOf::exactly(Key(vec![KeyPart::Text(kind.to_value()), fold(&number).into()])))
    }

    fn draft(
        &self,
        line: Line<'_>,
        existing: Option<&UnresolvedNumber>,
    ) -> Result<ActiveModel, Vec<RowFault>> {
        let Entry { kind, number, name, gtin } = self.entry(line)?;
        // Values that are missing in the document stay unchanged.
        let value_or_existing = |text: String, field: fn(&UnresolvedNumber) -> &String| match existing {
            Some(existing) if text.is_empty() => field(existing).clone(),
            _ => text,
        };
        let designation = value_or_existing(name, |existing| &existing.designation);
        Ok(ActiveModel {
            kind: Set(kind),
            number_fold: Set(fold(&number)),
            number: Set(existing.map_or(number, |existing| existing.number.clone())),
            designation_fold: Set(fold(&designation)),
            designation: Set(designation),
            gtin: Set(value_or_existing(gtin, |existing| &existing.gtin)),
            state: Set(existing.map_or(State::Open, |existing| existing.state)),
            // No row needs it yet.
            times: Set(existing.map_or(0, |existing| existing.times)),
            import_id: Set(existing.map_or(self.import, |existing| existing.import_id)),
            ..Default::default()
        })
    }

    fn settled(&self, line: Line<'_>, _: Option<&UnresolvedNumber>) -> Option<String> {
        let Entry { kind, number, .. } = self.entry(line).ok()?;
        self.matched.contains(&(kind, fold(&number))).then_some(number)
    }
}

impl Reversible for MetaDataImporter {
    /// Returns numbers that rows of other imports wait for, which this import does not record.
    async fn with_unrecorded_content(tx: &Write, scope: &Scope, ids: &[i64]) -> Result<HashSet<i64>> {
        let asked_for = scope
            .find::<UnresolvedNumbers>()
            .select_only()
            .column(Column::Id)
            .filter(Column::Id.is_in(ids.iter().copied()))
            .filter(Column::Times.gt(0));
        Ok(asked_for.into_tuple::<i64>().all(tx).await?.into_iter().collect())
    }
}

impl MetaDataImporter {
    fn member(&self, name: &str) -> Option<usize> {
        // The first cell is the entry's place.
        self.members.iter().skip(1).position(|member| member == name).map(|index| index + 1)
    }

    /// Reads an entry; returns all its faults otherwise.
    fn entry(&self, line: Line<'_>) -> Result<Entry, Vec<RowFault>> {
        let place = line.row.cells.first().map(Cell::as_str).unwrap_or_default();
        let list = place.split('.').next().unwrap_or_default();
        let list_entry = LISTS.iter().find(|(name, ..)| *name == list);
        let Some((_, kind, number)) = list_entry else {
            return Err(vec![RowFault::in_row(codes::OBJECT_EXPECTED)]);
        };
        let mut faults = Vec::new();
        let mut text = |member: &str| {
            let column = self.member(member);
            match text_of(line, column) {
                Ok(text) => text.unwrap_or_default(),
                Err(message) => {
                    faults.push(RowFault { column, message });
                    String::new()
                }
            }
        };
        let (number_text, name) = (text(number), text(NAME));
        let gtin = if *kind == Kind::Article { text(GTIN) } else { String::new() };
        let gtin = match catalog::gtin::read(&gtin) {
            Ok(gtin) => gtin,
            Err(_) if gtin.is_empty() => gtin,
            Err(message) => {
                faults.push(RowFault { column: self.member(GTIN), message });
                gtin
            }
        };
        let column = self.member(number);
        if number_text.is_empty() && !faults.iter().any(|fault| fault.column == column && column.is_some()) {
            // If no entry has the member, there is no column for the fault.
            faults.push(RowFault { column, message: codes::REQUIRED.into() });
        }
        if faults.is_empty() {
            Ok(Entry { kind: *kind, number: number_text, name, gtin })
        } else {
            Err(faults)
        }
    }
}

/// Reads a member as a text within the bounds of names. A JSON number is rejected, because it has lost
/// leading zeros.
fn text_of(line: Line<'_>, column: Option<usize>) -> Result<Option<String>, Message> {
    let Some(cell) = column.and_then(|column| line.row.cells.get(column)) else { return Ok(None) };
    let Cell::Text(text) = cell else { return Err(codes::TEXT_EXPECTED.into()) };
    let text = identifier(Some(visible(text).into_owned()));
    let mut violations = Violations::new();
    optional(&mut violations, "", text.as_deref());
    match violations.into_iter().next() {
        Some(violation) => Err(violation.message),
        None => Ok(text),
    }
}

/// Finds the numbers of the acting tenant that a matching resolves, in at most three statements for any
/// number of them.
async fn find_matched_numbers(
    tx: &Write,
    scope: &Scope,
    numbers: &[(Kind, String)],
) -> Result<HashSet<(Kind, String)>> {
    let mut matched = HashSet::new();
    let kinds = [
        (Kind::Article, matching::Column::ExternalArticleNumberFold),
        (Kind::Warehouse, matching::Column::ExternalWarehouseIdentifierFold),
    ];
    for (kind, column) in kinds {
        let of_kind = numbers
            .iter()
            .filter(|(number_kind, _)| *number_kind == kind)
            .map(|(_, number)| number)
            .collect::<Vec<_>>();
        if of_kind.is_empty() {
            continue;
        }
        let select = scope
            .find::<Matchings>()
            .select_only()
            .column(column)
            .distinct()
            .filter(matching::Column::TenantId.eq(scope.tenant()?))
            .filter(column.is_in(of_kind));
        matched.extend(select.into_tuple::<String>().all(tx).await?.into_iter().map(|number| (kind, number)));
    }
    if numbers.iter().any(|(kind, _)| *kind == Kind::Tenant) {
        let identifiers = tenant_identifiers(tx, scope).await?;
        matched.extend(identifiers.iter().map(|identifier| (Kind::Tenant, fold(identifier))));
    }
    Ok(matched)
}
