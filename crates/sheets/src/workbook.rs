//! Workbook around a sheet: the choice of the sheet, the strings that cells share, and the styles that show
//! dates.

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
    fs::File,
};

use quick_xml::events::Event;
use values::Result;

use super::{
    archive::Archive,
    xml::{Xml, attribute, damaged, name},
};
use crate::codes;

/// Maximum size of parts other than sheet and strings, which are read as a whole; workbooks of trade data are
/// far smaller.
const METADATA_BYTES: usize = 16 << 20;
/// Maximum number of relationships. A workbook has no more parts than its archive may have, each with one
/// relationship.
const RELATIONSHIPS_MAX: usize = 1_000;
/// Maximum size of a cell: in a spreadsheet it has at most 32,767 characters, which including markup is less.
pub(super) const CELL_BYTES: usize = 1 << 20;
/// Maximum size of the shared strings, which are in memory and the only thing that grows with the file.
const STRINGS_BYTES: usize = 64 << 20;

/// Maximum length of a number format of zeros: SAP's material numbers have 18 digits, those of S/4HANA 40.
const MAX_DIGITS: usize = 40;

/// Open workbook with everything needed to read its sheet.
pub(super) struct Workbook {
    archive: Archive,
    /// Sheets that are not hidden, in order; there is at least one.
    sheets: Vec<Sheet>,
    /// Index of the sheet that is read.
    chosen: usize,
    strings: Strings,
    styles: Styles,
    /// True if days are counted from 1904, as in early versions for the Mac.
    from_1904: bool,
}

struct Sheet {
    name: String,
    /// Name of the part with its cells.
    part: String,
}

impl Workbook {
    pub(super) fn open(file: File) -> Result<Self> {
        let mut archive = Archive::open(file)?;
        let is_workbook = |kind: &str| kind.ends_with("/officeDocument");
        let main = relationships(&mut archive, "_rels/.rels")?
            .into_iter()
            .find(|relationship| is_workbook(&relationship.kind))
            .ok_or(codes::FILE_UNREADABLE)?;
        let main = resolved("", &main.target);
        let (folder, file) = main.rsplit_once('/').unwrap_or(("", &main));
        let relations = relationships(&mut archive, &resolved(folder, &format!("_rels/{file}.rels")))?;

        let Outline { visible, from_1904 } = Outline::read(&mut archive, &main)?;
        let sheet = |(name, id): (String, String)| {
            let is_sheet = |relationship: &&Relationship| {
                relationship.id == id && relationship.kind.ends_with("/worksheet")
            };
            let part = resolved(folder, &relations.iter().find(is_sheet)?.target);
            Some(Sheet { name, part })
        };
        let mut seen = HashSet::new();
        let sheets = visible.into_iter().filter_map(sheet);
        // A part that is listed as several sheets is read once.
        let sheets: Vec<_> = sheets.filter(|sheet| seen.insert(sheet.part.to_lowercase())).collect();
        if sheets.is_empty() {
            return Err(codes::FILE_UNREADABLE.into());
        }
        let part = |kind: &str| {
            let relationship = relations.iter().find(|relationship| relationship.kind.ends_with(kind))?;
            Some(resolved(folder, &relationship.target))
        };
        let (strings, styles) = (part("/sharedStrings"), part("/styles"));
        Ok(Self {
            sheets,
            chosen: 0,
            strings: Strings::read(&mut archive, strings)?,
            styles: Styles::read(&mut archive, styles)?,
            from_1904,
            archive,
        })
    }

    /// Names of the sheets that are not hidden, in order.
    pub(super) fn sheet_names(&self) -> impl Iterator<Item = &str> {
        self.sheets.iter().map(|sheet| sheet.name.as_str())
    }

    /// Name of the sheet that is read.
    pub(super) fn chosen_name(&self) -> Option<&str> {
        self.sheets.get(self.chosen).map(|sheet| sheet.name.as_str())
    }

    /// Selects the sheet that is read; initially it is the first.
    pub(super) fn choose(&mut self, sheet: usize) {
        self.chosen = sheet;
    }

    /// Part of the chosen sheet, and the rest of the workbook, to which its cells refer.
    pub(super) fn sheet(&mut self) -> Result<(Xml<'_>, WorkbookData<'_>)> {
        let part = match self.sheets.get(self.chosen) {
            Some(sheet) => self.archive.part(&sheet.part)?,
            None => None,
        };
        let part = part.ok_or_else(|| damaged(1))?;
        let shared = WorkbookData { strings: &self.strings, styles: &self.styles, from_1904: self.from_1904 };
        Ok((Xml::new(part, METADATA_BYTES), shared))
    }
}

/// Data of the workbook to which the cells of a sheet refer.
#[derive(Clone, Copy)]
pub(super) struct WorkbookData<'w> {
    pub strings: &'w Strings,
    pub styles: &'w Styles,
    pub from_1904: bool,
}

/// Relationship from one part of a workbook to another.
struct Relationship {
    id: String,
    kind: String,
    target: String,
}

/// Reads the relationships of a part, in order; empty if the part does not exist.
fn relationships(archive: &mut Archive, part: &str) -> Result<Vec<Relationship>> {
    let mut relationships = Vec::new();
    let Some(part) = archive.part(part)? else { return Ok(relationships) };
    let mut xml = Xml::new(part, METADATA_BYTES);
    loop {
        match xml.next()? {
            Event::Start(element) if name(&element) == "Relationship" => {
                if relationships.len() == RELATIONSHIPS_MAX {
                    return Err(codes::FILE_BOMB.into());
                }
                let value_of = |attribute_name| attribute(&element, attribute_name).unwrap_or_default();
                relationships.push(Relationship {
                    id: value_of("Id"),
                    kind: value_of("Type"),
                    target: value_of("Target"),
                });
            }
            Event::Eof => return Ok(relationships),
            _ => {}
        }
    }
}

/// Resolves the name of a part that is relative to a folder or absolute.
fn resolved(folder: &str, target: &str) -> String {
    let target = target.replace('\\', "/");
    let mut path: Vec<&str> = if target.starts_with('/') { Vec::new() } else { folder.split('/').collect() };
    for step in target.split('/') {
        match step {
            "" | "." => {}
            ".." => {
                path.pop();
            }
            step => path.push(step),
        }
    }
    path.retain(|step| !step.is_empty());
    path.join("/")
}

/// Content of the workbook's main part.
struct Outline {
    /// Names and relationship ids of the sheets that are not hidden, in order.
    visible: Vec<(String, String)>,
    from_1904: bool,
}

impl Outline {
    fn read(archive: &mut Archive, part: &str) -> Result<Self> {
        let part = archive.part(part)?.ok_or(codes::FILE_UNREADABLE)?;
        let mut xml = Xml::new(part, METADATA_BYTES);
        let mut outline = Self { visible: Vec::new(), from_1904: false };
        loop {
            match xml.next()? {
                Event::Start(element) if name(&element) == "sheet" => {
                    let hidden = attribute(&element, "state").is_some_and(|state| state != "visible");
                    let sheet_name = attribute(&element, "name").unwrap_or_default();
                    let id = attribute(&element, "id").filter(|_| !hidden);
                    if outline.visible.len() == RELATIONSHIPS_MAX {
                        return Err(codes::FILE_BOMB.into());
                    }
                    outline.visible.extend(id.map(|id| (sheet_name, id)));
                }
                Event::Start(element) if name(&element) == "workbookPr" => {
                    outline.from_1904 =
                        attribute(&element, "date1904").is_some_and(|is| is == "1" || is == "true");
                }
                Event::Eof => return Ok(outline),
                _ => {}
            }
        }
    }
}

/// Strings to which cells refer by number, concatenated.
#[derive(Default)]
pub(super) struct Strings {
    text: String,
    ends: Vec<u32>,
}

impl Strings {
    fn read(archive: &mut Archive, part: Option<String>) -> Result<Self> {
        let mut strings = Self::default();
        let Some(part) = part else { return Ok(strings) };
        let Some(part) = archive.part(&part)? else { return Ok(strings) };
        let mut xml = Xml::new(part, METADATA_BYTES);
        let mut string = String::new();
        loop {
            match xml.next()? {
                Event::Start(element) if name(&element) == "si" => {
                    xml.renew(CELL_BYTES);
                    string.clear();
                    xml.string_item(&mut string)?;
                    strings.push(&unescaped(&string))?;
                    xml.renew(CELL_BYTES);
                }
                Event::Eof => return Ok(strings),
                _ => {}
            }
        }
    }

    fn push(&mut self, string: &str) -> Result<()> {
        self.text.push_str(string);
        if self.text.len() + 4 * self.ends.len() > STRINGS_BYTES {
            return Err(codes::FILE_TOO_LARGE
                .with("max", format!("{} MiB Text", STRINGS_BYTES >> 20))
                .into());
        }
        self.ends.push(u32::try_from(self.text.len()).expect("below 64 MiB"));
        Ok(())
    }

    pub(super) fn get(&self, index: usize) -> Option<&str> {
        let end = *self.ends.get(index)? as usize;
        let start =
            index.checked_sub(1).and_then(|before| self.ends.get(before)).map_or(0, |end| *end as usize);
        self.text.get(start..end)
    }
}

/// Cell styles that show a number as a date or a time, or with leading zeros.
#[derive(Default)]
pub(super) struct Styles {
    dates: HashSet<usize>,
    /// Minimum number of digits that a style shows.
    padded: HashMap<usize, usize>,
}

impl Styles {
    pub(super) fn shows_date(&self, style: usize) -> bool {
        self.dates.contains(&style)
    }

    /// Minimum number of digits that a style shows: seven for the format `0000000`.
    pub(super) fn digits(&self, style: usize) -> Option<usize> {
        self.padded.get(&style).copied()
    }

    fn read(archive: &mut Archive, part: Option<String>) -> Result<Self> {
        let mut styles = Self::default();
        let Some(part) = part else { return Ok(styles) };
        let Some(part) = archive.part(&part)? else { return Ok(styles) };
        let mut xml = Xml::new(part, METADATA_BYTES);
        let mut date_formats: HashSet<u32> = (14..=22).chain(27..=36).chain(45..=47).chain(50..=58).collect();
        let mut zero_formats: HashMap<u32, usize> = HashMap::new();
        let mut count = None;
        loop {
            match xml.next()? {
                Event::Start(element) => match name(&element) {
                    "numFmt" => {
                        let id = attribute(&element, "numFmtId").and_then(|id| id.parse::<u32>().ok());
                        let code = attribute(&element, "formatCode").unwrap_or_default();
                        date_formats.extend(id.filter(|_| is_date_format(&code)));
                        zero_formats.extend(id.zip(padded_digits(&code)));
                    }
                    "cellXfs" => count = Some(0),
                    "xf" => {
                        if let Some(index) = &mut count {
                            let format =
                                attribute(&element, "numFmtId").and_then(|id| id.parse::<u32>().ok());
                            if format.is_some_and(|format| date_formats.contains(&format)) {
                                styles.dates.insert(*index);
                            }
                            let digits = format.and_then(|format| zero_formats.get(&format));
                            styles.padded.extend(digits.map(|digits| (*index, *digits)));
                            *index += 1;
                        }
                    }
                    _ => {}
                },
                Event::End(element) if element.local_name().into_inner() == "cellXfs" => count = None,
                Event::Eof => return Ok(styles),
                _ => {}
            }
        }
    }
}

/// Digits of a number format that only adds leading zeros, such as `0000000` for article numbers.
fn padded_digits(code: &str) -> Option<usize> {
    let is_padding = code.len() > 1 && code.len() <= MAX_DIGITS && code.bytes().all(|byte| byte == b'0');
    is_padding.then_some(code.len())
}

/// True if a number format has a date or time component outside its literal texts.
fn is_date_format(code: &str) -> bool {
    let mut characters = code.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => _ = characters.find(|c| *c == '"'),
            '\\' | '_' | '*' => _ = characters.next(),
            '[' => {
                let inside: String = characters.by_ref().take_while(|c| *c != ']').collect();
                if !inside.is_empty()
                    && inside.chars().all(|c| matches!(c, 'h' | 'm' | 's' | 'H' | 'M' | 'S'))
                {
                    return true;
                }
            }
            'd' | 'D' | 'm' | 'M' | 'y' | 'Y' | 'h' | 'H' | 's' | 'S' => return true,
            _ => {}
        }
    }
    false
}

/// Decodes characters that XML cannot contain and that are written as `_x000D_`; such a text itself is
/// written as `_x005F_x000D_`.
pub(super) fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains("_x") {
        return text.into();
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("_x") {
        plain.push_str(before);
        let character = behind
            .split_at_checked(4)
            .filter(|(_, rest)| rest.starts_with('_'))
            .filter(|(digits, _)| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
            .and_then(|(digits, rest)| {
                Some((u32::from_str_radix(digits, 16).ok().and_then(char::from_u32)?, rest))
            });
        if let Some((character, behind)) = character {
            plain.push(character);
            rest = behind.get(1..).unwrap_or_default();
        } else {
            plain.push_str("_x");
            rest = behind;
        }
    }
    plain.push_str(rest);
    plain.into()
}
