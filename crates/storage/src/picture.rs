//! Pictures: recognised by their content, decoded within limits and encoded again, so that nothing but the
//! visible picture is passed on: no script, no location.

use std::{io::Cursor, path::Path};

use image::{
    DynamicImage, ImageDecoder, ImageEncoder, ImageFormat, ImageReader, ImageResult, Limits,
    codecs::{jpeg::JpegEncoder, webp::WebPEncoder},
    imageops::FilterType,
    metadata::Orientation,
};
use tokio::sync::Semaphore;
use values::{Error, Message, Result, Violations};

use crate::codes;

/// Maximum size of an uploaded file.
pub const MAX_BYTES: u64 = 10 << 20;
/// Limit on the number of pixels.
const MAX_PIXELS: u64 = 40_000_000;
/// Limit on the memory while decoding; a picture with 16 bits per channel may have half the pixels.
const MAX_DECODED_BYTES: u64 = 4 * MAX_PIXELS;
const MAX_SIDE: u32 = 16_000;
/// Longer side of the stored picture.
const FULL: u32 = 1600;
const SMALL: u32 = 96;
const JPEG_QUALITY: u8 = 85;
/// Maximum size of a colour profile: those of screens and cameras are far smaller, those of printers are not
/// for RGB.
const MAX_PROFILE_BYTES: usize = 64 * 1024;

/// Picture in its stored sizes.
#[derive(Debug, Clone)]
pub struct Picture {
    pub full: EncodedPicture,
    /// Thumbnail for lists.
    pub small: EncodedPicture,
}

/// Encoded picture in one size.
#[derive(Debug, Clone)]
pub struct EncodedPicture {
    pub media_type: &'static str,
    pub width: u32,
    pub height: u32,
    pub bytes: Vec<u8>,
}

/// Limits decoding to one picture at a time, because it may need 160 MB.
static TURN: Semaphore = Semaphore::const_new(1);

/// Reads the picture in an uploaded file, ignoring the file's name; errors are reported at `file`.
pub async fn read(path: &Path) -> Result<Picture> {
    let _turn = TURN.acquire().await.map_err(Error::internal)?;
    let bytes = tokio::fs::read(path).await?;
    let picture = tokio::task::spawn_blocking(move || decode(&bytes)).await.unwrap_or_else(|error| {
        tracing::error!(%error, "a picture made the decoder panic");
        Err(codes::IMAGE_DAMAGED.into())
    });
    picture.map_err(|fault| Violations::error("file", fault))
}

fn decode(bytes: &[u8]) -> Result<Picture, Message> {
    if bytes.is_empty() {
        return Err(codes::FILE_EMPTY.into());
    }
    let Ok(format @ (ImageFormat::Png | ImageFormat::Jpeg | ImageFormat::WebP)) = image::guess_format(bytes)
    else {
        return Err(codes::IMAGE_FORMAT.into());
    };
    if !is_whole(format, bytes).unwrap_or_default() {
        return Err(codes::IMAGE_DAMAGED.into());
    }
    let mut decoder = ImageReader::with_format(Cursor::new(bytes), format).into_decoder().map_err(damaged)?;
    refuse_too_large(&decoder)?;
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(2 * MAX_DECODED_BYTES);
    decoder.set_limits(limits).map_err(damaged)?;
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let profile = decoder.icc_profile().ok().flatten().filter(|profile| is_for_rgb(profile));
    let mut upright = fitted(DynamicImage::from_decoder(decoder).map_err(damaged)?, FULL);
    upright.apply_orientation(orientation);
    let full = without_idle_alpha(upright);
    let small = fitted(full.clone(), SMALL);
    Ok(Picture {
        full: encode(&full, profile.as_deref()).map_err(damaged)?,
        small: encode(&small, profile.as_deref()).map_err(damaged)?,
    })
}

/// Checks the dimensions before memory for the pixels is allocated.
fn refuse_too_large(decoder: &impl ImageDecoder) -> Result<(), Message> {
    let (width, height) = decoder.dimensions();
    let pixels = u64::from(width) * u64::from(height);
    let bytes_each = u64::from(decoder.color_type().bytes_per_pixel()).max(4);
    let max = MAX_PIXELS.min(MAX_DECODED_BYTES / bytes_each);
    if pixels < max && width.max(height) <= MAX_SIDE {
        return Ok(());
    }
    let too_large = codes::IMAGE_TOO_LARGE.with("width", width).with("height", height);
    Err(too_large.with("megapixels", max / 1_000_000).with("side", MAX_SIDE))
}

fn damaged(error: image::ImageError) -> Message {
    tracing::debug!(%error, "a picture that cannot be read");
    codes::IMAGE_DAMAGED.into()
}

/// Scales a picture down, if necessary, to fit into a square.
fn fitted(image: DynamicImage, side: u32) -> DynamicImage {
    if image.width().max(image.height()) <= side {
        return image;
    }
    // First coarsely, because filtering a large picture needs several times its memory.
    let near = if image.width().max(image.height()) > 2 * side {
        image.thumbnail(2 * side, 2 * side)
    } else {
        image
    };
    near.resize(side, side, FilterType::CatmullRom)
}

/// Converts to eight bits per channel, and keeps alpha only if a pixel is transparent.
fn without_idle_alpha(image: DynamicImage) -> DynamicImage {
    if !image.has_alpha() {
        return image.into_rgb8().into();
    }
    let image = image.into_rgba8();
    if image.pixels().all(|pixel| pixel.0[3] == u8::MAX) {
        DynamicImage::from(image).into_rgb8().into()
    } else {
        image.into()
    }
}

/// Encodes as JPEG or as lossless WebP, whichever is smaller: JPEG for photos, WebP for drawings and
/// transparent pictures.
fn encode(image: &DynamicImage, profile: Option<&[u8]>) -> ImageResult<EncodedPicture> {
    let mut webp = Vec::new();
    write(image, profile, WebPEncoder::new_lossless(&mut webp))?;
    let (mut media_type, mut bytes) = ("image/webp", webp);
    if !image.has_alpha() {
        let mut jpeg = Vec::new();
        write(image, profile, JpegEncoder::new_with_quality(&mut jpeg, JPEG_QUALITY))?;
        if jpeg.len() < bytes.len() {
            (media_type, bytes) = ("image/jpeg", jpeg);
        }
    }
    Ok(EncodedPicture { media_type, width: image.width(), height: image.height(), bytes })
}

fn write(image: &DynamicImage, profile: Option<&[u8]>, mut encoder: impl ImageEncoder) -> ImageResult<()> {
    if let Some(profile) = profile
        && let Err(error) = encoder.set_icc_profile(profile.to_vec())
    {
        tracing::debug!(%error, "a picture loses its colour profile");
    }
    image.write_with_encoder(encoder)
}

/// True if the profile applies to RGB colours and is of limited size.
fn is_for_rgb(profile: &[u8]) -> bool {
    profile.len() <= MAX_PROFILE_BYTES && profile.get(16..20) == Some(b"RGB ")
}

/// True if the file is complete; decoders fill missing parts with grey.
fn is_whole(format: ImageFormat, bytes: &[u8]) -> Option<bool> {
    match format {
        ImageFormat::Png => png_ends(bytes),
        ImageFormat::Jpeg => jpeg_ends(bytes),
        _ => {
            let size = u32::from_le_bytes(bytes.get(4..8)?.try_into().ok()?);
            Some(bytes.len() as u64 >= u64::from(size) + 8)
        }
    }
}

/// True if a PNG has its end; `None` or false if it is truncated.
fn png_ends(bytes: &[u8]) -> Option<bool> {
    let mut at = 8;
    loop {
        let length = u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?);
        let end = at.checked_add(12)?.checked_add(usize::try_from(length).ok()?)?;
        if bytes.get(at + 4..at + 8)? == b"IEND" {
            return Some(bytes.len() >= end);
        }
        at = end;
    }
}

/// True if a JPEG has its end; `None` if it is truncated.
fn jpeg_ends(bytes: &[u8]) -> Option<bool> {
    let mut at = 2;
    loop {
        // Bytes that are no marker are compressed data: a stuffed 0xFF, or a restart marker.
        let (marker, next) = (*bytes.get(at + 1)?, *bytes.get(at)?);
        match (next, marker) {
            (0xFF, 0xD9) => return Some(true),
            (0xFF, 0x00 | 0x01 | 0xD0..=0xD8) => at += 2,
            (0xFF, 0xFF) => at += 1,
            (0xFF, _) => {
                let length = u16::from_be_bytes(bytes.get(at + 2..at + 4)?.try_into().ok()?);
                at += 2 + usize::from(length.max(2));
            }
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests;
