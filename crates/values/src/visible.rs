//! Invisible characters.

use std::borrow::Cow;

/// Removes invisible characters that make equal-looking texts differ: soft hyphens, zero-width spaces, byte
/// order marks and marks of direction. The joiners that scripts and emoji need are preserved.
pub fn visible(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || !text.contains(is_invisible) {
        return text.into();
    }
    text.chars().filter(|c| !is_invisible(*c)).collect::<String>().into()
}

/// True if [`visible`] removes this character.
pub fn is_invisible(c: char) -> bool {
    matches!(c, '\u{AD}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}')
}
