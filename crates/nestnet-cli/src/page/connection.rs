//! How long does the page wait for who takes nothing of an answer? A connection that is written to and does not go on is
//! ended, so that it makes room for others.

use std::io::{self, ErrorKind, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// A stream whose writes fail when nothing of them is taken for some time.
pub struct Patient<S> {
    stream: S,
    patience: Duration,
    /// Runs as long as a write waits.
    waits: Option<Pin<Box<Sleep>>>,
}

impl<S> Patient<S> {
    /// A stream that waits for so long.
    pub fn new(stream: S, patience: Duration) -> Self {
        Patient { stream, patience, waits: None }
    }

    /// What a write says, or that it has waited for too long.
    fn unless_late<T>(
        &mut self,
        written: Poll<io::Result<T>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.waits = None;
            return written;
        }
        let patience = self.patience;
        let waits = self.waits.get_or_insert_with(|| Box::pin(sleep(patience)));
        waits.as_mut().poll(context).map(|()| Err(ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.unless_late(written, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.unless_late(written, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        self.unless_late(flushed, context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let ended = Pin::new(&mut self.stream).poll_shutdown(context);
        self.unless_late(ended, context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};

    const PATIENCE: Duration = Duration::from_millis(50);

    fn run<T>(work: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
    }

    #[test]
    fn who_never_reads_is_sent_away() {
        run(async {
            let (ours, _theirs) = duplex(16);
            let mut ours = Patient::new(ours, PATIENCE);
            assert_eq!(ours.write_all(&[0; 64]).await.unwrap_err().kind(), ErrorKind::TimedOut);
        });
    }

    #[test]
    fn who_reads_slowly_is_answered() {
        run(async {
            let (ours, mut theirs) = duplex(16);
            let mut ours = Patient::new(ours, PATIENCE);
            let write = tokio::spawn(async move { ours.write_all(&[7; 128]).await });
            let mut got = Vec::new();
            for _ in 0..8 {
                tokio::time::sleep(PATIENCE / 4).await;
                let mut part = [0; 16];
                theirs.read_exact(&mut part).await.unwrap();
                got.extend(part);
            }
            write.await.unwrap().unwrap();
            assert_eq!(got, [7; 128]);
        });
    }
}
