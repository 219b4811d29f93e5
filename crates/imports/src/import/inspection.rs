//! Inspection of a file before it is imported: its format, the recognised meaning of its columns with the
//! reasons, its first rows, and the problems that the import would report about its header. It uses the same
//! reader and recognition as the import and stores nothing.

use std::{collections::HashSet, path::Path, sync::Arc};

use sea_orm::{ColumnTrait, QueryFilter, QueryOrder};
use sheets::{
    Cell, Content, Format, ReadOptions,
    header::{Title, measure::measure_of},
    number::{Evidence, Style},
};
use store::{Database, Scope};
use values::{Error, Message, Result, Violations};

use super::{Column, Import, Imports, uploader::Uploader};
use crate::{
    codes,
    columns::{DeclaredColumns, Field, Meaning, Template},
    import::{
        self,
        mapping::{Mapping, header_key},
        settings::{Constant, Settings, recognise},
        suggestion::{Suggestion, Unknown, suggest},
    },
    import_profile::ImportProfile,
    import_type::ImportType,
    registry::Registry,
    run::usual_style,
};

/// Number of rows that are shown.
const SHOWN: usize = 10;
/// Maximum number of rows whose cells are looked up among records.
const LOOKED_UP: usize = 200;
/// Maximum number of rows that are read; a file with more has no row count.
const LOOKED_AT: u64 = 50_000;

/// Result of an inspection.
#[derive(Debug)]
pub struct Inspection {
    pub format: Format,
    /// Notes on how the file was read, where that may be unexpected.
    pub notes: Vec<Message>,
    /// Worksheets of a workbook, and the one that is read.
    pub sheets: Vec<String>,
    pub sheet: Option<String>,
    pub header_line: u32,
    /// Number style.
    pub style: Style,
    /// Number of rows; `None` for a very large file.
    pub rows: Option<u64>,
    /// Number of inspected rows that are hidden in the spreadsheet.
    pub hidden_rows: u64,
    /// Number of sum rows, which are left out.
    pub sum_rows: u64,
    /// Lines below the table that are left out, if the whole file was read.
    pub footnotes: Vec<String>,
    /// True if several rows of one record can be summed.
    pub can_sum_rows: bool,
    pub columns: Vec<InspectedColumn>,
    /// Line and cells of the first rows.
    pub first: Vec<(u32, Vec<Cell>)>,
    /// Fields to which columns can be mapped.
    pub fields: Vec<Field>,
    pub required: Vec<Vec<String>>,
    pub together: Vec<Vec<String>>,
    /// Problems that the import would report about the header.
    pub problems: Vec<Message>,
    /// Applied profile.
    pub profile: Option<AppliedProfile>,
    /// Mapping of the last file with the same columns; not with a profile.
    pub remembered: Option<FormerMapping>,
    /// Type whose columns fit better.
    pub better: Option<ImportType>,
}

/// Column with its recognised meaning.
#[derive(Debug)]
pub struct InspectedColumn {
    pub name: String,
    /// Meaning by its name alone.
    pub recognised: Meaning,
    /// Meaning including the remembered mapping.
    pub meaning: Meaning,
    /// Unit after its name, for any field.
    pub heading_unit: Option<String>,
    /// Unit that was chosen the last time.
    pub chosen_unit: Option<String>,
    /// Suggested meaning for a column without one.
    pub suggestion: Option<Suggestion>,
}

/// Mapping of an import whose file had the same columns.
#[derive(Debug)]
pub struct FormerMapping {
    pub import: Import,
    pub mapping: Mapping,
    /// Constants of that import, which a new import does not assume.
    pub constants: Vec<Constant>,
}

/// Profile with which a file was read.
#[derive(Debug)]
pub struct AppliedProfile {
    pub profile: ImportProfile,
    /// Columns of its mapping that the file does not have.
    pub missing_columns: Vec<String>,
}

/// Result of the reader.
struct FileInspection {
    format: Format,
    notes: Vec<Message>,
    sheets: Vec<String>,
    sheet: Option<String>,
    header: Vec<Cell>,
    header_line: u32,
    rows: Option<u64>,
    hidden_rows: u64,
    sum_rows: u64,
    footnotes: Vec<String>,
    first: Vec<(u32, Vec<Cell>)>,
    /// Evidence of the number style, for each column.
    evidence: Vec<Evidence>,
}

/// File to be inspected.
#[derive(Debug)]
pub struct ToInspect<'a> {
    pub r#type: ImportType,
    pub aim: Option<i64>,
    /// Chosen settings; without them those of the profile are used.
    pub settings: Option<Settings>,
    pub profile: Option<ImportProfile>,
    pub file: &'a Path,
}

/// Inspects a file for a type of import.
pub async fn inspect(
    db: &Database,
    registry: &Registry,
    by: Uploader<'_>,
    ToInspect { r#type, aim, settings, profile, file }: ToInspect<'_>,
) -> Result<Inspection> {
    let writer = import::uploader::writer(db, registry, by, r#type, aim).await?;
    let by = Uploader { scope: &writer, ..by };
    let importer = registry.get(r#type)?;
    let declared = Arc::new(importer.declared(db).await?);
    let settings = settings.or_else(|| Some(profile.as_ref()?.settings.clone())).unwrap_or_default();
    let mut wrong = Violations::new();
    settings.check(r#type, &declared, &mut wrong);
    wrong.check()?;
    let (path, options) = (file.to_owned(), settings.options(&declared, by.language, false));
    let (of_file, of_profile) = (declared.clone(), profile.as_ref().map(|profile| profile.mapping.clone()));
    let looked =
        tokio::task::spawn_blocking(move || look(&path, r#type, &options, &of_file, of_profile.as_ref()));
    let looked = looked.await.map_err(Error::internal)?.map_err(file_violation)?;
    // constants are columns for the import, but not in the file
    let width = looked.header.len() - settings.constants().len();
    let of_file = looked.header.get(..width).unwrap_or_default();

    let remembered = match profile {
        Some(_) => None,
        None => remembered(db, by.scope, r#type, of_file, &declared).await?,
    };
    let names = Title::from_header(&looked.header);
    let mapping = profile.as_ref().map(|profile| &profile.mapping);
    let mapping = mapping.or_else(|| Some(&remembered.as_ref()?.mapping));
    let titles = mapping.map_or_else(|| names.clone(), |mapping| mapping.titles(&looked.header));
    let profile = profile.map(|profile| AppliedProfile {
        missing_columns: profile.mapping.missing_columns(&looked.header),
        profile,
    });
    let (numbers, problems) = match importer.check(db, by.scope, &titles, by.language).await? {
        Ok(numbers) => (numbers, Vec::new()),
        // if the header is not understood, any column may contain numbers
        Err(problems) => ((0..looked.header.len()).collect(), problems),
    };
    let better = if problems.is_empty() {
        None
    } else {
        better(db, registry, by, r#type, &declared, &titles, &names).await?
    };
    let evidence = numbers.iter().filter_map(|index| looked.evidence.get(*index).copied());
    let recognised_style =
        evidence.fold(Evidence::default(), Evidence::and).style(usual_style(looked.format));
    let meanings = declared.meanings(&titles);
    let used = meanings.iter().filter_map(|meaning| match meaning {
        Meaning::Field { key, .. } => Some(&**key),
        _ => None,
    });
    let fields = declared.fields(by.language, &used.collect::<HashSet<_>>());
    let columns = Unknown {
        meanings: meanings.get(..width).unwrap_or_default(),
        names: names.iter().map(|title| title.name.trim()).collect(),
        rows: &looked.first,
    };
    let constant_fields = settings.constants().iter().map(|constant| constant.field.clone());
    let suggestions = suggest(db, importer, by.scope, &declared, &fields, columns, constant_fields).await?;
    let recognised = declared.meanings(&names);
    let columns = names.into_iter().zip(recognised).zip(meanings).zip(titles).zip(suggestions);
    Ok(Inspection {
        format: looked.format,
        notes: looked.notes,
        sheets: looked.sheets,
        sheet: looked.sheet,
        header_line: looked.header_line,
        style: settings.style().unwrap_or(recognised_style),
        rows: looked.rows,
        hidden_rows: looked.hidden_rows,
        sum_rows: looked.sum_rows,
        footnotes: looked.footnotes,
        can_sum_rows: r#type == ImportType::Stock,
        columns: columns
            .map(|((((title, recognised), meaning), Title { unit, .. }), suggestion)| InspectedColumn {
                heading_unit: measure_of(title.name.trim()),
                name: title.name,
                recognised,
                meaning,
                chosen_unit: unit,
                suggestion,
            })
            .collect(),
        first: looked.first.into_iter().take(SHOWN).collect(),
        fields,
        required: declared.required(),
        together: declared.together(),
        problems,
        profile,
        remembered,
        better,
    })
}

/// Columns that files of a type may have.
pub async fn declared(db: &Database, registry: &Registry, r#type: ImportType) -> Result<DeclaredColumns> {
    registry.get(r#type)?.declared(db).await
}

/// Sample file of a type, for callers who may import one.
pub async fn template(
    db: &Database,
    registry: &Registry,
    by: Uploader<'_>,
    r#type: ImportType,
) -> Result<Template> {
    import::uploader::check(registry, by.scope, by.rights, r#type)?;
    if r#type.holds() != Content::Table {
        return Err(Error::not_found());
    }
    registry.get(r#type)?.template(db, by.scope, by.language).await
}

/// Checks the settings and the mapping of an upload against its file; returns the key by which files with the
/// same columns are found.
pub(crate) async fn checked(
    db: &Database,
    registry: &Registry,
    by: Uploader<'_>,
    r#type: ImportType,
    settings: Option<&Settings>,
    of_mapping: Option<&Mapping>,
    file: &Path,
) -> Result<String> {
    let importer = registry.get(r#type)?;
    let declared = Arc::new(importer.declared(db).await?);
    let settings = settings.cloned().unwrap_or_default();
    let mapping = of_mapping.cloned().unwrap_or_default();
    let mut wrong = Violations::new();
    settings.check(r#type, &declared, &mut wrong);
    wrong.check()?;
    let (path, options) = (file.to_owned(), settings.options(&declared, by.language, false));
    let (of_file, of_columns) = (declared.clone(), mapping.clone());
    let open = move || {
        let options = recognise(&path, r#type, &options, &of_file, Some(&of_columns))?;
        Ok(sheets::open_with(&path, r#type.holds(), &options)?.header().to_vec())
    };
    let header = tokio::task::spawn_blocking(open).await.map_err(Error::internal)?.map_err(file_violation)?;
    let titles = mapping.check(&header, &declared, by.language)?;
    if let Err(problems) = importer.check(db, by.scope, &titles, by.language).await? {
        let mut wrong = Violations::new();
        for problem in problems {
            let path = if of_mapping.is_some() { mapping.path_of(&problem) } else { "file".to_owned() };
            wrong.add(path, problem);
        }
        wrong.check()?;
    }
    let width = header.len() - settings.constants().len();
    Ok(header_key(header.get(..width).unwrap_or_default()))
}

/// Reports the refusal of a file at the field `file`.
fn file_violation(error: Error) -> Error {
    match error {
        Error::Refused(message) => Violations::error("file", message),
        error => error,
    }
}

fn look(
    path: &Path,
    r#type: ImportType,
    options: &ReadOptions,
    declared: &DeclaredColumns,
    mapping: Option<&Mapping>,
) -> Result<FileInspection> {
    let options = recognise(path, r#type, options, declared, mapping)?;
    let mut sheet = sheets::open_with(path, r#type.holds(), &options)?;
    let (format, notes) = (sheet.format(), sheet.notes().to_vec());
    let (sheets, sheet_name) = (sheet.sheet_names(), sheet.sheet_name().map(str::to_owned));
    let (header, header_line) = (sheet.header().to_vec(), sheet.header_line());
    let (mut first, mut evidence) = (Vec::new(), vec![Evidence::default(); header.len()]);
    let (mut count, mut all) = (0, true);
    let mut rows = sheet.rows()?;
    for row in rows.by_ref() {
        let row = row?;
        if count == LOOKED_AT {
            all = false;
            break;
        }
        count += 1;
        for (evidence, cell) in evidence.iter_mut().zip(&row.cells) {
            evidence.see(cell);
        }
        if first.len() < LOOKED_UP {
            first.push((row.line, row.cells));
        }
    }
    let (hidden_rows, sum_rows, footnotes) = (rows.hidden_rows(), rows.sum_rows(), rows.footnotes().to_vec());
    if count == 0 {
        return Err(if format == Format::Json { codes::LISTS_EMPTY } else { codes::NO_ROWS }.into());
    }
    let rows = all.then_some(count);
    Ok(FileInspection {
        format,
        notes,
        sheets,
        sheet: sheet_name,
        header,
        header_line,
        rows,
        hidden_rows,
        sum_rows,
        footnotes,
        first,
        evidence,
    })
}

/// Mapping of the last import of a file with the same columns, if it is still valid.
async fn remembered(
    db: &Database,
    scope: &Scope,
    r#type: ImportType,
    header: &[Cell],
    declared: &DeclaredColumns,
) -> Result<Option<FormerMapping>> {
    let last = scope
        .find::<Imports>()
        .filter(Column::TenantId.eq(scope.tenant()?))
        .filter(Column::Type.eq(r#type))
        .filter(Column::HeaderKey.eq(header_key(header)))
        .order_by_desc(Column::Id)
        .one(db)
        .await?;
    let Some(import) = last else { return Ok(None) };
    let mapping = import.mapping.clone().unwrap_or_default();
    let constants = import.settings.as_ref().map(Settings::constants).unwrap_or_default();
    let constants = constants.iter().filter(|constant| declared.is_field(&constant.field)).cloned().collect();
    Ok(mapping.fits(header, declared).then_some(FormerMapping { import, mapping, constants }))
}

/// Type that fits a header best, if it fits better than the chosen one: fewest missing fields, then fewest
/// unknown columns, then fewest of its columns that the file lacks. Types that delete records or take effect
/// as a whole are excluded.
async fn better(
    db: &Database,
    registry: &Registry,
    by: Uploader<'_>,
    chosen: ImportType,
    declared: &DeclaredColumns,
    titles: &[Title],
    names: &[Title],
) -> Result<Option<ImportType>> {
    let (missing, unknown, _) = misfit(declared, titles);
    let mut best = None;
    for r#type in registry.types().filter(|r#type| *r#type != chosen) {
        let importer = registry.get(r#type)?;
        if importer.removes()
            || importer.is_whole()
            || r#type.holds() != Content::Table
            || import::uploader::check(registry, by.scope, by.rights, r#type).is_err()
        {
            continue;
        }
        let misfit = misfit(&importer.declared(db).await?, names);
        let fits = misfit.0 == 0 && (misfit.0, misfit.1) < (missing, unknown);
        if fits && best.is_none_or(|(least, _)| misfit < least) {
            best = Some((misfit, r#type));
        }
    }
    Ok(best.map(|(_, r#type)| r#type))
}

/// Number of missing fields, of unknown columns, and of known columns that the file does not have.
fn misfit(declared: &DeclaredColumns, titles: &[Title]) -> (usize, usize, usize) {
    let meanings = declared.meanings(titles);
    let unknown = meanings.iter().filter(|meaning| **meaning == Meaning::Unknown).count();
    let mapped_fields: HashSet<&str> = meanings
        .iter()
        .filter_map(|meaning| match meaning {
            Meaning::Field { key, .. } => Some(&**key),
            _ => None,
        })
        .collect();
    let required = declared.required();
    let missing =
        required.iter().filter(|group| !group.iter().any(|key| mapped_fields.contains(&**key))).count();
    (missing, unknown, declared.headings.all.len().saturating_sub(mapped_fields.len()))
}
