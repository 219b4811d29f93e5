//! Words of pricing within messages. Their texts are in `texts/words.de.json` and
//! `texts/words.en.json`.

kernel::words! {
    NUMBER_OR_DATE "number_or_date"
}
