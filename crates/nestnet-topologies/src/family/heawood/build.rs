//! How is each network of the paper put together? With its routings and broadcasts, its texts, and how it is drawn.

use super::expanded::{Expanded, PortByPort};
use super::flooded::{Flooded, FloodedTheory};
use super::graph::Heawood;
use super::printed_broadcasts::{
    Base, BasicAsPrinted, BroadcastingAll, FromFirstCopy, FromRoot, PRINTED_PLUS, Scheduled,
    SenderAlone, Undefined, Up,
};
use super::procedures::{
    BasicPrinted, ByRoot, FloodedPrinted, Legs, PRINTED_OUTER, PRINTED_ZEROS, SigmaPrinted,
    SigmaTwoPrinted, Through, Zeros,
};
use super::root_folded::{Reading, RootFolded, RootFoldedTheory};
use super::spread::CopyByCopy;
use crate::family::built::{AS_PRINTED, fits};
use crate::family::{ArgError, Args, Built, MAX_COUNT};
use crate::spec::{Arg, Literal, Spec};
use nestnet_collectives::{Broadcast, DigitByDigit, Ports, PrintedBroadcast};
use nestnet_draw::{Digit, Held, Joints, Plan, Spread};
use nestnet_graph::Network;
use nestnet_graph::product::{Levels, Product, ProductTheory};
use nestnet_graph::radix::power;
use nestnet_routing::Router;
use nestnet_routing::route::DimensionOrder;
use nestnet_routing::route::{Procedure, UpDownLayers};
use num_bigint::BigUint;
use std::sync::Arc;

/// Definition 1, the graph itself.
pub(super) fn heawood(_: &Args) -> Result<Built, ArgError> {
    let built = Built::of(Heawood).broadcasting(Some(Arc::new(Heawood))).placed(Plan::ring(14));
    let printed = |reading| Some(Arc::new(BasicAsPrinted(reading)) as Arc<dyn PrintedBroadcast>);
    let built = built.with_printed_broadcast(AS_PRINTED, printed(Undefined::Sender));
    let built = built.with_printed_broadcast(PRINTED_PLUS, printed(Undefined::Plus));
    Ok(built.tracing(AS_PRINTED, Some(Arc::new(BasicPrinted { digits: 1 }))))
}

/// Definition 2, Cartesian powers.
pub(super) fn folded(args: &Args) -> Result<Built, ArgError> {
    let (base, n) = (args.network("base"), args.integer("n"));
    ArgError::unless_it_grows(base, "n", n, MAX_COUNT)?;
    let order = power(&base.order(), n)
        .map_err(|error| ArgError::new("n", format!("is too large: {error}")))?;
    let product = base.base().filter(|_| fits(&order)).and_then(|base| {
        let factors = vec![base; usize::try_from(n).ok()?];
        Product::new(&factors, Levels::Nested).map(Arc::new)
    });
    // Algorithm FH_n-Routing goes from digit n-1 to digit 0, as dimension order does.
    let router = |name| {
        let routers = vec![base.base_router(name)?; usize::try_from(n).ok()?];
        let router = DimensionOrder::new(product.clone()?, routers)?;
        Some(Arc::new(router) as Arc<dyn Router>)
    };
    let routers = [("paper", router("paper")), ("shortest", router("shortest"))];
    // FH_n-Broadcasting, in which every holder broadcasts in each dimension, not only the sender.
    let broadcast = base.broadcast(Ports::All).zip(product.clone()).and_then(|(base, product)| {
        let factors = vec![base; usize::try_from(n).ok()?];
        Some(Arc::new(DigitByDigit::new(product, factors)?) as Arc<dyn Broadcast>)
    });
    let network = product.map(|product| product as Arc<dyn Network>);
    let theory = ProductTheory { factors: vec![(base.theory.clone(), n)] };
    let plan = nested(base, n, Spread::Even);
    let printed = is_heawood(base).then(|| u32::try_from(n).ok()).flatten();
    let printed = printed.map(|digits| Arc::new(BasicPrinted { digits }) as Arc<dyn Procedure>);
    let built = Built::new(theory, network).routed(routers).tracing(AS_PRINTED, printed);
    let alone = |calls| {
        let (digits, base) = u32::try_from(n).ok().zip(printed_base(base, calls))?;
        Some(Arc::new(SenderAlone { base, digits }) as Arc<dyn PrintedBroadcast>)
    };
    let built = built
        .with_printed_broadcast(AS_PRINTED, alone(Calls::Printed))
        .with_printed_broadcast(PRINTED_OUTER, alone(Calls::Corrected));
    Ok(built.broadcasting(broadcast).placed(plan))
}

/// Definition 3, see [`root_folded`](super::root_folded).
pub(super) fn root_folded(args: &Args) -> Result<Built, ArgError> {
    let (base, n) = (args.network("base"), args.integer("n"));
    ArgError::unless_it_grows(base, "n", n, MAX_COUNT)?;
    let order = power(&base.order(), n)
        .map_err(|error| ArgError::new("n", format!("is too large: {error}")))?;
    let reading = match args.word("reading") {
        "literal" => Reading::Literal,
        _ => Reading::Intended,
    };
    let network = base.base().filter(|_| fits(&order)).and_then(|base| {
        let n = u32::try_from(n).ok()?;
        n.checked_mul(base.ports())?;
        Some(Arc::new(RootFolded { q: base.order(), base, n, reading }))
    });
    let rule = network.clone().filter(|_| reading == Reading::Intended);
    let network = network.map(|network| network as Arc<dyn Network>);
    let built = Built::new(RootFoldedTheory { base: base.clone(), n, order, reading }, network);
    let copies = rule.clone().zip(base.broadcast(Ports::All));
    let broadcast =
        copies.map(|(copies, base)| Arc::new(CopyByCopy { copies, base }) as Arc<dyn Broadcast>);
    let by_root = |printed, zeros, calls| {
        let (network, legs) = rule.clone().zip(legs(base, calls))?;
        Some(Arc::new(ByRoot { network, legs, printed, zeros }) as Arc<dyn Procedure>)
    };
    let built = built
        .tracing("via-zero", by_root(false, Zeros::Digit, Calls::Corrected))
        .tracing(AS_PRINTED, by_root(true, Zeros::Digit, Calls::Printed))
        .tracing(PRINTED_ZEROS, by_root(true, Zeros::Defined, Calls::Printed))
        .tracing(PRINTED_OUTER, by_root(true, Zeros::Digit, Calls::Corrected));
    let informed = |up, calls| {
        let (network, base) = rule.clone().zip(printed_base(base, calls))?;
        Some(Arc::new(FromRoot { network, base, up }) as Arc<dyn PrintedBroadcast>)
    };
    let built = built
        .with_printed_broadcast("root", informed(Up::Root, Calls::Corrected))
        .with_printed_broadcast("top", informed(Up::TopCopy, Calls::Corrected))
        .with_printed_broadcast(AS_PRINTED, informed(Up::RootAlone, Calls::Printed))
        .with_printed_broadcast(PRINTED_ZEROS, informed(Up::TopAlone, Calls::Printed))
        .with_printed_broadcast(PRINTED_OUTER, informed(Up::RootAlone, Calls::Corrected));
    let built = built.with_lifted_router("paper", rule.clone(), base).with_lifted_router(
        "shortest",
        rule.clone(),
        base,
    );
    let plan = nested(base, n, Spread::AtZero);
    // As printed, all higher digits must be zero too.
    let plan = if reading == Reading::Literal { plan.joined(Joints::Counted) } else { plan };
    let through_root = scheduled(&built, informed(Up::Root, Calls::Corrected));
    Ok(built.broadcasting(through_root).with_schedule("copies", broadcast).placed(plan))
}

/// Definition 4, a recursive expansion with the texts of this paper.
pub(super) fn re_heawood(args: &Args) -> Result<Built, ArgError> {
    let part = || Arg::new(Spec::new("heawood", []));
    let mut parts = vec![part(), part(), Arg::new(args.integer("n") - 1)];
    if args.word("reading") == "single" {
        parts.push(Arg::keyed("pivots", Literal::Spec(Spec::new("single", []))));
    }
    let built = args.build(&Spec::new("re", parts))?;
    // Broadcast-all sends to every neighbor that is not yet flagged.
    let flood = built.any_broadcast(Ports::All);
    let heawood = heawood(args)?;
    let printed = |calls| {
        let legs = legs(&heawood, calls).filter(|_| args.word("reading") == "copies")?;
        let digits = u32::try_from(args.integer("n")).expect("at most 15");
        Some(Arc::new(SigmaPrinted { digits, legs }) as Arc<dyn Procedure>)
    };
    let built = built
        .untraced()
        .tracing(AS_PRINTED, printed(Calls::Printed))
        .tracing(PRINTED_OUTER, printed(Calls::Corrected));
    let all = broadcasting_all(&built);
    Ok(built.broadcasting(flood).with_printed_broadcast(AS_PRINTED, all))
}

/// Definition 5, see [`expanded`](super::expanded).
pub(super) fn expanded(args: &Args) -> Result<Built, ArgError> {
    let network = Expanded::of(args);
    let heawood = heawood(args)?;
    let router = heawood.base_router("paper").map(|heawood| {
        let routes = PortByPort { network: network.clone(), heawood };
        Arc::new(UpDownLayers::new(Arc::new(network.clone()), Arc::new(routes), None))
            as Arc<dyn Router>
    });
    let printed = |calls| {
        let legs = legs(&heawood, calls)?;
        Some(Arc::new(SigmaTwoPrinted { network: network.clone(), legs }) as Arc<dyn Procedure>)
    };
    let (to_the_letter, outer) = (printed(Calls::Printed), printed(Calls::Corrected));
    let built = Built::of(network).routed([("paper", router)]);
    let built = built.tracing(AS_PRINTED, to_the_letter).tracing(PRINTED_OUTER, outer);
    let all = broadcasting_all(&built);
    let built = built.with_printed_broadcast(AS_PRINTED, all);
    // Broadcast-all sends to every neighbor that is not yet flagged.
    let flood = built.any_broadcast(Ports::All);
    let plan = nested(&heawood, args.integer("n"), Spread::Even);
    Ok(built.broadcasting(flood).placed(plan.joined(Joints::Counted)))
}

/// Definition 6, see [`flooded`](super::flooded).
pub(super) fn flooded(args: &Args) -> Result<Built, ArgError> {
    let (base, n) = (args.network("base"), args.integer("n"));
    let q = base.order();
    power(&q, n).map_err(|error| ArgError::new("n", format!("is too large: {error}")))?;
    let mut order = BigUint::ZERO;
    let mut step = q.clone();
    for _ in 0..n {
        order += &step;
        step *= &q - 1u8;
    }
    let network = base.base().filter(|_| fits(&order)).and_then(|base| {
        2u32.checked_mul(base.ports())?;
        Some(Arc::new(Flooded::new(base, n)))
    });
    let rule = network.clone();
    let plan = rule.as_ref().map_or_else(|| base.base_plan(), |rule| rule.plan());
    let network = network.map(|network| network as Arc<dyn Network>);
    let built = Built::new(FloodedTheory { base: base.clone(), n, order }, network);
    let copies = rule.clone().zip(base.broadcast(Ports::All));
    let broadcast =
        copies.map(|(copies, base)| Arc::new(CopyByCopy { copies, base }) as Arc<dyn Broadcast>);
    let copies_rule = rule.clone();
    let calling = |calls| rule.clone().zip(legs(base, calls));
    let printed = |calls| {
        let (network, legs) = calling(calls).filter(|_| is_heawood(base))?;
        Some(Arc::new(FloodedPrinted { network, legs }) as Arc<dyn Procedure>)
    };
    let (to_the_letter, outer) = (printed(Calls::Printed), printed(Calls::Corrected));
    let through = calling(Calls::Corrected)
        .map(|(network, legs)| Arc::new(Through { network, legs }) as Arc<dyn Procedure>);
    let built = built
        .with_lifted_router("paper", rule.clone(), base)
        .with_lifted_router("shortest", rule, base);
    let built = built
        .tracing("through", through)
        .tracing(AS_PRINTED, to_the_letter)
        .tracing(PRINTED_OUTER, outer);
    let informed = |up, calls| {
        let (network, base) = copies_rule.clone().zip(printed_base(base, calls))?;
        Some(Arc::new(FromFirstCopy { network, base, up }) as Arc<dyn PrintedBroadcast>)
    };
    let built = built
        .with_printed_broadcast("root", informed(Up::Root, Calls::Corrected))
        .with_printed_broadcast("top", informed(Up::TopCopy, Calls::Corrected))
        .with_printed_broadcast(AS_PRINTED, informed(Up::RootAlone, Calls::Printed))
        .with_printed_broadcast(PRINTED_ZEROS, informed(Up::TopAlone, Calls::Printed))
        .with_printed_broadcast(PRINTED_OUTER, informed(Up::RootAlone, Calls::Corrected));
    let through_root = scheduled(&built, informed(Up::Root, Calls::Corrected));
    Ok(built.broadcasting(through_root).with_schedule("copies", broadcast).placed(plan))
}

/// A text that reaches everybody, as a schedule.
fn scheduled(built: &Built, text: Option<Arc<dyn PrintedBroadcast>>) -> Option<Arc<dyn Broadcast>> {
    let (network, text) = built.network.clone().zip(text)?;
    Some(Arc::new(Scheduled { network, text }) as Arc<dyn Broadcast>)
}

/// How a text calls the procedures of the base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Calls {
    /// To the letter, where the base has them so.
    Printed,
    /// As they must be.
    Corrected,
}

/// The base with its routing and its broadcast.
fn printed_base(base: &Built, calls: Calls) -> Option<Base> {
    let text = base.informed(AS_PRINTED).filter(|_| calls == Calls::Printed);
    Some(Base { legs: legs(base, calls)?, broadcast: base.broadcast(Ports::All)?, text })
}

/// σH_n-Broadcasting to the letter.
fn broadcasting_all(built: &Built) -> Option<Arc<dyn PrintedBroadcast>> {
    /// Every node makes its calls, one by one; of larger networks that takes long.
    const MAX_ORDER: u64 = 1 << 17;
    let network = built.network.clone().filter(|network| network.order() <= MAX_ORDER)?;
    Some(Arc::new(BroadcastingAll { network }) as Arc<dyn PrintedBroadcast>)
}

/// Whether the base is the one that the paper's own procedures name.
fn is_heawood(base: &Built) -> bool {
    base.spec().to_string() == "heawood"
}

/// The base and what it calls its paper's routing.
fn legs(base: &Built, calls: Calls) -> Option<Legs> {
    let text = base.procedure(AS_PRINTED).filter(|_| calls == Calls::Printed);
    Some(Legs { network: base.base()?, router: base.base_router("paper")?, text })
}

/// A copy of the network below at each node of the base, n - 1 times.
fn nested(base: &Built, n: u64, spread: Spread) -> Plan {
    let levels = base.network.as_ref().map_or(1, |network| network.levels());
    let digit = base.base_plan();
    let layers = digit.layers().len();
    let mut plan = digit.clone();
    let Some(network) = base.network.clone() else { return plan };
    let mut digits = vec![Digit { layers, network: network.clone(), links: 1, spread }];
    for level in 1..n.min(63) {
        let level = u16::try_from(level).unwrap_or(u16::MAX).saturating_mul(levels);
        let links = if spread == Spread::Even { plan.nodes_a_cell(0) } else { 1 };
        digits.push(Digit { layers, network: network.clone(), links, spread });
        plan = digit.around(&plan, level, Held::Cluster);
    }
    digits.reverse();
    plan.joined(Joints::Digits(digits))
}
