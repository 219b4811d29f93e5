//! Characters that nobody sees.

use std::borrow::Cow;

/// A text without what nobody sees and nobody means, but what keeps two that look alike from being equal: soft hyphens,
/// zero-width spaces, byte order marks and marks of direction. The joiners that scripts and emoji need stay.
pub fn visible(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || !text.contains(is_invisible) {
        return text.into();
    }
    text.chars().filter(|c| !is_invisible(*c)).collect::<String>().into()
}

/// True if a character is one that [`visible`] drops.
pub fn is_invisible(c: char) -> bool {
    matches!(c, '\u{AD}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}')
}
