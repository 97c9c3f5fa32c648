//! Worked programs on a network: do they give what a direct computation gives, and in how many steps?

use nestnet_collectives::program::{Complex, Layout, ProgramError, Site, Spent};
use nestnet_collectives::program::{convolve, fft, multiply, scan, sort, transpose, transposed};
use nestnet_graph::{Budget, fields, kinds};
use nestnet_topologies::family::{Built, Grain};
use nestnet_topologies::random;
use serde::{Serialize, Serializer};
use std::sync::Arc;
use thiserror::Error;

/// A worked program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// The fast Fourier transform.
    Fft,
    /// The bitonic sort.
    Sort,
    /// Prefix sums.
    Scan,
    /// The transpose of a matrix.
    Transpose,
    /// The product of two matrices.
    Multiply,
    /// The cyclic convolution of two sequences.
    Convolve,
}

/// Programs by name, and what each computes.
pub const PROGRAMS: [(Program, &str, &str); 6] = [
    (Program::Fft, "fft", "The fast Fourier transform, in one ascent"),
    (Program::Sort, "sort", "The bitonic sort, a descent for each address bit"),
    (Program::Scan, "scan", "Prefix sums, in one ascent"),
    (Program::Transpose, "transpose", "The transpose of a square matrix"),
    (
        Program::Multiply,
        "multiply",
        "The product of two square matrices, of 2^(a third of the address bits) rows",
    ),
    (Program::Convolve, "convolve", "The cyclic convolution of two sequences"),
];

impl Program {
    /// The one of that name.
    pub fn named(name: &str) -> Option<Self> {
        PROGRAMS.iter().find(|row| row.1 == name).map(|row| row.0)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        PROGRAMS.iter().find(|row| row.0 == self).map_or("", |row| row.1)
    }
}

/// A program on data that only links move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Run {
    /// Which program.
    pub program: Program,
    /// The random seed of its data.
    pub seed: u64,
    /// Nodes, each with one item.
    pub nodes: u64,
    /// Bits of an address.
    pub dimensions: usize,
    /// What it cost.
    pub spent: Spent,
    /// How many steps the recurrence of the paper says.
    pub recurrence: u64,
    /// Whether the result is that of the direct computation.
    pub agrees: bool,
    /// The direct computation.
    pub compared_with: &'static str,
}

impl Serialize for Run {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        fields!(
            serializer,
            "Run",
            /// The program.
            program: &str = self.program.name(),
            seed = self.seed,
            nodes = self.nodes,
            dimensions = self.dimensions,
            /// How many steps it took.
            steps = self.spent.steps,
            recurrence = self.recurrence,
            moves = self.spent.moves,
            agrees = self.agrees,
            compared_with = self.compared_with,
        )
    }
}

/// Why a program does not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RunError {
    /// The network is too large for node ids.
    #[error("no program runs on it: it has no node ids, more than 2^63 nodes or 2^32 ports")]
    NotBuilt,
    /// It has no logical bits.
    #[error(
        "no ascend or descend program is known for this network: it must be hypercube, folded_hypercube, or a complete graph or generalized hypercube with sides that are powers of two, or rsn, hcn, hfn, hsn, hcn3, rdn, dual_cube or sn without a mask on one of these"
    )]
    NoBits,
    /// It is known as no product and emulates none.
    #[error(
        "this network emulates no other: it is known as no product of smaller ones, and no emulation of one is known"
    )]
    NoGuest,
    /// It has a layout, but not this dimension.
    #[error("there is no dimension {dimension}: this network has the dimensions 1 to {dimensions}")]
    NoDimension {
        /// What was asked for.
        dimension: usize,
        /// How many there are.
        dimensions: usize,
    },
    /// It ran into something.
    #[error(transparent)]
    Program(#[from] ProgramError),
}

kinds!(RunError {
    Invalid: NoDimension;
    Unsupported: NotBuilt, NoBits, NoGuest;
    inner: Program;
});

/// Up to this many values the Fourier transform is compared with the sum that defines it.
const MAX_SUMMED: usize = 1 << 12;

/// How far off a value of the transform may be, in parts of the largest.
const TOLERANCE: f64 = 1e-9;

/// The layout of a network that fits, by bits or by digits.
pub(crate) fn arrange(
    built: &Built,
    grain: Grain,
    budget: &Budget<'_>,
) -> Result<Arc<dyn Layout>, RunError> {
    /// Two items and a few words.
    const BYTES_A_NODE: u128 = 96;
    let network = built.network.as_deref().ok_or(RunError::NotBuilt)?;
    let need = u128::from(network.order()) * BYTES_A_NODE;
    budget.fits("all items", need).map_err(ProgramError::from)?;
    built.layout(grain).ok_or(RunError::NoBits)
}

/// Runs a program on data drawn from `seed`, over the links alone, and computes the result directly too.
///
/// ```
/// use nestnet_graph::Budget;
/// use nestnet_analysis::programs::{Program, run};
///
/// let cube = nestnet_topologies::build("dual_cube(4)").unwrap();
/// let ran = run(&cube, Program::Fft, 1, &Budget::default()).unwrap();
/// assert!(ran.agrees);
/// assert_eq!((ran.dimensions, ran.spent.steps, ran.recurrence), (7, 12, 12));
/// ```
pub fn run(
    built: &Built,
    program: Program,
    seed: u64,
    budget: &Budget<'_>,
) -> Result<Run, RunError> {
    let layout = arrange(built, Grain::Bits, budget)?;
    let network = built.network.as_deref().ok_or(RunError::NotBuilt)?;
    let site = Site { network, layout: &*layout, budget: *budget };
    let bits = site.bits()?;
    let nodes = network.order();
    let count = 1usize << bits;
    let values = random::numbers(seed, count);
    let (spent, agrees, compared_with) = match program {
        Program::Fft => {
            let part = |bits: u64| (bits >> 11) as f64 / (1u64 << 52) as f64 - 1.0;
            let values: Vec<Complex> = values
                .iter()
                .map(|&value| Complex { re: part(value), im: part(value.rotate_left(32)) })
                .collect();
            let (found, spent) = fft(site, &values)?;
            let (wanted, name) = if count <= MAX_SUMMED {
                (transform_by_sums(&values), "the sums that define it")
            } else {
                (recursive_transform(&values), "a recursive transform in one place")
            };
            (spent, is_close(&found, &wanted), name)
        }
        Program::Sort => {
            let (found, spent) = sort(site, &values)?;
            let mut wanted = values;
            wanted.sort_unstable();
            (spent, found == wanted, "a sort in one place")
        }
        Program::Scan => {
            let (found, spent) = scan(site, &values)?;
            let mut sum = 0u64;
            let wanted = values.iter().map(|&value| {
                sum = sum.wrapping_add(value);
                sum
            });
            (spent, found.into_iter().eq(wanted), "sums from left to right")
        }
        Program::Multiply => {
            let (rows, count) = (1 << (bits / 3), 1 << (bits - bits / 3));
            let (a, b) = (&values[..count], random::numbers(seed.wrapping_add(1), count));
            let (found, spent) = multiply(site, a, &b)?;
            (spent, found == products(a, &b, rows), "the sums of products, row by column")
        }
        Program::Convolve => {
            let real = |bits: u64| Complex { re: (bits >> 56) as f64 - 128.0, im: 0.0 };
            let a: Vec<Complex> = values.iter().map(|&value| real(value)).collect();
            let b: Vec<Complex> = values.iter().map(|&value| real(value << 8)).collect();
            let (found, spent) = convolve(site, &a, &b)?;
            let (wanted, name) = if count <= MAX_SUMMED {
                (convolution_by_sums(&a, &b), "the sums that define it")
            } else {
                (recursive_convolution(&a, &b), "recursive transforms in one place")
            };
            (spent, is_close(&found, &wanted), name)
        }
        Program::Transpose => {
            let (found, spent) = transpose(site, &values)?;
            let place = |at: u64| usize::try_from(transposed(at, bits)).expect("it is in memory");
            let agrees = (0..nodes).zip(&values).all(|(at, value)| found[place(at)] == *value);
            (spent, agrees, "the entries read by columns")
        }
    };
    let recurrence = recurrence(&*layout, program, bits);
    Ok(Run { program, seed, nodes, dimensions: bits, spent, recurrence, agrees, compared_with })
}

/// How many steps the recurrences of the layout say.
fn recurrence(layout: &dyn Layout, program: Program, bits: usize) -> u64 {
    let half = bits / 2;
    match program {
        Program::Fft | Program::Scan => layout.steps(0..bits),
        Program::Sort => (1..=bits).map(|stage| layout.steps(0..stage)).sum(),
        Program::Convolve => 3 * layout.steps(0..bits),
        Program::Multiply => {
            let q = bits / 3;
            2 * layout.steps(2 * q..3 * q) + layout.steps(0..q) + layout.steps(q..2 * q)
        }
        Program::Transpose if layout.transpose().is_some() && bits.is_multiple_of(2) => 1,
        Program::Transpose => 2 * layout.steps(half..2 * half) + layout.steps(0..half),
    }
}

/// X_k = Σ x_j e^(-2πi·jk/n), term by term. O(n²).
fn transform_by_sums(values: &[Complex]) -> Vec<Complex> {
    let n = values.len() as u64;
    let one = |k: u64| {
        let terms = (0..n).zip(values).map(|(j, &value)| value.times(Complex::root(j * k % n, n)));
        terms.fold(Complex::default(), Complex::plus)
    };
    (0..n).map(one).collect()
}

/// Matrices of so many rows, one behind the other, multiplied entry by entry. O(rows) an entry.
fn products(a: &[u64], b: &[u64], rows: usize) -> Vec<u64> {
    let entry = |at: usize| {
        let copy = at / (rows * rows) * rows * rows;
        let (i, j) = (at % (rows * rows) / rows, at % rows);
        let terms = (0..rows).map(|k| a[copy + i * rows + k].wrapping_mul(b[copy + k * rows + j]));
        terms.fold(0, u64::wrapping_add)
    };
    (0..a.len()).map(entry).collect()
}

/// c_k = Σ a_i b_(k-i), term by term. O(n²).
fn convolution_by_sums(a: &[Complex], b: &[Complex]) -> Vec<Complex> {
    let n = a.len();
    let one = |k: usize| {
        let terms = (0..n).map(|i| a[i].times(b[(k + n - i) % n]));
        terms.fold(Complex::default(), Complex::plus)
    };
    (0..n).map(one).collect()
}

/// The same by transforms in one place, the last one with conjugates. O(n log n).
fn recursive_convolution(a: &[Complex], b: &[Complex]) -> Vec<Complex> {
    let conjugate = |value: &Complex| Complex { im: -value.im, ..*value };
    let (a, b) = (recursive_transform(a), recursive_transform(b));
    let products: Vec<Complex> = a.iter().zip(&b).map(|(a, b)| conjugate(&a.times(*b))).collect();
    let n = products.len() as f64;
    let back = recursive_transform(&products);
    back.iter().map(conjugate).map(|v| Complex { re: v.re / n, im: v.im / n }).collect()
}

/// The same by recursion on even and odd places. O(n log n).
fn recursive_transform(values: &[Complex]) -> Vec<Complex> {
    if values.len() < 2 {
        return values.to_vec();
    }
    let every_second = |first: usize| {
        let half: Vec<Complex> = values[first..].iter().step_by(2).copied().collect();
        recursive_transform(&half)
    };
    let (even, odd) = (every_second(0), every_second(1));
    let n = values.len() as u64;
    let turned: Vec<Complex> =
        (0..n / 2).zip(&odd).map(|(k, &value)| value.times(Complex::root(k, n))).collect();
    let sums = even.iter().zip(&turned).map(|(a, b)| a.plus(*b));
    let differences = even.iter().zip(&turned).map(|(a, b)| a.minus(*b));
    sums.chain(differences).collect()
}

/// Whether all values agree, in parts of the largest.
fn is_close(found: &[Complex], wanted: &[Complex]) -> bool {
    let size = |value: &Complex| value.re.hypot(value.im);
    let largest = wanted.iter().map(size).fold(0.0, f64::max);
    let close = |(a, b): (&Complex, &Complex)| size(&a.minus(*b)) <= TOLERANCE * largest;
    found.len() == wanted.len() && found.iter().zip(wanted).all(close)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet_collectives::program::{Act, Machine, Order, Step};
    use nestnet_graph::{OverBudget, Port};
    use nestnet_topologies::build;
    use std::ops::Range;

    const PROGRAMS: [Program; 6] = [
        Program::Fft,
        Program::Sort,
        Program::Scan,
        Program::Transpose,
        Program::Multiply,
        Program::Convolve,
    ];

    const SPECS: &[&str] = &[
        "hypercube(0)",
        "hypercube(5)",
        "folded_hypercube(2)",
        "complete(8)",
        "generalized_hypercube(4, 2)",
        "rsn(hypercube(2), 1)",
        "rsn(hypercube(2), 3)",
        "rsn(hypercube(1), 4)",
        "rsn(hypercube(3), 2, diameter_links=true)",
        "rsn(complete(4), 2)",
        "hcn(1)",
        "hcn(4)",
        "hfn(3)",
        "hsn(hypercube(2), 3)",
        "hsn(dual_cube(2), 2)",
        "hcn3(2)",
        "dual_cube(1)",
        "dual_cube(2)",
        "dual_cube(4)",
        "rdn(hypercube(1), 2)",
        "rdn(hypercube(2), 2)",
        "rdn(rsn(hypercube(1), 2), 1)",
        "rsn(dual_cube(2), 2)",
        "sn(rsn(hypercube(2), 2), 2, 0)",
        "sn(rsn(hypercube(2), 2), 2, 2)",
        "sn(complete(8), 2, 1)",
    ];

    fn ran(spec: &str, program: Program) -> Run {
        let built = build(spec).unwrap();
        run(&built, program, 7, &Budget::default())
            .unwrap_or_else(|error| panic!("{spec} {program:?}: {error}"))
    }

    #[test]
    fn every_program_agrees_in_as_many_steps_as_the_recurrence_says() {
        for spec in SPECS {
            for program in PROGRAMS {
                let ran = ran(spec, program);
                assert!(ran.agrees, "{spec} {program:?}");
                assert_eq!(ran.spent.steps, ran.recurrence, "{spec} {program:?}");
                assert!(ran.spent.ports <= 1, "{spec} {program:?}");
            }
        }
    }

    /// Section 3.2: T(l) = 2T(l-1) + 2, T(1) = n. The printed solution 2^(l-1)·n + 2^l is 2 more.
    #[test]
    fn the_printed_solution_of_ascend_is_two_too_many() {
        for (n, most) in [(1, 4), (2, 3), (3, 3), (4, 2)] {
            for l in 2..=most {
                let steps = ran(&format!("rsn(hypercube({n}), {l})"), Program::Scan).spent.steps;
                assert_eq!(steps, (n << (l - 1)) + (1 << l) - 2, "n = {n}, l = {l}");
                let printed = (n << (l - 1)) + (1 << l);
                assert_eq!(printed, steps + 2);
            }
        }
    }

    #[test]
    fn dual_cubes_ascend_in_three_steps_a_degree() {
        for n in 2..=6 {
            let ran = ran(&format!("dual_cube({n})"), Program::Fft);
            assert_eq!((ran.spent.steps, ran.dimensions as u64), (3 * n, 2 * n - 1));
        }
        // HSN of l digits: l·n + 2(l - 1).
        assert_eq!(ran("hsn(hypercube(2), 4)", Program::Scan).spent.steps, 4 * 2 + 2 * 3);
    }

    #[test]
    fn a_large_transform_is_compared_with_another() {
        let ran = ran("rsn(hypercube(4), 3, diameter_links=top)", Program::Fft);
        assert_eq!((ran.nodes, ran.agrees), (1 << 16, true));
        assert_eq!(ran.compared_with, "a recursive transform in one place");
        let values: Vec<Complex> = (0..64u32)
            .map(|i| Complex { re: f64::from(i * i % 13), im: f64::from(i % 5) })
            .collect();
        assert!(is_close(&recursive_transform(&values), &transform_by_sums(&values)));
        let mut wrong = transform_by_sums(&values);
        wrong[3].im += 1e-3;
        assert!(!is_close(&wrong, &transform_by_sums(&values)));
    }

    #[test]
    fn networks_without_bits_are_refused() {
        for spec in ["ring(8)", "rsn(ring(4), 2)", "torus(4, 4)", "petersen", "wk(4, 2)"] {
            let built = build(spec).unwrap();
            let refused = run(&built, Program::Scan, 1, &Budget::default());
            // A ring of four nodes is a square, but its numbers go around it.
            assert_eq!(refused, Err(RunError::NoBits), "{spec}");
        }
        let refused = run(&build("hypercube(40)").unwrap(), Program::Scan, 1, &Budget::default());
        let over = OverBudget::Memory { what: "all items", need: 96 << 40, limit: 1 << 30 };
        assert_eq!(refused, Err(ProgramError::from(over).into()));
    }

    /// A layout with one step changed.
    #[derive(Debug)]
    struct Broken {
        sound: Arc<dyn Layout>,
        place: usize,
        step: Option<Step>,
    }

    impl Layout for Broken {
        fn factors(&self) -> &[Arc<dyn nestnet_graph::Network>] {
            self.sound.factors()
        }
        fn logical(&self, at: nestnet_graph::Node) -> u64 {
            self.sound.logical(at)
        }
        fn ascend(&self, dimensions: Range<usize>) -> Vec<Step> {
            let mut steps = self.sound.ascend(dimensions);
            match &self.step {
                Some(step) => steps[self.place] = step.clone(),
                None => _ = steps.remove(self.place),
            }
            steps
        }
        fn steps(&self, dimensions: Range<usize>) -> u64 {
            self.sound.steps(dimensions)
        }
        fn slowest(&self) -> u64 {
            self.sound.slowest()
        }
    }

    #[test]
    fn every_changed_step_is_caught() {
        for spec in ["hcn(2)", "rsn(hypercube(1), 3)", "hsn(hypercube(1), 3)", "dual_cube(3)"] {
            let built = build(spec).unwrap();
            let network = built.network.clone().unwrap();
            let sound = built.layout(Grain::Bits).unwrap();
            let bits = sound.factors().len();
            let count = sound.ascend(0..bits).len();
            let last = Port(network.ports() - 1);
            let no_link = Port(network.ports());
            let changed = [
                None,
                // Over a link that does not exist.
                Some(Step::carry(move |at| (at.0 == 1).then_some(no_link))),
                // One item leaves, and none comes.
                Some(Step::carry(move |at| (at.0 == 1).then_some(last))),
                // All use the last port, leaders too.
                Some(Step::carry(move |_| Some(last))),
                Some(Step::new(move |_, ports| {
                    ports.push(last);
                    Act::Meet
                })),
                Some(Step::new(|at, ports| {
                    ports.extend((at.0 == 0).then_some(Port(0)));
                    Act::Meet
                })),
            ];
            for place in 0..count {
                for (change, step) in changed.iter().enumerate() {
                    let layout = Broken { sound: sound.clone(), place, step: step.clone() };
                    let budget = Budget::default();
                    let site = Site { network: &*network, layout: &layout, budget };
                    let ports = nestnet_collectives::Ports::One;
                    let mut machine = Machine::new(site, ports, |logical| logical).unwrap();
                    let ended = machine.run(&Order::Ascend(0..bits), |_, own, _| *own);
                    // In dual-nets all items cross over the last port: three steps are as they were.
                    let sound_ones: &[(usize, usize)] =
                        if spec == "dual_cube(3)" { &[(2, 3), (5, 3), (8, 4)] } else { &[] };
                    let same = sound_ones.contains(&(place, change));
                    assert_eq!(ended.is_ok(), same, "{spec}, step {place}, change {change}");
                }
            }
            let layout = Broken { sound: sound.clone(), place: 0, step: changed[1].clone() };
            let budget = Budget::default();
            let site = Site { network: &*network, layout: &layout, budget };
            let caught = scan(site, &vec![1; 1 << bits]).unwrap_err();
            let expected = format!("step 1: node 1 has no link at port {no_link}");
            assert_eq!(caught.to_string(), expected, "{spec}");
        }
    }
}
