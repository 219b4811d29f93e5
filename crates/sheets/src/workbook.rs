//! The workbook around a sheet: which sheet it is, the strings that its cells share, and which styles show dates.

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
    fs::File,
};

use kernel::{Code, Result};
use quick_xml::events::Event;

use super::{
    archive::Archive,
    xml::{Xml, attribute, damaged, name},
};

/// The parts beside sheet and strings are read at once; no workbook of trade data comes near this.
const METADATA_BYTES: usize = 16 << 20;
/// A workbook has no more parts than its archive may have; each has one relationship.
const RELATIONSHIPS_MAX: usize = 1_000;
/// The longest cell in a spreadsheet has 32,767 characters; with markup it is below this.
pub(super) const CELL_BYTES: usize = 1 << 20;
/// The strings that cells share are kept in memory, the one thing that grows with the file.
const STRINGS_BYTES: usize = 64 << 20;

/// The longest number format that fills up with zeros: SAP's material numbers have 18 digits, those of S/4HANA 40.
const MAX_DIGITS: usize = 40;

/// An open workbook and what is needed to read its sheet.
pub(super) struct Workbook {
    archive: Archive,
    /// The sheets that are not hidden, in order; there is at least one.
    sheets: Vec<Sheet>,
    /// Which of them is read.
    chosen: usize,
    strings: Strings,
    styles: Styles,
    /// Whether days are counted from 1904, as early versions for the Mac did.
    from_1904: bool,
}

struct Sheet {
    name: String,
    /// Where its cells are.
    part: String,
}

impl Workbook {
    pub(super) fn open(file: File) -> Result<Self> {
        let mut archive = Archive::open(file)?;
        let is_workbook = |kind: &str| kind.ends_with("/officeDocument");
        let main = relationships(&mut archive, "_rels/.rels")?
            .into_iter()
            .find(|relationship| is_workbook(&relationship.kind))
            .ok_or(Code::FileUnreadable)?;
        let main = resolved("", &main.target);
        let (folder, file) = main.rsplit_once('/').unwrap_or(("", &main));
        let relations = relationships(&mut archive, &resolved(folder, &format!("_rels/{file}.rels")))?;

        let Outline { visible, from_1904 } = Outline::read(&mut archive, &main)?;
        let sheet = |(name, id): (String, String)| {
            let is_it = |found: &&Relationship| found.id == id && found.kind.ends_with("/worksheet");
            let part = resolved(folder, &relations.iter().find(is_it)?.target);
            Some(Sheet { name, part })
        };
        let mut seen = HashSet::new();
        let sheets = visible.into_iter().filter_map(sheet);
        // A part that is said to be several sheets is looked at once.
        let sheets: Vec<_> = sheets.filter(|sheet| seen.insert(sheet.part.to_lowercase())).collect();
        if sheets.is_empty() {
            return Err(Code::FileUnreadable.into());
        }
        let part = |kind: &str| {
            let found = relations.iter().find(|relationship| relationship.kind.ends_with(kind))?;
            Some(resolved(folder, &found.target))
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

    /// The names of the sheets that are not hidden, in order.
    pub(super) fn sheet_names(&self) -> impl Iterator<Item = &str> {
        self.sheets.iter().map(|sheet| sheet.name.as_str())
    }

    /// The name of the sheet that is read.
    pub(super) fn chosen_name(&self) -> Option<&str> {
        self.sheets.get(self.chosen).map(|sheet| sheet.name.as_str())
    }

    /// Which sheet is read; at first it is the first.
    pub(super) fn choose(&mut self, sheet: usize) {
        self.chosen = sheet;
    }

    /// The chosen sheet's part and the rest of the workbook, which its cells refer to.
    pub(super) fn sheet(&mut self) -> Result<(Xml<'_>, Shared<'_>)> {
        let part = match self.sheets.get(self.chosen) {
            Some(sheet) => self.archive.part(&sheet.part)?,
            None => None,
        };
        let part = part.ok_or_else(|| damaged(1))?;
        let shared = Shared { strings: &self.strings, styles: &self.styles, from_1904: self.from_1904 };
        Ok((Xml::new(part, METADATA_BYTES), shared))
    }
}

/// What the cells of a sheet refer to.
#[derive(Clone, Copy)]
pub(super) struct Shared<'w> {
    pub strings: &'w Strings,
    pub styles: &'w Styles,
    pub from_1904: bool,
}

/// What one part of a workbook says of another.
struct Relationship {
    id: String,
    kind: String,
    target: String,
}

/// All of a part, in order; none where the part is not there.
fn relationships(archive: &mut Archive, part: &str) -> Result<Vec<Relationship>> {
    let mut relationships = Vec::new();
    let Some(part) = archive.part(part)? else { return Ok(relationships) };
    let mut xml = Xml::new(part, METADATA_BYTES);
    loop {
        match xml.next()? {
            Event::Start(element) if name(&element) == "Relationship" => {
                if relationships.len() == RELATIONSHIPS_MAX {
                    return Err(Code::FileBomb.into());
                }
                let of = |wanted| attribute(&element, wanted).unwrap_or_default();
                relationships.push(Relationship { id: of("Id"), kind: of("Type"), target: of("Target") });
            }
            Event::Eof => return Ok(relationships),
            _ => {}
        }
    }
}

/// A part's name, given relative to a folder or absolutely.
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

/// What the main part says about the workbook.
struct Outline {
    /// Names and relationship ids of the sheets that are not hidden, in order.
    visible: Vec<(String, String)>,
    from_1904: bool,
}

impl Outline {
    fn read(archive: &mut Archive, part: &str) -> Result<Self> {
        let part = archive.part(part)?.ok_or(Code::FileUnreadable)?;
        let mut xml = Xml::new(part, METADATA_BYTES);
        let mut outline = Self { visible: Vec::new(), from_1904: false };
        loop {
            match xml.next()? {
                Event::Start(element) if name(&element) == "sheet" => {
                    let hidden = attribute(&element, "state").is_some_and(|state| state != "visible");
                    let named = attribute(&element, "name").unwrap_or_default();
                    let id = attribute(&element, "id").filter(|_| !hidden);
                    if outline.visible.len() == RELATIONSHIPS_MAX {
                        return Err(Code::FileBomb.into());
                    }
                    outline.visible.extend(id.map(|id| (named, id)));
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

/// The strings that cells refer to by number, one behind the other.
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
            return Err(Code::FileTooLarge.with("max", format!("{} MiB Text", STRINGS_BYTES >> 20)).into());
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

/// Cell styles that show a number as a date or a time, or with zeros before it.
#[derive(Default)]
pub(super) struct Styles {
    dates: HashSet<usize>,
    /// The digits that a style shows at least.
    padded: HashMap<usize, usize>,
}

impl Styles {
    pub(super) fn shows_date(&self, style: usize) -> bool {
        self.dates.contains(&style)
    }

    /// The digits that a style shows at least: seven of the format `0000000`.
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

/// The digits of a number format that only fills up with zeros: `0000000`, as article numbers are shown.
fn padded_digits(code: &str) -> Option<usize> {
    let is_padding = code.len() > 1 && code.len() <= MAX_DIGITS && code.bytes().all(|byte| byte == b'0');
    is_padding.then_some(code.len())
}

/// Whether a number format has a part of a date or time outside its literal texts.
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

/// Characters that XML cannot hold are written as `_x000D_`, and such a text itself as `_x005F_x000D_`.
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
