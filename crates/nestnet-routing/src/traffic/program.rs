//! Programs of messages: what every rank sends, receives and computes, and what waits for what.

/// What all ranks do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// The tasks of each rank, in the order of the file.
    pub ranks: Vec<Vec<Task>>,
}

/// One thing that a rank does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// What it is.
    pub action: Action,
    /// Tasks of the same rank, by their place, that must be done before it begins.
    pub needs: Vec<usize>,
}

/// What a task is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// A message goes out.
    Send {
        /// To which rank.
        to: u64,
        /// How long it is.
        bytes: u64,
        /// Which of the messages between the two it is.
        tag: u64,
    },
    /// A message is waited for.
    Receive {
        /// From which rank.
        from: u64,
        /// How long it is.
        bytes: u64,
        /// Which of the messages between the two it is.
        tag: u64,
    },
    /// The rank is busy.
    Compute {
        /// For how long.
        time: u64,
    },
}
