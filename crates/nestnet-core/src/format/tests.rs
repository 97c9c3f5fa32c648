//! Every format against itself: what is written is read again, and what is no file is refused with its place.
