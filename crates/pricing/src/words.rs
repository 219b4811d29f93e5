//! Words of pricing within messages. Their texts are in `texts/words.de.json` and
//! `texts/words.en.json`.

values::words! {
    NUMBER_OR_DATE "number_or_date"
}
