//! Who holds what: a bit for each node and block, or for each part of a sum.

use nestnet_graph::{Budget, OverBudget, index};

/// Rows of bits.
#[derive(Debug)]
pub struct Bits {
    /// Words a row.
    width: usize,
    words: Vec<u64>,
}

impl Bits {
    /// Bytes of `rows` rows of `columns` bits.
    pub fn bytes(rows: u128, columns: u64) -> u128 {
        rows.saturating_mul(u128::from(columns.div_ceil(64)) * 8)
    }

    /// All clear, unless they take more than the budget has.
    pub fn new(rows: u128, columns: u64, budget: &Budget<'_>) -> Result<Self, OverBudget> {
        budget.fits("who holds what", Bits::bytes(rows, columns))?;
        let width = index(columns.div_ceil(64));
        let rows = usize::try_from(rows).expect("it fits in memory");
        Ok(Bits { width, words: vec![0; rows * width] })
    }

    /// One row.
    pub fn row(&self, row: u64) -> &[u64] {
        &self.words[index(row) * self.width..][..self.width]
    }

    /// One row, to change.
    pub fn row_mut(&mut self, row: u64) -> &mut [u64] {
        &mut self.words[index(row) * self.width..][..self.width]
    }

    /// One bit.
    pub fn has(&self, row: u64, column: u64) -> bool {
        self.row(row)[index(column / 64)] >> (column % 64) & 1 == 1
    }

    /// Sets one bit, and says whether it was clear.
    pub fn set(&mut self, row: u64, column: u64) -> bool {
        let word = &mut self.row_mut(row)[index(column / 64)];
        let clear = *word >> (column % 64) & 1 == 0;
        *word |= 1 << (column % 64);
        clear
    }

    /// Clears one bit.
    pub fn clear(&mut self, row: u64, column: u64) {
        self.row_mut(row)[index(column / 64)] &= !(1 << (column % 64));
    }

    /// Clears all bits.
    pub fn clear_all(&mut self) {
        self.words.fill(0);
    }

    /// How many words there are.
    pub fn words(&self) -> usize {
        self.words.len()
    }

    /// How many bits of a row are set.
    pub fn count(&self, row: u64) -> u64 {
        self.row(row).iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// The first bit below `columns` that is not set.
    pub fn first_clear(&self, row: u64, columns: u64) -> Option<u64> {
        (0..columns).find(|&column| !self.has(row, column))
    }
}
