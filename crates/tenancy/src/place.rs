//! Town in an address.

/// Returns the town after the postal code of an address: `Duisburg` in `Hafenstraße 12, 47119 Duisburg`.
/// `None` if no part of the address begins with a postal code, so that no street is ever taken for a town.
pub(crate) fn place_of(address: &str) -> Option<&str> {
    address.split([',', ';', '\n']).rev().find_map(|part| {
        let (code, town) = part.trim().split_once(' ')?;
        // Postal codes with a country: `D-47119`, `CH-8005`.
        let digits = code.split_once('-').map_or(code, |(country, digits)| {
            let is_country = (1..=3).contains(&country.len()) && country.chars().all(char::is_alphabetic);
            if is_country { digits } else { "" }
        });
        let is_code = matches!(digits.len(), 4 | 5) && digits.chars().all(|digit| digit.is_ascii_digit());
        let town = town.trim();
        (is_code && town.starts_with(char::is_alphabetic)).then_some(town)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_town_is_read_after_a_postal_code_and_never_from_a_street() {
        for (address, town) in [
            ("Hafenstraße 12, 47119 Duisburg", Some("Duisburg")),
            ("Hafenstraße 12; D-47119 Duisburg-Ruhrort", Some("Duisburg-Ruhrort")),
            ("47119 Duisburg", Some("Duisburg")),
            ("Hardturmstr. 3\nCH-8005 Zürich", Some("Zürich")),
            ("Am Kai 1, 4020 Linz, Österreich", Some("Linz")),
            ("Frankfurter Str. 5, 60311 Frankfurt am Main", Some("Frankfurt am Main")),
            ("Hafenstraße 12", None),
            ("Hafenstraße 12 47119 Duisburg", None),
            ("Hafenstraße 12, Duisburg", None),
            ("Straße-12345 Hof", None),
            ("Werk 3, 12345 678", None),
            ("", None),
        ] {
            assert_eq!(place_of(address), town, "{address}");
        }
    }
}
