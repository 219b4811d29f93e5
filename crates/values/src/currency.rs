//! Currencies as headings and cells name them. All amounts are in euros.

use crate::fold::fold;

/// Currency: euro or any other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Currency {
    Euro,
    Foreign,
}

/// Currency signs that stand next to a number or a name without a space: `€/t`, `Preis$`.
pub const SIGNS: &[char] = &['€', '$', '£', '¥', '₺', '₴', '₽', '₹'];

const EURO: &[&str] = &["€", "eur", "euro", "euros"];

/// Currencies of Europe and of the large steel exporters, by code, sign and colloquial name.
const FOREIGN: &[&str] = &[
    "$", "£", "¥", "₺", "₴", "₽", "₹", "aud", "bam", "bgn", "brl", "cad", "chf", "cny", "czk", "dkk",
    "dollar", "franken", "gbp", "hrk", "huf", "inr", "isk", "jpy", "kc", "krw", "mkd", "nok", "pln", "rmb",
    "ron", "rsd", "rub", "sek", "sfr", "sgd", "try", "twd", "uah", "usd", "yen", "zar", "złoty", "zloty",
    "zł",
];

impl Currency {
    /// Parses a code, a sign or a name in any case, with or without a dot after it.
    pub fn parse(text: &str) -> Option<Self> {
        let folded = fold(text.trim().trim_end_matches('.'));
        let is_one_of = |names: &[&str]| names.iter().any(|name| fold(name) == folded);
        if is_one_of(EURO) {
            Some(Self::Euro)
        } else if is_one_of(FOREIGN) {
            Some(Self::Foreign)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn euros_are_accepted_and_foreign_currencies_are_recognised() {
        for euro in ["€", "EUR", "Euro", " eur "] {
            assert_eq!(Currency::parse(euro), Some(Currency::Euro), "{euro}");
        }
        for foreign in ["CHF", "$", "Sfr.", "zł", "PLN"] {
            assert_eq!(Currency::parse(foreign), Some(Currency::Foreign), "{foreign}");
        }
        for neither in ["", "t", "kg", "Banane", "ct"] {
            assert_eq!(Currency::parse(neither), None, "{neither}");
        }
    }
}
