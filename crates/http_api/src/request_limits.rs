//! Sizes and times that limit requests and their answers.

use std::time::Duration;

/// Maximum size of a body that is not an upload.
pub(crate) const BODY_MAX_BYTES: usize = 1024 * 1024;
/// Maximum time for receiving a body.
pub(crate) const BODY_TIMEOUT: Duration = Duration::from_secs(10);
/// Bytes of an upload that must arrive within each [`PACE_TIME`]: 1 KiB/s.
pub(crate) const PACE_BYTES: usize = 10 * 1024;
/// Time in which each [`PACE_BYTES`] of a body have to arrive.
pub(crate) const PACE_TIME: Duration = Duration::from_secs(10);
/// Maximum time for receiving an upload (specification, section 9).
pub(crate) const UPLOAD_TIMEOUT: Duration = Duration::from_mins(5);
/// Maximum time for storing it afterwards.
pub(crate) const STORED_WITHIN: Duration = Duration::from_secs(30);
/// Maximum time of a request, for which the UI waits as well (specification, section 7).
pub const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum time for writing a file for one request.
pub(crate) const EXPORT_TIMEOUT: Duration = Duration::from_mins(10);
