//! Do the kernels find what the CPU finds? Their source is compiled by the C compiler and run thread by thread.

mod emulator;
mod simulate;
mod source;
mod sweep;
