//! Columns of files of shipping legs.

use sheets::header::{Heading, Headings};
use values::Phrase;

use crate::shipping::import_columns::Fields;

static SENDER: Heading = Heading {
    de: "Absender",
    en: "Sender",
    synonyms: &["Von", "From", "Sending node", "Startknoten", "Absendeknoten"],
    help: Some(Phrase { de: "Der Name eines Versandknotens", en: "The name of a shipping node" }),
};
static RECEIVER: Heading = Heading {
    de: "Empfänger",
    en: "Receiver",
    synonyms: &["Nach", "To", "Receiving node", "Zielknoten", "Empfangsknoten"],
    help: Some(Phrase {
        de: "Der Name eines anderen Versandknotens",
        en: "The name of another shipping node",
    }),
};
static PREPARATION: Heading = Heading {
    de: "Bereitstellung",
    en: "Preparation",
    synonyms: &["Bereitstellungsdauer", "Preparation duration"],
    help: DURATION,
};
static LOADING: Heading =
    Heading { de: "Beladung", en: "Loading", synonyms: &["Beladedauer", "Loading duration"], help: DURATION };
static TRAVEL: Heading = Heading {
    de: "Fahrt",
    en: "Travel",
    synonyms: &["Fahrzeit", "Fahrtdauer", "Travel duration", "Travel time"],
    help: DURATION,
};
static UNLOADING: Heading = Heading {
    de: "Entladung",
    en: "Unloading",
    synonyms: &["Entladedauer", "Unloading duration"],
    help: DURATION,
};
static ORDER_TIME: Heading = Heading {
    de: "Bestellschluss",
    en: "Order time",
    synonyms: &["Bestellzeit", "Cut-off"],
    help: Some(Phrase {
        de: "HH:mm; eine Uhrzeit nach der Abfahrt gilt am Tag davor",
        en: "HH:mm; a time after the departure is one of the day before",
    }),
};
static DEPARTURES: Heading = Heading {
    de: "Abfahrten",
    en: "Departures",
    synonyms: &["Abfahrt", "Fahrplan", "Timetable", "Departure times"],
    help: Some(Phrase {
        de: "Alle Abfahrten einer Woche, zum Beispiel Mo–Fr 06:00, 14:30; Sa 08:00",
        en: "All departures of a week, for example Mon–Fri 06:00, 14:30; Sat 08:00",
    }),
};
static EXCEPTIONS: Heading = Heading {
    de: "Ausnahmen",
    en: "Exceptions",
    synonyms: &["Ausnahme", "Exception"],
    help: Some(Phrase {
        de: "Zum Beispiel 24.12.2026 entfällt; 31.12.2026 05:00 zusätzlich",
        en: "For example 2026-12-24 dropped; 2026-12-31 05:00 added",
    }),
};
/// Columns of the list's export, known so that an exported file can be imported.
static DEPARTURES_PER_WEEK: Heading =
    Heading { de: "Abfahrten je Woche", en: "Departures per week", synonyms: &[], help: None };
static CHANGED: Heading = Heading { de: "Geändert", en: "Changed", synonyms: &[], help: None };

const DURATION: Option<Phrase> = Some(Phrase {
    de: "Zum Beispiel 1h20m, 1:20, 80 (Minuten) oder 1,5h",
    en: "For example 1h20m, 1:20, 80 (minutes) or 1.5h",
});

pub(super) static HEADINGS: Headings = Headings {
    all: &[
        &SENDER,
        &RECEIVER,
        &PREPARATION,
        &LOADING,
        &TRAVEL,
        &UNLOADING,
        &ORDER_TIME,
        &DEPARTURES,
        &EXCEPTIONS,
        &DEPARTURES_PER_WEEK,
        &CHANGED,
    ],
    required: &[&[&SENDER], &[&RECEIVER]],
    units: &[],
    together: &[],
    unread: &[&DEPARTURES_PER_WEEK, &CHANGED],
};

/// Columns that are read, and the fields that violations name.
pub(super) static FIELDS: Fields<9> = [
    (&SENDER, "sending_node_id"),
    (&RECEIVER, "receiving_node_id"),
    (&PREPARATION, "preparation_duration"),
    (&LOADING, "loading_duration"),
    (&TRAVEL, "travel_duration"),
    (&UNLOADING, "unloading_duration"),
    (&ORDER_TIME, "order_time"),
    (&DEPARTURES, "departures"),
    (&EXCEPTIONS, "exceptions"),
];
