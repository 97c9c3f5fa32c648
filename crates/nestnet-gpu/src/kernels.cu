// The kernels, in the C that CUDA and a C compiler share: `cargo xtask kernels` makes `kernels.ptx` of this file, and the
// tests compile it for the CPU and run it thread by thread. A kernel gets one struct, whose fields have 8 bytes each, and
// no thread waits for another: what they share is added to or or-ed into, in any order.

#ifdef __CUDACC__
typedef unsigned long long u64;
typedef unsigned int u32;
struct __align__(16) Word { u64 low, high; };
#define KERNEL(name, Arguments) extern "C" __global__ void name(const Arguments a)
#define INLINE static __device__ __forceinline__
#define THREAD ((u64)blockIdx.x * blockDim.x + threadIdx.x)
#define THREADS ((u64)gridDim.x * blockDim.x)
INLINE u64 ones_of(u64 bits) { return __popcll(bits); }
INLINE void atomic_add(u64 *at, u64 value) { atomicAdd(at, value); }
// What was there before.
INLINE u64 atomic_or(u64 *at, u64 bits) { return atomicOr(at, bits); }
#else
typedef unsigned long long u64;
typedef unsigned int u32;
typedef struct { u64 low, high; } Word;
static _Thread_local u64 thread_of_launch, threads_of_launch;
// Threads run one after the other, the first or the last first.
#define KERNEL(name, Arguments)                                                     \
    static void name##_thread(const Arguments a);                                   \
    void name(const Arguments *a, u64 threads, u64 backwards) {                     \
        threads_of_launch = threads;                                                \
        for (u64 i = 0; i < threads; i++) {                                         \
            thread_of_launch = backwards ? threads - 1 - i : i;                     \
            name##_thread(*a);                                                      \
        }                                                                           \
    }                                                                               \
    static void name##_thread(const Arguments a)
#define INLINE static inline
#define THREAD thread_of_launch
#define THREADS threads_of_launch
INLINE u64 ones_of(u64 bits) { return (u64)__builtin_popcountll(bits); }
INLINE void atomic_add(u64 *at, u64 value) { *at += value; }
INLINE u64 atomic_or(u64 *at, u64 bits) { u64 before = *at; *at |= bits; return before; }
#endif

// ---- Breadth-first search from many nodes at once ----
//
// Row v has a bit for each source: whether v is within so many steps of it. A word of a row is 128 sources.

// A bit that is no source.
#define NO_SOURCE 0xffffffffu

typedef struct {
    u64 sources;        // bits of a row, among them some that are no source
    u64 words;          // words of a row
    u64 steps;          // how far to search
    u64 room;           // nodes that a ball may have
    const u64 *offsets; // where the neighbors of a node begin
    const u32 *targets; // the neighbors
    const u32 *weights; // what a node counts, or null where each counts 1
    const u32 *starts;  // the node of each source
    u64 *rows;          // bits, all 0 before
    u32 *balls;         // room for the nodes of each ball
    u64 *found;         // for each source: nodes reached, eccentricity so far, and weight by distance; all 0 before
} SweepBegin;

// The first steps, one thread a source: its ball is searched alone, while it is small.
KERNEL(sweep_begin, SweepBegin) {
    u64 source = THREAD;
    if (source >= a.sources || a.starts[source] == NO_SOURCE) return;
    u32 start = a.starts[source];
    u64 *found = a.found + source * (a.steps + 3);
    u64 *by_distance = found + 2;
    u32 *ball = a.balls + source * a.room;
    u64 *column = a.rows + source / 64;
    u64 bit = 1ull << (source % 64);
    atomic_or(column + 2 * a.words * start, bit);
    ball[0] = start;
    u64 from = 0, end = 1;
    by_distance[0] = a.weights ? a.weights[start] : 1;
    for (u64 step = 1; step <= a.steps && from < end; step++) {
        u64 last = end, weight = 0;
        for (; from < last; from++) {
            u32 at = ball[from];
            for (u64 i = a.offsets[at]; i < a.offsets[at + 1ull]; i++) {
                u32 to = a.targets[i];
                if (atomic_or(column + 2 * a.words * to, bit) & bit) continue;
                ball[end++] = to;
                weight += a.weights ? a.weights[to] : 1;
            }
        }
        if (end > last) found[1] = step;
        by_distance[step] = weight;
    }
    found[0] = end;
}

typedef struct {
    u64 order;          // nodes
    u64 words;          // words of a row
    const u64 *offsets; // where the neighbors of a node begin
    const u32 *targets; // the neighbors
    const u32 *weights; // what a node counts, or null where each counts 1
    const Word *full;   // a row that all sources reached
    const Word *rows;   // the rows before
    Word *next;         // the rows after
    u64 *tally;         // for each word: weight of what is new, how many are new, and which sources have new ones (two)
} SweepStep;

// One step of all searches. A thread keeps to one word of the rows, so that it adds to the tally once.
KERNEL(sweep_step, SweepStep) {
    u64 stride = THREADS / a.words;
    u64 word = THREAD % a.words, first = THREAD / a.words;
    if (first >= stride) return;
    Word full = a.full[word];
    u64 weight = 0, count = 0, low = 0, high = 0;
    for (u64 at = first; at < a.order; at += stride) {
        Word before = a.rows[at * a.words + word];
        Word after = before;
        if (before.low != full.low || before.high != full.high) {
            u64 end = a.offsets[at + 1];
            for (u64 i = a.offsets[at]; i < end; i++) {
                Word other = a.rows[a.targets[i] * a.words + word];
                after.low |= other.low;
                after.high |= other.high;
            }
            u64 new_low = after.low ^ before.low, new_high = after.high ^ before.high;
            u64 ones = ones_of(new_low) + ones_of(new_high);
            low |= new_low;
            high |= new_high;
            count += ones;
            weight += a.weights ? ones * a.weights[at] : ones;
        }
        a.next[at * a.words + word] = after;
    }
    if (count == 0) return;
    u64 *tally = a.tally + 4 * word;
    atomic_add(tally, weight);
    atomic_add(tally + 1, count);
    atomic_or(tally + 2, low);
    atomic_or(tally + 3, high);
}

// ---- Flit by flit ----
//
// One thread a router and one launch a cycle. What routers tell each other is written to one of two buffers and read from
// the other, so that no router writes what another reads. In arrays the router is the fastest index. Divisions are of 32
// bits where numbers fit: those of 64 take most of the time.

// No neighbor at that port.
#define NO_NODE 0xffffffffu

typedef struct {
    u64 routers;
    u64 ports;           // of a router, at most 62
    u64 vcs;             // of a port
    u64 slots;           // of a queue
    u64 hosts;           // routers 0..hosts send and receive
    u64 seed;
    u64 load;            // of 2^32: how often a host makes a packet
    u64 cycle;           // this one
    u64 first, last;     // packets that are made from the one cycle until before the other are measured
    const u32 *arrivals; // [port][router]: where the neighbor at that port writes, in a buffer of [port][router]
    u64 classes;         // of a table: virtual channels that it tells apart; 0 where routes are in dimension order
    const u32 *table;    // [to][class][router]: port and, from bit 16 on, virtual channel
    u64 dimensions;      // in dimension order: how many there are
    const u64 *shape;    // [dimension]: side, stride of its digit, and whether it wraps around
    const u32 *directions;     // [dimension][up or down][router]: the port
    u64 *wires;          // two buffers of [port][router]: flits on links, the cycle of birth and from bit 32 on the target
    u32 *signals;        // likewise: 1 + virtual channel of the flit, and from bit 8 on of the credit, or 0
    u64 *queues;         // [port][vc][slot][router]: flits
    u32 *fill;           // [port][vc][router]: first slot, and from bit 16 on how many
    u32 *credits;        // [port][vc][router]: free slots at the other end
    u32 *turns;          // [port][router]: which virtual channel comes first
    u64 *cursors;        // [router]: the cycle before which all packets are on their way
    u64 *counts;         // [count][router]: made, sent, received, hops; of the measured: made, received, cycles, longest
} Simulate;

// SplitMix64.
INLINE u64 mixed(u64 x) {
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

// The number of a host in a cycle: it depends on nothing else.
INLINE u64 drawn(u64 seed, u64 cycle, u64 host) { return mixed(mixed(mixed(seed) ^ cycle) ^ host); }

// Whether it makes a packet then.
INLINE int makes(const Simulate *a, u64 cycle, u64 host) {
    return a->hosts > 1 && (drawn(a->seed, cycle, host) >> 32) < a->load;
}

// The target of that packet: any other host.
INLINE u32 target(const Simulate *a, u64 cycle, u64 host) {
    u64 other = (mixed(drawn(a->seed, cycle, host)) >> 32) * (a->hosts - 1) >> 32;
    return (u32)(other < host ? other : other + 1);
}

// The next port of a packet, and from bit 16 on its virtual channel there.
INLINE u32 next_hop(const Simulate *a, u32 at, u32 to, u32 vc) {
    if (a->classes) {
        u64 row = to * a->classes + (vc < a->classes ? vc : a->classes - 1);
        return a->table[row * a->routers + at];
    }
    for (u32 i = 0; i < a->dimensions; i++) {
        u32 side = (u32)a->shape[3 * i], stride = (u32)a->shape[3 * i + 1], wraps = (u32)a->shape[3 * i + 2];
        u32 from = at / stride % side, goal = to / stride % side;
        if (from == goal) continue;
        u32 up = goal > from ? goal - from : goal + side - from;
        int ascends = wraps ? up <= side - up : goal > from;
        // Whoever still has to cross the link between the last digit and 0 is on one channel, the rest on another.
        int crosses = ascends ? goal < from : goal > from;
        u32 lane = a->vcs > 1 && crosses ? 0 : (u32)a->vcs - 1;
        return a->directions[(2 * i + !ascends) * a->routers + at] | lane << 16;
    }
    return 0;
}

INLINE void count(const Simulate *a, u64 what, u64 at, u64 by) { a->counts[what * a->routers + at] += by; }

// One cycle of a router: what arrives is queued, and every input may send one flit, to an output that is free and has a
// credit. Inputs come in turn, another first in each cycle.
KERNEL(simulate_cycle, Simulate) {
    u64 R = a.routers, now = a.cycle;
    if (THREAD >= R) return;
    u32 at = (u32)THREAD, P = (u32)a.ports, V = (u32)a.vcs, slots = (u32)a.slots;
    u64 half = P * R;
    const u64 *wires_in = a.wires + (now % 2 ? half : 0);
    const u32 *signals_in = a.signals + (now % 2 ? half : 0);
    u64 *wires_out = a.wires + (now % 2 ? 0 : half);
    u32 *signals_out = a.signals + (now % 2 ? 0 : half);
    for (u32 port = 0; port < P; port++) {
        u32 from = a.arrivals[port * R + at];
        signals_out[port * R + at] = 0;
        if (from == NO_NODE) continue;
        u32 signal = signals_in[from];
        if (signal & 255) {
            u32 queue = port * V + (signal & 255) - 1;
            u32 fill = a.fill[queue * R + at];
            u32 slot = (fill & 65535) + (fill >> 16);
            if (slot >= slots) slot -= slots;
            a.queues[((u64)queue * slots + slot) * R + at] = wires_in[from];
            a.fill[queue * R + at] = fill + 65536;
        }
        if (signal >> 8) a.credits[(port * V + (signal >> 8) - 1) * R + at]++;
    }
    u64 cursor = now + 1;
    if (at < a.hosts) {
        int made = makes(&a, now, at);
        cursor = a.cursors[at];
        while (cursor < now && !makes(&a, cursor, at)) cursor++;
        if (cursor == now && !made) cursor++;
        if (made) {
            count(&a, 0, at, 1);
            if (now >= a.first && now < a.last) count(&a, 4, at, 1);
        }
    }
    u64 busy = 0; // outputs that are taken; the last is the host
    u32 input = (u32)(now % (P + 1));
    for (u32 turn = 0; turn <= P; turn++, input = input == P ? 0 : input + 1) {
        if (input == P) {
            if (cursor > now) continue;
            u32 to = target(&a, cursor, at);
            u32 hop = next_hop(&a, at, to, 0);
            u32 port = hop & 65535, vc = hop >> 16;
            u64 channel = (port * V + vc) * R + at;
            if (busy >> port & 1 || a.credits[channel] == 0) continue;
            busy |= 1ull << port;
            a.credits[channel]--;
            wires_out[port * R + at] = (u64)to << 32 | cursor;
            signals_out[port * R + at] |= vc + 1;
            count(&a, 1, at, 1);
            count(&a, 3, at, 1);
            cursor++;
            continue;
        }
        u32 lane = a.turns[input * R + at];
        for (u32 i = 0; i < V; i++, lane = lane + 1 == V ? 0 : lane + 1) {
            u32 queue = input * V + lane;
            u32 fill = a.fill[queue * R + at];
            if (fill >> 16 == 0) continue;
            u32 slot = fill & 65535;
            u64 flit = a.queues[((u64)queue * slots + slot) * R + at];
            u32 to = (u32)(flit >> 32), port = P, vc = 0;
            if (to != at) {
                u32 hop = next_hop(&a, at, to, lane);
                port = hop & 65535;
                vc = hop >> 16;
            }
            if (busy >> port & 1) continue;
            u64 channel = (port * V + vc) * R + at;
            if (port < P && a.credits[channel] == 0) continue;
            busy |= 1ull << port;
            a.fill[queue * R + at] = ((fill >> 16) - 1) << 16 | (slot + 1 == slots ? 0 : slot + 1);
            a.turns[input * R + at] = lane + 1 == V ? 0 : lane + 1;
            signals_out[input * R + at] |= (lane + 1) << 8;
            if (port < P) {
                a.credits[channel]--;
                wires_out[port * R + at] = flit;
                signals_out[port * R + at] |= vc + 1;
                count(&a, 3, at, 1);
            } else {
                u64 born = flit & 0xffffffffull;
                count(&a, 2, at, 1);
                if (born >= a.first && born < a.last) {
                    count(&a, 5, at, 1);
                    count(&a, 6, at, now - born);
                    u64 *longest = a.counts + 7 * R + at;
                    if (now - born > *longest) *longest = now - born;
                }
            }
            break;
        }
    }
    if (at < a.hosts) a.cursors[at] = cursor;
}
