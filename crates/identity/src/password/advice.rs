//! Advice of zxcvbn on passwords, in the languages of the product.

use values::Phrase;
use zxcvbn::feedback::{Feedback, Suggestion, Warning};

/// Reason why a password is easy to guess, and suggestions for a better one; both empty if it is good enough.
pub(super) fn from_feedback(feedback: Option<&Feedback>) -> (Option<Phrase>, Vec<Phrase>) {
    let Some(feedback) = feedback else { return (None, Vec::new()) };
    (feedback.warning().map(warning), feedback.suggestions().iter().copied().map(suggestion).collect())
}

fn warning(warning: Warning) -> Phrase {
    let (de, en) = match warning {
        Warning::StraightRowsOfKeysAreEasyToGuess => {
            ("Gerade Tastenreihen sind leicht zu erraten.", "Straight rows of keys are easy to guess.")
        }
        Warning::ShortKeyboardPatternsAreEasyToGuess => {
            ("Kurze Tastaturmuster sind leicht zu erraten.", "Short keyboard patterns are easy to guess.")
        }
        Warning::RepeatsLikeAaaAreEasyToGuess => {
            ("Wiederholungen wie „aaa“ sind leicht zu erraten.", "Repeats like “aaa” are easy to guess.")
        }
        Warning::RepeatsLikeAbcAbcAreOnlySlightlyHarderToGuess => (
            "Wiederholungen wie „abcabcabc“ sind kaum schwerer zu erraten als „abc“.",
            "Repeats like “abcabcabc” are only slightly harder to guess than “abc”.",
        ),
        Warning::ThisIsATop10Password => {
            ("Das ist eines der 10 häufigsten Passwörter.", "This is one of the 10 most common passwords.")
        }
        Warning::ThisIsATop100Password => {
            ("Das ist eines der 100 häufigsten Passwörter.", "This is one of the 100 most common passwords.")
        }
        Warning::ThisIsACommonPassword => {
            ("Das ist ein sehr häufiges Passwort.", "This is a very common password.")
        }
        Warning::ThisIsSimilarToACommonlyUsedPassword => {
            ("Das ähnelt einem häufig verwendeten Passwort.", "This is similar to a commonly used password.")
        }
        Warning::SequencesLikeAbcAreEasyToGuess => (
            "Folgen wie „abc“ oder „6543“ sind leicht zu erraten.",
            "Sequences like “abc” or “6543” are easy to guess.",
        ),
        Warning::RecentYearsAreEasyToGuess => {
            ("Jahreszahlen der letzten Zeit sind leicht zu erraten.", "Recent years are easy to guess.")
        }
        Warning::AWordByItselfIsEasyToGuess => {
            ("Ein einzelnes Wort ist leicht zu erraten.", "A word by itself is easy to guess.")
        }
        Warning::DatesAreOftenEasyToGuess => {
            ("Daten sind oft leicht zu erraten.", "Dates are often easy to guess.")
        }
        Warning::NamesAndSurnamesByThemselvesAreEasyToGuess => (
            "Vor- und Nachnamen allein sind leicht zu erraten.",
            "Names and surnames by themselves are easy to guess.",
        ),
        Warning::CommonNamesAndSurnamesAreEasyToGuess => (
            "Häufige Vor- und Nachnamen sind leicht zu erraten.",
            "Common names and surnames are easy to guess.",
        ),
    };
    Phrase { de, en }
}

fn suggestion(suggestion: Suggestion) -> Phrase {
    let (de, en) = match suggestion {
        Suggestion::UseAFewWordsAvoidCommonPhrases => (
            "Nehmen Sie mehrere Wörter, aber keine gängige Redewendung.",
            "Use a few words, but no common phrase.",
        ),
        Suggestion::NoNeedForSymbolsDigitsOrUppercaseLetters => (
            "Sonderzeichen, Ziffern und Großbuchstaben sind nicht nötig.",
            "Symbols, digits and uppercase letters are not needed.",
        ),
        Suggestion::AddAnotherWordOrTwo => (
            "Nehmen Sie ein oder zwei Wörter hinzu, am besten ungewöhnliche.",
            "Add another word or two, uncommon ones are better.",
        ),
        Suggestion::CapitalizationDoesntHelpVeryMuch => {
            ("Großschreibung hilft nicht viel.", "Capitalization does not help very much.")
        }
        Suggestion::AllUppercaseIsAlmostAsEasyToGuessAsAllLowercase => (
            "Nur Großbuchstaben sind fast so leicht zu erraten wie nur Kleinbuchstaben.",
            "All uppercase is almost as easy to guess as all lowercase.",
        ),
        Suggestion::ReversedWordsArentMuchHarderToGuess => (
            "Rückwärts geschriebene Wörter sind kaum schwerer zu erraten.",
            "Reversed words are not much harder to guess.",
        ),
        Suggestion::PredictableSubstitutionsDontHelpVeryMuch => (
            "Naheliegende Ersetzungen wie „@“ statt „a“ helfen nicht viel.",
            "Predictable substitutions like “@” instead of “a” do not help very much.",
        ),
        Suggestion::UseALongerKeyboardPatternWithMoreTurns => (
            "Nehmen Sie ein längeres Tastaturmuster mit mehr Richtungswechseln.",
            "Use a longer keyboard pattern with more turns.",
        ),
        Suggestion::AvoidRepeatedWordsAndCharacters => {
            ("Vermeiden Sie Wiederholungen von Wörtern und Zeichen.", "Avoid repeated words and characters.")
        }
        Suggestion::AvoidSequences => ("Vermeiden Sie Folgen.", "Avoid sequences."),
        Suggestion::AvoidRecentYears => {
            ("Vermeiden Sie Jahreszahlen der letzten Zeit.", "Avoid recent years.")
        }
        Suggestion::AvoidYearsThatAreAssociatedWithYou => (
            "Vermeiden Sie Jahreszahlen, die mit Ihnen zu tun haben.",
            "Avoid years that are associated with you.",
        ),
        Suggestion::AvoidDatesAndYearsThatAreAssociatedWithYou => (
            "Vermeiden Sie Daten und Jahreszahlen, die mit Ihnen zu tun haben.",
            "Avoid dates and years that are associated with you.",
        ),
    };
    Phrase { de, en }
}
