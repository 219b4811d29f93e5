//! The closed table of everything that can be wrong: class, wire name and the text in both languages.

mod message;
mod word;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub(crate) use self::message::QUOTED_MAX;
pub use self::{
    message::{Message, shortened},
    word::{Phrase, Word},
};

/// A language of the product. German is the default and the fallback.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    #[default]
    De,
    En,
}

/// What kind of refusal a code is; `api` maps each to a status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    Unauthenticated,
    Forbidden,
    NotFound,
    Gone,
    MethodNotAllowed,
    Conflict,
    TooLarge,
    TimedOut,
    UnsupportedMedia,
    Invalid,
    TooMany,
    Unavailable,
    NoRoom,
    Internal,
}

macro_rules! codes {
    // `$wire` is a token: the documentation does not see a literal that a macro has matched as such
    ($($name:ident $class:ident $wire:tt $de:literal $en:literal)*) => {
        /// What is wrong, for machines. Texts may change, codes do not.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
        #[schema(example = "unknown_reference")]
        pub enum Code { $(#[serde(rename = $wire)] $name,)* }

        impl Code {
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The name on the wire and in error files.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$name => $wire,)* }
            }

            pub fn class(self) -> Class {
                match self { $(Self::$name => Class::$class,)* }
            }

            fn template(self, language: Language) -> &'static str {
                match (self, language) {
                    $((Self::$name, Language::De) => $de, (Self::$name, Language::En) => $en,)*
                }
            }
        }
    };
}

codes! {
    // The request as a whole
    Unauthenticated     Unauthenticated  "unauthenticated"     "Ihre Sitzung ist abgelaufen, bitte melden Sie sich erneut an." "Your session expired, please login again."
    TokenExpired        Unauthenticated  "token_expired"       "Das Zugriffstoken „{name}“ ist abgelaufen. Bitte verwenden Sie ein neues." "The access token “{name}” has expired. Please use a new one."
    TokenRevoked        Unauthenticated  "token_revoked"       "Dieses Zugriffstoken wurde widerrufen. Bitte verwenden Sie ein neues." "This access token has been revoked. Please use a new one."
    InvalidCredentials  Unauthenticated  "invalid_credentials" "Ihre Zugangsdaten sind ungültig." "Your credentials are invalid."
    Forbidden           Forbidden        "forbidden"           "Für diese Aktion fehlt Ihnen die Berechtigung „{permission}“. Bitte wenden Sie sich an Ihren Administrator." "You lack the permission “{permission}” for this action. Please contact your administrator."
    PlatformOnly        Forbidden        "platform_only"       "Plattformweite Stammdaten kann nur die Plattformverwaltung ändern." "Only platform administrators can change platform-wide master data."
    OperatorsOnly       Forbidden        "operators_only"      "Das ist nur für die Plattformverwaltung bestimmt." "This is for platform administrators only."
    BeyondOwnRights     Forbidden        "beyond_own_rights"   "Das geht über Ihre eigenen Rechte hinaus: {permissions}." "This goes beyond your own rights: {permissions}."
    OwnRights           Forbidden        "own_rights"          "Ihre eigenen Rechte kann nur jemand anders ändern." "Only somebody else can change your own rights."
    SessionRequired     Forbidden        "session_required"    "Das ist mit einem Zugriffstoken nicht möglich, bitte melden Sie sich dafür an." "This is not possible with an access token. Please sign in to do it."
    AbilityMissing      Forbidden        "ability_missing"     "Dem Zugriffstoken fehlt dafür die Berechtigung; möglich sind: {abilities}." "The access token lacks the permission for this; possible with it: {abilities}."
    NotOwnToken         Forbidden        "not_own_token"       "Ein Zugriffstoken kann nur umbenennen und erneuern, wem es gehört." "Only its owner can rename and rotate an access token."
    TenantMismatch      Forbidden        "tenant_mismatch"     "Sie gehören zu einem anderen Mandanten." "You belong to another tenant."
    CsrfMismatch        Forbidden        "csrf_mismatch"       "Die Anfrage konnte nicht bestätigt werden. Bitte versuchen Sie es erneut." "The request could not be confirmed. Please try again."
    NotFound            NotFound         "not_found"           "Nicht gefunden." "Not found."
    StoredFileMissing   NotFound         "stored_file_missing" "Diese Datei liegt auf diesem Server nicht. Bitte sagen Sie es Ihrer Administration." "This file is not on this server. Please tell your administrator."
    FilesForgotten      NotFound         "files_forgotten"     "Die Dateien wurden {days} Tage nach dem Import gelöscht." "The files were deleted {days} days after the import."
    Renumbered          NotFound         "renumbered"          "Die Artikelnummer „{number}“ wurde geändert; der Artikel hat jetzt die Nummer „{current}“." "The article number “{number}” has been changed; the article now has the number “{current}”."
    InvalidLink         NotFound         "invalid_link"        "Dieser Link ist ungültig" "This link is invalid"
    MethodNotAllowed    MethodNotAllowed "method_not_allowed"  "Diese Methode wird hier nicht unterstützt." "This method is not supported here."
    LastAdministrator   Conflict         "last_administrator"  "Das ist der letzte Benutzer der Plattformverwaltung mit allen Rechten. Bitte geben Sie zuerst einem anderen Benutzer alle Rechte." "This is the last platform administrator with all rights. Please give all rights to another user first."
    UserDisabled        Conflict         "user_disabled"       "Der Benutzer ist gesperrt. Bitte entsperren Sie ihn zuerst." "The user is disabled. Please enable them first."
    NotVerified         Conflict         "not_verified"        "Der Benutzer hat noch kein Passwort. Bitte laden Sie ihn ein." "The user has no password yet. Please invite them."
    AlreadyVerified     Conflict         "already_verified"    "Der Benutzer hat sein Passwort schon festgelegt." "The user has chosen a password already."
    Stale               Conflict         "stale"               "Der Eintrag wurde inzwischen geändert. Bitte laden Sie ihn neu und prüfen Sie Ihre Änderung." "The record has been changed in the meantime. Please reload it and check your change."
    KeyReused           Invalid          "key_reused"          "Dieser Idempotency-Key wurde schon für einen anderen Aufruf verwendet. Bitte verwenden Sie für jeden Aufruf einen eigenen." "This Idempotency-Key has already been used for another call. Please use a new one for each call."
    SelectionChanged    Conflict         "selection_changed"   "Inzwischen sind es {found} Einträge. Bitte prüfen Sie die Auswahl." "There are {found} records by now. Please check the selection."
    TotalChanged        Conflict         "total_changed"       "Der Beispielwarenkorb kostet inzwischen etwas anderes. Bitte sehen Sie ihn sich noch einmal an." "The sample cart costs something else by now. Please look at it again."
    OrderChanged        Conflict         "order_changed"       "Die Reihenfolge wurde inzwischen geändert. Bitte laden Sie sie neu und ordnen Sie noch einmal." "The order has been changed in the meantime. Please reload it and arrange it again."
    ChangedSince        Conflict         "changed_since"       "Inzwischen erneut geändert: {fields}. Damit nichts überschrieben wird, bleibt der Eintrag, wie er ist." "Changed again in the meantime: {fields}. The record stays as it is, so that nothing is overwritten."
    DeletedSince        Conflict         "deleted_since"       "Der Eintrag wurde inzwischen gelöscht. Stellen Sie ihn zuerst aus dem Änderungsverlauf wieder her." "The record has been deleted in the meantime. Please restore it from the history first."
    AlreadyUndone       Conflict         "already_undone"      "Das ist bereits rückgängig gemacht." "This has been undone already."
    NotUndoable         Conflict         "not_undoable"        "Das lässt sich nicht rückgängig machen. Zugangsdaten, Einladungen, Zugriffstoken, Bilder, Ansichten und Importe kommen nicht zurück." "This cannot be undone. Credentials, invitations, access tokens, pictures, views and imports do not come back."
    InUse               Conflict         "in_use"              "Der Eintrag wird noch verwendet{uses} und kann nicht gelöscht werden." "The record is still in use{uses} and cannot be deleted."
    DatabaseServed      Conflict         "database_served"     "Ein anderer Server bedient die Datenbank {database} bereits." "Another server already serves the database {database}."
    TokenReplaced       Conflict         "token_replaced"      "Dieses Zugriffstoken ist schon durch ein neues ersetzt." "This access token has already been replaced by a new one."
    TooManyReplaced     Conflict         "too_many_replaced"   "Sie haben schon {max} ersetzte Zugriffstoken. Bitte widerrufen Sie zuerst welche, die niemand mehr braucht." "You already have {max} replaced access tokens. Please revoke some that nobody needs any more first."
    NotQueued           Conflict         "not_queued"          "Nur wartende Importe können abgebrochen werden." "Only queued imports can be cancelled."
    NotRunning          Conflict         "not_running"         "Dieser Import ist schon beendet." "This import has already ended."
    LinkExpired         Conflict         "link_expired"        "Dieser Link ist abgelaufen. Bitte wenden Sie sich an Ihren Administrator." "This link has expired. Please contact your administrator."
    LinkUsed            Conflict         "link_used"           "Dieser Link wurde schon verwendet." "This link has already been used."
    FormerEmailTaken    Conflict         "former_email_taken"  "Ihre frühere E-Mail-Adresse gehört inzwischen zu einem anderen Konto. Bitte wenden Sie sich an Ihren Administrator: Er kann die Adresse dort ändern, danach funktioniert dieser Link." "Your former e-mail address belongs to another account by now. Please contact your administrator: once they have changed it there, this link works."
    NothingMended       Conflict         "nothing_mended"      "Zu diesem Preis gibt es keinen Vorschlag. Bitte geben Sie ihn frei, oder lehnen Sie ihn ab." "There is no proposal for this price. Please release or refuse it."
    OtherPriceReleased  Conflict         "other_price_released" "Für diesen Bestand wurde im selben Schritt schon ein anderer Preis freigegeben. Bitte entscheiden Sie über diesen Preis einzeln." "Another price for this stock was released in the same step. Please decide on this price separately."
    TryFirst            Conflict "try_first" "Bitte prüfen Sie die Datei zuerst in einem Probelauf: Er nennt, wie viele Einträge wegfallen." "Please check the file in a dry run first: it says how many records will be removed."
    RemovalsUnconfirmed Conflict "removals_unconfirmed" "Damit fallen {count} Einträge weg. Bitte prüfen Sie im Probelauf, welche das sind, und bestätigen Sie genau diese Zahl (confirm_removals)." "This removes {count} records. Please check in the dry run which ones, and confirm exactly this number (confirm_removals)."
    NotReplaceable      Invalid  "not_replaceable" "Dieser Inhalt lässt sich nicht im Ganzen ersetzen." "This content cannot be replaced as a whole."
    NothingRemoved      Conflict "nothing_removed" "Es wurde nichts entfernt, weil {count} Zeilen nicht übernommen wurden. Bitte korrigieren Sie die Datei und prüfen Sie sie erneut." "Nothing was removed because {count} rows were not applied. Please correct the file and check it again."
    MoreWouldGo         Conflict "more_would_go" "Es wurde nichts entfernt: Es wären {count} Einträge weggefallen, der Probelauf hatte {expected} genannt. Bitte prüfen Sie die Datei erneut." "Nothing was removed: {count} records would have been removed, the dry run had named {expected}. Please check the file again."
    NothingApplied      Conflict "nothing_applied" "Es wurde nichts übernommen, denn diese Datei gilt nur als Ganzes (abgelehnte Zeilen: {count}). Bitte korrigieren Sie die Zeilen, und laden Sie die ganze Datei noch einmal hoch." "Nothing was applied, since this file counts as a whole only (refused rows: {count}). Please correct the rows and upload the whole file again."
    ChangedMeanwhile    Conflict "changed_meanwhile" "Es wurde nichts übernommen: Während des Imports hat jemand die Liste geändert (Preise: {count}). Bitte importieren Sie die Datei noch einmal." "Nothing was applied: somebody has changed the list during the import (prices: {count}). Please import the file again."
    OtherWouldGo        Conflict "other_would_go" "Es wurde nichts übernommen: Was jetzt wegfallen würde, ist nicht mehr, was bestätigt wurde (Einträge: {count} statt {expected}). Bitte prüfen Sie die Datei erneut." "Nothing was applied: what would be removed now is not what was confirmed (records: {count} instead of {expected}). Please check the file again."
    PriceListGone       Conflict "price_list_gone" "Die Preisliste gibt es nicht mehr. Es wurde nichts übernommen." "The price list is gone. Nothing was applied."
    ListOfGroup         Conflict "list_of_group" "In die Preisliste einer Mandantengruppe lässt sich keine Datei importieren, weil ein Import einem Mandanten gehört. Bitte fügen Sie die Preise in der Tabelle ein." "No file can be imported into the price list of a tenant group, because an import belongs to a tenant. Please paste the prices into the sheet."
    MatchingDiffers     Invalid  "matching_differs" "Die Zuordnung nennt einen anderen Artikel oder ein anderes Lager als diese Zeile." "The matching names another article or warehouse than this row."
    NothingToDelete     Invalid  "nothing_to_delete" "Eine solche Zuordnung gibt es nicht." "There is no such matching."
    ImportNotUndoable   Conflict         "import_not_undoable" "Rückgängig machen lässt sich nur ein beendeter Import, der kein Probelauf war." "Only an import that has ended and was no dry run can be undone."
    NothingToUndo       Conflict         "nothing_to_undo"     "Dieser Import hat nichts geändert, was sich rückgängig machen ließe." "This import has changed nothing that could be undone."
    RowsForgotten       Conflict         "rows_forgotten"      "Was der Import geändert hat, wird nur {days} Tage lang aufbewahrt; er lässt sich nicht mehr rückgängig machen." "What the import has changed is kept for {days} days only; it can no longer be undone."
    NoDryRun            Conflict         "no_dry_run"          "Importiert werden kann nur die Datei eines Probelaufs, der beendet und nicht fehlgeschlagen ist." "Only the file of a dry run that has ended and has not failed can be imported."
    BodyTooLarge        TooLarge         "too_large"           "Die Anfrage ist zu groß; erlaubt sind {max}." "The request is too large; {max} are allowed."
    UnsupportedMedia    UnsupportedMedia "unsupported_media"   "Dieses Format wird nicht unterstützt; erwartet wird {expected}." "This format is not supported; {expected} is expected."
    RequestTimeout      TimedOut         "request_timeout"     "Die Anfrage wurde nicht vollständig übertragen. Bitte versuchen Sie es erneut." "The request was not transmitted completely. Please try again."
    InvalidInput        Invalid          "invalid"             "Bitte prüfen Sie Ihre Eingaben." "Please check your input."
    TenantRequired      Invalid          "tenant_required"     "Bitte wählen Sie zuerst einen Mandanten." "Please choose a tenant first."
    CursorExpired       Gone             "cursor_expired"      "Was seit diesem Stand gelöscht wurde, ist nicht mehr bekannt. Bitte lesen Sie alles noch einmal, ohne „since“." "What was deleted since then is no longer known. Please read everything again, without “since”."
    RateLimited         TooMany          "rate_limited"        "Dieses Zugriffstoken wurde in der letzten Minute zu oft verwendet. Bitte versuchen Sie es in {seconds} Sekunden erneut." "This access token has been used too often within the last minute. Please try again in {seconds} seconds."
    AlreadyDone         Conflict         "already_done"        "Dieser Aufruf wurde unter diesem Idempotency-Key bereits ausgeführt, aber seine Antwort liegt nicht vor. Bitte lesen Sie den Stand neu." "This call has already been carried out under this Idempotency-Key, but its answer is not available. Please read the current state."
    TooManyKeys         TooMany          "too_many_keys"       "Unter Ihren Idempotency-Keys der letzten 24 Stunden ist kein Platz mehr für weitere Antworten; ausgeführt wurde nichts. Bitte versuchen Sie es in {seconds} Sekunden erneut, oder ohne Schlüssel." "Your Idempotency-Keys of the last 24 hours leave no room for further answers; nothing was done. Please try again in {seconds} seconds, or without a key."
    TooManyRequests     TooMany          "too_many_requests"   "Das wurde in der letzten Stunde schon zu oft angefordert. Bitte versuchen Sie es in {seconds} Sekunden erneut." "This has been requested too often within the last hour. Please try again in {seconds} seconds."
    TooManyAttempts     TooMany          "too_many_attempts"   "Zu viele Fehlversuche. Bitte versuchen Sie es in {seconds} Sekunden erneut." "Too many failed attempts. Please try again in {seconds} seconds."
    Busy                Unavailable      "busy"                "Der Server ist gerade ausgelastet. Bitte versuchen Sie es in einigen Sekunden erneut." "The server is busy. Please try again in a few seconds."
    PricesLoading       Unavailable      "prices_loading"      "Die Preise dieses Verkäufers werden gerade eingelesen; das dauert, wenn es sehr viele sind. Bitte versuchen Sie es in {seconds} Sekunden erneut." "The prices of this seller are being read, which takes a while where there are very many. Please try again in {seconds} seconds."
    DatabaseAway        Unavailable      "database_away"       "Die Datenbank ist zurzeit nicht erreichbar. Bitte versuchen Sie es in einigen Sekunden erneut." "The database cannot be reached at the moment. Please try again in a few seconds."
    TookTooLong         Unavailable      "took_too_long"       "Die Bearbeitung hat zu lange gedauert und wurde abgebrochen; gespeichert wurde nichts. Bitte grenzen Sie die Anfrage ein oder versuchen Sie es später erneut." "This took too long and was cancelled; nothing was saved. Please narrow the request or try again later."
    OutcomeUnknown      Unavailable      "outcome_unknown"     "Die Datenbank hat nicht mehr bestätigt, ob gespeichert wurde. Bitte sehen Sie nach, bevor Sie es noch einmal versuchen." "The database did not confirm whether this was saved. Please check before you try again."
    DiskFull            NoRoom           "disk_full"           "Auf dem Server ist kein Speicherplatz mehr frei; es wurde nichts gespeichert. Bitte informieren Sie die Person, die den Server betreut, und versuchen Sie es danach erneut." "There is no space left on the server; nothing was saved. Please tell whoever looks after the server, and try again after that."
    DiskNearlyFull      NoRoom           "disk_nearly_full"    "Der Speicherplatz auf dem Server ist fast erschöpft; Dateien werden zurzeit nicht angenommen. Bitte informieren Sie die Person, die den Server betreut, und versuchen Sie es danach erneut." "The server is running out of space; files are not accepted at the moment. Please tell whoever looks after the server, and try again after that."
    DiskFails           Unavailable      "disk_fails"          "Der Datenträger des Servers nimmt zurzeit nichts an; es wurde nichts gespeichert. Bitte informieren Sie die Person, die den Server betreut, und versuchen Sie es danach erneut." "The server’s disk does not accept anything at the moment; nothing was saved. Please tell whoever looks after the server, and try again after that."
    Ending              Unavailable      "ending"              "Der Server wird gerade neu gestartet. Bitte versuchen Sie es in einigen Sekunden erneut." "The server is being restarted. Please try again in a few seconds."
    Unexpected          Internal         "unexpected"          "Ein unerwarteter Fehler ist aufgetreten, bitte versuchen Sie es in einigen Minuten erneut." "An unexpected error occurred, please try again in a few minutes."

    // A body, a parameter
    InvalidJson         Invalid "invalid_json"       "Die Anfrage ist kein gültiges JSON (Zeile {line}, Spalte {column})." "The request is not valid JSON (line {line}, column {column})."
    WrongType           Invalid "wrong_type"         "Die Eingabe hat den falschen Typ." "The input has the wrong type."
    UnknownField        Invalid "unknown_field"      "Dieses Feld gibt es nicht." "This field does not exist."
    UnknownParameter    Invalid "unknown_parameter"  "Diesen Parameter gibt es nicht. Möglich sind: {known}." "This parameter does not exist. Possible values: {known}."
    UnknownSort         Invalid "unknown_sort"       "Danach kann nicht sortiert werden. Möglich sind: {known}." "Sorting by this is not possible. Possible values: {known}."
    UnknownOperator     Invalid "unknown_operator"   "Dieses Feld kennt den Vergleich nicht. Möglich sind: {known}." "This field does not support that comparison. Possible values: {known}."
    InvalidParameter    Invalid "invalid_parameter"  "Ungültiger Wert; erwartet wird {expected}." "Invalid value; {expected} is expected."
    DuplicateParameter  Invalid "duplicate_parameter" "Der Parameter darf nur einmal vorkommen." "The parameter may occur only once."
    ReadOnly            Invalid "read_only"          "Dieses Feld kann nur gelesen werden. Bitte senden Sie es unverändert oder gar nicht." "This field can only be read. Please send it unchanged or not at all."
    OtherKey            Invalid "other_key"          "Die Adresse nennt „{expected}“. Bitte senden Sie dasselbe oder nichts; umbenannt wird unter der Adresse mit der ID." "The address says “{expected}”. Please send the same or nothing; renaming is done at the address with the ID."

    // A field
    Required            Invalid "required"           "Pflichtfeld" "Required field"
    TooShort            Invalid "too_short"          "Mindestens {min} Zeichen" "At least {min} characters"
    TooLong             Invalid "too_long"           "Höchstens {max} Zeichen" "At most {max} characters"
    TooFew              Invalid "too_few"            "Zu wenige Einträge: mindestens {min}" "Too few entries: at least {min}"
    TooMany             Invalid "too_many"           "Zu viele Einträge: höchstens {max}" "Too many entries: at most {max}"
    NotPrintable        Invalid "not_printable"      "Unzulässige Steuerzeichen" "Control characters are not allowed"
    NotGreater          Invalid "not_greater"        "Muss größer als {bound} sein" "Must be greater than {bound}"
    TooSmall            Invalid "too_small"          "Muss mindestens {min} sein" "Must be at least {min}"
    TooBig              Invalid "too_big"            "Darf höchstens {max} sein" "Must be at most {max}"
    NoDecimal           Invalid "no_decimal"         "Kein gültiger Betrag: erwartet wird eine Dezimalzahl mit Punkt wie 61.3, mit höchstens 12 Stellen vor und 6 nach dem Punkt" "Not a valid amount: a decimal number with a point such as 61.3 is expected, with at most 12 digits before and 6 after the point"
    NotWhole            Invalid "not_whole"          "Bitte geben Sie eine ganze Zahl mit höchstens {before} Stellen an" "Please give a whole number of at most {before} digits"
    InvalidDecimal      Invalid "invalid_decimal"    "Kein gültiger Betrag: höchstens {before} Stellen vor und {after} nach dem Komma" "Not a valid amount: at most {before} digits before and {after} after the point"
    InvalidDuration     Invalid "invalid_duration"   "Keine gültige Dauer: möglich sind 0 Minuten bis 30 Tage, zum Beispiel 1h20m, 1:20 oder 80 (Minuten)" "Not a valid duration: 0 minutes to 30 days are possible, for example 1h20m, 1:20 or 80 (minutes)"
    InvalidLeadMinutes  Invalid "invalid_lead_minutes" "Keine gültige Lieferzeit: Hier stehen Minuten, möglich sind 0 bis 43200 (30 Tage)" "Not a valid lead time: it is given in minutes here, 0 to 43200 (30 days) are possible"
    InvalidLeadTime     Invalid "invalid_lead_time"  "Keine gültige Lieferzeit: möglich sind 0 bis 30 Arbeitstage, zum Beispiel 3 (Arbeitstage), 2 Wochen oder 48h" "Not a valid lead time: 0 to 30 working days are possible, for example 3 (working days), 2 weeks or 48h"
    InvalidClockTime    Invalid "invalid_clock_time" "Keine gültige Uhrzeit: möglich ist 00:00 bis 23:59, zum Beispiel 07:30" "Not a valid time of day: 00:00 to 23:59 is possible, for example 07:30"
    ExternalTaken       Invalid "external_taken"     "Diese externe Kennung ist bereits vergeben." "The external identifier has already been taken."
    MatchingEmpty       Invalid "matching_empty"     "Bitte geben Sie einen Artikel oder ein Lager mit der externen Kennung an, oder wie das andere System den Mandanten nennt." "Please enter an article or a warehouse with its external identifier, or what the other system calls the tenant."
    TenantNamed         Invalid "tenant_named"       "Wie das andere System den Mandanten nennt, sagt schon eine Zuordnung. Bitte ändern Sie diese." "A matching already says what the other system calls the tenant. Please change that one."
    NotThisTenant       Invalid "not_this_tenant"    "Das ist nicht der Mandant, für den importiert wird: {known}" "This import is for another tenant: {known}"
    ExternalWarehouseDiffers Invalid "external_warehouse_differs" "Diese externe Lagerkennung ist schon einem anderen Lager zugeordnet." "This external warehouse identifier is already assigned to another warehouse."
    Unmatched           Invalid "unmatched"          "Für „{number}“ gibt es keine Zuordnung. Bitte ordnen Sie die Kennung zu." "There is no matching for “{number}”. Please match the identifier."
    NothingWaits        Conflict "nothing_waits"     "Es wartet keine Zeile, deren Nummer inzwischen zugeordnet ist." "No row is waiting whose number has been matched by now."
    AmbiguousNumber     Invalid "ambiguous_number"   "„{number}“ meint je nach Lager verschiedene Artikel. Bitte geben Sie ein Lager an, dem die Kennung zugeordnet ist." "“{number}” means different articles in different warehouses. Please give a warehouse that the identifier is matched to."
    StockTaken          Invalid "stock_taken"        "Für diesen Artikel gibt es in diesem Lager schon einen Bestand mit diesen Maßen." "There is already a stock of this article with these dimensions in this warehouse."
    NoStock             Invalid "no_stock"           "In diesem Lager gibt es von diesem Artikel keinen Bestand mit diesen Maßen. Bitte legen Sie den Bestand zuerst an, oder importieren Sie ein Angebot." "There is no stock of this article with these dimensions in this warehouse. Please create the stock first or import listings."
    QuantityNotAllowed  Invalid "quantity_not_allowed" "Eine Menge gibt es nur bei der Verfügbarkeit „Menge“" "Only stocks of the availability “quantity” have a quantity"
    NotExact            Invalid "not_exact"          "Die Menge geht in {unit} nicht auf. Bitte geben Sie sie in {unit} an." "The quantity cannot be expressed exactly in {unit}. Please give it in {unit}."
    NoWeight            Invalid "no_weight"          "Der Artikel {article} hat kein Gewicht, deshalb lässt sich {unit} nicht umrechnen. Bitte pflegen Sie das Gewicht des Artikels, oder wählen Sie eine andere Einheit." "The article {article} has no weight, so {unit} cannot be converted. Please maintain the article’s weight or choose another unit."
    DimensionNotExtended Invalid "dimension_not_extended" "Der Artikel {article} wird in diesem Maß nicht zugeschnitten" "The article {article} is not cut in this dimension"
    LongerThanArticle   Invalid "longer_than_article" "Höchstens {max} mm, das Maß des Artikels" "At most {max} mm, the dimension of the article"
    ArticleOfStockFixed Invalid "article_of_stock_fixed" "Der Artikel eines Bestands kann nicht geändert werden. Bitte legen Sie einen neuen Bestand an." "The article of a stock cannot be changed. Please create a new stock."
    NotOwnPriceList     Forbidden "not_own_price_list" "Diese Preisliste ändert nur, wem sie gehört; die einer Mandantengruppe ändert die Plattformverwaltung." "This price list is changed only by whoever owns it; that of a tenant group by platform administrators."
    ForOwnerOnly        Forbidden "for_owner_only"    "Das sieht nur, wem die Preisliste gehört." "This is shown only to whoever owns the price list."
    PriceListExpired    Conflict "price_list_expired" "Die Preisliste „{name}“ ist abgelaufen und wird nicht mehr geändert. Bitte legen Sie daraus eine neue an." "The price list “{name}” has expired and is no longer changed. Please make a new one of it."
    PriceListInForce    Conflict "price_list_in_force" "Gelöscht werden kann eine Preisliste nur, bevor sie gilt. Bitte archivieren Sie sie." "A price list can be deleted only before it is valid. Please archive it."
    OneOwner            Invalid "one_owner"          "Bitte geben Sie genau einen Eigentümer an: einen Mandanten oder eine Mandantengruppe." "Please give exactly one owner: a tenant or a tenant group."
    OwnerFixed          Invalid "owner_fixed"        "Der Eigentümer einer Preisliste kann nicht geändert werden. Bitte legen Sie eine Kopie an." "The owner of a price list cannot be changed. Please make a copy."
    FixedInForce        Invalid "fixed_in_force"     "Das kann nicht mehr geändert werden, weil die Preisliste schon gilt." "This can no longer be changed because the price list is already valid."
    TooSoon             Invalid "too_soon"           "Frühestens in fünf Minuten: {earliest}. Auf der Uhr des Servers ist es {now}." "In five minutes at the earliest: {earliest}. The server’s clock shows {now}."
    NotLimited          Invalid "not_limited"        "Ein Ende gibt es nur, wenn die Gültigkeit begrenzt ist." "There is an end only if the validity is limited."
    InternalForOwner    Invalid "internal_for_owner" "Interne Preise gelten nur für den Eigentümer. Bitte wählen Sie als Geltung „Eigene“, und geben Sie keine Mandanten oder Gruppen an." "Internal prices apply to the owner only. Please choose “Own” as the scope, and give no tenants or groups."
    AudienceOfGlobal    Invalid "audience_of_global" "Eine globale Preisliste gilt für alle; Mandanten und Gruppen lassen sich nur bei eigenen Preislisten angeben." "A global price list applies to all; tenants and groups can be given for own price lists only."
    ExcludesNobody      Invalid "excludes_nobody"    "Ausnahmen gibt es nur, wo alle oder ganze Gruppen gemeint sind. Hier sind die Kunden einzeln genannt: nehmen Sie den Kunden dort heraus." "There are exceptions only where all customers or whole groups are meant. Here customers are named one by one: take the customer out there."
    NamedAndExcluded    Invalid "named_and_excluded" "Dieses Unternehmen ist zugleich als Kunde genannt. Bitte nehmen Sie es an einer der beiden Stellen heraus." "This company is also named as a customer. Please take it out in one of the two places."
    NotInGroup          Invalid "not_in_group"       "Ihr Unternehmen ist nicht in dieser Mandantengruppe. Andere Gruppen trägt die Plattformverwaltung ein." "Your company is not in this tenant group. Platform administrators enter other groups."
    BeforeOriginal      Invalid "before_original"    "Die neue Version beginnt nach dem Beginn von „{name}“." "The new version begins after the beginning of “{name}”."
    BehindOriginal      Invalid "behind_original"    "Bis dahin ist „{name}“ schon abgelaufen; dazwischen gäbe es keinen Preis. Bitte wählen Sie einen früheren Beginn, oder legen Sie eine Kopie an." "“{name}” will have expired by then, with no price in between. Please choose an earlier beginning or make a copy."
    SameList            Invalid "same_list"          "Bitte wählen Sie eine andere Preisliste." "Please choose another price list."
    BelowZero           Invalid "below_zero"         "Damit läge der Preis unter null." "The price would fall below zero."
    NothingPriced       Invalid "nothing_priced"     "Bitte geben Sie einen Preis oder Staffelpreise an." "Please give a price or bulk prices."
    OneChange           Invalid "one_change"         "Bitte geben Sie genau eine Art der Änderung an." "Please give exactly one kind of change."
    OneValue            Invalid "one_value"          "Bitte geben Sie entweder einen Wert oder eine Zuschlagstabelle an." "Please give either a value or a surcharge table."
    TableIsPerTon       Invalid "table_is_per_ton"   "Eine Zuschlagstabelle nennt EUR je Tonne. Bitte wählen Sie als Berechnung „je Tonne“." "A surcharge table gives EUR a tonne. Please choose “per tonne” as the calculation."
    ConstraintsNeedArticles Invalid "constraints_need_articles" "Bestellmengen gelten für Artikel, nicht für Anarbeitungen. Bitte wenden Sie die Anpassung auch auf Artikel an, oder lassen Sie die Bestellmengen weg." "Order quantities are for articles, not for processings. Please apply the adjustment to articles as well, or leave the order quantities out."
    NoSurchargeValue    Invalid "no_surcharge_value" "Für {month} fehlt der Wert in der Zuschlagstabelle von „{name}“. Der Preis ist ohne ihn gerechnet." "The surcharge table of “{name}” lacks the value for {month}. The price is calculated without it."
    AdjustmentLacksValues Invalid "adjustment_lacks_values" "In der Zuschlagstabelle von „{name}“ fehlen Werte für {months}: Preise werden dann ohne sie gerechnet." "The surcharge table of “{name}” lacks values for {months}: prices are calculated without them then."
    SurchargeCycle      Invalid "surcharge_cycle"    "Damit würde die Zuschlagstabelle auf sich selbst beruhen: {tables}" "The surcharge table would be based on itself: {tables}"
    OtherKeys           Invalid "other_keys"         "Die Zeilen dieser Zuschlagstabelle sind andere: Werkstoffe und Artikeltypen lassen sich nicht mischen." "The rows of this surcharge table are others: materials and article types cannot be mixed."
    KeysFixed           Invalid "keys_fixed"         "Das kann nicht geändert werden, solange die Tabelle Werte hat oder mit anderen Zuschlagstabellen verbunden ist." "This cannot be changed while the table has values or is connected with other surcharge tables."
    InvalidMonth        Invalid "invalid_month"      "Bitte geben Sie einen Monat von 2000-01 bis 2099-12 an, zum Beispiel 2026-12" "Please give a month from 2000-01 to 2099-12, for example 2026-12"
    InvalidYear         Invalid "invalid_year"       "Bitte geben Sie ein Datum in den Jahren {first} bis {last} an." "Please give a date in the years {first} to {last}."
    PastUnknown         Invalid "past_unknown"       "Was der Artikel damals gekostet hat, lässt sich nicht mehr sagen: So weit reicht der Verlauf nicht zurück." "What the article cost then can no longer be said: the history does not reach back so far."
    // What is odd about price adjustments
    AdjustmentNeverApplies Invalid "adjustment_never_applies" "„{name}“ kann nie gelten: Die Bedingungen widersprechen einander oder dem, wofür, für wen und wann die Preisanpassung gilt." "“{name}” can never apply: its conditions contradict one another, or what it applies to, for whom and when."
    AdjustmentExpired      Invalid "adjustment_expired"       "„{name}“ gilt nicht mehr: Der Zeitraum ist vorbei." "“{name}” no longer applies: its period is over."
    AdjustmentDuplicate    Invalid "adjustment_duplicate"     "„{name}“ tut dasselbe wie „{others}“; gelten beide, zählt es doppelt." "“{name}” does the same as “{others}”; where both apply it counts twice."
    AdjustmentOverlap      Invalid "adjustment_overlap"       "„{name}“ und „{others}“ treffen dieselben Kunden und Artikel und zählen zusammen. Ist nur eine von beiden gemeint, begrenzen Sie die andere." "“{name}” and “{others}” reach the same customers and articles, and both count. If only one of the two is meant, limit the other."
    AdjustmentEmptyCategory Invalid "adjustment_empty_category" "„{name}“ nennt Kategorien, in denen kein Artikel steht: {categories}. Ordnen Sie ihnen einen Artikeltyp zu, oder nennen Sie andere." "“{name}” names categories that hold no articles: {categories}. Assign an article type to them, or name others."
    AdjustmentShadowed     Invalid "adjustment_shadowed"      "„{name}“ wirkt nie: Was davor angewendet wird, lässt nichts übrig ({others})." "“{name}” never has an effect: what is applied before leaves nothing to it ({others})."
    AdjustmentOrder        Invalid "adjustment_order"         "Ob „{name}“ vor oder nach „{others}“ angewendet wird, ändert den Preis." "Whether “{name}” is applied before or after “{others}” changes the price."
    AdjustmentNotSampled   Invalid "adjustment_not_sampled"   "„{name}“ gilt in keinem Beispielwarenkorb." "“{name}” applies in no sample cart."
    PeriodTooLong       Invalid "period_too_long"    "Höchstens {years} Jahre auf einmal" "At most {years} years at once"
    PriceBasisTimes     Invalid "price_basis_times"  "{price} ist das {factor}-Fache des bisherigen Preises und sieht nach {meant} aus." "{price} is {factor} times the former price and looks like {meant}."
    PriceBasisPart      Invalid "price_basis_part"   "{price} ist 1/{factor} des bisherigen Preises und sieht nach {meant} aus." "{price} is 1/{factor} of the former price and looks like {meant}."
    PricePointTimes     Invalid "price_point_times"  "{price} ist das {factor}-Fache des bisherigen Preises: Vielleicht ist das Komma verrutscht, und gemeint ist {meant}." "{price} is {factor} times the former price: perhaps the decimal point has slipped and {meant} is meant."
    PricePointPart      Invalid "price_point_part"   "{price} ist 1/{factor} des bisherigen Preises: Vielleicht ist das Komma verrutscht, und gemeint ist {meant}." "{price} is 1/{factor} of the former price: perhaps the decimal point has slipped, and {meant} is meant."
    PriceJump           Invalid "price_jump"         "Der Preis ändert sich von {was} auf {price}, um {percent} %; ohne Freigabe sind {limit} % möglich." "The price changes from {was} to {price}, by {percent} %; without a release {limit} % are possible."
    BelowInternal       Invalid "below_internal"     "Der externe Preis {external} liegt unter dem internen Preis {internal}." "The external price {external} is below the internal price {internal}."
    ListBelowInternal   Invalid "list_below_internal" "Der Preis liegt unter dem internen Preis des Artikels." "The price is below the internal price of the article."
    ReleaseNeeded       Conflict "release_needed"    "Mindestens ein Preis ist unplausibel. Bitte prüfen Sie die genannten Preise und geben Sie sie frei (release)." "At least one price looks like a mistake. Please check the prices named and release them (release)."
    PriceSuspicious     Invalid "price_suspicious"   "Der Preis sieht nach einem Fehler aus. Den Grund sieht, wer Preise ansehen darf." "The price looks like a mistake. Whoever may view prices sees why."
    ConditionForm       Invalid "condition_form"     "Eine Bedingung ist entweder eine Gruppe (all, any, not) oder ein Vergleich (type, op, value)" "A condition is either a group (all, any, not) or a comparison (type, op, value)"
    ConditionTooDeep    Invalid "condition_too_deep" "Bedingungen lassen sich höchstens {max} Ebenen tief schachteln" "Conditions can be nested at most {max} levels deep"
    ConditionText       Invalid "condition_text"     "An Stelle {position} wird erwartet: {expected}" "At position {position} this is expected: {expected}"
    ConditionDigits     Invalid "condition_digits"   "Die Zahl an Stelle {position} hat zu viele Stellen: möglich sind {before} vor und {after} nach dem Punkt." "The number at position {position} has too many digits: {before} before and {after} after the point are possible."
    ConditionComma      Invalid "condition_comma"    "Bitte schreiben Sie die Zahl an Stelle {position} mit einem Punkt statt eines Kommas: {example}" "Please write the number at position {position} with a point instead of a comma: {example}"
    UnitNotAllowed      Invalid "unit_not_allowed"   "Dieser Wert hat keine Einheit" "This value has no unit"
    NoPrice             Invalid "no_price"           "Für den Artikel {article} gibt es keinen Preis." "There is no price for the article {article}."
    BelowFirstTier      Invalid "below_first_tier"   "Für so wenig gibt es vom Artikel {article} keinen Preis; die erste Staffel beginnt höher." "There is no price for so little of the article {article}; the first tier begins higher."
    PriceNotConvertible Invalid "price_not_convertible" "Die Menge des Artikels {article} lässt sich nicht in die Einheit seines Preises umrechnen. Bitte pflegen Sie das Gewicht des Artikels, oder geben Sie die Menge in einer anderen Einheit an." "The quantity of the article {article} cannot be converted into the unit of its price. Please maintain the article’s weight, or give the quantity in another unit."
    NoProcessingPrice   Invalid "no_processing_price" "Für die Anarbeitung {number} hat der Verkäufer keinen Preis hinterlegt." "The seller has no price for the processing {number}."
    ProcessingPriceOfSeller Invalid "processing_price_of_seller" "Was eine Anarbeitung kostet, bestimmt der Verkäufer. Bitte lassen Sie den Preis weg; gerechnet wird mit dem des Verkäufers." "What a processing costs is the seller’s to say. Please leave the price out; the seller’s own counts."
    ProcessingPriceTaken Invalid "processing_price_taken" "Für diese Anarbeitung gibt es hier schon einen Preis. Bitte ändern Sie diesen." "There is already such a price for this processing. Please change that one."
    ExplanationTooLarge Invalid "explanation_too_large" "Die Erklärung wäre zu lang: {count} Schritte (Positionen mal Preisanpassungen), möglich sind {max}. Bitte verteilen Sie die Warenkörbe auf mehrere Anfragen, oder fragen Sie ohne Erklärung." "The explanation would be too long: {count} steps (items times adjustments), of which {max} are possible. Please spread the carts over several requests, or ask without an explanation."
    AmountTooLarge      Invalid "amount_too_large"   "Der Betrag ist zu groß: möglich sind weniger als eine Billion EUR." "The amount is too large: less than a trillion EUR is possible."
    QuantityBelowMinimum Invalid "quantity_below_minimum" "Vom Artikel {article} werden mindestens {quantity} {unit} verkauft („{name}“)." "At least {quantity} {unit} of the article {article} are sold (“{name}”)."
    QuantityAboveMaximum Invalid "quantity_above_maximum" "Vom Artikel {article} werden höchstens {quantity} {unit} verkauft („{name}“)." "At most {quantity} {unit} of the article {article} are sold (“{name}”)."
    QuantityNotMultiple Invalid "quantity_not_multiple" "Der Artikel {article} wird nur in Vielfachen von {quantity} {unit} verkauft („{name}“)." "The article {article} is sold in multiples of {quantity} {unit} only (“{name}”)."
    EndsBeforeStart     Invalid "ends_before_start"  "Das Ende muss nach dem Beginn liegen" "The end must be after the start"
    NoWorkingDay        Invalid "no_working_day"     "In den nächsten {days} Tagen ist kein Arbeitstag. Bitte prüfen Sie die Arbeitswoche und die Schließtage." "There is no working day within the next {days} days. Please check the working week and the closures."
    CoordinateMissing   Invalid "coordinate_missing" "Breite und Länge gehören zusammen: Bitte geben Sie beide an oder keine von beiden" "Latitude and longitude belong together: please give both or neither of them"
    WarehouseAtNode     Invalid "warehouse_at_node"  "Dieses Lager steht schon an einem anderen Versandknoten" "This warehouse already stands at another shipping node"
    SameNode            Invalid "same_node"          "Absender und Empfänger müssen verschiedene Versandknoten sein" "Sender and receiver must be different shipping nodes"
    LegTaken            Invalid "leg_taken"          "Von diesem Absender zu diesem Empfänger gibt es schon eine Strecke. Bitte ändern Sie diese." "There is already a leg from this sender to this receiver. Please change that one."
    TravelTakesTime     Invalid "travel_takes_time"  "Die Fahrt dauert mindestens eine Minute" "Travel takes at least one minute"
    ExceptionsContradict Invalid "exceptions_contradict" "Diese Abfahrt kann an diesem Tag nicht zugleich entfallen und hinzukommen" "This departure cannot be both dropped and added on this date"
    InvalidDepartures   Invalid "invalid_departures" "„{text}“ ist keine Abfahrt: Erwartet werden Wochentage und Uhrzeiten, zum Beispiel Mo–Fr 06:00, 14:30; Sa 08:00" "“{text}” is no departure: weekdays and times of day are expected, for example Mon–Fri 06:00, 14:30; Sat 08:00"
    InvalidExceptions   Invalid "invalid_exceptions" "„{text}“ ist keine Ausnahme: Erwartet werden Tage mit „entfällt“ oder „zusätzlich“, zum Beispiel 24.12.2026 entfällt; 31.12.2026 05:00 zusätzlich" "“{text}” is no exception: dates with “dropped” or “added” are expected, for example 2026-12-24 dropped; 2026-12-31 05:00 added"
    DayDropped          Invalid "day_dropped"        "An diesem Tag entfallen schon alle Abfahrten" "All departures of this date are dropped already"
    OneOrigin           Invalid "one_origin"         "Bitte geben Sie genau einen Ausgangsort an: einen Versandknoten, ein Lager oder einen Artikel." "Please give exactly one origin: a shipping node, a warehouse or an article."
    OneMoment           Invalid "one_moment"         "Bitte geben Sie entweder den Zeitpunkt der Bestellung oder den der spätesten Ankunft an." "Please give either the moment of the order or that of the latest arrival."
    OnlyWithArticle     Invalid "only_with_article"  "Das gehört zu einem Artikel. Bitte geben Sie ihn mit an, oder lassen Sie dieses Feld weg." "This belongs to an article. Please name it as well, or leave this field out."
    ReferencesDisagree  Invalid "references_disagree" "Die beiden Angaben meinen nicht denselben Eintrag. Bitte geben Sie nur eine davon an, oder beide übereinstimmend." "The two values do not mean the same record. Please give only one of them, or both in agreement."
    InvalidShortCode    Invalid "invalid_short_code" "Erlaubt sind nur A–Z, a–z, 0–9 und die Zeichen - _ . ," "Only A–Z, a–z, 0–9 and the characters - _ . , are allowed"
    InvalidEmail        Invalid "invalid_email"      "Keine gültige E-Mail-Adresse" "Not a valid e-mail address"
    EmailCharacters     Invalid "email_characters"   "Die Adresse enthält unsichtbare Zeichen oder eines der Zeichen < > ( ) [ ] \\ , ; : \" – bitte geben Sie nur die Adresse selbst ein, zum Beispiel name@firma.de" "The address contains invisible characters or one of < > ( ) [ ] \\ , ; : \" – please enter only the address itself, for example name@company.com"
    EmailNameTooLong    Invalid "email_name_too_long" "Vor dem @ dürfen höchstens {max} Zeichen stehen" "At most {max} characters before the @"
    InvalidMaterialNumber Invalid "invalid_material_number" "Werkstoffnummern haben die Form x.xxxx oder x.xxxx(xx), zum Beispiel 1.0038" "Material numbers have the form x.xxxx or x.xxxx(xx), for example 1.0038"
    Duplicate           Invalid "duplicate"          "Doppelter Wert" "Duplicate value"
    Taken               Invalid "taken"              "Bereits vergeben" "Already taken"
    WeakPassword        Invalid "weak_password"      "Ihr Passwort ist nicht stark genug. {advice}" "Your password is not strong enough. {advice}"
    WrongPassword       Invalid "wrong_password"     "Das aktuelle Passwort ist nicht richtig" "The current password is not correct"
    SamePassword        Invalid "same_password"      "Bitte wählen Sie ein anderes Passwort als bisher" "Please choose a password other than the current one"
    EmailTaken          Invalid "email_taken"        "Diese E-Mail-Adresse ist bereits vergeben." "The email has already been taken."
    UnknownReference    Invalid "unknown_reference"  "Unbekannter Wert" "Unknown value"
    ArticleNumberTaken  Invalid "article_number_taken" "Diese Artikelnummer ist bereits vergeben." "The article number has already been taken."
    OtherNumberTaken    Invalid "other_number_taken" "Diese Nummer hat schon der Artikel {article}" "The article {article} already has this number"
    InvalidGtin         Invalid "invalid_gtin"       "Eine GTIN (EAN) hat 8, 12, 13 oder 14 Ziffern" "A GTIN (EAN) has 8, 12, 13 or 14 digits"
    GtinCheckDigit      Invalid "gtin_check_digit"   "Die Prüfziffer stimmt nicht: Auf {digits} folgt {expected}" "The check digit is wrong: {digits} is followed by {expected}"
    RoleNameTaken       Invalid "role_name_taken"    "Diesen Rollennamen gibt es schon." "The role name has already been taken."
    NotInRoles          Invalid "not_in_roles"       "In keiner der Rollen enthalten: {permissions}" "None of the roles contains these rights: {permissions}"
    NotGrantable        Invalid "not_grantable"      "Diese Rechte können Sie nicht vergeben: {permissions}" "You cannot grant these rights: {permissions}"
    RoleNotGrantable    Invalid "role_not_grantable" "„{role}“ enthält Rechte, die Sie selbst nicht haben ({permissions}). Wählen Sie eine andere Rolle oder schränken Sie die Rechte ein." "“{role}” contains rights that you do not hold yourself ({permissions}). Choose another role or narrow the rights."
    AboveCeiling        Invalid "above_ceiling"      "Diese Rechte hat der Mandant nicht: {permissions}" "The tenant does not have these rights: {permissions}"
    AbilityBeyondRights Invalid "ability_beyond_rights" "Für „{ability}“ fehlen Ihnen diese Rechte: {permissions}" "For “{ability}” you lack these rights: {permissions}"
    NotInFuture         Invalid "not_in_future"      "Muss in der Zukunft liegen" "Must be in the future"
    ExpiresTooLate      Invalid "expires_too_late"   "Höchstens {days} Tage von heute an" "At most {days} days from today"
    CeilingShrinks      Invalid "ceiling_shrinks"    "Einem Mandanten können keine Rechte entzogen werden: {permissions}" "Rights cannot be taken from a tenant: {permissions}"
    ConfirmationMismatch Invalid "confirmation_mismatch" "Bitte geben Sie zur Bestätigung „{expected}“ ein." "Please enter “{expected}” to confirm."

    // Units
    UnknownUnit         Invalid "unknown_unit"       "Unbekannte Einheit „{unit}“; möglich sind {known}" "Unknown unit “{unit}”; possible units: {known}"
    WrongUnitCategory   Invalid "wrong_unit_category" "Die Einheit „{unit}“ passt nicht; möglich sind {known}" "The unit “{unit}” does not fit; possible units: {known}"

    // Attributes, article types, articles
    OptionRequired      Invalid "option_required"    "Attribute der Art „Auswahl“ brauchen mindestens eine Option" "Attributes of type “Choice” need at least one option"
    OptionsNotAllowed   Invalid "options_not_allowed" "Nur Attribute der Art „Auswahl“ haben Optionen" "Only attributes of type “Choice” have options"
    UnitCategoryRequired Invalid "unit_category_required" "Attribute der Art „Maß“ brauchen eine Einheitenkategorie" "Attributes of type “Measure” need a unit category"
    UnitCategoryNotAllowed Invalid "unit_category_not_allowed" "Nur Attribute der Art „Maß“ haben eine Einheit" "Only attributes of type “Measure” have a unit"
    WeightNotAllowed    Invalid "weight_not_allowed" "Attribute der Art „Freitext“ haben kein Gewicht" "Attributes of type “Free text” have no weight"
    OptionInUse         Invalid "option_in_use"      "Wird noch von Artikeln verwendet und kann nicht entfernt werden: {options}" "Still used by articles and cannot be removed: {options}"
    InvalidPlaceholder  Invalid "invalid_placeholder" "Aus dem Namen entsteht der Platzhalter der Vorlagen; er braucht Buchstaben oder Ziffern und darf nicht „{reserved}“ lauten" "The placeholder used in templates is made from the name; it needs letters or digits and must not be “{reserved}”"
    TypeInUse           Invalid "type_in_use"        "Kann nicht geändert werden, solange Artikeltypen das Attribut verwenden: {uses}" "Cannot be changed while article types use the attribute: {uses}"
    TemplateTooLong     Invalid "template_too_long"  "Damit wäre eine Vorlage des Artikeltyps „{article_type}“ länger als {max} Zeichen" "This would make a template of the article type “{article_type}” longer than {max} characters"
    PrimaryRequired     Invalid "primary_required"   "Mindestens ein Attribut muss primär sein" "At least one attribute must be primary"
    PrimaryMissing      Invalid "primary_missing"    "Die Nummernvorlage muss alle primären Attribute enthalten; es fehlen: {missing}" "The number template must contain all primary attributes; missing: {missing}"
    UnknownPlaceholder  Invalid "unknown_placeholder" "Den Platzhalter „{placeholder}“ gibt es nicht; möglich sind {known}" "The placeholder “{placeholder}” does not exist; possible placeholders: {known}"
    PlaceholderFormat   Invalid "placeholder_format" "Der Platzhalter „{placeholder}“ hat ein ungültiges Format; erlaubt sind {name}, {name:Einheit} und {name:Einheit:Nachkommastellen}" "The placeholder “{placeholder}” has an invalid format; allowed are {name}, {name:unit} and {name:unit:decimals}"
    CutLengthMissing    Invalid "cut_length_missing" "Die Vorlage muss {placeholder} enthalten, sonst hätten verschieden lange Stücke dieselbe Nummer" "The template must contain {placeholder}, otherwise pieces of different lengths would have the same number"
    UnbalancedBrace     Invalid "unbalanced_brace"   "Geschweifte Klammer ohne Gegenstück an Stelle {position}; eine einzelne Klammer schreiben Sie doppelt" "Unmatched brace at position {position}; write a single brace twice"
    ValueRequired       Invalid "value_required"     "Für „{attribute}“ fehlt ein Wert" "A value for “{attribute}” is missing"
    WrongValueKind      Invalid "wrong_value_kind"   "„{attribute}“ erwartet {expected}" "“{attribute}” expects {expected}"
    UnknownOption       Invalid "unknown_option"     "„{value}“ ist keine Option von „{attribute}“" "“{value}” is not an option of “{attribute}”"
    ForeignAttribute    Invalid "foreign_attribute"  "Das Attribut gehört nicht zu diesem Artikeltyp" "The attribute does not belong to this article type"
    RangeReversed       Invalid "range_reversed"     "„Bis unter“ muss größer als „Von“ sein" "“To” must be greater than “from”"
    RangeOverlap        Invalid "range_overlap"      "Überschneidet sich mit Bereich „{range}“" "Overlaps with the range “{range}”"
    RangeGap            Invalid "range_gap"          "Lücke nach Bereich „{range}“" "Gap after the range “{range}”"
    OpenBelow           Invalid "open_below"         "Nur der kürzeste Bereich darf ohne Anfang sein" "Only the shortest range may lack a beginning"
    OpenAbove           Invalid "open_above"         "Nur der längste Bereich darf ohne Ende sein" "Only the longest range may lack an end"
    DimensionNotMeasured Invalid "dimension_not_measured" "Diese Bedeutung haben nur Auswahlattribute und solche der Art „Maß“ mit der passenden Einheitenkategorie" "Only attributes with options, or of type “Measure” with the fitting unit category, have this meaning"
    OptionsNotMeasured  Invalid "options_not_measured" "Als „{dimension}“ nicht lesbar: {options}. Bitte schreiben Sie Zahlen, mit Einheit oder in mm, m² oder kg, ein Format wie 1000x2000" "Not readable as “{dimension}”: {options}. Please write numbers, with a unit or in mm, m² or kg, a format as 1000x2000"
    DimensionMissing    Invalid "dimension_missing"  "Für das Gewicht fehlen Attribute mit dieser Bedeutung: {missing}" "The weight needs attributes with this meaning: {missing}"
    SectionBaseUnit     Invalid "section_base_unit"  "In dieser Basiseinheit gibt es für den Querschnitt kein Gewicht; möglich sind {known}" "The section has no weight in this base unit; possible units: {known}"
    NotLengthItems      Invalid "not_length_items"   "Handelslängen gibt es nur für Längenware: Ein Attribut muss die Bedeutung „Länge“ haben" "Trade dimensions are for length items only: an attribute has to have the meaning “length”"
    NoCluster           Invalid "no_cluster"         "Diese Länge liegt in keinem Bereich der Handelslänge „{trade_dimension}“" "This length lies in no range of the trade dimension “{trade_dimension}”"
    MaterialRequired    Invalid "material_required"  "Die Vorlage des Artikeltyps braucht einen Werkstoff" "The article type's template needs a material"
    ArticleTypeFixed    Invalid "article_type_fixed" "Der Artikeltyp eines bestehenden Artikels kann nicht geändert werden" "The article type of an existing article cannot be changed"
    ArticlesChange      Conflict "articles_change"   "Damit ändern sich {count} Artikel. Bitte prüfen und bestätigen Sie die Änderung im Formular." "This changes {count} articles. Please check and confirm the change in the form."
    ArticlesCollide     Invalid "articles_collide"   "{count} Artikel bekämen eine Nummer, die schon vergeben ist, zum Beispiel {example}" "{count} articles would get a number that is already taken, for example {example}"
    ArticlesRefused     Invalid "articles_refused"   "{count} Artikel passen nicht dazu, zum Beispiel {example}: {reason}" "{count} articles do not fit, for example {example}: {reason}"
    LadderChangesArticles Invalid "ladder_changes_articles" "Damit würden sich {count} Artikel ändern. Legen Sie eine neue Handelslänge an und weisen Sie sie dem Artikeltyp zu: dort sehen Sie vorher, was sich ändert." "This would change {count} articles. Create a new trade dimension and assign it to the article type: that shows beforehand what changes."
    NumberCollides      Invalid "number_collides"    "Die Nummer {number} hätten mehrere Artikel" "Several articles would have the number {number}"
    FixedByArticles     Invalid "fixed_by_articles"  "Kann nicht geändert werden, solange {count} Artikel bestehen" "Cannot be changed while {count} articles exist"

    // Categories and pictures
    CategoryCycle       Invalid "category_cycle"     "Eine Kategorie kann nicht unter sich selbst oder einer ihrer Unterkategorien stehen" "A category cannot stand below itself or one of its subcategories"
    SiblingTaken        Invalid "sibling_taken"      "An dieser Stelle gibt es schon eine Kategorie mit diesem Namen" "There is already a category of this name in this place"
    ImageFormat         Invalid "image_format"       "Die Datei ist kein Bild im Format PNG, JPEG oder WebP" "The file is not a picture in PNG, JPEG or WebP format"
    ImageDamaged        Invalid "image_damaged"      "Das Bild ist beschädigt oder unvollständig" "The picture is damaged or incomplete"
    ImageTooLarge       Invalid "image_too_large"    "Das Bild hat {width} x {height} Pixel; erlaubt sind weniger als {megapixels} Megapixel und höchstens {side} Pixel je Seite" "The picture has {width} x {height} pixels; fewer than {megapixels} megapixels and at most {side} pixels per side are allowed"

    // Imports: the file
    ImportTypeUnsupported Invalid "import_type_unsupported" "Importe vom Typ „{type}“ werden noch nicht angenommen" "Imports of the type “{type}” are not accepted yet"
    FileMissing         Invalid "file_missing"       "Bitte wählen Sie eine Datei" "Please choose a file"
    FileNameInvalid     Invalid "file_name_invalid"  "Der Name der Datei enthält unzulässige Steuerzeichen. Bitte benennen Sie die Datei um." "The name of the file contains control characters, which are not allowed. Please rename the file."
    FormMalformed       Invalid "form_malformed"     "Die Anfrage ist kein vollständiges Formular (multipart/form-data). Der Name der Datei darf weder Zeilenumbrüche noch Nullzeichen enthalten." "The request is not a complete form (multipart/form-data). The name of the file must contain neither line breaks nor null characters."
    FileEmpty           Invalid "file_empty"         "Die Datei ist leer" "The file is empty"
    FileUnreadable      Invalid "file_unreadable"    "Die Datei ist weder CSV noch XLSX. Bitte speichern Sie sie in Ihrer Tabellenkalkulation als CSV (Trennzeichen-getrennt) oder als Excel-Arbeitsmappe (.xlsx)." "The file is neither CSV nor XLSX. Please save it in your spreadsheet program as CSV or as an Excel workbook (.xlsx)."
    FileEncrypted       Invalid "file_encrypted"     "Die Arbeitsmappe ist mit einem Kennwort geschützt. Bitte öffnen Sie sie in Ihrer Tabellenkalkulation, entfernen Sie das Kennwort und laden Sie sie erneut hoch." "The workbook is protected by a password. Please open it in your spreadsheet program, remove the password and upload it again."
    FilePdf             Invalid "file_pdf"           "Die Datei ist ein PDF, keine Tabelle. Bitte lassen Sie sich die Liste als Excel-Arbeitsmappe (.xlsx) oder CSV schicken." "The file is a PDF, no table. Please ask for the list as an Excel workbook (.xlsx) or CSV."
    FileXml             Invalid "file_xml"           "Die Datei ist ein XML-Dokument (zum Beispiel ein BMEcat-Katalog oder „XML-Kalkulationstabelle“). Bitte exportieren Sie die Liste als Excel-Arbeitsmappe (.xlsx) oder CSV." "The file is an XML document (a BMEcat catalogue or “XML spreadsheet”, for example). Please export the list as an Excel workbook (.xlsx) or CSV."
    FileHtml            Invalid "file_html"          "Die Datei ist eine HTML-Seite, auch wenn sie wie eine Tabelle heißt. Bitte öffnen Sie sie in Ihrer Tabellenkalkulation und speichern Sie sie als Excel-Arbeitsmappe (.xlsx)." "The file is an HTML page, even if its name says table. Please open it in your spreadsheet program and save it as an Excel workbook (.xlsx)."
    FileDatanorm        Invalid "file_datanorm"      "Die Datei ist ein DATANORM-Satz. Bitte lassen Sie sich die Preise als Excel-Arbeitsmappe (.xlsx) oder CSV schicken, oder wandeln Sie sie in Ihrer Warenwirtschaft um." "The file is in DATANORM format. Please ask for the prices as an Excel workbook (.xlsx) or CSV, or convert them in your ERP system."
    FileSapList         Invalid "file_sap_list"      "Die Datei ist eine SAP-Liste als unkonvertierter Text. Bitte speichern Sie die Liste in SAP als „Tabellenkalkulation“ (.xlsx) oder „Text mit Tabulatoren“." "The file is an SAP list saved as unconverted text. Please save the list in SAP as “Spreadsheet” (.xlsx) or “Text with tabs”."
    SheetMissing        Invalid "sheet_missing"      "Die Arbeitsmappe hat kein Tabellenblatt „{sheet}“; es gibt: {sheets}" "The workbook has no worksheet “{sheet}”; there are: {sheets}"
    FileOldExcel        Invalid "file_old_excel"     "Die Datei ist eine Excel-Arbeitsmappe im alten Format (.xls). Bitte speichern Sie sie in Ihrer Tabellenkalkulation als Excel-Arbeitsmappe (.xlsx)." "The file is an Excel workbook in the old format (.xls). Please save it in your spreadsheet program as an Excel workbook (.xlsx)."
    FileUtf16           Invalid "file_utf16"         "Die Datei ist in UTF-16 ohne Kennung (BOM) gespeichert. Bitte speichern Sie sie als „CSV UTF-8“." "The file is saved as UTF-16 without a byte order mark. Please save it as “CSV UTF-8”."
    FileChanged         Invalid "file_changed"       "Die Datei ist nicht mehr die, die hochgeladen wurde. Bitte laden Sie sie noch einmal hoch." "The file is no longer the one that was uploaded. Please upload it again."
    FileDamaged         Invalid "file_damaged"       "Die Datei ist beschädigt und kann ab Zeile {line} nicht gelesen werden" "The file is damaged and cannot be read from line {line} on"
    LineTooLong         Invalid "line_too_long"      "Zeile {line} der Datei ist länger als {max}. Bitte prüfen Sie, ob die Datei eine Tabelle ist." "Line {line} of the file is longer than {max}. Please check whether the file is a table."
    FileTooLarge        Invalid "file_too_large"     "Die Datei ist zu groß; erlaubt sind {max}" "The file is too large; {max} are allowed"
    FileBomb            Invalid "file_bomb"          "Die Datei ist ungewöhnlich stark komprimiert und wird aus Sicherheitsgründen nicht gelesen" "The file is compressed to an unusual degree and is not read for security reasons"
    TooManyRows         Invalid "too_many_rows"      "Die Datei hat mehr als {max} Zeilen; bitte teilen Sie sie" "The file has more than {max} rows; please split it"
    TooManyColumns      Invalid "too_many_columns"   "Die Datei hat mehr als {max} Spalten" "The file has more than {max} columns"
    ColumnMissing       Invalid "column_missing"     "Es fehlt die Spalte „{column}“; gefunden wurden: {found}" "The column “{column}” is missing; found: {found}"
    ColumnDuplicate     Invalid "column_duplicate"   "Die Spalte „{column}“ kommt mehrmals vor" "The column “{column}” occurs more than once"
    ColumnUnknown       Invalid "column_unknown"     "Die Spalte „{column}“ ist unbekannt" "The column “{column}” is unknown"
    MappedColumnMissing Invalid          "mapped_column_missing" "Die Datei hat keine Spalte „{column}“; gefunden wurden: {found}. Hat sie sich geändert, wählen Sie sie bitte erneut aus." "The file has no column “{column}”; found were: {found}. If it has changed, please choose it again."
    NoSuchImportField   Invalid          "no_such_import_field" "Dieser Inhalt hat kein Feld „{field}“." "This content has no field “{field}”."
    FieldMappedTwice    Invalid          "field_mapped_twice" "„{field}“ steht schon in der Spalte „{column}“. Bitte lassen Sie eine der beiden weg." "“{field}” is already in the column “{column}”. Please leave one of the two out."
    ColumnNameTooLong   Invalid "column_name_too_long" "Die Überschrift der Spalte {column} ist länger als {max} Zeichen. Die erste Zeile muss die Namen der Spalten enthalten." "The heading of column {column} is longer than {max} characters. The first row has to hold the names of the columns."
    MoreProblems        Invalid "more_problems"      "Weitere Fehler, die hier nicht gezeigt werden: {count}" "Other errors that are not shown here: {count}"
    NotAPriceBasis      Invalid "not_a_price_basis"  "„{text}“ sagt nicht, wofür die Preise gelten. Schreiben Sie zum Beispiel „[EUR/100 kg]“ oder „[€/t]“ in die Überschrift, oder wählen Sie es beim Import aus. Bekannte Einheiten: {known}" "“{text}” does not say what the prices are for. Write “[EUR/100 kg]” or “[€/t]”, for example, in the heading, or choose it while importing. Known units: {known}"
    ForeignCurrency     Invalid "foreign_currency"   "Preise sind in EUR, die Überschrift sagt „{text}“. Bitte rechnen Sie die Preise um, und nennen Sie die Spalte zum Beispiel „Preis [EUR/t]“, oder lassen Sie die Spalte weg." "Prices are in EUR, the heading says “{text}”. Please convert the prices and call the column “Price [EUR/t]”, for example, or leave the column out."
    OtherCurrency       Invalid "other_currency"     "Der Preis ist in „{value}“, Preise sind hier in EUR. Bitte rechnen Sie ihn um, oder lassen Sie die Zeile weg." "The price is in “{value}”; prices are in EUR here. Please convert it or leave the row out."
    CellUnitDiffers     Invalid "cell_unit_differs"  "„{text}“ widerspricht der Überschrift oder einer anderen Spalte dieser Zeile: Dort steht {value}. Bitte nennen Sie die Einheit nur an einer Stelle." "“{text}” contradicts the heading or another column of this row, which says {value}. Please name the unit in one place only."
    PriceBasesDiffer    Invalid "price_bases_differ" "Die Überschrift sagt „{text}“, die Spalte „{other}“ sagt etwas anderes. Bitte nennen Sie die Einheit nur einmal." "The heading says “{text}”, the column “{other}” says something else. Please name the unit once only."
    HeadingOverruled    Invalid "heading_overruled"  "Die Angabe in der Zeile gilt, nicht die Überschrift: {value}" "What the row says counts, not the heading: {value}"
    NumberRounded       Invalid "number_rounded"     "Die Tabelle rechnet mit mehr Stellen; übernommen wurde {value}" "The spreadsheet computes with more places; {value} was taken"
    HiddenRowsImported  Invalid "hidden_rows_imported" "Ausgeblendete Zeilen der Tabelle, die mit gelesen wurden: {count}" "Hidden rows of the spreadsheet that were read as well: {count}"
    NotCorrectable      Conflict "not_correctable"   "Die Zeilen dieses Imports lassen sich hier nicht korrigieren. Bitte laden Sie die korrigierte Datei hoch." "The rows of this import cannot be corrected here. Please upload the corrected file."
    NotForThisType      Invalid "not_for_this_type"  "Das gibt es bei diesem Inhalt nicht." "There is no such choice for this content."
    ImportTypeFixed     Invalid "import_type_fixed"  "Der Inhalt eines Importprofils kann nicht geändert werden. Bitte legen Sie ein neues Profil an." "The content of an import profile cannot be changed. Please create another profile."
    SumRowsLeftOut      Invalid "sum_rows_left_out"  "Zeilen mit Summen, die ausgelassen wurden: {count}" "Rows with sums that were left out: {count}"
    FootnotesLeftOut    Invalid "footnotes_left_out" "Anmerkungen unter der Tabelle, die ausgelassen wurden: {texts}" "Notes below the table that were left out: {texts}"
    RowsSummedUp        Invalid "rows_summed_up"     "Zeilen, deren Menge zur ersten Zeile desselben Bestands gezählt wurde: {count}" "Rows whose quantity was added to the first row of the same stock: {count}"
    ColumnsNotRead      Invalid "columns_not_read"   "Nicht gelesene Spalten: {columns}" "Columns that were not read: {columns}"
    HiddenRowsLeftOut   Invalid "hidden_rows_left_out" "Ausgeblendete Zeilen der Tabelle, die ausgelassen wurden: {count}" "Hidden rows of the spreadsheet that were left out: {count}"
    NoUnitExpected      Invalid "no_unit_expected"   "In diesem Feld stehen keine Zahlen mit einer Einheit. Bitte wählen Sie keine Einheit." "This field holds no numbers with a unit. Please choose no unit."
    ColumnRefused       Invalid "column_refused"     "Spalte „{column}“: {reason}" "Column “{column}”: {reason}"
    NoRows              Invalid "no_rows"            "Die Datei enthält nur eine Kopfzeile" "The file contains only a header"
    TableExpected       Invalid "table_expected"     "Die Datei ist ein JSON-Dokument. Für diesen Inhalt wird eine Tabelle gelesen: CSV oder Excel (.xlsx)." "The file is a JSON document. For this content a table is read: CSV or Excel (.xlsx)."
    DocumentExpected    Invalid "document_expected"  "Die Datei ist kein JSON-Objekt. Für diesen Inhalt wird ein JSON-Dokument mit den Listen {lists} gelesen." "The file is no JSON object. For this content a JSON document with the lists {lists} is read."
    DocumentDamaged     Invalid "document_damaged"   "Das JSON-Dokument ist in Zeile {line} fehlerhaft und kann nicht gelesen werden" "The JSON document is malformed in line {line} and cannot be read"
    ListsMissing        Invalid "lists_missing"      "Das Dokument enthält keine der Listen {lists}; gefunden wurden: {found}" "The document holds none of the lists {lists}; found were: {found}"
    ListsEmpty          Invalid "lists_empty"        "Die Listen des Dokuments sind leer" "The lists of the document are empty"
    ListExpected        Invalid "list_expected"      "„{name}“ muss eine Liste sein" "“{name}” has to be a list"
    ListRepeated        Invalid "list_repeated"      "Die Liste „{name}“ kommt mehrmals vor" "The list “{name}” occurs more than once"
    EntryTooLong        Invalid "entry_too_long"     "Der Eintrag {place} des Dokuments ist länger als {max}" "The entry {place} of the document is longer than {max}"
    NothingUndone       Invalid "nothing_undone"     "Kein Eintrag konnte rückgängig gemacht werden" "No record could be undone"
    EditedSince         Invalid "edited_since"       "Seit dem Import geändert; der Eintrag bleibt, wie er ist" "Changed since the import; the record stays as it is"
    GoneSince           Invalid "gone_since"         "Seit dem Import gelöscht" "Deleted since the import"
    MadeAgain           Invalid "made_again"         "Inzwischen gibt es einen anderen Eintrag mit diesen Angaben" "There is another record with the same details by now"
    UsedElsewhere       Invalid "used_elsewhere"     "Wird inzwischen verwendet und kann nicht gelöscht werden" "Is in use by now and cannot be deleted"
    NotAsBefore         Invalid "not_as_before"      "Lässt sich nicht wiederherstellen: {why}" "Cannot be restored: {why}"
    HeldPriceDropped    Invalid "held_price_dropped" "Der angehaltene Preis wurde verworfen" "The held price has been dropped"
    AllRowsRefused      Invalid "all_rows_refused"   "Keine Zeile konnte übernommen werden" "No row could be applied"
    ImportGivenUp       Invalid "import_given_up"    "Der Import wurde nach {attempts} abgebrochenen Versuchen aufgegeben" "The import was given up after {attempts} interrupted attempts"
    ImportHeldUp        Invalid "import_held_up"     "Der Import wurde aufgegeben, weil andere Änderungen ihn {minutes} Minuten lang aufgehalten haben. Was schon übernommen wurde, bleibt. Bitte starten Sie ihn noch einmal." "The import was given up because other changes held it up for {minutes} minutes. What had been applied stays. Please start it again."
    ImportStopped       Invalid "import_stopped"     "Der Import wurde angehalten, nach {done} von {rows} Zeilen. Was bis dahin übernommen wurde, bleibt und lässt sich rückgängig machen." "The import was stopped after {done} of {rows} rows. What had been applied stays and can be undone."
    DryRunStopped       Invalid "dry_run_stopped"    "Der Probelauf wurde angehalten, nach {done} von {rows} Zeilen." "The dry run was stopped after {done} of {rows} rows."
    WholeImportStopped  Invalid "whole_import_stopped" "Der Import wurde angehalten. Es wurde nichts übernommen, denn diese Datei gilt nur als Ganzes." "The import was stopped. Nothing was applied, since this file counts as a whole only."
    ImportPaused        Invalid "import_paused"      "Der Import wartet, bis auf dem Server wieder gespeichert werden kann, und geht dann von selbst weiter" "The import waits until the server can save again, and then goes on by itself"
    CreatorGone         Invalid "creator_gone"       "Der Benutzer, der den Import gestartet hat, darf ihn nicht mehr ausführen" "The user who started the import may no longer run it"
    TenantNotPermitted  Invalid "tenant_not_permitted" "Der Mandant darf Dateien dieser Art nicht mehr importieren, oder die FTP-Einstellungen wurden gelöscht" "The tenant may no longer import files of this type, or the FTP settings have been deleted"

    // Imports: how the file was read, told beside how the import ended
    ReadAs              Invalid "read_as"            "Die Datei ist nicht in UTF-8 gespeichert und wurde als {encoding} gelesen. Bitte prüfen Sie Umlaute und Sonderzeichen." "The file is not saved as UTF-8 and was read as {encoding}. Please check umlauts and special characters."
    BrokenPlaces        Invalid "broken_places"      "Die Datei ist in {encoding} gespeichert, enthält aber Bytes, die kein Zeichen ergeben (Stellen: {count}). Die betroffenen Zeilen wurden nicht übernommen." "The file is saved as {encoding} but contains bytes that form no character (places: {count}). The affected rows were not applied."
    SheetRead           Invalid "sheet_read"         "Gelesen wurde das Tabellenblatt „{sheet}“, weil das erste Blatt „{first}“ leer ist." "The worksheet “{sheet}” was read because the first sheet “{first}” is empty."
    SheetsNotRead       Invalid "sheets_not_read"    "Gelesen wurde nur das Tabellenblatt „{sheet}“; nicht gelesen wurden: {others}. Stehen die Daten dort, wählen Sie bitte das Blatt." "Only the worksheet “{sheet}” was read; not read: {others}. If the data is there, please choose that sheet."

    // Secrets of other systems
    SecretKeyMissing    Conflict "secret_key_missing" "Auf diesem Server ist noch kein Schlüssel für Zugangsdaten eingerichtet; ohne ihn werden keine gespeichert. Bitte lassen Sie die Person, die den Server betreut, STALHOF_SECRET_KEYS_FILE einrichten." "This server has no key for credentials yet; without one, no credentials are saved. Please ask the person who runs the server to set up STALHOF_SECRET_KEYS_FILE."
    SecretKeyUnknown    Conflict "secret_key_unknown" "Die gespeicherten Zugangsdaten lassen sich nicht lesen, weil dem Server der Schlüssel dazu fehlt. Bitte geben Sie die Zugangsdaten neu ein, oder lassen Sie den früheren Schlüssel wieder eintragen." "The saved credentials cannot be read because the server lacks their key. Please enter the credentials again, or have the former key added again."
    SecretDamaged       Conflict "secret_damaged"     "Die gespeicherten Zugangsdaten sind beschädigt. Bitte geben Sie sie neu ein." "The saved credentials are damaged. Please enter them again."

    // Connections to other systems. Blocked and unreachable hosts read the same, so that the answers do not explore a network
    HostUnreachable     Invalid "host_unreachable"    "Der Server „{host}“ ist nicht erreichbar. Bitte prüfen Sie Name und Port. Steht er in einem internen Netz, muss die Person, die Stalhof betreibt, dieses Netz freigeben." "The server “{host}” cannot be reached. Please check name and port. If it is in an internal network, the person who runs Stalhof has to allow that network."
    HostSilent          Invalid "host_silent"         "Der Server „{host}“ hat nicht rechtzeitig geantwortet. Bitte versuchen Sie es später erneut, oder fragen Sie den Betreiber dieses Servers." "The server “{host}” did not answer in time. Please try again later, or ask the operator of that server."
    HostUntrusted       Invalid "host_untrusted"      "Das Zertifikat des Servers „{host}“ ist abgelaufen, gilt für einen anderen Namen oder stammt von einer unbekannten Stelle. Bitte prüfen Sie den Namen, oder hinterlegen Sie die Zertifizierungsstelle." "The certificate of the server “{host}” has expired, belongs to another name or comes from an unknown authority. Please check the name, or provide the certificate authority."
    HostInterrupted     Invalid "host_interrupted"    "Die Verbindung zum Server „{host}“ ist abgebrochen. Bitte versuchen Sie es erneut." "The connection to the server “{host}” was interrupted. Please try again."
    AnswerTooLarge      Invalid "answer_too_large"    "Der Server „{host}“ hat mehr als {max} gesendet; so viel wird nicht angenommen. Bitte grenzen Sie ein, was er sendet." "The server “{host}” sent more than {max}, which is not accepted. Please limit what it sends."
    AnswerUnreadable    Invalid "answer_unreadable"   "Die Antwort des Servers „{host}“ ist nicht zu verstehen. Bitte prüfen Sie Port und Protokoll." "The answer of the server “{host}” cannot be understood. Please check port and protocol."
    RedirectRefused     Invalid "redirect_refused"    "Der Server „{host}“ leitet an eine andere Adresse weiter. Bitte tragen Sie die endgültige Adresse ein." "The server “{host}” redirects to another address. Please enter the final address."
    DataHostDiffers     Invalid "data_host_differs"   "Der Server „{host}“ nennt für die Datenverbindung einen anderen Rechner oder einen unzulässigen Port. Bitte lassen Sie dort den passiven Modus (PASV) berichtigen." "The server “{host}” names another computer or a forbidden port for the data connection. Please have its passive mode (PASV) corrected."
    InvalidHost         Invalid "invalid_host"        "Bitte geben Sie nur den Namen oder die IP-Adresse des Servers ein, ohne „://“, Benutzernamen und Pfad, zum Beispiel ftp.beispiel.de." "Please enter only the name or IP address of the server, without “://”, user name and path, for example ftp.example.com."
    InvalidHttpsUrl     Invalid "invalid_https_url"   "Bitte geben Sie eine Adresse ein, die mit https:// beginnt und weder Zugangsdaten noch „#“ enthält." "Please enter an address that begins with https:// and contains neither credentials nor “#”."

    // Files of other systems: FTP, FTPS and SFTP
    PlainFtpForbidden   Invalid "plain_ftp_forbidden" "Unverschlüsseltes FTP ist nicht freigegeben. Bitte wählen Sie FTPS oder SFTP, oder lassen Sie es von der Person freigeben, die Stalhof betreibt." "Unencrypted FTP is not allowed here. Please choose FTPS or SFTP, or ask the person who runs Stalhof to allow it."
    TlsNotOffered       Invalid "tls_not_offered"     "Der Server „{host}“ bietet keine Verschlüsselung an. Bitte prüfen Sie Protokoll und Port, oder fragen Sie den Betreiber dieses Servers." "The server “{host}” does not offer encryption. Please check protocol and port, or ask the operator of that server."
    RemoteSignInRefused Invalid "remote_sign_in_refused" "Der Server „{host}“ lehnt die Anmeldung ab. Bitte prüfen Sie den Benutzernamen und das Kennwort oder den Schlüssel." "The server “{host}” refuses the sign-in. Please check the user name and the password or key."
    RemoteCredentialMissing Invalid "remote_credential_missing" "Für diese Verbindung ist weder ein Kennwort noch ein privater Schlüssel hinterlegt. Bitte geben Sie eines davon ein." "There is neither a password nor a private key for this connection. Please enter one of them."
    PrivateKeyInvalid   Invalid "private_key_invalid" "Der private Schlüssel ist nicht lesbar. Bitte geben Sie ihn vollständig im Format OpenSSH oder PEM ein, und prüfen Sie sein Kennwort." "The private key cannot be read. Please enter it completely, in OpenSSH or PEM format, and check its passphrase."
    PrivateKeyNeedsSftp Invalid "private_key_needs_sftp" "Ein privater Schlüssel gilt nur für SFTP. Bitte wählen Sie SFTP, oder geben Sie ein Kennwort ein." "A private key works with SFTP only. Please choose SFTP or enter a password."
    AuthorityInvalid    Invalid "authority_invalid"   "Die Zertifizierungsstelle ist nicht lesbar. Bitte geben Sie ihr Zertifikat im Format PEM ein." "The certificate authority cannot be read. Please enter its certificate in PEM format."
    HostKeyChanged      Invalid "host_key_changed"   "Der Server „{host}“ weist sich mit einem anderen Schlüssel aus. Bestätigt ist {pinned}, erhalten wurde {presented}. Bitte fragen Sie den Betreiber des Servers, ob der Schlüssel gewechselt wurde, und bestätigen Sie ihn erst dann." "The server “{host}” identifies itself with another key. The confirmed key is {pinned}, the received key is {presented}. Please ask the operator of that server if the key has been replaced, and confirm it only then."
    RemotePathInvalid   Invalid "remote_path_invalid" "Bitte geben Sie einen Pfad mit höchstens {max} Zeichen ein, ohne „..“, umgekehrten Schrägstrich und Steuerzeichen, zum Beispiel /export/preise." "Please enter a path of at most {max} characters without “..”, backslashes and control characters, for example /export/prices."
    RemoteFolderMissing Invalid "remote_folder_missing" "Der Ordner „{path}“ lässt sich auf dem Server „{host}“ nicht öffnen. Bitte prüfen Sie den Pfad und die Rechte des Benutzers auf dem Server." "The folder “{path}” cannot be opened on the server “{host}”. Please check the path and the user’s permissions on that server."
    RemoteFileMissing   Invalid "remote_file_missing" "Die Datei „{name}“ gibt es auf dem Server „{host}“ nicht, oder sie ist für den Benutzer nicht lesbar. Bitte prüfen Sie den Dateinamen und die Rechte des Benutzers." "The file “{name}” does not exist on the server “{host}”, or the user may not read it. Please check the file name and the user’s permissions."
    RemoteNotAFile      Invalid "remote_not_a_file"   "„{name}“ ist auf dem Server „{host}“ keine Datei, sondern zum Beispiel ein Ordner. Bitte prüfen Sie den Dateinamen." "“{name}” is not a file on the server “{host}” but, for example, a folder. Please check the file name."
    RemoteNameInvalid   Invalid "remote_name_invalid" "Der Dateiname „{name}“ enthält unzulässige Zeichen. Bitte lassen Sie die Datei auf dem Server „{host}“ umbenennen." "The file name “{name}” contains characters that are not allowed. Please have the file on the server “{host}” renamed."
    RemoteFileTooLarge  Invalid "remote_file_too_large" "Die Datei „{name}“ ist größer als {max}. Bitte lassen Sie sie auf mehrere Dateien aufteilen." "The file “{name}” is larger than {max}. Please have it split into several files."
    ListingTooLong      Invalid "listing_too_long"    "Der Ordner auf dem Server „{host}“ hat mehr als {max} Einträge. Bitte räumen Sie ihn auf, oder wählen Sie einen anderen Ordner." "The folder on the server “{host}” has more than {max} entries. Please clear it up or choose another folder."
    RemoteFileChanged   Invalid "remote_file_changed" "Die Datei „{name}“ hat sich geändert, während sie gelesen wurde. Übernommen wurde nichts. Bitte starten Sie den Abruf erneut, sobald der Absender fertig ist." "The file “{name}” changed while it was being read. Nothing was taken over. Please start the run again when the sender has finished."
    RemoteRefused       Invalid "remote_refused"      "Der Server „{host}“ hat das abgelehnt. Bitte prüfen Sie die Rechte des Benutzers auf dem Server." "The server “{host}” refused this. Please check the user’s permissions on that server."
    FetchedNotStored    Invalid "fetched_not_stored"  "Die Datei konnte hier nicht gespeichert werden; vermutlich fehlt Speicherplatz. Bitte sagen Sie es der Person, die Stalhof betreibt." "The file could not be stored here, probably for lack of disk space. Please tell the person who runs Stalhof."
    TestTooSlow         Invalid "test_too_slow"       "Der Test wurde nach einer Minute beendet. Bitte testen Sie mit einer kleineren Datei; der Abruf selbst darf länger dauern." "The test was ended after one minute. Please test with a smaller file; the run itself may take longer."
    FilePatternCharacter Invalid "file_pattern_character" "Das Zeichen an Stelle {position} ist in einem Dateinamen nicht möglich. Bitte geben Sie nur den Namen ein, ohne Ordner, Schrägstriche und Steuerzeichen." "The character at position {position} is not possible in a file name. Please enter only the name, without folders, slashes and control characters."
    FilePatternDate     Invalid "file_pattern_date"   "An Stelle {position} steht kein Datum, das verwendet werden kann. Möglich sind {tokens} in geschweiften Klammern, jedes einmal, zum Beispiel {example}." "There is no usable date at position {position}. Possible are {tokens} in braces, each of them once, for example {example}."
    FilePatternStars    Invalid "file_pattern_stars"  "Bitte verwenden Sie höchstens {max} Sternchen." "Please use at most {max} asterisks."
    TransformerFormat   Invalid "transformer_format"  "Das ist keine Datei im Format {format}. Bitte prüfen Sie, ob die richtige Datei abgeholt wird, oder wählen Sie einen anderen Umwandler." "This is not a file in the format {format}. Please check that the right file is fetched, or choose another transformer."
    TransformerValue    Invalid "transformer_value"   "Zeile {line}: Der Wert „{value}“ ist für {field} nicht verwendbar. Bitte lassen Sie die Datei vom Absender berichtigen." "Line {line}: the value “{value}” cannot be used for {field}. Please have the sender correct the file."
    TransformerPricesOnly Invalid "transformer_prices_only" "Dateien in diesem Format enthalten nur Preise. Bitte wählen Sie für Bestände ein anderes Format." "Files in this format hold prices only. Please choose another format for stocks."
    TransformerDiscount Invalid "transformer_discount" "Zeile {line}: Der Rabatt „{value}“ wird nicht umgerechnet. Übernommen wird nur der Listenpreis." "Line {line}: the discount “{value}” is not calculated. Only the list price is taken over."

    // FTP settings
    FtpSettingsExist    Invalid "ftp_settings_exist" "Für diesen Mandanten sind schon FTP-Einstellungen angelegt. Bitte ändern Sie diese." "This tenant already has FTP settings. Please change those."
    FeedPriceListMissing Invalid "feed_price_list_missing" "Es gibt keine eigene Preisliste „{name}“, die gilt oder gelten wird. Bitte legen Sie sie an, oder nennen Sie eine andere." "There is no price list “{name}” of your own that is or will be in force. Please create it, or name another one."
    OnlyWhenMoved       Invalid "only_when_moved"     "Einen Ordner brauchen nur Dateien, die nach dem Import verschoben werden." "Only files that are moved after the import need a folder."
    NotForProtocol      Invalid "not_for_protocol"    "Bei diesem Protokoll bleibt dieses Feld leer." "This field stays empty with this protocol."
    OnlyForBmecat       Invalid "only_for_bmecat" "Das Element wird nur bei BMEcat angegeben." "The element is given for BMEcat only."
    InvalidElementName  Invalid "invalid_element_name" "Bitte geben Sie den Namen eines Elements an: Buchstaben, Ziffern, Punkte und Striche, zum Beispiel UDX.LIEFERANT.BESTAND." "Please enter the name of an element: letters, digits, points and dashes, for example UDX.SUPPLIER.STOCK."
    NotForTransformer   Invalid "not_for_transformer" "Bei diesem Format bleibt das Importprofil leer." "With this format, the import profile stays empty."
    NoSchedule          Conflict "no_schedule"        "Für diese Datei ist kein Zeitplan angelegt. Bitte legen Sie zuerst einen an." "This file has no schedule. Please set one up first."
    InvalidHostKey      Invalid "invalid_host_key"    "Bitte geben Sie den Schlüssel in der Form „ssh-ed25519 SHA256:…“ an, wie ihn der Betreiber des Servers nennt." "Please enter the key as “ssh-ed25519 SHA256:…”, as the operator of the server states it."

    // Runs of feeds
    FeedFileDisabled    Conflict "feed_file_disabled" "Diese Datei wird nicht abgeholt. Bitte schalten Sie den Abruf in den FTP-Einstellungen ein." "This file is not fetched. Please switch it on in the FTP settings."
    FeedFileTaken       Conflict "feed_file_taken"    "Die Datei „{name}“ wurde schon importiert." "The file “{name}” has already been imported."
    FeedFileWaiting     Conflict "feed_file_waiting"  "Die Datei „{name}“ wird auf dem Server noch geschrieben. Der Abruf wird in einigen Minuten von selbst wiederholt." "The file “{name}” is still being written on the server. The run is repeated by itself in a few minutes."
    FeedSettingsChanged Conflict "feed_settings_changed" "Die FTP-Einstellungen wurden während des Abrufs geändert oder gelöscht. Übernommen wurde nichts. Bitte starten Sie den Abruf erneut." "The FTP settings were changed or deleted during the run. Nothing was taken over. Please start the run again."
    FeedRunInterrupted  Conflict "feed_run_interrupted" "Der Abruf wurde mehrfach unterbrochen, zum Beispiel durch Neustarts des Servers. Bitte starten Sie ihn erneut." "The run was interrupted several times, for example by restarts of the server. Please start it again."
    FeedRunHasNoFile    Conflict "feed_run_has_no_file" "Dieser Abruf hat keine Datei importiert und lässt sich deshalb nicht wiederholen. Bitte starten Sie einen neuen Abruf." "This run imported no file and therefore cannot be repeated. Please start a new run."

    // Schedules
    NotForSchedule      Invalid "not_for_schedule"    "Bei diesem Zeitplan bleibt dieses Feld leer." "This field stays empty in this schedule."

    // Exports
    WorkbookFull        Invalid "workbook_full"      "Ein Tabellenblatt fasst höchstens {max} Zeilen. Bitte filtern Sie die Liste oder exportieren Sie sie als CSV." "A worksheet holds at most {max} rows. Please filter the list or export it as CSV."

    // Imports: a row
    CellCount           Invalid "cell_count"         "Die Zeile hat {found} Zellen, die Kopfzeile {expected}" "The row has {found} cells, the header {expected}"
    CellTooLong         Invalid "cell_too_long"      "Die Zelle ist zu lang; erlaubt sind {max} Zeichen" "The cell is too long; {max} characters are allowed"
    UnclosedQuote       Invalid "unclosed_quote"     "In der Zeile ist ein Anführungszeichen nicht geschlossen" "A quote in the row is not closed"
    FormulaError        Invalid "formula_error"      "Die Formel der Zelle ergibt den Fehler {value}" "The formula of the cell results in the error {value}"
    InvalidCharacters   Invalid "invalid_characters" "Die Zeile enthält unzulässige Zeichen" "The row contains characters that are not allowed"
    CharacterSet        Invalid "character_set"      "Die Zelle enthält Zeichen, die nicht zum Zeichensatz der Datei passen. Bitte schreiben Sie die Zelle neu, oder speichern Sie die Datei als „CSV UTF-8“, und laden Sie sie erneut hoch." "The cell contains characters that do not fit the character set of the file. Please retype the cell, or save the file as “CSV UTF-8”, and upload it again."
    ObjectExpected      Invalid "object_expected"    "Der Eintrag muss ein Objekt mit Feldern sein" "The entry has to be an object with fields"
    TextExpected        Invalid "text_expected"      "Hier muss ein Text in Anführungszeichen stehen" "This has to be a text in quotes"
    RepeatedRow         Invalid "repeated_row"       "Der Eintrag kommt in dieser Datei schon in Zeile {line} vor" "The record already occurs in line {line} of this file"
    RepeatedItem        Invalid "repeated_item"      "Dasselbe steht schon in Posten {index} dieses Aufrufs" "Item {index} of this call already says the same"
    UnknownName         Invalid "unknown_name"       "„{value}“ gibt es nicht" "There is no “{value}”"
    UnknownArticleType  Invalid "unknown_article_type" "Der Artikeltyp „{value}“ ist unbekannt" "The article type “{value}” is unknown"
    UnknownMaterial     Invalid "unknown_material"   "Der Werkstoff „{value}“ ist unbekannt" "The material “{value}” is unknown"
    AmbiguousMaterial   Invalid "ambiguous_material" "Der Werkstoff „{value}“ ist nicht eindeutig: {known}" "The material “{value}” is ambiguous: {known}"
    FormerMaterial      Invalid "former_material"    "„{value}“ ist eine frühere Bezeichnung, gelesen wurde {material}" "“{value}” is a former name, it was read as {material}"
    NotYesNo            Invalid "not_yes_no"         "„{value}“ ist weder Ja noch Nein" "“{value}” is neither Yes nor No"
    NotClearable        Invalid "not_clearable"      "Dieses Feld kann nicht geleert werden" "This field cannot be cleared"
    NotANumber          Invalid "not_a_number"       "„{value}“ ist keine Zahl" "“{value}” is not a number"
    ScientificNumber    Invalid "scientific_number"  "„{value}“ wurde von der Tabellenkalkulation verkürzt; bitte formatieren Sie die Spalte als Text oder Zahl" "“{value}” was shortened by the spreadsheet program; please format the column as text or number"
}

#[cfg(test)]
mod tests;
