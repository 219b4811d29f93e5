//! Countries in the addresses of shipping nodes, each with a bounding rectangle. A place outside the
//! rectangle is outside the country; one inside may still be in a neighbouring country.
//!
//! The rectangles are rounded outwards to tenths of a degree. Exact borders, as OpenStreetMap has them, have
//! a licence that demands more than attribution; rectangles suffice to find coordinates that are mistyped or
//! swapped.

use values::{Decimal, fold};

/// Country with its ISO 3166-1 code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Country {
    pub code: &'static str,
    /// Code once used before German postcodes, as `D-47119`, if it differs from the ISO code.
    plate: &'static str,
    /// Folded names in addresses.
    names: &'static [&'static str],
    /// Bounds in tenths of a degree: south, north, west, east.
    bounds: [i32; 4],
}

const fn country(
    code: &'static str,
    plate: &'static str,
    names: &'static [&'static str],
    bounds: [i32; 4],
) -> Country {
    Country { code, plate, names, bounds }
}

const COUNTRIES: &[Country] = &[
    country("AT", "a", &["osterreich", "austria"], [463, 491, 95, 172]),
    country(
        "BA",
        "bih",
        &["bosnien und herzegowina", "bosnien-herzegowina", "bosnia and herzegovina"],
        [425, 453, 157, 197],
    ),
    country("BE", "b", &["belgien", "belgium", "belgie", "belgique"], [494, 516, 25, 65]),
    country("BG", "bg", &["bulgarien", "bulgaria"], [412, 443, 223, 287]),
    country("CH", "ch", &["schweiz", "switzerland", "suisse", "svizzera"], [458, 479, 59, 106]),
    country(
        "CZ",
        "cz",
        &["tschechien", "tschechische republik", "czechia", "czech republic", "cesko"],
        [485, 511, 120, 189],
    ),
    country("DE", "d", &["deutschland", "germany"], [472, 551, 58, 151]),
    country("DK", "dk", &["danemark", "denmark", "danmark"], [545, 578, 80, 153]),
    country("EE", "est", &["estland", "estonia", "eesti"], [575, 598, 217, 283]),
    // With the Canary Islands.
    country("ES", "e", &["spanien", "spain", "espana"], [276, 439, -182, 44]),
    country("FI", "fin", &["finnland", "finland", "suomi"], [597, 701, 190, 316]),
    country("FR", "f", &["frankreich", "france"], [413, 512, -53, 97]),
    country(
        "GB",
        "gb",
        &["grossbritannien", "vereinigtes konigreich", "united kingdom", "great britain", "england"],
        [498, 609, -87, 18],
    ),
    country("GR", "gr", &["griechenland", "greece"], [347, 418, 193, 297]),
    country("HR", "hr", &["kroatien", "croatia", "hrvatska"], [423, 466, 134, 195]),
    country("HU", "h", &["ungarn", "hungary", "magyarorszag"], [457, 486, 160, 230]),
    country("IE", "irl", &["irland", "ireland"], [513, 555, -107, -59]),
    country("IT", "i", &["italien", "italy", "italia"], [354, 472, 66, 186]),
    country("LI", "fl", &["liechtenstein"], [470, 473, 94, 97]),
    country("LT", "lt", &["litauen", "lithuania", "lietuva"], [538, 565, 209, 269]),
    country("LU", "l", &["luxemburg", "luxembourg"], [494, 502, 57, 66]),
    country("LV", "lv", &["lettland", "latvia", "latvija"], [556, 581, 209, 283]),
    country(
        "NL",
        "nl",
        &["niederlande", "holland", "netherlands", "the netherlands", "nederland"],
        [507, 537, 32, 73],
    ),
    country("NO", "n", &["norwegen", "norway", "norge"], [579, 713, 44, 312]),
    country("PL", "pl", &["polen", "poland", "polska"], [489, 549, 141, 242]),
    // With Madeira and the Azores.
    country("PT", "p", &["portugal"], [300, 422, -314, -61]),
    country("RO", "ro", &["rumanien", "romania"], [436, 483, 202, 298]),
    country("RS", "srb", &["serbien", "serbia", "srbija"], [422, 462, 188, 231]),
    country("SE", "s", &["schweden", "sweden", "sverige"], [553, 691, 109, 242]),
    country("SI", "slo", &["slowenien", "slovenia", "slovenija"], [454, 469, 133, 167]),
    country("SK", "sk", &["slowakei", "slovakia", "slovensko"], [477, 497, 168, 226]),
    country("TR", "tr", &["turkei", "turkey", "turkiye"], [358, 422, 256, 449]),
    country("UA", "ua", &["ukraine"], [443, 524, 221, 403]),
];

impl Country {
    /// Finds the country in an address: in its last part, `Hafenstraße 3, 4020 Linz, Österreich`, or before
    /// its postcode, `A-4020 Linz` or `AT-4020 Linz`.
    pub fn find_in_address(address: &str) -> Option<Self> {
        let parts = || address.rsplit([',', '\n', ';']).map(|part| fold(part.trim()));
        let last = parts().find(|part| !part.is_empty())?;
        let by_name = COUNTRIES.iter().find(|country| country.names.contains(&&*last));
        by_name.or_else(|| parts().find_map(|part| find_by_postcode(&part))).copied()
    }

    /// True if a place is in the rectangle around the country.
    pub fn may_contain(self, latitude: Decimal, longitude: Decimal) -> bool {
        let [south, north, west, east] =
            self.bounds.map(|tenths| i64::from(tenths) * Decimal::ONE.millionths() / 10);
        (south..=north).contains(&latitude.millionths()) && (west..=east).contains(&longitude.millionths())
    }
}

/// Finds the country by the code before the postcode at the beginning of a folded part of an address.
fn find_by_postcode(part: &str) -> Option<&'static Country> {
    let (code, rest) = part.split_once('-')?;
    let is_postcode = rest.trim_start().chars().take(4).filter(char::is_ascii_digit).count() >= 3;
    let code = code.trim();
    let has_code = |country: &&Country| country.code.eq_ignore_ascii_case(code) || country.plate == code;
    COUNTRIES.iter().filter(|_| is_postcode).find(has_code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_name_countries_as_their_last_part_or_before_the_postcode() {
        for (address, expected) in [
            ("Hafenstraße 3, 4020 Linz, Österreich", Some("AT")),
            ("Hafenstraße 3, 4020 Linz, AUSTRIA ", Some("AT")),
            ("Hafenstraße 3\nA-4020 Linz", Some("AT")),
            ("Hafenstraße 3, AT-4020 Linz", Some("AT")),
            ("Stahlstraße 3, D-47119 Duisburg", Some("DE")),
            ("Maasvlakte 1, NL-3199 LK Rotterdam", Some("NL")),
            ("Europaweg 9, Rotterdam, The Netherlands,", Some("NL")),
            ("Hafenweg 2, CH-4057 Basel", Some("CH")),
            ("Dock 1, Birmingham, Großbritannien", Some("GB")),
            ("Kaarst, Königsallee A-12", None),
            ("Österreichring 4, 47119 Duisburg", None),
            ("Stahlstraße 3, 47119 Duisburg", None),
            ("", None),
        ] {
            assert_eq!(Country::find_in_address(address).map(|country| country.code), expected, "{address}");
        }
    }

    #[test]
    fn each_country_contains_its_capital_and_nothing_with_swapped_coordinates() {
        for (code, latitude, longitude) in [
            ("AT", "48.2083", "16.3731"),
            ("BE", "50.8467", "4.3525"),
            ("CH", "46.948", "7.4474"),
            ("CZ", "50.0875", "14.4213"),
            ("DE", "52.52", "13.405"),
            ("DK", "55.6761", "12.5683"),
            ("ES", "40.4169", "-3.7033"),
            ("FR", "48.8567", "2.3522"),
            ("GB", "51.5072", "-0.1275"),
            ("HU", "47.4925", "19.0514"),
            ("IT", "41.8933", "12.4828"),
            ("LU", "49.61", "6.13"),
            ("NL", "52.3728", "4.8936"),
            ("PL", "52.23", "21.0111"),
            ("PT", "38.7253", "-9.15"),
            ("SE", "59.3294", "18.0686"),
        ] {
            let country = COUNTRIES.iter().find(|country| country.code == code).unwrap();
            let [latitude, longitude] = [latitude, longitude].map(|degrees| degrees.parse().unwrap());
            assert!(country.may_contain(latitude, longitude), "{code}");
            assert!(!country.may_contain(longitude, latitude), "{code}, swapped");
        }
        let austria = Country::find_in_address("Linz, Österreich").unwrap();
        let [duisburg, east] = ["51.4344", "6.7623"].map(|degrees| degrees.parse().unwrap());
        assert!(!austria.may_contain(duisburg, east));
    }
}
