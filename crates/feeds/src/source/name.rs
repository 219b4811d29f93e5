//! Names and paths on a server. Nothing that fails these rules is sent, and no name of a server becomes a
//! path of ours.

use std::fmt;

use values::Message;

use crate::codes;

/// The longest name of a file, in bytes.
const NAME_BYTES_MAX: usize = 255;
/// The longest path, in characters.
pub const REMOTE_PATH_MAX: usize = 255;
/// Suffix of a companion, which marks a file as complete.
const COMPANION_SUFFIX: &str = ".done";

/// True if a name is one plain file name: no folder, no control character, nothing that was not UTF-8.
pub fn is_safe_name(name: &str) -> bool {
    let is_foreign = |c: char| c.is_control() || matches!(c, '/' | '\\' | char::REPLACEMENT_CHARACTER);
    !name.is_empty()
        && name.len() <= NAME_BYTES_MAX
        && name != "."
        && name != ".."
        && !name.contains(is_foreign)
}

/// True if a name is that of a companion.
pub fn is_companion(name: &str) -> bool {
    name.ends_with(COMPANION_SUFFIX)
}

/// Name of the companion that marks a file as complete: `prices.csv.done`.
pub(super) fn companion_name(name: &str) -> String {
    format!("{name}{COMPANION_SUFFIX}")
}

/// A folder on a server, from its root or from the user's home. An empty path is the home.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RemotePath(String);

impl RemotePath {
    /// Parses a path and removes empty segments and `.`.
    ///
    /// # Errors
    /// If it is too long, has a segment `..`, a backslash or a control character.
    pub fn parse(text: &str) -> Result<Self, Message> {
        let is_foreign = |c: char| c.is_control() || matches!(c, '\\' | char::REPLACEMENT_CHARACTER);
        let is_long = text.chars().count() > REMOTE_PATH_MAX;
        if is_long || text.contains(is_foreign) || text.split('/').any(|segment| segment == "..") {
            return Err(codes::REMOTE_PATH_INVALID.with("max", REMOTE_PATH_MAX));
        }
        let is_absolute = text.starts_with('/');
        let segments: Vec<_> = text.split('/').filter(|segment| !matches!(*segment, "" | ".")).collect();
        Ok(Self(format!("{}{}", if is_absolute { "/" } else { "" }, segments.join("/"))))
    }

    /// Path as the server has it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The path of a file in this folder.
    pub(super) fn join(&self, name: &str) -> String {
        match self.0.as_str() {
            "" => name.to_owned(),
            folder if folder.ends_with('/') => format!("{folder}{name}"),
            folder => format!("{folder}/{name}"),
        }
    }

    /// Joins this path to another folder, unless it is absolute.
    pub(super) fn below(&self, base: &Self) -> Self {
        if self.0.starts_with('/') { self.clone() } else { Self(base.join(&self.0)) }
    }
}

impl fmt::Display for RemotePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_empty() { "." } else { &self.0 })
    }
}
