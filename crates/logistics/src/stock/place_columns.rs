//! Columns by which files of stocks and prices name a stock: article, warehouse, dimensions.

use catalog::article_units::ArticleUnits;
use imports::{
    cells::{CellChange, Line, all_faults},
    importer::{Key, KeyPart},
    unresolved::{Kind, UnmatchedNumber},
};
use sheets::{
    RowFault,
    header::{Heading, Layout, UnitKind, WithUnit},
    visible,
};
use store::{Database, Scope};
use tenancy::tenant::{self, Tenant};
use values::{
    Decimal, Message, Phrase, RecordReference, Result, Unit, UnitCategory, Violations, fold,
    unit::convert_exactly,
};

use super::Dimensions;
use crate::{
    codes,
    matching::directory::{Directory, Place, PlaceReference},
};

/// Heading of the tenant, which must be the one that is imported for.
pub static TENANT: Heading = Heading {
    de: "Mandant",
    en: "Tenant",
    synonyms: &["Mandantenkürzel", "Tenant short code"],
    help: Some(Phrase {
        de: "Muss der Mandant sein, für den importiert wird",
        en: "Has to be the tenant that is imported for",
    }),
};
/// Heading of the article number.
pub static ARTICLE: Heading = Heading {
    de: "Artikelnummer",
    en: "Article number",
    synonyms: &[
        "Artikel",
        "Art.-Nr.",
        "Artikel-Nr.",
        "Artikel Nr",
        "ArtNr",
        "Article",
        "Art. No.",
        "Article no",
        "Item number",
        "Item no.",
        "Produktnummer",
        "Sachnummer",
        "Teilenummer",
    ],
    help: None,
};
/// Heading of the article's number in another system, resolved by a matching.
pub static EXTERNAL_ARTICLE: Heading = Heading {
    de: "Externe Artikelnummer",
    en: "External article number",
    synonyms: &[
        "Externe Art.-Nr.",
        "Ext. Artikelnummer",
        "Fremdnummer",
        "Fremdartikelnummer",
        "Lieferantennummer",
        "Lieferantenartikelnummer",
        "Material",
        "Materialnummer",
        "Material-Nr.",
    ],
    help: Some(Phrase {
        de: "Die Nummer eines anderen Systems; eine Zuordnung sagt, welcher Artikel gemeint ist",
        en: "The number of another system; a matching says which article is meant",
    }),
};
/// Heading of the warehouse's short code.
pub static WAREHOUSE: Heading = Heading {
    de: "Lager",
    en: "Warehouse",
    synonyms: &[
        "Lagerkürzel",
        "Kurzzeichen des Lagers",
        "Kurzcode des Lagers",
        "Warehouse short code",
        "Standort",
        "Niederlassung",
    ],
    help: Some(Phrase { de: "Kürzel des Lagers", en: "Short code of the warehouse" }),
};
/// Heading of the warehouse's identifier in another system, resolved by a matching.
pub static EXTERNAL_WAREHOUSE: Heading = Heading {
    de: "Externe Lagerkennung",
    en: "External warehouse identifier",
    synonyms: &[
        "Externe Lagernummer",
        "Externes Lager",
        "External warehouse number",
        "External warehouse",
        "Lagerort",
        "LOrt",
        "Lagernummer",
        "Lager-Nr.",
        "Storage location",
    ],
    help: Some(Phrase { de: "Die Kennung eines anderen Systems", en: "The identifier of another system" }),
};
/// Heading of the length of a remnant; in millimetres unless the heading has another unit.
pub static LENGTH: Heading = Heading {
    de: "Länge",
    en: "Length",
    synonyms: &["Restlänge"],
    help: Some(Phrase {
        de: "Nur für Reststücke, in mm, oder mit Einheit wie „Länge [m]“",
        en: "For remnants only, in mm, or with a unit as in “Length [m]”",
    }),
};
/// Heading of the width of a remnant; in millimetres unless the heading has another unit.
pub static WIDTH: Heading = Heading {
    de: "Breite",
    en: "Width",
    synonyms: &[],
    help: Some(Phrase { de: "Nur für Reststücke, in mm", en: "For remnants only, in mm" }),
};
/// Heading of the height of a remnant; in millimetres unless the heading has another unit.
pub static HEIGHT: Heading = Heading {
    de: "Höhe",
    en: "Height",
    synonyms: &[],
    help: Some(Phrase { de: "Nur für Reststücke, in mm", en: "For remnants only, in mm" }),
};
/// Column of exports that imports ignore, so that an exported file can be imported.
pub static NAME: Heading = Heading {
    de: "Bezeichnung",
    en: "Name",
    synonyms: &[
        "Artikelbezeichnung",
        "Description",
        "Artikelname",
        "Artikeltext",
        "Bezeichnung 1",
        "Artikelbezeichnung 1",
        "Materialkurztext",
        "Produktbezeichnung",
    ],
    help: Some(Phrase {
        de: "Hilft, Nummern ohne Zuordnung zu erkennen",
        en: "Helps to recognise numbers without a matching",
    }),
};
/// Heading of the last change in exports; imports ignore it.
pub static CHANGED: Heading = Heading {
    de: "Geändert",
    en: "Changed",
    synonyms: &["Menge geändert", "Quantity changed", "Preis geändert", "Price changed"],
    help: None,
};

/// Columns that name an article; one of them is needed.
pub const ARTICLE_WAYS: &[&Heading] = &[&ARTICLE, &EXTERNAL_ARTICLE];
/// Columns that name a warehouse.
pub const WAREHOUSE_WAYS: &[&Heading] = &[&WAREHOUSE, &EXTERNAL_WAREHOUSE];

/// Columns of a stock's place whose headings may contain a unit.
pub const PLACE_UNITS: &[WithUnit] =
    &[(&LENGTH, UnitKind::Other), (&WIDTH, UnitKind::Other), (&HEIGHT, UnitKind::Other)];

/// Positions of the columns of a stock's place, and the records that the rows of a batch name.
#[derive(Debug)]
pub struct PlaceColumns {
    article: Option<usize>,
    external_article: Option<usize>,
    warehouse: Option<usize>,
    external_warehouse: Option<usize>,
    sides: [Option<Measure>; 3],
    name: Option<usize>,
    tenant_column: Option<usize>,
    nameless: Vec<usize>,
    tenant: Tenant,
    directory: Directory,
}

/// Column of a length, and its unit.
#[derive(Debug, Clone, Copy)]
struct Measure {
    index: usize,
    unit: Unit,
}

impl PlaceColumns {
    /// Finds the columns in a layout; the inner error lists units of headings that are no lengths.
    pub async fn read(db: &Database, scope: &Scope, layout: &Layout) -> Result<Result<Self, Vec<Message>>> {
        let tenant = tenant::get(db, scope, scope.tenant()?.into()).await?;
        let mut problems = Vec::new();
        let sides = [&LENGTH, &WIDTH, &HEIGHT].map(|heading| {
            let (index, unit) = layout.measured(heading)?;
            let unit = unit.map_or(Ok(Unit::Millimetre), |unit| Unit::parse_in(unit, UnitCategory::Length));
            match unit {
                Ok(unit) => Some(Measure { index, unit }),
                Err(reason) => {
                    problems.push(
                        codes::COLUMN_REFUSED.with("column", layout.name(heading)).message("reason", reason),
                    );
                    None
                }
            }
        });
        if !problems.is_empty() {
            return Ok(Err(problems));
        }
        Ok(Ok(Self {
            article: layout.position(&ARTICLE),
            external_article: layout.position(&EXTERNAL_ARTICLE),
            warehouse: layout.position(&WAREHOUSE),
            external_warehouse: layout.position(&EXTERNAL_WAREHOUSE),
            sides,
            name: layout.position(&NAME),
            tenant_column: layout.position(&TENANT),
            nameless: layout.nameless().collect(),
            tenant,
            directory: Directory::default(),
        }))
    }

    /// Columns that contain numbers.
    pub fn numbers(&self) -> impl Iterator<Item = usize> {
        self.sides.iter().flatten().map(|side| side.index)
    }

    /// Columns whose cells name a stock.
    pub fn key_columns(&self) -> impl Iterator<Item = usize> {
        let columns = [self.article, self.external_article, self.warehouse, self.external_warehouse];
        columns.into_iter().flatten().chain(self.numbers())
    }

    /// Loads the records that rows name.
    pub async fn resolve(&mut self, tx: &store::Write, scope: &Scope, lines: &[Line<'_>]) -> Result<()> {
        let references: Vec<PlaceReference> =
            lines.iter().map(|line| self.place_reference(*line).0).collect();
        self.directory = Directory::load(tx, scope, &references).await?;
        Ok(())
    }

    /// Articles of the batch that was resolved last.
    pub fn articles(&self) -> impl Iterator<Item = &ArticleUnits> {
        self.directory.articles()
    }

    /// Column that gets the error if a row repeats an earlier one.
    pub fn key_column(&self) -> Option<usize> {
        self.article.or(self.external_article)
    }

    /// Number in a cell that no matching resolves.
    pub fn unmatched(&self, line: Line<'_>, column: usize) -> Option<UnmatchedNumber> {
        let kind = match Some(column) {
            column if column == self.external_article => Kind::Article,
            column if column == self.external_warehouse => Kind::Warehouse,
            _ => return None,
        };
        let designation = self.name.filter(|_| kind == Kind::Article).map(|name| line.text(name));
        let number = visible(line.name(Some(column)).ok()??).into_owned();
        Some(UnmatchedNumber { kind, number, designation: designation.unwrap_or_default().to_owned() })
    }

    fn place_reference(&self, line: Line<'_>) -> (PlaceReference, Vec<RowFault>) {
        let mut faults = Vec::new();
        let mut text = |column| match line.name(column) {
            Ok(name) => name.map(|name| visible(name).into_owned()),
            Err(fault) => {
                faults.push(fault);
                None
            }
        };
        let reference = PlaceReference {
            article: RecordReference::new(None, text(self.article)),
            external_article_number: text(self.external_article),
            warehouse: RecordReference::new(None, text(self.warehouse)),
            external_warehouse_identifier: text(self.external_warehouse),
        };
        (reference, faults)
    }

    fn dimensions(&self, line: Line<'_>, faults: &mut Vec<RowFault>) -> Dimensions {
        let [length, width, height] = self.sides.map(|side| {
            let Measure { index, unit } = side?;
            let change = line.read_change(index, faults, |cell| {
                let number = line.number(cell)?;
                convert_exactly(number, unit, Unit::Millimetre)
                    .ok_or_else(|| Message::from(codes::NOT_EXACT).unit("unit", Unit::Millimetre))
            });
            match change {
                CellChange::Set(number) => Some(number),
                CellChange::Keep | CellChange::Clear => None,
            }
        });
        Dimensions { length, width, height }
    }

    /// Finds the stock that a row names; returns all faults in the columns of its place otherwise.
    pub fn place(&self, line: Line<'_>) -> Result<(Place<'_>, Dimensions), Vec<RowFault>> {
        let (reference, mut faults) = self.place_reference(line);
        let dimensions = self.dimensions(line, &mut faults);
        faults.extend(check_tenant(&self.tenant, self.tenant_column, line).err());
        faults.extend(line.nameless(&self.nameless));
        let mut violations = Violations::new();
        let place = self.directory.place(&reference, &mut violations);
        if let Some(place) = place {
            dimensions.check(place.article, &mut violations);
        }
        match place {
            Some(place) if violations.is_empty() && faults.is_empty() => Ok((place, dimensions)),
            _ => Err(self.faults(line, faults, violations, |_| None)),
        }
    }

    /// Finds the article that a row names, for files without a warehouse.
    pub fn article(&self, line: Line<'_>) -> Result<&ArticleUnits, Vec<RowFault>> {
        let (reference, mut faults) = self.place_reference(line);
        faults.extend(check_tenant(&self.tenant, self.tenant_column, line).err());
        faults.extend(line.nameless(&self.nameless));
        let mut violations = Violations::new();
        match self.directory.find_article(&reference, &mut violations) {
            Some(article) if violations.is_empty() && faults.is_empty() => Ok(article),
            _ => Err(self.faults(line, faults, violations, |_| None)),
        }
    }

    /// Key of the stock.
    pub fn key(&self, line: Line<'_>) -> Result<Key, Vec<RowFault>> {
        let (Place { article, warehouse }, sides) = self.place(line)?;
        let side = |side: Option<Decimal>| KeyPart::Id(side.unwrap_or_default().millionths());
        Ok(Key(vec![
            article.id.into(),
            warehouse.id.into(),
            side(sides.length),
            side(sides.width),
            side(sides.height),
        ]))
    }

    /// Assigns violations to columns; `further` finds the columns of other fields.
    pub fn faults(
        &self,
        line: Line<'_>,
        faults: Vec<RowFault>,
        violations: Violations,
        further: impl Fn(&str) -> Option<usize>,
    ) -> Vec<RowFault> {
        let column = |path: &str| match path {
            "article_id" | "article_number" => self.article.or(self.external_article),
            "external_article_number" => self.external_article,
            "warehouse_id" | "warehouse_short_code" => self.warehouse.or(self.external_warehouse),
            "external_warehouse_identifier" => self.external_warehouse,
            "length" => self.sides[0].map(|side| side.index),
            "width" => self.sides[1].map(|side| side.index),
            "height" => self.sides[2].map(|side| side.index),
            path => further(path),
        };
        let mut faults = all_faults(faults, violations, column);
        for RowFault { column, message } in &mut faults {
            if let (codes::UNKNOWN_REFERENCE, Some(column)) = (message.code, *column) {
                *message = codes::UNKNOWN_NAME.with("value", line.text(column));
            }
        }
        faults
    }
}

/// Finds the column that all of these are values of: article numbers, short codes of warehouses, or numbers
/// in another system.
pub async fn field_of_values(
    db: &Database,
    scope: &Scope,
    values: &[String],
) -> Result<Option<&'static Heading>> {
    if values.is_empty() {
        return Ok(None);
    }
    for heading in [&ARTICLE, &WAREHOUSE, &EXTERNAL_ARTICLE, &EXTERNAL_WAREHOUSE] {
        let reference_to = |value: &String| {
            let is = |other: &Heading| *heading == *other;
            let text = |other: &Heading| is(other).then(|| visible(value).into_owned());
            PlaceReference {
                article: RecordReference::new(None, text(&ARTICLE)),
                external_article_number: text(&EXTERNAL_ARTICLE),
                warehouse: RecordReference::new(None, text(&WAREHOUSE)),
                external_warehouse_identifier: text(&EXTERNAL_WAREHOUSE),
            }
        };
        let references: Vec<PlaceReference> = values.iter().map(reference_to).collect();
        let directory = Directory::load(db, scope, &references).await?;
        if references.iter().all(|reference| directory.contains(reference)) {
            return Ok(Some(heading));
        }
    }
    Ok(None)
}

/// Checks that the tenant column of a row, if it is filled, names the acting tenant.
pub(crate) fn check_tenant(tenant: &Tenant, column: Option<usize>, line: Line<'_>) -> Result<(), RowFault> {
    let Some(name) = line.name(column)? else { return Ok(()) };
    let name = fold(&visible(name));
    if [&tenant.short_code_fold, &tenant.company_fold].contains(&&name) {
        return Ok(());
    }
    Err(RowFault { column, message: codes::NOT_THIS_TENANT.with("known", &tenant.short_code) })
}
