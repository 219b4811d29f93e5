//! Headers: what each column of a file means, by German and English names however they are spelled.

use std::{collections::HashSet, hash::Hash};

use kernel::{Code, Language, Message, Unit, fold::slug};

use super::Cell;
use crate::import_type::ImportType::{
    self, Article, DeleteMatchings, ExternalApiMetaData, Listing, Matching, Price, Stock,
};

macro_rules! fields {
    ($($field:ident $de:literal $en:literal [$($synonym:literal),*] [$($kind:ident),*])*) => {
        /// A known column.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Field { $($field,)* }

        impl Field {
            pub const ALL: &'static [Self] = &[$(Self::$field,)*];

            /// The name that messages and sample files use.
            pub fn label(self, language: Language) -> &'static str {
                match (self, language) {
                    $((Self::$field, Language::De) => $de, (Self::$field, Language::En) => $en,)*
                }
            }

            /// Further spellings in use, beside case, umlauts, spaces and punctuation, which do not count.
            fn synonyms(self) -> &'static [&'static str] {
                match self { $(Self::$field => &[$($synonym),*],)* }
            }

            /// The imports that have this column.
            fn kinds(self) -> &'static [ImportType] {
                match self { $(Self::$field => &[$($kind),*],)* }
            }
        }
    };
}

fields! {
    ArticleType "Artikeltyp" "Article type" ["Typ", "Type"] [Article]
    ArticleNumber "Artikelnummer" "Article number" ["Art.-Nr.", "Artikel-Nr.", "Artikel Nr", "Art. No.", "Article no"]
        [Article, Listing, Price, Stock, Matching, ExternalApiMetaData]
    ArticleName "Bezeichnung" "Article name" ["Artikelbezeichnung", "Artikelname", "Benennung", "Name", "Description"] [Article]
    Material "Werkstoff" "Material" ["W.-Nr.", "Werkstoffnummer", "Werkstoff-Nr.", "Güte", "Material number", "Grade"] [Article]
    Weight "Gewicht" "Weight" ["Gewicht je Basiseinheit", "Metergewicht", "Masse", "weight_per_base_unit", "Mass"] [Article]
    ExternalArticleNumber "Externe Artikelnummer" "External article number"
        ["Externe Art.-Nr.", "Ext. Artikelnummer", "Lieferanten-Artikelnummer", "External article no", "Supplier article number"]
        [Price, Stock, Matching, DeleteMatchings, Listing, ExternalApiMetaData]
    Tenant "Mandant" "Tenant" ["Mandantenkürzel", "tenant_short_code"] [Listing, Matching, DeleteMatchings]
    ExternalTenant "Externe Mandantennummer" "External tenant number" ["Externe Mandantenkennung", "external_tenant_identifier"]
        [Matching, DeleteMatchings]
    Warehouse "Lager" "Warehouse" ["Lagerkürzel", "Lagernummer", "warehouse_short_code"]
        [Listing, Stock, Matching, ExternalApiMetaData]
    ExternalWarehouse "Externe Lagernummer" "External warehouse number" ["Externe Lagerkennung", "external_warehouse_identifier"]
        [Matching, DeleteMatchings, Stock]
    QuantityFrom "Ab Menge" "Quantity from" ["Menge ab", "Staffel", "Staffelmenge"] [Listing, Price]
    Price "Preis" "Price" ["EP", "Einzelpreis", "Unit price"] [Listing, Price]
    PriceQuantity "Preiseinheit-Menge" "Price quantity" ["PE", "je", "per", "Preiseinheit"] [Listing, Price]
    Unit "Einheit" "Unit" ["ME", "Mengeneinheit", "Unit of measure"] [Listing, Price, Stock]
    Currency "Währung" "Currency" [] [Listing, Price]
    PriceList "Preisliste" "Price list" [] [Price]
    ValidFrom "Gültig ab" "Valid from" ["Gültig von"] [Price]
    ValidUntil "Gültig bis" "Valid until" ["Valid to"] [Price]
    Quantity "Menge" "Quantity" ["Bestand", "Stock"] [Listing, Stock]
    Availability "Verfügbarkeit" "Availability" ["availability_type"] [Listing, Stock]
    LeadTime "Lieferzeit" "Lead time" ["Lieferzeit in Tagen"] [Listing, Stock]
    Length "Länge" "Length" [] [Listing, Stock]
    Width "Breite" "Width" [] [Listing, Stock]
    Height "Höhe" "Height" [] [Listing, Stock]
    InternalPrice "Interner Preis" "Internal price" [] [Listing, Stock]
    ExternalPrice "Externer Preis" "External price" [] [Listing, Stock]
    Active "Aktiv" "Active" [] [Listing]
}

impl ImportType {
    /// What a file must have: one column of each group.
    fn required(self) -> &'static [&'static [Field]] {
        use Field::{ArticleNumber, ArticleType, ExternalArticleNumber, Price as Amount, Warehouse};
        match self {
            Article => &[&[ArticleType]],
            Listing | Stock => &[&[ArticleNumber, ExternalArticleNumber], &[Warehouse]],
            Price => &[&[ArticleNumber, ExternalArticleNumber], &[Amount]],
            Matching => &[&[ArticleNumber], &[ExternalArticleNumber]],
            DeleteMatchings | ExternalApiMetaData => &[&[ExternalArticleNumber]],
        }
    }
}

/// The columns that an error file adds, in its order. They are ignored when it is uploaded again.
pub(super) const OWN: [[&str; 2]; 3] = [["Fehler", "Error"], ["Fehlercode", "Error code"], ["Zeile", "Line"]];

/// What a column means. An attribute is named as people call it or, where that means something else, by its
/// placeholder: `{guete}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Column {
    Field {
        field: Field,
        unit: Option<String>,
    },
    /// An attribute of articles, by its id, and the unit in brackets behind its name.
    Attribute {
        id: i64,
        unit: Option<String>,
    },
    /// A column that an error file added.
    Own,
    /// A column without a name: a spacer, as long as it is empty.
    Nameless,
}

/// What the columns of a file mean, one for each cell of the header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    pub columns: Vec<Column>,
}

impl Layout {
    /// Reads a header. `attribute` gives the id of an attribute by its name, where the import has attributes.
    ///
    /// Refused with everything that is wrong: columns that are missing, that occur twice, and that are unknown.
    pub fn read(
        kind: ImportType,
        header: &[Cell],
        language: Language,
        attribute: impl Fn(&str) -> Option<i64>,
    ) -> Result<Self, Vec<Message>> {
        let mut problems = Vec::new();
        let mut seen = HashSet::new();
        let mut columns = Vec::new();
        for cell in header {
            let text = cell.as_str().trim();
            let column = meaning(kind, text, &attribute);
            let key = column.as_ref().and_then(Column::key);
            if key.is_some_and(|key| !seen.insert(key)) {
                problems.push(Code::ColumnDuplicate.with("column", text));
            }
            match column {
                Some(column) => columns.push(column),
                None => problems.push(Code::ColumnUnknown.with("column", text)),
            }
        }
        let layout = Self { columns };
        let missing = |group: &&[Field]| !group.iter().any(|field| layout.position(*field).is_some());
        let missing = kind.required().iter().copied().filter(missing).map(|group| {
            let wanted: Vec<_> = group.iter().map(|field| field.label(language)).collect();
            let missing = Code::ColumnMissing.with("column", wanted.join("“ / „"));
            missing.list("found", header.iter().map(|cell| cell.as_str().trim()))
        });
        // What is missing comes first: in a file that is something else, everything else is unknown.
        let problems: Vec<_> = missing.chain(problems).collect();
        if problems.is_empty() { Ok(layout) } else { Err(problems) }
    }

    /// The index of a known column.
    pub fn position(&self, wanted: Field) -> Option<usize> {
        self.columns
            .iter()
            .position(|column| matches!(column, Column::Field { field, .. } if *field == wanted))
    }
}

/// What must occur once only.
#[derive(PartialEq, Eq, Hash, Clone, Copy)]
enum Key {
    Field(Field),
    Attribute(i64),
}

impl Column {
    fn key(&self) -> Option<Key> {
        match self {
            Self::Field { field, .. } => Some(Key::Field(*field)),
            Self::Attribute { id, .. } => Some(Key::Attribute(*id)),
            Self::Own | Self::Nameless => None,
        }
    }
}

pub(crate) fn meaning(
    kind: ImportType,
    text: &str,
    attribute: impl Fn(&str) -> Option<i64>,
) -> Option<Column> {
    if text.is_empty() {
        return Some(Column::Nameless);
    }
    let named = |name: &str, unit: Option<&str>| {
        let unit = unit.map(str::to_owned);
        if let Some(placeholder) = name.strip_prefix('{').and_then(|name| name.strip_suffix('}')) {
            return attribute(placeholder).map(|id| Column::Attribute { id, unit });
        }
        let field = || known(kind, name).map(|field| Column::Field { field, unit: unit.clone() });
        field().or_else(|| attribute(name).map(|id| Column::Attribute { id, unit: unit.clone() }))
    };
    if is_own(text) {
        return Some(Column::Own);
    }
    // "Breite (innen)" may be the name of an attribute, so the whole text is tried before a unit is split off.
    named(text, None).or_else(|| split_unit(text).and_then(|(name, unit)| named(name, Some(unit))))
}

/// Whether a header cell names a column that an error file added.
pub(super) fn is_own(text: &str) -> bool {
    !text.starts_with('{') && OWN.iter().flatten().any(|own| key(own) == key(text))
}

fn known(kind: ImportType, name: &str) -> Option<Field> {
    let wanted = key(name);
    Field::ALL.iter().copied().filter(|field| field.kinds().contains(&kind)).find(|field| {
        let labels = [field.label(Language::De), field.label(Language::En)];
        labels.iter().chain(field.synonyms()).any(|spelling| key(spelling) == wanted)
    })
}

/// The name and the unit in `Länge [m]`; in round brackets only what is a unit.
fn split_unit(text: &str) -> Option<(&str, &str)> {
    let (brackets, inner) = match text.strip_suffix(']') {
        Some(inner) => ('[', inner),
        None => ('(', text.strip_suffix(')')?),
    };
    let (name, unit) = inner.rsplit_once(brackets)?;
    let (name, unit) = (name.trim(), unit.trim());
    let is_unit = |unit: &str| unit.split('/').all(|part| Unit::parse(part).is_some());
    (brackets == '[' || is_unit(unit)).then_some((name, unit))
}

/// The name that spreadsheets give a column: A, B, ... AA.
pub(crate) fn letters(index: usize) -> String {
    let last = char::from(b'A' + u8::try_from(index % 26).unwrap_or_default());
    match index / 26 {
        0 => last.to_string(),
        before => letters(before - 1) + &last.to_string(),
    }
}

/// Names compare without case, spaces and punctuation, and with umlauts written either way.
pub fn key(name: &str) -> String {
    slug(name).replace('_', "")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(header: &[&str]) -> Vec<Cell> {
        header.iter().map(|text| Cell::text(text)).collect()
    }

    /// Attributes by key: Länge is 1, Höhe is 2, Breite (innen) is 3.
    fn attribute(name: &str) -> Option<i64> {
        (1..).zip(["laenge", "hoehe", "breiteinnen"]).find(|(_, known)| *known == key(name)).map(|(id, _)| id)
    }

    fn read(kind: ImportType, header: &[&str]) -> Result<Vec<Column>, Vec<String>> {
        Layout::read(kind, &cells(header), Language::De, attribute)
            .map(|layout| layout.columns)
            .map_err(|problems| problems.iter().map(|problem| problem.text(Language::De)).collect())
    }

    fn field(field: Field) -> Column {
        Column::Field { field, unit: None }
    }

    fn measure(id: i64, unit: &str) -> Column {
        Column::Attribute { id, unit: Some(unit.to_owned()) }
    }

    #[test]
    fn every_label_and_synonym_means_one_field_of_each_import() {
        for kind in ImportType::ALL {
            for field in Field::ALL.iter().filter(|field| field.kinds().contains(kind)) {
                let labels = [field.label(Language::De), field.label(Language::En)];
                for spelling in labels.iter().chain(field.synonyms()) {
                    assert_eq!(known(*kind, spelling), Some(*field), "{spelling} in {kind:?}");
                    assert!(!is_own(spelling), "{spelling}");
                }
            }
        }
    }

    #[test]
    fn spelling_does_not_count() {
        for (text, expected) in [
            ("Artikelnummer", Field::ArticleNumber),
            ("ARTIKELNUMMER ", Field::ArticleNumber),
            ("Art.-Nr.", Field::ArticleNumber),
            ("ArtNr", Field::ArticleNumber),
            ("article_number", Field::ArticleNumber),
            ("Article Number", Field::ArticleNumber),
            ("Artikel\nNr.", Field::ArticleNumber),
            ("W.-Nr.", Field::Material),
            ("Güte", Field::Material),
            ("GUETE", Field::Material),
            ("weight_per_base_unit", Field::Weight),
        ] {
            assert_eq!(meaning(Article, text.trim(), attribute), Some(field(expected)), "{text}");
        }
        assert_eq!(meaning(Price, "Waehrung", attribute), Some(field(Field::Currency)));
        assert_eq!(meaning(Price, "Gueltig ab", attribute), Some(field(Field::ValidFrom)));
    }

    #[test]
    fn a_unit_stands_in_brackets() {
        let header = ["Artikeltyp", "Länge [m]", "Hoehe (mm)", "Breite (innen)", "Gewicht [kg/m]"];
        assert_eq!(
            read(Article, &header).unwrap(),
            [
                field(Field::ArticleType),
                measure(1, "m"),
                measure(2, "mm"),
                Column::Attribute { id: 3, unit: None },
                Column::Field { field: Field::Weight, unit: Some("kg/m".to_owned()) },
            ]
        );
        assert_eq!(meaning(Article, "Breite (innen) [mm]", attribute), Some(measure(3, "mm")));
        assert_eq!(
            meaning(Article, "Länge [Elle]", attribute),
            Some(measure(1, "Elle")),
            "refused later, with the unit"
        );
        assert_eq!(meaning(Article, "Länge (außen)", attribute), None);
        assert_eq!(meaning(Article, "{laenge} [m]", attribute), Some(measure(1, "m")));
        assert_eq!(meaning(Article, "{werkstoff}", attribute), None, "braces hold attributes only");
    }

    #[test]
    fn the_columns_of_an_error_file_and_spacers_are_ignored() {
        for own in [["Fehler", "Fehlercode", "Zeile"], ["Error", "Error code", "Line"]] {
            let header = [&["Artikeltyp", "", "Länge [m]"][..], &own].concat();
            let columns = read(Article, &header).unwrap();
            assert_eq!(columns[1], Column::Nameless);
            assert_eq!(columns[3..], [Column::Own, Column::Own, Column::Own]);
        }
    }

    #[test]
    fn everything_that_is_wrong_is_said_at_once() {
        assert_eq!(
            read(Article, &["Art.-Nr.", "Farbe", "Artikelnummer", "Länge [m]", "Laenge [mm]"]).unwrap_err(),
            [
                "Es fehlt die Spalte „Artikeltyp“; gefunden wurden: Art.-Nr., Farbe, Artikelnummer, Länge [m], Laenge [mm]",
                "Die Spalte „Farbe“ ist unbekannt",
                "Die Spalte „Artikelnummer“ kommt mehrmals vor",
                "Die Spalte „Laenge [mm]“ kommt mehrmals vor",
            ]
        );
    }

    #[test]
    fn one_of_several_columns_may_be_required() {
        assert!(read(Stock, &["Externe Artikelnummer", "Lager", "Menge"]).is_ok());
        assert!(read(Stock, &["Artikelnummer", "Lagerkuerzel", "Bestand"]).is_ok());
        assert_eq!(
            read(Stock, &["Menge"]).unwrap_err()[0],
            "Es fehlt die Spalte „Artikelnummer“ / „Externe Artikelnummer“; gefunden wurden: Menge"
        );
    }
}
