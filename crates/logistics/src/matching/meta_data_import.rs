//! Documents by which another system says what it calls its articles, its warehouses and its tenants. What nothing matches yet
//! becomes an open number with what the system calls it, for somebody to match; stocks and prices stay as they are.

use std::collections::HashSet;

use imports::{
    cells::Line,
    import_type::ImportType,
    importer::{FileColumns, Importer, Key, KeyOf, KeyPart},
    revert::reversible::Reversible,
    unresolved::{ActiveModel, Column, Kind, State, UnresolvedNumber, UnresolvedNumbers},
};
use kernel::{
    Code, Database, Language, Message, Result, Scope, Violations, Write, fold,
    rule::{identifier, optional},
};
use sea_orm::{ActiveEnum, ActiveValue::Set, ColumnTrait, QueryFilter, QuerySelect};
use sheets::{
    Cell, RowFault,
    header::{Headings, Title},
    visible,
};

use super::{Matchings, entity as matching, tenant_identifiers};

#[cfg(test)]
mod tests;

/// The lists of a document: of what, and the member that is the number.
const LISTS: [(&str, Kind, &str); 3] = [
    ("articles", Kind::Article, "number"),
    ("warehouses", Kind::Warehouse, "identifier"),
    ("tenants", Kind::Tenant, "identifier"),
];
const NAME: &str = "name";
const GTIN: &str = "gtin";

/// What a running import of such a document keeps.
pub struct MetaDataImporter {
    /// The members of its entries, in the order of the cells.
    members: Vec<String>,
    import: Option<i64>,
    /// What the batch names that a matching knows.
    matched: HashSet<(Kind, String)>,
}

/// An entry, as far as it can be read.
struct Entry {
    kind: Kind,
    number: String,
    name: String,
    gtin: String,
}

impl FileColumns for MetaDataImporter {
    const TYPE: ImportType = ImportType::ExternalApiMetaData;
    /// Its files are no tables.
    const HEADINGS: &'static Headings =
        &Headings { known: &[], required: &[], together: &[], unread: &[], units: &[] };

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
        // the place says which entry, and its lists call their numbers differently
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
        let mut named: Vec<(Kind, String)> = Vec::new();
        for line in lines {
            if let Ok(entry) = self.entry(*line) {
                named.push((entry.kind, fold(&entry.number)));
            }
        }
        self.matched = matched(tx, scope, &named).await?;
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
        // what the document does not say stays
        let said = |text: String, there: fn(&UnresolvedNumber) -> &String| match existing {
            Some(existing) if text.is_empty() => there(existing).clone(),
            _ => text,
        };
        let designation = said(name, |existing| &existing.designation);
        Ok(ActiveModel {
            kind: Set(kind),
            number_fold: Set(fold(&number)),
            number: Set(existing.map_or(number, |existing| existing.number.clone())),
            designation_fold: Set(fold(&designation)),
            designation: Set(designation),
            gtin: Set(said(gtin, |existing| &existing.gtin)),
            state: Set(existing.map_or(State::Open, |existing| existing.state)),
            // no row has asked for it
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
    /// A number that rows have named by now is needed, whoever brought it.
    async fn grown(tx: &Write, scope: &Scope, ids: &[i64]) -> Result<HashSet<i64>> {
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
        // the first cell is the entry's place
        self.members.iter().skip(1).position(|member| member == name).map(|index| index + 1)
    }

    /// What an entry says; all that is wrong with it at once.
    fn entry(&self, line: Line<'_>) -> Result<Entry, Vec<RowFault>> {
        let place = line.row.cells.first().map(Cell::as_str).unwrap_or_default();
        let list = place.split('.').next().unwrap_or_default();
        let known = LISTS.iter().find(|(name, ..)| *name == list);
        let Some((_, kind, number)) = known else { return Err(vec![RowFault::of_row(Code::ObjectExpected)]) };
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
        let (found, name) = (text(number), text(NAME));
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
        if found.is_empty() && !faults.iter().any(|fault| fault.column == column && column.is_some()) {
            // where no entry has the member, there is no column to blame
            faults.push(RowFault { column, message: Code::Required.into() });
        }
        if faults.is_empty() { Ok(Entry { kind: *kind, number: found, name, gtin }) } else { Err(faults) }
    }
}

/// A member that is a text within the bounds of every name; no number, which would have lost leading zeros.
fn text_of(line: Line<'_>, column: Option<usize>) -> Result<Option<String>, Message> {
    let Some(cell) = column.and_then(|column| line.row.cells.get(column)) else { return Ok(None) };
    let Cell::Text(text) = cell else { return Err(Code::TextExpected.into()) };
    let text = identifier(Some(visible(text).into_owned()));
    let mut violations = Violations::new();
    optional(&mut violations, "", text.as_deref());
    match violations.into_iter().next() {
        Some(violation) => Err(violation.message),
        None => Ok(text),
    }
}

/// Those of these numbers of the acting tenant that a matching knows, in at most three statements however many they are.
async fn matched(tx: &Write, scope: &Scope, named: &[(Kind, String)]) -> Result<HashSet<(Kind, String)>> {
    let mut matched = HashSet::new();
    let kinds = [
        (Kind::Article, matching::Column::ExternalArticleNumberFold),
        (Kind::Warehouse, matching::Column::ExternalWarehouseIdentifierFold),
    ];
    for (kind, column) in kinds {
        let of_kind =
            named.iter().filter(|(of, _)| *of == kind).map(|(_, number)| number).collect::<Vec<_>>();
        if of_kind.is_empty() {
            continue;
        }
        let known = scope
            .find::<Matchings>()
            .select_only()
            .column(column)
            .distinct()
            .filter(matching::Column::TenantId.eq(scope.tenant()?))
            .filter(column.is_in(of_kind));
        matched.extend(known.into_tuple::<String>().all(tx).await?.into_iter().map(|number| (kind, number)));
    }
    if named.iter().any(|(kind, _)| *kind == Kind::Tenant) {
        let known = tenant_identifiers(tx, scope).await?;
        matched.extend(known.iter().map(|identifier| (Kind::Tenant, fold(identifier))));
    }
    Ok(matched)
}
