//! Columns of files of shipping nodes.

use sheets::header::{Heading, Headings};
use values::Phrase;

use crate::shipping::import_columns::Fields;

static NAME: Heading = Heading {
    de: "Name",
    en: "Name",
    synonyms: &["Versandknoten", "Shipping node", "Knoten", "Node", "Standort", "Depot"],
    help: None,
};
static ADDRESS: Heading =
    Heading { de: "Adresse", en: "Address", synonyms: &["Anschrift", "Postal address"], help: None };
static LATITUDE: Heading = Heading {
    de: "Breitengrad",
    en: "Latitude",
    synonyms: &["Breite", "Geografische Breite", "Lat"],
    help: Some(Phrase {
        de: "Grad nördlich des Äquators, zum Beispiel 48,316667; nur zusammen mit dem Längengrad",
        en: "Degrees north of the equator, for example 48.316667; only together with the longitude",
    }),
};
static LONGITUDE: Heading = Heading {
    de: "Längengrad",
    en: "Longitude",
    synonyms: &["Länge", "Geografische Länge", "Lon", "Lng"],
    help: Some(Phrase {
        de: "Grad östlich von Greenwich, zum Beispiel 14,316667; nur zusammen mit dem Breitengrad",
        en: "Degrees east of Greenwich, for example 14.316667; only together with the latitude",
    }),
};
static ACTIVE: Heading = Heading {
    de: "Aktiv",
    en: "Active",
    synonyms: &["Ist aktiv", "Is active", "Enabled"],
    help: Some(Phrase {
        de: "Ja oder Nein; ohne Angabe ist ein neuer Versandknoten aktiv",
        en: "Yes or No; a new shipping node is active if left empty",
    }),
};
static REGION: Heading = Heading {
    de: "Feiertage nach",
    en: "Holidays of",
    synonyms: &["Region", "Bundesland", "Feiertage", "Public holidays of"],
    help: Some(Phrase {
        de: "Das Bundesland oder Österreich, beim Namen oder als Kürzel wie DE-NW und AT",
        en: "The German state or Austria, by its name or as a code such as DE-NW and AT",
    }),
};
static WAREHOUSE: Heading = Heading {
    de: "Lager",
    en: "Warehouse",
    synonyms: &["Lagerkürzel", "Warehouse short code"],
    help: Some(Phrase {
        de: "Das Kürzel des Lagers, das dort steht; gibt es mehrere, das des gewählten Mandanten",
        en: "The short code of the warehouse there; if there are several, that of the chosen tenant",
    }),
};
/// Column of the list's export, known so that an exported file can be imported.
static CHANGED: Heading = Heading { de: "Geändert", en: "Changed", synonyms: &[], help: None };

pub(super) static HEADINGS: Headings = Headings {
    all: &[&NAME, &ADDRESS, &LATITUDE, &LONGITUDE, &ACTIVE, &WAREHOUSE, &REGION, &CHANGED],
    required: &[&[&NAME]],
    units: &[],
    together: &[&[&LATITUDE, &LONGITUDE]],
    unread: &[&CHANGED],
};

/// Columns that are read, and the fields that violations name.
pub(super) static FIELDS: Fields<7> = [
    (&NAME, "name"),
    (&ADDRESS, "address"),
    (&LATITUDE, "latitude"),
    (&LONGITUDE, "longitude"),
    (&ACTIVE, "active"),
    (&WAREHOUSE, "warehouse_id"),
    (&REGION, "region"),
];
