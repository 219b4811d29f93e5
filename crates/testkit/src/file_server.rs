//! Servers for files in the process of a test: SFTP, FTP, and FTPS explicit.

pub mod ftp;
pub mod sftp;

/// Address of these servers, used by no other.
pub const LISTEN: &str = "127.9.9.9";
/// The only user.
pub const USER: &str = "einkauf";
/// Password of the user of all file servers.
pub const PASSWORD: &str = "Br@mme 17";
