//! What changes from cycle to cycle, part by part: packets, queues, virtual channels, ports, routers.

use super::config::{Allocator, Config, SimError};
use super::mask::Bits;
use super::persist::{Damaged, Persist, Saved, persist};
use nestnet_graph::Node;
use nestnet_routing::route::{Alternatives, DETOURS};
use nestnet_routing::{Header, Hop, Router};
use smallvec::SmallVec;

/// What a packet is, besides its flits: one line of the cache.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(super) struct Packet {
    /// The cycle in which it was made.
    pub created: u64,
    /// The cycle in which its head left the source.
    pub entered: u64,
    /// What it carries for its router.
    pub state: u64,
    pub to: Node,
    pub source: u32,
    /// Links between routers that its head took.
    pub hops: u32,
    pub size: u16,
    /// Flits of it that its host has taken.
    pub taken: u16,
    /// How many failures its router knows of.
    pub epoch: u32,
    /// Which message it is a part of, where there are such.
    pub message: u32,
    /// Its message class.
    pub class: u8,
    /// It answers a request.
    pub is_reply: bool,
    /// Cycles from when that was made to when it was made itself, and from when the head of that left its source to when its
    /// own did, both 0 of others and less than 2^32.
    pub asked_before: u32,
    pub sent_before: u32,
    /// It will not arrive.
    pub lost: bool,
    /// It found a long queue, or the request that it answers did.
    pub marked: bool,
}

const _: () = assert!(size_of::<Packet>() == 64);

impl Packet {
    /// One that is made in cycle `created`, asks for itself and enters the network in cycle `entered`.
    #[inline(always)]
    pub fn new(
        header: Header,
        source: u32,
        size: u16,
        created: u64,
        entered: u64,
        epoch: u32,
    ) -> Self {
        Packet {
            created,
            entered,
            state: header.state,
            to: header.to,
            source,
            hops: 0,
            size,
            taken: 0,
            epoch,
            message: 0,
            class: 0,
            is_reply: false,
            asked_before: 0,
            sent_before: 0,
            lost: false,
            marked: false,
        }
    }

    /// The same as the reply to a request that was made in cycle `asked` and left its source in cycle `sent`.
    pub fn replying_to(self, asked: u64, sent: u64) -> Self {
        let before = |now: u64, then: u64| u32::try_from(now - then).unwrap_or(u32::MAX);
        Packet {
            is_reply: true,
            asked_before: before(self.created, asked),
            sent_before: before(self.entered, sent),
            ..self
        }
    }

    /// The cycle in which it was made, or the request that it answers.
    #[inline(always)]
    pub fn asked(&self) -> u64 {
        self.created - u64::from(self.asked_before)
    }

    /// The cycle in which its head left the source, or that of the request that it answers.
    pub fn sent(&self) -> u64 {
        self.entered - u64::from(self.sent_before)
    }
}

/// The way on from a router to a target.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Route {
    /// Which of all ports.
    pub port: u32,
    /// Which class of virtual channels.
    pub class: u8,
    /// Links between routers that it takes, one or none.
    pub links: u8,
    /// Somebody asked for it before.
    pub known: bool,
}

impl Route {
    pub fn new(port: usize, class: usize, is_link: bool) -> Self {
        let class = u8::try_from(class & 0xFF).unwrap_or(0);
        Route { port: index32(port), class, links: is_link.into(), known: true }
    }
}

/// One hop of several, among which a packet chooses while it asks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    /// What the packet carries from there on.
    pub header: Header,
    /// Which virtual channels.
    pub may: u64,
    /// Which of all ports.
    pub port: u32,
    /// Links between routers that it takes, one or none.
    pub links: u8,
    /// It is taken only where no other is free.
    pub is_escape: bool,
    /// Credits that it must have more than another.
    pub penalty: u32,
}

/// What a route has before it: how many links, and those whose queues are looked at.
#[derive(Clone, Debug)]
pub(super) struct Ahead {
    pub hops: u64,
    pub ports: SmallVec<[u32; 4]>,
}

/// Routes between which a packet decides until it goes.
#[derive(Clone, Debug)]
pub(super) struct Decision {
    pub alternatives: Alternatives,
    pub minimal: Ahead,
    /// Those that are compared, and what the packet carries on them.
    pub detours: SmallVec<[(Header, Ahead); DETOURS]>,
    /// What the packet carried as it first asked, and what it decided last.
    pub carried: Header,
    pub last: Header,
    /// The cycle in which it first asked.
    pub since: u64,
}

/// A flit: the number of its packet, and whether it is the first or the last.
pub(super) type Flit = u64;
pub(super) const HEAD: Flit = 1 << 62;
pub(super) const TAIL: Flit = 1 << 63;

#[inline(always)]
pub(super) fn packet_of(flit: Flit) -> usize {
    usize::try_from(flit & 0xFFFF_FFFF).unwrap_or(0)
}

/// What a queue does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// It has no packet.
    Idle,
    /// Its head is being routed.
    Routing,
    /// Its head asks for a virtual channel.
    Asking,
    /// It has one.
    Active,
}

/// One queue of an input port. Its size is such that an index becomes an address in two steps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Queue {
    /// Its first flit; while it has none, the last that left.
    pub front: Flit,
    /// Which virtual channels its packet may ask for.
    pub may: u64,
    pub router: u32,
    /// Which of all ports its packet leaves by.
    pub port: u32,
    /// Which of all virtual channels gets its credits, and how many cycles after a flit won the switch.
    pub back_to: u32,
    pub back_after: u16,
    /// Where the flits behind the first begin.
    pub head: u16,
    pub length: u16,
    /// Where its round robin over virtual channels stands: a port of its router and the one behind the last it had.
    pub accept_port: u16,
    pub accept_vc: u8,
    /// The virtual channel that it has.
    pub vc: u8,
    /// The first virtual channel of its message class.
    pub class: u8,
    pub stage: Stage,
}

/// A virtual channel of an output port, or of a source.
#[derive(Clone, Copy, Debug)]
pub(super) struct Out {
    pub credits: u16,
    /// Which queue of the router has it, or [`NOBODY`].
    pub owner: u16,
    /// Where its round robin over queues stands.
    pub grant: u16,
    /// Which of all queues it leads to; at a host the place of this virtual channel among all, behind all queues.
    pub to: u32,
}

pub(super) const NOBODY: u16 = u16::MAX;

/// No virtual channel.
pub(super) const NO_CREDIT: u32 = u32::MAX;

/// An output port. A round robin that is behind the last is at the first: so it need not be wrapped.
#[derive(Clone, Copy, Debug)]
pub(super) struct PortState<const W: usize> {
    /// Queues that ask for the switch and have a credit.
    pub wants: Bits<W>,
    /// Queues that ask for a virtual channel.
    pub asks: Bits<W>,
    /// Virtual channels that nobody has, and those besides whose tails won the switch since these were written down.
    pub free: u64,
    pub freed: u64,
    pub router: u32,
    /// The first queue of its router and its own first virtual channel, among all.
    pub first_queue: u32,
    pub first_out: u32,
    /// Flits that took it while it was measured.
    pub sent: u32,
    /// To whom it offers itself in this cycle.
    pub chosen: Place,
    /// Where its round robin over inputs of the switch stands: a queue, the first of its input.
    pub grant: u16,
    /// Cycles from when a flit wins the switch to when it is received.
    pub after: u16,
    /// Which port of its router it is.
    pub local: u16,
    /// It is among those that give away virtual channels.
    pub listed: bool,
    /// Its link failed.
    pub dead: bool,
    /// Its link failed, corrupts flits, or its virtual channels share their buffers.
    pub special: bool,
}

/// An input of the switch.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Input {
    /// Where its round robin over outputs stands.
    pub accept: u16,
    /// Where its round robin over its queues stands.
    pub queue: u16,
}

/// For a queue of a router, which input of the switch it has, and the first queue of that input.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    pub input: u16,
    pub first: u16,
}

/// The inputs of all queues of a router, in as many words as their masks.
pub(super) type Places<const W: usize> = [[Place; 64]; W];

/// A router.
#[derive(Clone, Copy, Debug)]
pub(super) struct RouterState<const W: usize> {
    /// Its ports for which queues want the switch.
    pub switch: Bits<W>,
    /// Its first port and its first input of the switch, among all.
    pub base: u32,
    pub first_input: u32,
}

/// A flit that is received, and what got a credit for it where that is due in the same cycle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival {
    /// Where, as in [`Out`].
    pub at: u32,
    /// Which of all virtual channels, or [`NO_CREDIT`].
    pub credit: u32,
    pub flit: Flit,
}

/// Pairs of an output and what it goes to; kept for their memory.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    pub granted: Vec<(usize, usize)>,
    pub accepted: Vec<(usize, usize)>,
    pub offers: Vec<(usize, u64)>,
    pub hops: Vec<Hop>,
    pub asking: Vec<u32>,
    /// For each of all ports one more than the cycle in which its queue was last counted, and the flits in it.
    pub queued: Vec<(u64, u64)>,
}

/// Sums of delays that are needed for every flit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Delays {
    /// From winning the switch to being received, besides the link.
    pub crossed: u16,
    /// From winning the switch to when the credit can be used upstream or at a source, besides the link.
    pub credit: u16,
    pub source_credit: u16,
    /// From being received to when a head asks for a virtual channel.
    pub routed: u64,
    /// From the tail winning the switch to when the next head asks.
    pub next: u64,
}

impl Delays {
    pub fn new(config: &Config) -> Self {
        let routed = u64::from(config.routing_cycles()) + u64::from(config.vc_delay) - 1;
        Delays {
            crossed: config.switch_delay + config.st_delay,
            credit: config.switch_delay + config.credit_delay,
            source_credit: config.switch_delay,
            routed,
            next: u64::from(config.switch_delay) + routed,
        }
    }
}

/// Which virtual channels each class of a router may take.
#[derive(Clone, Debug)]
pub(super) struct Classes {
    /// As many as fit into seven bits, so that every class that is written in seven bits has one.
    masks: [u64; 128],
    /// The class of all virtual channels of a message class, behind those of the router.
    pub all: usize,
    /// The virtual channels of all message classes.
    pub every: u64,
    /// Whether two packets may take the same or have none in common.
    pub are_apart: bool,
}

impl Classes {
    /// Those of the first message class, in equal shares; an escape has half of them, at least one for each of its own, and
    /// the rest is adaptive.
    pub fn new(config: &Config, router: &dyn Router) -> Result<Self, SimError> {
        let (used, vcs, messages) = (router.vcs(), config.class_vcs(), config.message_classes());
        if used > vcs {
            let needed = used.saturating_mul(messages);
            return Err(SimError::TooFewVcs { needed, vcs: config.vcs });
        }
        let escape = router.escape().map(|escape| escape.vcs);
        if config.shared_buffer && escape.is_some() {
            return Err(SimError::SharedEscape);
        }
        let below = |end: u32| if end == 64 { u64::MAX } else { (1 << end) - 1 };
        let share = |class: u16| match escape {
            Some(_) if class >= used => u32::from(vcs),
            Some(escape) => u32::from(class) * u32::from((vcs / 2 / escape.max(1)).max(1)),
            None => u32::from(class) * u32::from(vcs) / u32::from(used.max(1)),
        };
        let mut masks = [below(vcs.into()); 128];
        for (class, mask) in (0..used).zip(&mut masks) {
            *mask = below(share(class + 1)) & !below(share(class));
        }
        let every = below(config.vcs.into());
        Ok(Classes { masks, all: used.into(), every, are_apart: escape.is_none() })
    }

    #[inline(always)]
    pub fn mask(&self, class: usize) -> u64 {
        self.masks[class % 128]
    }
}

/// Where each wavefront begins.
pub(super) fn diagonals(allocator: Allocator, count: usize) -> Vec<u32> {
    vec![0; if allocator == Allocator::Wavefront { count } else { 0 }]
}

#[inline(always)]
pub(super) fn narrow(index: usize) -> u16 {
    u16::try_from(index & 0xFFFF).unwrap_or(0)
}

#[inline(always)]
pub(super) fn index32(index: usize) -> u32 {
    u32::try_from(index & 0xFFFF_FFFF).unwrap_or(0)
}

/// Lists of events for the next cycles, as many as a power of two.
#[derive(Debug)]
pub(super) struct Ring<T> {
    slots: Vec<Vec<T>>,
    mask: u64,
}

impl<T> Ring<T> {
    /// Events are at most `most` cycles ahead.
    pub fn new(most: u64) -> Self {
        let length = (most + 1).next_power_of_two();
        Ring { slots: (0..length).map(|_| Vec::new()).collect(), mask: length - 1 }
    }

    #[inline(always)]
    fn slot(&mut self, cycle: u64) -> &mut Vec<T> {
        let index = usize::try_from(cycle & self.mask).unwrap_or(0);
        at_mut(&mut self.slots, index)
    }

    #[inline(always)]
    pub fn push(&mut self, cycle: u64, event: T) {
        self.slot(cycle).push(event);
    }

    /// The events of a cycle, which are given back with [`Ring::put`] for their memory.
    #[inline(always)]
    pub fn take(&mut self, cycle: u64) -> Vec<T> {
        std::mem::take(self.slot(cycle))
    }

    /// Gives back what was taken, with what was added.
    #[inline(always)]
    pub fn keep(&mut self, cycle: u64, events: Vec<T>) {
        *self.slot(cycle) = events;
    }

    #[inline(always)]
    pub fn put(&mut self, cycle: u64, mut events: Vec<T>) {
        events.clear();
        *self.slot(cycle) = events;
    }
}

/// A part of a state: as indexing says, but without the length in the message, so that it need not be loaded.
#[inline(always)]
pub(super) fn at<T>(parts: &[T], index: usize) -> &T {
    parts.get(index).unwrap_or_else(|| is_none())
}

/// The same, to change it.
#[inline(always)]
pub(super) fn at_mut<T>(parts: &mut [T], index: usize) -> &mut T {
    parts.get_mut(index).unwrap_or_else(|| is_none())
}

#[cold]
#[inline(never)]
fn is_none() -> ! {
    panic!("an index of the simulator leads nowhere")
}

persist!(Packet {
    created,
    entered,
    state,
    to,
    source,
    hops,
    size,
    taken,
    epoch,
    message,
    class,
    is_reply,
    asked_before,
    sent_before,
    lost,
    marked,
});
persist!(Candidate { header, may, port, links, is_escape, penalty });
persist!(
    enum Stage {
        Idle,
        Routing,
        Asking,
        Active,
    }
);
persist!(Queue {
    front,
    may,
    router,
    port,
    back_to,
    back_after,
    head,
    length,
    accept_port,
    accept_vc,
    vc,
    class,
    stage,
});
persist!(Out { credits, owner, grant, to });
persist!(PortState<const W: usize> {
    wants, asks, free, freed, router, first_queue, first_out, sent, chosen, grant, after, local, listed, dead, special,
});
persist!(Input { accept, queue });
persist!(Place { input, first });
persist!(RouterState<const W: usize> { switch, base, first_input });
persist!(Arrival { at, credit, flit });

impl<T: Persist> Ring<T> {
    /// All events.
    pub fn write(&self, out: &mut Vec<u8>) {
        self.slots.write(out);
    }

    /// Those that were written, for as many cycles.
    pub fn fill(&mut self, saved: &mut Saved<'_>) -> Result<(), Damaged> {
        saved.fill(&mut self.slots)
    }
}
