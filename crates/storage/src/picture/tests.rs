//! Tests with pictures of cameras, drawing programs and attackers.

use image::{ExtendedColorType, RgbImage, RgbaImage};
use values::Code;

use super::*;
use crate::codes;

fn encoded(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// Picture in which every pixel differs, as in a photo.
fn photo(width: u32, height: u32) -> DynamicImage {
    let noise = |x: u32, y: u32, seed: u32| ((x * 7 + y * 13 + x * y * seed) % 251).to_le_bytes()[0];
    RgbImage::from_fn(width, height, |x, y| [noise(x, y, 3), noise(x, y, 5), noise(x, y, 7)].into()).into()
}

fn drawing(width: u32, height: u32) -> DynamicImage {
    RgbImage::from_fn(width, height, |x, _| if x < width / 2 { [200, 20, 20] } else { [20, 20, 200] }.into())
        .into()
}

fn refusal(bytes: &[u8]) -> Code {
    decode(bytes).unwrap_err().code
}

fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(
            crc ^ u32::from(*byte),
            |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 },
        )
    })
}

/// Tiny file that claims to have this many pixels.
fn bomb(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = encoded(&drawing(2, 2), ImageFormat::Png);
    bytes[16..20].copy_from_slice(&width.to_be_bytes());
    bytes[20..24].copy_from_slice(&height.to_be_bytes());
    let crc = crc(&bytes[12..29]);
    bytes[29..33].copy_from_slice(&crc.to_be_bytes());
    bytes
}

/// JPEG of a camera held upright, with the location in its metadata.
fn from_a_camera(image: &DynamicImage) -> Vec<u8> {
    let mut tiff = b"MM\0*\0\0\0\x08\0\x01".to_vec();
    tiff.extend(b"\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0"); // orientation 6: turned by 90 degrees
    tiff.extend(b"GPS 53.8655N 10.6866E");
    let mut segment = b"Exif\0\0".to_vec();
    segment.extend(tiff);
    let mut bytes = encoded(image, ImageFormat::Jpeg);
    let length = u16::try_from(segment.len() + 2).unwrap().to_be_bytes();
    bytes.splice(2..2, [&[0xFF, 0xE1], &length[..], &segment].concat());
    bytes
}

#[test]
fn pictures_of_all_three_formats_are_stored_in_two_sizes() {
    for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP] {
        let picture = decode(&encoded(&photo(200, 100), format)).unwrap();
        assert_eq!((picture.full.width, picture.full.height), (200, 100), "{format:?}");
        assert_eq!((picture.small.width, picture.small.height), (96, 48), "{format:?}");
        for rendition in [&picture.full, &picture.small] {
            let read = image::load_from_memory(&rendition.bytes).unwrap();
            assert_eq!((read.width(), read.height()), (rendition.width, rendition.height));
        }
    }
}

#[test]
fn photos_become_jpeg_and_drawings_stay_sharp() {
    assert_eq!(decode(&encoded(&photo(300, 300), ImageFormat::Png)).unwrap().full.media_type, "image/jpeg");
    let full = decode(&encoded(&drawing(300, 300), ImageFormat::Png)).unwrap().full;
    assert_eq!(full.media_type, "image/webp");
    assert_eq!(image::load_from_memory(&full.bytes).unwrap().into_rgb8(), drawing(300, 300).into_rgb8());
}

#[test]
fn transparency_is_preserved() {
    let clear = RgbaImage::from_fn(40, 40, |x, _| [10, 200, 10, if x < 20 { 0 } else { 255 }].into());
    let full = decode(&encoded(&clear.clone().into(), ImageFormat::Png)).unwrap().full;
    assert_eq!(image::load_from_memory(&full.bytes).unwrap().into_rgba8(), clear);
    let opaque = DynamicImage::from(drawing(40, 40).into_rgba8());
    let full = decode(&encoded(&opaque, ImageFormat::WebP)).unwrap().full;
    assert!(!image::load_from_memory(&full.bytes).unwrap().has_alpha());
}

#[test]
fn a_large_picture_is_scaled_down_and_a_small_one_left_alone() {
    let large = decode(&encoded(&drawing(4000, 1000), ImageFormat::Png)).unwrap();
    assert_eq!((large.full.width, large.full.height), (1600, 400));
    let small = decode(&encoded(&drawing(20, 10), ImageFormat::Png)).unwrap();
    assert_eq!((small.full.width, small.small.width), (20, 20));
}

#[test]
fn camera_pictures_are_rotated_upright_and_lose_their_location() {
    let bytes = from_a_camera(&photo(64, 32));
    assert!(bytes.windows(3).any(|part| part == b"GPS"));
    let picture = decode(&bytes).unwrap();
    assert_eq!((picture.full.width, picture.full.height), (32, 64));
    for bytes in [&picture.full.bytes, &picture.small.bytes] {
        for secret in [&b"GPS"[..], b"Exif", b"53.8655"] {
            assert!(!bytes.windows(secret.len()).any(|part| part == secret));
        }
    }
}

#[test]
fn a_file_that_is_no_picture_is_recognised_by_its_content() {
    let mut gif = b"GIF89a".to_vec();
    gif.extend([0; 40]);
    for content in [
        &b"<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>"[..],
        b"<!doctype html><script>alert(1)</script>",
        b"#!/bin/sh\nrm -rf /\n",
        b"%PDF-1.7",
        b"MZ\x90\0",
        &gif,
        &encoded_bmp(),
    ] {
        assert_eq!(refusal(content), codes::IMAGE_FORMAT, "{:?}", String::from_utf8_lossy(content));
    }
    assert_eq!(refusal(b""), codes::FILE_EMPTY);
    assert_eq!(refusal(b"\x89PNG\r\n\x1a\n<script>"), codes::IMAGE_DAMAGED);
    assert_eq!(refusal(b"\xFF\xD8\xFF<script>alert(1)</script>"), codes::IMAGE_DAMAGED);
    assert_eq!(refusal(b"RIFF\x10\0\0\0WEBP<script></script>"), codes::IMAGE_DAMAGED);
}

fn encoded_bmp() -> Vec<u8> {
    let mut bytes = b"BM".to_vec();
    bytes.extend([0; 60]);
    bytes
}

#[test]
fn forty_megapixels_are_refused_before_they_are_unpacked() {
    for (width, height) in [(8000, 5000), (60_000, 60_000), (16_001, 1), (1, 16_001)] {
        assert_eq!(refusal(&bomb(width, height)), codes::IMAGE_TOO_LARGE, "{width} x {height}");
    }
    // One row less is allowed; this file only claims to have the pixels.
    assert_eq!(refusal(&bomb(8000, 4999)), codes::IMAGE_DAMAGED);
    let mut deep = Vec::new();
    let encoder = image::codecs::png::PngEncoder::new(&mut deep);
    encoder.write_image(&[0; 8 * 4], 2, 2, ExtendedColorType::Rgba16).unwrap();
    deep[16..20].copy_from_slice(&5000_u32.to_be_bytes());
    deep[20..24].copy_from_slice(&4000_u32.to_be_bytes());
    let crc = crc(&deep[12..29]);
    deep[29..33].copy_from_slice(&crc.to_be_bytes());
    let text = decode(&deep).unwrap_err().text(values::Language::En);
    assert!(text.contains("5000 x 4000") && text.contains("20 megapixels"), "{text}");
}

#[test]
fn truncated_files_are_refused_at_any_length() {
    for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP] {
        let whole = encoded(&photo(64, 64), format);
        for share in 1..20 {
            let part = &whole[..whole.len() * share / 20];
            assert!(decode(part).is_err(), "{format:?} {share}/20");
        }
        assert_eq!(refusal(&whole[..whole.len() - 1]), codes::IMAGE_DAMAGED, "{format:?}");
        // Appended bytes are neither examined nor stored.
        let mut longer = whole.clone();
        longer.extend(b"<script>alert(1)</script>");
        let bytes = decode(&longer).unwrap().full.bytes;
        assert!(!bytes.windows(8).any(|part| part == b"<script>"));
    }
}

#[test]
fn an_embedded_thumbnail_does_not_end_a_jpeg() {
    let mut bytes = from_a_camera(&photo(32, 32));
    let inner = encoded(&photo(8, 8), ImageFormat::Jpeg);
    let length = u16::try_from(inner.len() + 2).unwrap().to_be_bytes();
    bytes.splice(2..2, [&[0xFF, 0xE2], &length[..], &inner].concat());
    assert!(decode(&bytes).is_ok());
    assert_eq!(refusal(&bytes[..bytes.len() / 2]), codes::IMAGE_DAMAGED);
}

#[test]
fn damaged_bytes_never_panic() {
    for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP] {
        let whole = encoded(&photo(24, 24), format);
        for at in (0..whole.len()).step_by(7) {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x5A;
            // Any result is fine, as long as decoding ends.
            let _ = decode(&bytes);
        }
    }
}
