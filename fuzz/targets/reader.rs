//! What every target of a file format asks: read or refused in words, stored within its memory, written and read again.

use nestnet::format::{self, Costs, Writing};
use nestnet::Budget;

pub fn try_format(name: &str, bytes: &[u8]) {
    let format = format::find(name).expect("a format");
    let reading = match format::read(format, bytes, None) {
        Ok(reading) => reading,
        Err(error) => {
            let message = error.to_string();
            assert!(!message.is_empty() && !message.contains(char::is_control), "{message:?}");
            return;
        }
    };
    let budget = Budget { memory: 1 << 20, ..Budget::default() };
    let Ok((network, _)) = reading.network(None, &budget) else { return };
    assert!(network.hosts() <= network.order());
    let costs = Costs::NONE;
    let writing = Writing::new("fuzz", &*network, &costs, budget).expect("small");
    let mut out = Vec::new();
    // Some are read alone.
    let Some(write) = format.write else { return };
    if write(&writing, &mut out).is_ok() && !out.is_empty() {
        let again = format::read(format, &out, None);
        assert!(again.is_ok(), "{}: {}", again.unwrap_err(), String::from_utf8_lossy(&out));
    }
}
