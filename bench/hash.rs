//! Measures the bare cost of one password hash: `hash COUNT`, linked against the product's own argon2.

use argon2::{Algorithm, Argon2, Params, Version};

fn main() {
    let count: u32 = std::env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(100);
    let params = Params::new(19 * 1024, 2, 1, None).expect("the parameters of identity::password");
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    let mut hash = [0; 32];
    for number in 0..count {
        argon2
            .hash_password_into(b"profil-traeger-walzwerk", &[7; 16], &mut hash)
            .expect("argon2 hashes");
        assert_ne!(hash, [0; 32], "{number}");
    }
}
