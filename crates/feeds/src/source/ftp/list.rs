//! The texts in which FTP servers describe folders and addresses: MLSD, LIST in the forms of Unix and
//! Windows, EPSV, PASV.

use std::net::{Ipv4Addr, SocketAddr};

use chrono::{Datelike, NaiveDate, NaiveDateTime, NaiveTime};

use super::super::{EntryKind, Listing, RemoteEntry, is_safe_name};

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// Adds a line of a listing. Lines that describe nothing are left out, names that are unsafe or not UTF-8 are
/// counted.
pub(super) fn add_line(listing: &mut Listing, line: &[u8], read: impl Fn(&str) -> Option<RemoteEntry>) {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let Ok(line) = std::str::from_utf8(line) else {
        listing.unsafe_names += 1;
        return;
    };
    match read(line) {
        Some(entry) if matches!(&*entry.name, "." | "..") => {}
        Some(entry) if is_safe_name(&entry.name) => listing.entries.push(entry),
        Some(_) => listing.unsafe_names += 1,
        None => {}
    }
}

/// A line of MLSD: `type=file;size=42;modify=20261128060000; prices.csv`.
pub(super) fn read_mlsd_line(line: &str) -> Option<RemoteEntry> {
    let (facts, name) = line.split_once(' ')?;
    let mut entry = RemoteEntry { name: name.to_owned(), kind: EntryKind::Other, size: None, modified: None };
    for fact in facts.split(';') {
        let Some((key, value)) = fact.split_once('=') else { continue };
        match key.to_ascii_lowercase().as_str() {
            "type" => match value.to_ascii_lowercase().as_str() {
                "file" => entry.kind = EntryKind::File,
                "dir" => entry.kind = EntryKind::Folder,
                "cdir" | "pdir" => return None,
                _ => {}
            },
            "size" => entry.size = value.parse().ok(),
            "modify" => {
                let seconds = value.get(..14).unwrap_or(value);
                let modified = NaiveDateTime::parse_from_str(seconds, "%Y%m%d%H%M%S").ok();
                entry.modified = modified.map(|modified| modified.and_utc());
            }
            _ => {}
        }
    }
    Some(entry)
}

/// A line of LIST, as Unix and Windows servers write it.
pub(super) fn read_list_line(line: &str, today: NaiveDate) -> Option<RemoteEntry> {
    read_unix_line(line, today).or_else(|| read_windows_line(line))
}

/// `-rw-r--r-- 1 owner group 42 Nov 28 06:00 prices.csv`; some servers leave out the group.
fn read_unix_line(line: &str, today: NaiveDate) -> Option<RemoteEntry> {
    let kind = match line.chars().next()? {
        '-' => EntryKind::File,
        'd' => EntryKind::Folder,
        'l' | 'b' | 'c' | 'p' | 's' => EntryKind::Other,
        _ => return None,
    };
    let words: Vec<_> = words(line).collect();
    // permissions, links and an owner come before the size
    let (at, month) = words.iter().enumerate().skip(4).take(3).find_map(|(at, (_, word))| {
        let month = MONTHS.iter().position(|month| word.eq_ignore_ascii_case(month))?;
        Some((at, u32::try_from(month).ok()? + 1))
    })?;
    let word = |index: usize| words.get(index).map(|(_, word)| *word);
    let (start, year_or_time) = words.get(at + 2)?;
    let name = line.get(start + year_or_time.len()..)?.strip_prefix(' ')?;
    let day: u32 = word(at + 1)?.parse().ok()?;
    let date = |year: i32| NaiveDate::from_ymd_opt(year, month, day);
    let modified = if year_or_time.contains(':') {
        // For a change in the last months there is a time instead of the year.
        let time = NaiveTime::parse_from_str(year_or_time, "%H:%M").ok();
        let tomorrow = today.succ_opt().unwrap_or(today);
        let this_year = date(today.year()).filter(|date| *date <= tomorrow);
        this_year.or_else(|| date(today.year() - 1)).zip(time).map(|(date, time)| date.and_time(time))
    } else {
        year_or_time.parse().ok().and_then(date).map(|date| date.and_time(NaiveTime::MIN))
    };
    let size = word(at - 1).and_then(|size| size.parse().ok());
    Some(RemoteEntry {
        name: name.to_owned(),
        kind,
        size: if kind == EntryKind::File { size } else { None },
        modified: modified.map(|modified| modified.and_utc()),
    })
}

/// `11-28-26  06:00AM       42 prices.csv`, and `<DIR>` instead of a size.
fn read_windows_line(line: &str) -> Option<RemoteEntry> {
    let words: Vec<_> = words(line).take(4).collect();
    let [(_, date), (_, time), (start, size), _] = words.as_slice() else { return None };
    let moment = format!("{date} {time}");
    let formats = ["%m-%d-%y %I:%M%p", "%m-%d-%Y %I:%M%p", "%m-%d-%y %H:%M", "%m-%d-%Y %H:%M"];
    let modified = formats.iter().find_map(|format| NaiveDateTime::parse_from_str(&moment, format).ok())?;
    let name = line.get(start + size.len()..)?.trim_start_matches(' ');
    let (kind, size) = match size.parse() {
        Ok(size) => (EntryKind::File, Some(size)),
        Err(_) if *size == "<DIR>" => (EntryKind::Folder, None),
        Err(_) => (EntryKind::Other, None),
    };
    Some(RemoteEntry { name: name.to_owned(), kind, size, modified: Some(modified.and_utc()) })
}

/// The words of a line, each with its position.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut position = 0;
    line.split(' ').filter_map(move |word| {
        let start = position;
        position += word.len() + 1;
        (!word.is_empty()).then_some((start, word))
    })
}

/// The port of `Entering Extended Passive Mode (|||50000|)`.
pub(super) fn epsv_port(text: &str) -> Option<u16> {
    let (_, inside) = text.rsplit_once('(')?;
    let (inside, _) = inside.split_once(')')?;
    let delimiter = inside.chars().next().filter(char::is_ascii_punctuation)?;
    let mut fields = inside.split(delimiter).skip(1);
    let (_, _, port) = (fields.next()?, fields.next()?, fields.next()?);
    port.parse().ok()
}

/// The address of `Entering Passive Mode (192,0,2,1,195,80)`, with brackets or without them.
pub(super) fn pasv_address(text: &str) -> Option<SocketAddr> {
    let begin = text.find(|c: char| c.is_ascii_digit())?;
    let numbers = text.get(begin..)?.split(|c: char| !c.is_ascii_digit() && c != ',').next()?;
    let numbers: Vec<u8> = numbers.split(',').map(str::parse).collect::<Result<_, _>>().ok()?;
    let [a, b, c, d, high, low] = numbers.try_into().ok()?;
    Some(SocketAddr::new(Ipv4Addr::new(a, b, c, d).into(), u16::from_be_bytes([high, low])))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TODAY: NaiveDate = NaiveDate::from_ymd_opt(2026, 11, 28).unwrap();

    fn entry_text(entry: Option<RemoteEntry>) -> String {
        let Some(entry) = entry else { return "nothing".to_owned() };
        let modified = entry.modified.map(|modified| modified.format("%F %T").to_string());
        format!("{:?} {:?} {:?} {}", entry.kind, entry.size, modified.as_deref().unwrap_or("-"), entry.name)
    }

    #[test]
    fn mlsd_lines_are_parsed() {
        for (line, expected) in [
            (
                "type=file;size=42;modify=20261128060000; prices.csv",
                "File Some(42) \"2026-11-28 06:00:00\" prices.csv",
            ),
            (
                "Modify=20261128060000.123;Perm=adfr;Size=0;Type=FILE;Unique=1;  a  b ;c.csv",
                "File Some(0) \"2026-11-28 06:00:00\"  a  b ;c.csv",
            ),
            ("type=dir;modify=20261128060000; archive", "Folder None \"2026-11-28 06:00:00\" archive"),
            ("type=OS.unix=slink:/etc/passwd; link", "Other None \"-\" link"),
            ("type=file;size=-1;modify=2026; x", "File None \"-\" x"),
            ("type=file;size=99999999999999999999999; x", "File None \"-\" x"),
            ("type=cdir; .", "nothing"),
            ("type=pdir; ..", "nothing"),
            ("total 3", "Other None \"-\" 3"),
            ("", "nothing"),
        ] {
            assert_eq!(entry_text(read_mlsd_line(line)), expected, "{line}");
        }
    }

    #[test]
    fn list_lines_are_parsed_in_unix_and_windows_format() {
        for (line, expected) in [
            (
                "-rw-r--r--    1 1000     1000           42 Nov 28 06:00 prices.csv",
                "File Some(42) \"2026-11-28 06:00:00\" prices.csv",
            ),
            // tomorrow, where the server's zone is ahead
            ("-rw------- 1 ftp ftp 42 Nov 29 00:10 a.csv", "File Some(42) \"2026-11-29 00:10:00\" a.csv"),
            ("-rw------- 1 ftp ftp 42 Dec 24 18:00 a.csv", "File Some(42) \"2025-12-24 18:00:00\" a.csv"),
            ("-rw------- 1 ftp ftp 42 Feb 29  2024 a.csv", "File Some(42) \"2024-02-29 00:00:00\" a.csv"),
            (
                "-rw------- 1 ftp 42 Nov 28 06:00 no group.csv",
                "File Some(42) \"2026-11-28 06:00:00\" no group.csv",
            ),
            ("-rw------- 1 Nov Dec 42 Nov 28 06:00 a.csv", "File Some(42) \"2026-11-28 06:00:00\" a.csv"),
            (
                "-rw------- 1 f g 42 Nov 28 06:00   two spaces.csv",
                "File Some(42) \"2026-11-28 06:00:00\"   two spaces.csv",
            ),
            ("drwxr-xr-x 2 ftp ftp 4096 Nov 28 06:00 archive", "Folder None \"2026-11-28 06:00:00\" archive"),
            (
                "lrwxrwxrwx 1 f g 9 Nov 28 06:00 a -> /etc/passwd",
                "Other None \"2026-11-28 06:00:00\" a -> /etc/passwd",
            ),
            ("-rw------- 1 f g 42 Feb 30 06:00 a.csv", "File Some(42) \"-\" a.csv"),
            (
                "11-28-26  06:05PM                   42 prices new.csv",
                "File Some(42) \"2026-11-28 18:05:00\" prices new.csv",
            ),
            (
                "11-28-2026  06:05AM       <DIR>          archive",
                "Folder None \"2026-11-28 06:05:00\" archive",
            ),
            ("total 12", "nothing"),
            ("-rw-r--r--", "nothing"),
            ("-", "nothing"),
            ("-rw 1 a b 1 Nov", "nothing"),
            ("ä 1 a b 1 Nov 28 06:00 x", "nothing"),
        ] {
            assert_eq!(entry_text(read_list_line(line, TODAY)), expected, "{line}");
        }
    }

    #[test]
    fn unsafe_names_are_counted_and_not_listed() {
        let mut listing = Listing::default();
        for line in [
            &b"type=file;size=1; good.csv\r"[..],
            b"type=file;size=1; ../../etc/passwd",
            b"type=file;size=1; /etc/passwd",
            b"type=file;size=1; a\\b",
            b"type=file;size=1; a\0b",
            b"type=file;size=1; a\rQUIT",
            b"type=file;size=1; pr\xe9is.csv",
            b"type=file;size=1; pr\xef\xbf\xbdis.csv",
            b"type=dir; ..",
            b"type=dir; .",
            b"",
        ] {
            add_line(&mut listing, line, read_mlsd_line);
        }
        let names: Vec<_> = listing.entries.iter().map(|entry| &*entry.name).collect();
        assert_eq!((names, listing.unsafe_names), (vec!["good.csv"], 7));
    }

    #[test]
    fn epsv_and_pasv_answers_are_parsed() {
        for (text, port) in [
            ("Entering Extended Passive Mode (|||50000|)", Some(50_000)),
            ("ok (!!!1!)", Some(1)),
            ("(|1|127.0.0.1|80|)", Some(80)),
            ("(|||65536|)", None),
            ("(|||-1|)", None),
            ("|||50000|", None),
            ("()", None),
            ("(ä)", None),
        ] {
            assert_eq!(epsv_port(text), port, "{text}");
        }
        for (text, address) in [
            ("Entering Passive Mode (192,0,2,1,195,80)", Some("192.0.2.1:50000")),
            ("Entering Passive Mode 192,0,2,1,195,80.", Some("192.0.2.1:50000")),
            ("(192,0,2,1,195)", None),
            ("(192,0,2,1,195,80,1)", None),
            ("(192,0,2,256,195,80)", None),
            ("(192,0,2,,195,80)", None),
            ("no", None),
        ] {
            assert_eq!(pasv_address(text), address.map(|text| text.parse().unwrap()), "{text}");
        }
    }
}
