//! Import of matchings. A row names a matching by the external identifiers of the article and the warehouse.
//! Empty cells leave values unchanged, and all rules of matchings apply.

use std::{
    collections::HashMap,
    hash::{BuildHasher, RandomState},
    mem,
    sync::{Mutex, PoisonError},
};

use imports::{
    cells::{CellChange, Line, all_faults},
    columns::Template,
    import_type::ImportType,
    importer::{FileColumns, Importer, Key, KeyOf, parts::RowParts},
};
use sea_orm::{ColumnTrait, Condition, QueryFilter, QueryOrder, QuerySelect};
use sheets::{
    RowFault,
    header::{Heading, Headings, Layout, Title},
    table::CellContent,
    visible,
};
use store::{Database, Keyed, Scope, Write, audit::Change};
use tenancy::tenant::{self, Tenant};
use values::{Language, Message, Phrase, RecordReference, Result, Violations, fold};

use super::{ActiveModel, Column, Matching, MatchingDraft, MatchingReferences, Matchings};
use crate::{
    codes, matching,
    stock::place_columns::{ARTICLE, EXTERNAL_ARTICLE, EXTERNAL_WAREHOUSE, TENANT, WAREHOUSE, check_tenant},
    template::{self, Places},
};

#[cfg(test)]
mod tests;
mod undo;

impl Keyed for Matchings {
    const KEY: &'static [Column] =
        &[Column::ExternalArticleNumberFold, Column::ExternalWarehouseIdentifierFold];
}

static EXTERNAL_TENANT: Heading = Heading {
    de: "Externe Mandantenkennung",
    en: "External tenant identifier",
    synonyms: &["Externe Mandantennummer", "Externer Mandant", "External tenant number", "External tenant"],
    help: Some(Phrase {
        de: "Die Kennung Ihres Unternehmens in einem anderen System",
        en: "The identifier of your company in another system",
    }),
};
/// Column of exports that imports ignore, so that an exported file can be imported.
static CHANGED: Heading = Heading { de: "Geändert", en: "Changed", synonyms: &[], help: None };

const HEADINGS: Headings = Headings {
    all: &[&TENANT, &ARTICLE, &EXTERNAL_ARTICLE, &WAREHOUSE, &EXTERNAL_WAREHOUSE, &EXTERNAL_TENANT, &CHANGED],
    required: &[&[&EXTERNAL_ARTICLE, &EXTERNAL_WAREHOUSE]],
    units: &[],
    together: &[&[&ARTICLE, &EXTERNAL_ARTICLE], &[&WAREHOUSE, &EXTERNAL_WAREHOUSE]],
    unread: &[&CHANGED],
};

/// Columns with the values of a matching, and the fields that violations name.
const FIELDS: [(&Heading, &[&str]); 5] = [
    (&ARTICLE, &["article_id", "article_number"]),
    (&EXTERNAL_ARTICLE, &["external_article_number"]),
    (&WAREHOUSE, &["warehouse_id", "warehouse_short_code"]),
    (&EXTERNAL_WAREHOUSE, &["external_warehouse_identifier"]),
    (&EXTERNAL_TENANT, &["external_tenant_identifier"]),
];

/// Columns of the template.
const SHOWN: &[&Heading] = &[&ARTICLE, &EXTERNAL_ARTICLE, &WAREHOUSE, &EXTERNAL_WAREHOUSE];

/// State of a running import of matchings.
pub struct MatchingImporter {
    /// Positions of the [`FIELDS`].
    columns: [Option<usize>; FIELDS.len()],
    tenant_column: Option<usize>,
    nameless: Vec<usize>,
    tenant: Tenant,
    facts: BatchFacts,
    batch: Mutex<Batch>,
}

/// Facts from earlier batches. A real import would read them again, but the writes of a dry run are rolled
/// back.
struct BatchFacts {
    hasher: RandomState,
    /// Matching and warehouse by a hash of the external warehouse identifier.
    places: HashMap<u64, (i64, i64)>,
    tenant_identifiers: Vec<String>,
}

/// Batch that is being applied.
#[derive(Default)]
struct Batch {
    first_line: u32,
    references: MatchingReferences,
    /// Facts from its rows: external warehouse identifier, matching, warehouse.
    facts: Vec<(String, i64, i64)>,
}

/// Values of a row, in the order of [`FIELDS`].
struct RowValues {
    article: CellChange<String>,
    number: Option<String>,
    warehouse: CellChange<String>,
    place: Option<String>,
    tenant: CellChange<String>,
}

impl FileColumns for MatchingImporter {
    const TYPE: ImportType = ImportType::Matching;
    const HEADINGS: &'static Headings = &HEADINGS;

    async fn prepare(
        db: &Database,
        scope: &Scope,
        header: &[Title],
        language: Language,
    ) -> Result<Result<Self, Vec<Message>>> {
        Self::read(db, scope, header, language, Self::HEADINGS).await
    }

    async fn template(db: &Database, scope: &Scope, language: Language) -> Result<Template> {
        let matchings = scope.find::<Matchings>().filter(Column::TenantId.eq(scope.tenant()?));
        let matchings = matchings.order_by_asc(Column::Id).limit(template::EXAMPLES).all(db).await?;
        let place_ids = matchings.iter().map(|matching| (matching.article_id, matching.warehouse_id));
        let places = Places::load(db, scope, place_ids).await?;
        let name = |name: &Option<String>| name.as_deref().map(template::text).into();
        let row = |matching: &Matching| {
            vec![
                places.article_cell(matching.article_id),
                name(&matching.external_article_number),
                places.warehouse_cell(matching.warehouse_id),
                name(&matching.external_warehouse_identifier),
            ]
        };
        let mut rows: Vec<_> = matchings.iter().map(row).collect();
        if let (true, Some((article, _))) = (rows.is_empty(), places.possible) {
            let none = CellContent::default;
            rows.push(vec![places.article_cell(Some(article)), "EXT-0001".into(), none(), none()]);
        }
        Ok(Template::new(SHOWN, language, rows))
    }

    fn key_column(&self) -> Option<usize> {
        let [_, number, _, place, _] = self.columns;
        number.or(place)
    }
}

impl Importer for MatchingImporter {
    type Record = Matchings;
    type Aim = ();
    type Staging = ();
    type UnderReview = ();
    type Parts = Settlement;

    fn replaced((): ()) -> Option<Condition> {
        Some(Condition::all())
    }

    async fn resolve(&mut self, tx: &Write, scope: &Scope, lines: &[Line<'_>]) -> Result<()> {
        matching::lock_tenant(tx, scope).await?;
        let drafts: Vec<MatchingDraft> =
            lines.iter().map(|line| self.read_row(*line).0.draft(None, None)).collect();
        let references = MatchingReferences::load(tx, scope, &drafts).await?;
        let first_line = lines.first().map_or(0, |line| line.row.line);
        let batch = self.batch.get_mut().unwrap_or_else(PoisonError::into_inner);
        let before = mem::replace(batch, Batch { first_line, references, facts: Vec::new() });
        // A retried batch has not been committed, so its facts are dropped.
        if before.first_line != first_line {
            self.facts.add_batch(before);
        }
        self.facts.pass_to(&drafts, &mut batch.references);
        Ok(())
    }

    /// Key: both external identifiers, of which one may be missing.
    fn key(&self, line: Line<'_>) -> Result<KeyOf, Vec<RowFault>> {
        let (values, faults) = self.read_row(line);
        let [_, number, _, place, _] = self.columns;
        let unread = faults.iter().any(|fault| [number, place].contains(&fault.column));
        let nothing =
            values.number.is_none() && values.place.is_none() && !matches!(values.tenant, CellChange::Set(_));
        if unread || nothing {
            return Err(self.draft(line, None).err().unwrap_or_default());
        }
        let part = |text: Option<String>| fold(&text.unwrap_or_default()).into();
        Ok(KeyOf::exactly(Key(vec![part(values.number), part(values.place)])))
    }

    fn draft(&self, line: Line<'_>, existing: Option<&Matching>) -> Result<ActiveModel, Vec<RowFault>> {
        let (values, mut faults) = self.read_row(line);
        let [article, _, warehouse, ..] = self.columns;
        for (cell, column) in [(&values.article, article), (&values.warehouse, warehouse)] {
            if *cell == CellChange::Clear {
                faults.push(RowFault { column, message: codes::NOT_CLEARABLE.into() });
            }
        }
        faults.extend(check_tenant(&self.tenant, self.tenant_column, line).err());
        faults.extend(line.nameless(&self.nameless));
        let mut batch = self.batch.lock().unwrap_or_else(PoisonError::into_inner);
        let Batch { references, facts, .. } = &mut *batch;
        let stands_for = values.place.as_deref().and_then(|place| references.warehouse_of(&fold(place)));
        let violations = match values.draft(existing, stands_for).row(references, existing) {
            Ok(row) if faults.is_empty() => {
                let id = existing.map_or(-i64::from(line.row.line), |existing| existing.id);
                facts.extend(references.add_row(id, &row));
                return Ok(row);
            }
            Ok(_) => Violations::new(),
            Err(violations) => violations,
        };
        let mut faults = all_faults(faults, violations, |path| self.column_of(path));
        for RowFault { column, message } in &mut faults {
            if let (codes::UNKNOWN_REFERENCE, Some(column)) = (message.code, *column) {
                *message = codes::UNKNOWN_NAME.with("value", line.text(column));
            }
        }
        Err(faults)
    }
}

/// Unresolved numbers that the written matchings settle.
#[derive(Debug, Default)]
pub struct Settlement;

impl RowParts<MatchingImporter> for Settlement {
    async fn find(_: &mut MatchingImporter, _: &Write, _: &Scope, _: &[&Matching]) -> Result<()> {
        Ok(())
    }

    fn read(_: &MatchingImporter, _: Line<'_>, _: Option<&Matching>) -> Result<(Self, bool), Vec<RowFault>> {
        Ok((Self, true))
    }

    async fn write(
        _: &MatchingImporter,
        tx: &Write,
        scope: &Scope,
        written: Vec<(&Matching, Self)>,
    ) -> Result<()> {
        matching::delete_resolved_numbers(tx, scope, written.into_iter().map(|(row, _)| row)).await
    }

    fn changes(&self, _: &MatchingImporter, _: Option<&Matching>) -> Vec<Change> {
        Vec::new()
    }
}

/// Deletes the matchings that a file names by their external identifiers. All other values of a row must
/// agree.
pub struct MatchingDeleter(MatchingImporter);

const DELETED: Headings = Headings { together: &[], ..HEADINGS };

impl FileColumns for MatchingDeleter {
    const TYPE: ImportType = ImportType::DeleteMatchings;
    const HEADINGS: &'static Headings = &DELETED;

    async fn prepare(
        db: &Database,
        scope: &Scope,
        header: &[Title],
        language: Language,
    ) -> Result<Result<Self, Vec<Message>>> {
        Ok(MatchingImporter::read(db, scope, header, language, Self::HEADINGS).await?.map(Self))
    }

    /// Template without an example row, whose matching would be deleted.
    async fn template(_: &Database, _: &Scope, language: Language) -> Result<Template> {
        Ok(Template::new(&[&EXTERNAL_ARTICLE, &EXTERNAL_WAREHOUSE], language, Vec::new()))
    }

    fn key_column(&self) -> Option<usize> {
        self.0.key_column()
    }
}

impl Importer for MatchingDeleter {
    const REMOVES: bool = true;
    type Record = Matchings;
    type Aim = ();
    type Staging = ();
    type UnderReview = ();
    type Parts = ();

    async fn resolve(&mut self, tx: &Write, scope: &Scope, lines: &[Line<'_>]) -> Result<()> {
        self.0.resolve(tx, scope, lines).await
    }

    fn key(&self, line: Line<'_>) -> Result<KeyOf, Vec<RowFault>> {
        self.0.key(line)
    }

    fn draft(&self, line: Line<'_>, existing: Option<&Matching>) -> Result<ActiveModel, Vec<RowFault>> {
        let draft = self.0.draft(line, existing)?;
        if existing.is_some_and(|existing| !Self::is_same(&draft, existing)) {
            let message = codes::MATCHING_DIFFERS.into();
            return Err(vec![RowFault { column: self.key_column(), message }]);
        }
        Ok(draft)
    }
}

impl MatchingImporter {
    /// Reads a header, in which these columns are required.
    async fn read(
        db: &Database,
        scope: &Scope,
        header: &[Title],
        language: Language,
        headings: &Headings,
    ) -> Result<Result<Self, Vec<Message>>> {
        let layout = match Layout::read(headings, header, language, |_, _| None) {
            Ok(layout) => layout,
            Err(messages) => return Ok(Err(messages)),
        };
        let tenant_identifiers = match layout.position(&EXTERNAL_TENANT) {
            Some(_) => matching::tenant_identifiers(db, scope).await?,
            None => Vec::new(),
        };
        Ok(Ok(Self {
            columns: FIELDS.map(|(heading, _)| layout.position(heading)),
            tenant_column: layout.position(&TENANT),
            nameless: layout.nameless().collect(),
            tenant: tenant::get(db, scope, scope.tenant()?.into()).await?,
            facts: BatchFacts { hasher: RandomState::new(), places: HashMap::new(), tenant_identifiers },
            batch: Mutex::default(),
        }))
    }

    /// Reads the values of a row; returns those that are readable, and the faults of the others.
    fn read_row(&self, line: Line<'_>) -> (RowValues, Vec<RowFault>) {
        let mut faults = Vec::new();
        let cells = self.columns.map(|column| {
            let Some(column) = column else { return CellChange::Keep };
            line.read_change(column, &mut faults, |_| match line.name(Some(column)) {
                Ok(name) => Ok(visible(name.unwrap_or_default()).into_owned()),
                Err(fault) => Err(fault.message),
            })
        });
        let [article, number, warehouse, place, tenant] = cells;
        (RowValues { article, number: number.over(None), warehouse, place: place.over(None), tenant }, faults)
    }

    fn column_of(&self, path: &str) -> Option<usize> {
        let mut columns = FIELDS.iter().zip(self.columns);
        columns.find(|((_, paths), _)| paths.contains(&path))?.1
    }
}

impl RowValues {
    /// Combines the row with an existing matching, or with the warehouse that the external identifier stands
    /// for.
    fn draft(self, existing: Option<&Matching>, stands_for: Option<i64>) -> MatchingDraft {
        let reference = |cell, id| match cell {
            CellChange::Set(name) => RecordReference::new(None, Some(name)),
            CellChange::Keep | CellChange::Clear => RecordReference::new(id, None),
        };
        // Found by these, ignoring case: the existing spelling stays.
        let (number, place, tenant) = match existing.cloned() {
            Some(row) => (
                row.external_article_number,
                row.external_warehouse_identifier,
                row.external_tenant_identifier,
            ),
            None => (self.number, self.place, None),
        };
        MatchingDraft {
            article: reference(self.article, existing.and_then(|row| row.article_id)),
            external_article_number: number,
            warehouse: reference(self.warehouse, existing.map_or(stands_for, |row| row.warehouse_id)),
            external_warehouse_identifier: place,
            external_tenant_identifier: self.tenant.over(tenant),
        }
    }
}

impl BatchFacts {
    /// Adds the facts from a committed batch.
    fn add_batch(&mut self, Batch { references, facts, .. }: Batch) {
        for (place, matching, warehouse) in facts {
            self.places.entry(self.hasher.hash_one(place)).or_insert((matching, warehouse));
        }
        if self.tenant_identifiers.is_empty() {
            self.tenant_identifiers = references.tenant_identifiers;
        }
    }

    /// Passes on the facts that concern drafts.
    fn pass_to(&self, drafts: &[MatchingDraft], references: &mut MatchingReferences) {
        references.tenant_identifiers.clone_from(&self.tenant_identifiers);
        let places = drafts.iter().filter_map(|draft| draft.external_warehouse_identifier.as_deref());
        for place in places.map(fold) {
            if let Some((matching, warehouse)) = self.places.get(&self.hasher.hash_one(&place)) {
                references.add_place(*matching, &place, *warehouse);
            }
        }
    }
}
