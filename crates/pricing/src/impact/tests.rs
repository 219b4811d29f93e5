//! What a change does, found in a small book.
