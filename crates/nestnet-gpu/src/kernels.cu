// The kernels, in the C that CUDA and a C compiler share: `cargo xtask kernels` makes `kernels.ptx` of this file, and the
// tests compile it for the CPU and run it thread by thread. A kernel gets one struct, whose fields have 8 bytes each. What
// threads share is added to or or-ed into, in any order. No thread waits for another, but for the lanes of a router, which
// run in step: on the CPU the first of them does the work of all, phase by phase.

#ifdef __CUDACC__
typedef unsigned long long u64;
typedef unsigned int u32;
typedef unsigned short u16;
typedef unsigned char u8;
#define ALIGNED __align__(16)
struct ALIGNED Word { u64 low, high; };
#define KERNEL(name, Arguments) extern "C" __global__ void name(const Arguments a)
#define INLINE static __device__ __forceinline__
#define THREAD ((u64)blockIdx.x * blockDim.x + threadIdx.x)
#define THREADS ((u64)gridDim.x * blockDim.x)
INLINE u64 ones_of(u64 bits) { return __popcll(bits); }
// Begins to load what is needed soon; it changes nothing.
INLINE void prefetch(const void *at) { asm volatile("prefetch.L1 [%0];" ::"l"(at)); }
INLINE void atomic_add(u64 *at, u64 value) { atomicAdd(at, value); }
// What was there before.
INLINE u64 atomic_or(u64 *at, u64 bits) { return atomicOr(at, bits); }
INLINE void atomic_or_half(u32 *at, u32 bits) { atomicOr(at, bits); }
INLINE void atomic_add_half(u32 *at, u32 value) { atomicAdd(at, value); }
INLINE u64 atomic_take(u64 *at) { return atomicAdd(at, 1ull); }
INLINE void atomic_least(u64 *at, u64 value) { atomicMin(at, value); }
INLINE u32 lowest(u64 bits) { return (u32)__ffsll((long long)bits) - 1; }
INLINE u64 high_product(u64 x, u64 y) { return __umul64hi(x, y); }
// A block has at most so many threads.
#define BLOCK 256
// Memory of a block that starts with anything, an element a thread, from the first lane of `lanes` on.
#define SHARED(type, name, lanes)                                                   \
    __shared__ type name##_of_block[BLOCK];                                         \
    type *name = name##_of_block + (threadIdx.x & ~((lanes) - 1))
// What lanes wrote can be read by the others behind this.
#define STEP __syncwarp()
// Whether there is a lane of the warp for which it is so.
#define ANY(is) __any_sync(0xffffffffu, is)
// Each lane takes its own elements of so many.
#define FOR_LANES(i, lanes, count) for (u32 i = threadIdx.x & ((u32)(lanes) - 1); i < (count); i += (u32)(lanes))
#define IS_FIRST_LANE(lanes) 1
#else
typedef unsigned long long u64;
typedef unsigned int u32;
typedef unsigned short u16;
typedef unsigned char u8;
#define ALIGNED
typedef struct { u64 low, high; } Word;
static _Thread_local u64 thread_of_launch, threads_of_launch, is_backwards;
// Threads run one after the other, the first or the last first.
#define KERNEL(name, Arguments)                                                     \
    static void name##_thread(const Arguments a);                                   \
    void name(const Arguments *a, u64 threads, u64 backwards) {                     \
        threads_of_launch = threads;                                                \
        is_backwards = backwards;                                                   \
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
INLINE void prefetch(const void *at) { (void)at; }
INLINE void atomic_add(u64 *at, u64 value) { *at += value; }
INLINE u64 atomic_or(u64 *at, u64 bits) { u64 before = *at; *at |= bits; return before; }
INLINE void atomic_or_half(u32 *at, u32 bits) { *at |= bits; }
INLINE void atomic_add_half(u32 *at, u32 value) { *at += value; }
INLINE u64 atomic_take(u64 *at) { return (*at)++; }
INLINE void atomic_least(u64 *at, u64 value) { if (value < *at) *at = value; }
INLINE u32 lowest(u64 bits) { return (u32)__builtin_ctzll(bits); }
INLINE u64 high_product(u64 x, u64 y) { return (u64)((unsigned __int128)x * y >> 64); }
#define SHARED(type, name, lanes) type name[32]
#define STEP (void)0
#define ANY(is) (is)
// The last comes first where the last thread does.
#define FOR_LANES(i, lanes, count)                                                  \
    for (u32 i##_th = 0, i; i##_th < (count) && (i = is_backwards ? (count) - 1 - i##_th : i##_th, 1); i##_th++)
#define IS_FIRST_LANE(lanes) (thread_of_launch % (lanes) == 0)
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
// One cycle of a network: some lanes of a warp for every router, which share out its ports, and behind these a thread for
// every host. It makes the decisions of the engine of nestnet-sim, which its documentation describes. What goes from one
// router or host to another is an event, a byte in a ring of cycles that only its receiver reads, when it is due: 1 + the
// virtual channel of a flit or a credit. A link carries at most one flit a cycle. Flits are written straight into the queue
// behind the link, where a credit keeps a place for them, so that no router reads what another one writes in the same cycle.
//
// The ring has a row for each cycle and router: an event for the flit of each port; one for the credit of each input of each
// port; and for each port a bit for each virtual channel whose queue has a head that asks then.
//
// All that belongs to a router lies together, so that its lanes load it at once; of what belongs to a host the fastest index
// is the host.

// Of a flit behind the head, the rest alone is known. It has 32 bytes, so that it is in one sector of memory.
typedef struct ALIGNED {
    u64 ends;   // target and source
    u64 times;  // the cycles in which its packet was made and entered, modulo 2^32
    u64 rest;   // the header for the router, from bit 32 on the links that it took, from bit 48 on the flits of the packet,
                // and whether it is the head and the tail
    u64 lost;   // whether its packet found no route around what failed
} Flit;

#define HEAD (1ull << 62)
#define TAIL (1ull << 63)

// A link to a host, and none.
#define TO_HOST 0x80000000u
#define NO_LINK 0xffffffffu
#define NO_ROUTE 0xffffffffu
#define NO_TARGET 0xffffffffu
#define NEVER 0xffffffffffffffffull

// What a queue does.
#define IDLE 0u
#define ROUTING 1u
#define ASKING 2u
#define ACTIVE 3u

// The queue that has a virtual channel is in 16 bits.
#define NOBODY 0xffffu

// Of an output that is not matched in this cycle: a bit above all inputs.
#define BEATEN 0x10000u

// Counts of a copy: threads share them out.
#define COPIES 64
#define COUNTS 16
#define INJECTED 0
#define EJECTED 1
#define ENTERED 2
#define ARRIVED 3
#define MARKED 4
#define MARKED_FLITS 5
#define LATER 6
#define LATER_FLITS 7
#define TIMES 8
#define LOST 9
#define LOST_MARKED 10
#define DROPPED 11

typedef struct {
    u64 routers, hosts, ports, vcs;
    u64 slots, inputs, group;  // queues and inputs of a port, queues of an input
    u64 slots_inverse, group_inverse; // 2^32 over them, rounded up
    u64 buffer;                // flits of a queue
    u64 words;                 // words of a mask of queues
    u64 port_words;            // words of the state of a port
    u64 lanes;                 // of a router, a power of two
    u64 router_threads;        // threads of routers, whole warps
    u64 cut_through, vcs_input_first, switch_input_first;
    u64 crossed, credit, source_credit, host_credit, routed, next_delay;
    u64 ring;                  // cycles, a power of two
    u64 row, credits_at, wakes_at, wake_bytes; // bytes of a row, where its parts begin, bytes of a port in the last
    u64 classes;               // the class of all virtual channels
    u64 form;                  // how routes are found: 0 table, 1 digits, 2 clusters, 3 rings
    u64 fold;                  // virtual channels of the router from this on are folded into the one before
    u64 lines;                 // of digits and rings: how many
    u64 local_routers;         // rows of `locals`: 1 where all routers have the same
    u64 loses;                 // whether a packet without a route goes to the host where it is
    u64 making;                // how packets are made: 0 given, 1 to others, 2 to all, 3 as listed
    u64 digits;                // of the cycles between packets
    u64 sizes;                 // how many sizes packets have
    u64 choices;               // starts of the router
    u64 depth;                 // rows of given packets
    u64 list_room;             // packets that may arrive
    u64 now;
    u64 first, last;           // packets made from the one to before the other are marked
    u64 list_base;             // packets that arrived before
    const u64 *links;          // [router][port]: see the functions below
    const u32 *own;            // [router]: the port of its own host
    const u64 *host_links;     // [host]: its router and port there
    const u32 *slot_of;        // [vc]: its queue
    const u32 *vc_of;          // [queue of a port]: its virtual channel
    const u64 *masks;          // [class]: its virtual channels
    const u64 *shape;          // [line]: side, stride, whether it is a ring or where its hops begin, inverses of side and
                               // stride; clusters: n, cross, width, inverse of n
    const u32 *hops;           // of a table [target][router] or [header], of digits and clusters [from][to], of rings
                               // [way][router]
    const u32 *next_headers;   // [header], or null: a header has a number for each router where it occurs
    const u32 *targets;        // [header]
    const u32 *locals;         // [port of a node][router or one for all]
    u8 *events;                // [cycle][router]: a row
    u8 *host_flits;            // [cycle][host]: events
    u8 *host_credits;          // [cycle][input][host]: events
    u64 *states;               // [router][port]: queues that want the switch, those that ask for a virtual channel, virtual
                               // channels that nobody has, and by 32 bits the round robin over inputs, and for each input
                               // those over outputs and from bit 16 on over queues
    u64 *queues;               // [router][queue]: see the functions below
    u64 *outs;                 // [router][port][vc]: credits, from bit 16 on the owner, 32 the round robin, 48 the next place
    Flit *flits;               // [router][queue][place]
    u64 *packets;              // [router][queue]: target and source of its packet, or null where packets have one flit
    u32 *sent;                 // [router][port]: flits
    u32 *offers;               // [router][port]: the input of this cycle; only where lanes have several ports
    Flit *ejected;             // [cycle][host]: flits on the way to a host
    Flit *heads;               // [vc][host]: heads whose tails are to come
    u64 *random;               // [host]
    u64 *next;                 // [host]: when the packet is made that is sent next
    u64 *sources;              // [host]: flits left, from bit 16 on flits of the packet, 32 its virtual channel
    u32 *source_outs;          // [vc][host]: credits, and from bit 16 on the next place
    const u32 *fixed;          // [host]: a target
    const u64 *chances;        // [digit]: of 2^64
    const u64 *size_list;      // [size]: flits and up to which of 2^53 draws
    const u64 *given_created, *given_target, *given_flits; // [row][host]
    u32 *taken;                // [host]: packets of these that were taken
    u64 *list_ends, *list_times, *list_rests; // packets that arrived, or their flits where they are named
    u64 *counts;               // [copy][count]
    u64 *blocked;              // [router][word]: queues that nothing lets go on by itself, as far as is known
    u64 *global;               // the last cycle with a move; 1 + the cycle in which it broke; where; packets that arrived;
                               // whether a route was too long; rounds in which queues were blocked, went on, and stayed
} Cycle;

// SplitMix64.
INLINE u64 mixed(u64 x) {
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

#define STRIDE 0x9e3779b97f4a7c15ull

INLINE u64 drawn_bits(u64 *random) {
    u64 bits = mixed(*random);
    *random += STRIDE;
    return bits;
}

INLINE u64 drawn_below(u64 *random, u64 bound) { return high_product(drawn_bits(random), bound); }

// ---- Division by what is not known to the compiler ----

// A number below 2^16 by another, given 2^32 over that, rounded up.
INLINE u32 small_quotient(u32 n, u64 inverse) { return (u32)(n * inverse >> 32); }

// A number below 2^32 by another, given 2^64 over that, rounded up; 0 is by 1.
INLINE u32 quotient(u32 n, u64 inverse) {
    u64 low = (inverse & 0xffffffffull) * n, high = (inverse >> 32) * n;
    return inverse ? (u32)(((low >> 32) + high) >> 32) : n;
}

// ---- Masks of W words ----

INLINE u32 first_in_word(u64 bits, u32 start) {
    start &= 63;
    u64 turned = start ? bits >> start | bits << (64 - start) : bits;
    return (lowest(turned) + start) & 63;
}

// The first element at or behind `start`, else the first of all; the set is not empty.
INLINE u32 first_from(const u64 *mask, u32 W, u32 start) {
    if (W == 1) return first_in_word(mask[0], start);
    u32 word = start / 64 % W;
    u64 high = mask[word] & (~0ull << (start % 64));
    if (high) return word * 64 + lowest(high);
    for (u32 i = 1; i <= W; i++) {
        u32 at = (word + i) % W;
        u64 bits = mask[at];
        if (bits) return at * 64 + lowest(bits);
    }
    return 0;
}

INLINE void set_bit(u64 *mask, u32 bit) { mask[bit / 64] |= 1ull << (bit % 64); }
INLINE void clear_bit(u64 *mask, u32 bit) { mask[bit / 64] &= ~(1ull << (bit % 64)); }

INLINE int is_empty(const u64 *mask, u32 W) {
    for (u32 w = 0; w < W; w++)
        if (mask[w]) return 0;
    return 1;
}

INLINE int is_single(const u64 *mask, u32 W) {
    u32 ones = 0;
    for (u32 w = 0; w < W; w++) ones += (u32)ones_of(mask[w]);
    return ones == 1;
}

// So many bits from `start` on, at most 64.
INLINE u64 part_of(const u64 *mask, u32 W, u32 start, u32 count) {
    u32 word = start / 64, shift = start % 64;
    u64 low = mask[word] >> shift;
    if (shift && word + 1 < W) low |= mask[word + 1] << (64 - shift);
    return count < 64 ? low & ((1ull << count) - 1) : low;
}

// Grows with how far `at` lies behind `start` in a cycle.
INLINE u32 behind(u32 start, u32 at) { return at - start; }

// ---- A queue: stage 2 bits, first place 14, flits 15, port 13, virtual channel 8, class 8 ----
//
// While it asks, port and class are those of its head, and the virtual channel is the one that it had last, if that was at
// the same port: it takes the next behind it. LAST is the one before the first.

#define LAST 63u

INLINE u32 stage_of(u64 q) { return (u32)q & 3; }
INLINE u32 place_of(u64 q) { return (u32)(q >> 2) & 0x3fff; }
INLINE u32 length_of(u64 q) { return (u32)(q >> 16) & 0x7fff; }
INLINE u32 port_of(u64 q) { return (u32)(q >> 31) & 0x1fff; }
INLINE u32 vc_of_queue(u64 q) { return (u32)(q >> 44) & 0xff; }
INLINE u32 class_of(u64 q) { return (u32)(q >> 52) & 0xff; }
INLINE u64 with_stage(u64 q, u32 stage) { return (q & ~3ull) | stage; }
INLINE u64 with_vc(u64 q, u32 vc) { return (q & ~(0xffull << 44)) | (u64)vc << 44; }
INLINE u64 with_route(u64 q, u32 port, u32 vcs) {
    return (q & ~(0x1fffull << 31 | 0xffull << 52)) | (u64)port << 31 | (u64)vcs << 52;
}

INLINE u32 credits_of(u64 out) { return (u32)out & 0xffff; }
INLINE u32 owner_of(u64 out) { return (u32)(out >> 16) & 0xffff; }
INLINE u32 grant_of(u64 out) { return (u32)(out >> 32) & 0xffff; }
INLINE u32 next_place_of(u64 out) { return (u32)(out >> 48); }

// ---- A link: a router, TO_HOST and a host, or NO_LINK; from bit 32 on the port there, and from 48 on the latency ----

INLINE u32 far_of(u64 link) { return (u32)link; }
INLINE u32 far_port_of(u64 link) { return (u32)(link >> 32) & 0xffff; }
INLINE u32 latency_of(u64 link) { return (u32)(link >> 48); }

// ---- A router: where its state is ----

typedef struct {
    u32 at, W, state_words;
    u64 *states, *queues, *outs;
    Flit *flits;
    const u64 *links;
    // What lanes find for the ports of others: masks of queues that want the switch and that ask, each so many words apart,
    // and the inputs of this cycle.
    u64 *wanted, *asked;
    u32 apart;
    u32 *offers;
} Router;

INLINE u64 *state_of(const Router *r, u32 port) { return r->states + port * r->state_words; }
INLINE u64 *wants_of(const Router *r, u32 port) { return state_of(r, port); }
INLINE u64 *asks_of(const Router *r, u32 port) { return state_of(r, port) + r->W; }
INLINE u64 *free_of(const Router *r, u32 port) { return state_of(r, port) + 2 * r->W; }
INLINE u32 *turn_of(const Router *r, u32 port) { return (u32 *)(state_of(r, port) + 2 * r->W + 1); }
INLINE u32 *accept_of(const Cycle *a, const Router *r, u32 input) {
    if (a->inputs == 1) return turn_of(r, input) + 1;
    u32 port = input / (u32)a->inputs;
    return turn_of(r, port) + 1 + (input - port * (u32)a->inputs);
}
INLINE u64 *out_of(const Cycle *a, const Router *r, u32 port, u32 vc) { return r->outs + port * (u32)a->vcs + vc; }
INLINE u32 slot_of_vc(const Cycle *a, u32 vc) { return a->inputs == 1 ? vc : a->slot_of[vc]; }
INLINE Flit *flit_of(const Cycle *a, const Router *r, u32 index, u32 place) {
    return r->flits + (u64)index * a->buffer + place;
}
INLINE u8 *row_of(const Cycle *a, u64 cycle, u32 at) {
    return a->events + ((cycle & (a->ring - 1)) * a->routers + at) * a->row;
}

// Where a packet could not go on, all stands still from the next cycle on.
INLINE int is_over(const Cycle *a) { return a->global[1] && a->global[1] <= a->now; }

// Something moves in this cycle.
INLINE void note_move(const Cycle *a) {
    if (a->global[0] != a->now) a->global[0] = a->now;
}

// The head of a queue asks in a later cycle.
INLINE void wake_at(const Cycle *a, u32 at, u64 cycle, u32 port, u32 vc) {
    u32 byte = (u32)a->wakes_at + port * (u32)a->wake_bytes + vc / 8;
    u8 *row = row_of(a, cycle, at);
    atomic_or_half((u32 *)(row + (byte & ~3u)), 1u << (byte % 4 * 8 + vc % 8));
}

// ---- What is received ----

INLINE void take_credit(const Cycle *a, const Router *r, u32 port, u32 vc) {
    u64 *slot = out_of(a, r, port, vc), out = *slot + 1;
    *slot = out;
    if (credits_of(out) != 1 || owner_of(out) == NOBODY) return;
    u32 queue = owner_of(out);
    if (length_of(r->queues[queue])) set_bit(wants_of(r, port), queue);
}

// Whether its head asks at once.
INLINE int take_flit(const Cycle *a, const Router *r, u32 port, u32 vc) {
    u32 index = port * (u32)a->slots + slot_of_vc(a, vc);
    u64 queue = r->queues[index] + (1ull << 16);
    int is_now = 0;
    if (stage_of(queue) == IDLE) {
        queue = with_stage(queue, ROUTING);
        is_now = a->routed == 0;
        if (!is_now) wake_at(a, r->at, a->now + a->routed, port, vc);
    } else if (stage_of(queue) == ACTIVE && length_of(queue) == 1) {
        u32 to = port_of(queue);
        if (credits_of(*out_of(a, r, to, vc_of_queue(queue))))
            atomic_or(r->wanted + to * r->apart + index / 64, 1ull << (index % 64));
    }
    r->queues[index] = queue;
    return is_now;
}

// ---- Routes ----

// Port of the router and from bit 16 on class, or NO_ROUTE; the header may change.
INLINE u32 hop_from(const Cycle *a, u32 at, u32 to, u32 *header) {
    u64 R = a->routers;
    if (a->form == 0) {
        u32 before = *header;
        if (!a->next_headers) return a->hops[before * R + at];
        *header = a->next_headers[before];
        return a->hops[before];
    }
    u32 own = (u32)a->classes << 16;
    if (at == to) return a->own[at] | own;
    u32 hop = NO_ROUTE, port, vc;
    if (a->form == 2) {
        u32 n = (u32)a->shape[0], width = (u32)a->shape[2];
        u32 u1 = quotient(at, a->shape[3]), u2 = at - u1 * n, v1 = quotient(to, a->shape[3]), v2 = to - v1 * n;
        u32 u0 = u1 >= n, v0 = v1 >= n, set;
        u1 -= u0 * n;
        v1 -= v0 * n;
        port = (u32)a->shape[1];
        vc = 0;
        if (u0 == v0 && u1 == v1) {
            hop = a->hops[u2 * n + v2];
            set = 1;
        } else if (u0 != v0 && u2 == v1) {
            set = 1;
        } else if (u0 != v0) {
            hop = a->hops[u2 * n + v1];
            set = 0;
        } else {
            set = 0;
        }
        if (hop != NO_ROUTE) {
            port = hop & 0xffff;
            vc = hop >> 16;
        } else if (u0 == v0 && u1 == v1) {
            return NO_ROUTE;
        }
        vc += set * width;
    } else {
        // The first digit that differs, of which there is one.
        const u64 *line = a->shape;
        u32 i = 0, side = 0, here = 0, there = 0;
        for (; i < a->lines; i++, line += 5) {
            side = (u32)line[0];
            here = quotient(at, line[4]);
            here -= quotient(here, line[3]) * side;
            there = quotient(to, line[4]);
            there -= quotient(there, line[3]) * side;
            if (here != there) break;
        }
        if (i == a->lines) return NO_ROUTE;
        if (a->form == 3) {
            u32 state = *header;
            if ((state >> 16 & 255) != i + 1) {
                int up = there > here, upper = 0;
                if (line[2]) {
                    u32 ahead = there > here ? there - here : there + side - here;
                    up = 2 * ahead == side ? (int)(state >> i & 1) : 2 * ahead < side;
                    upper = here > there;
                }
                state = (state & 0xffff) | (i + 1) << 16 | (up ? 1u << 24 : 0) | (upper ? 1u << 25 : 0);
                *header = state;
            }
            port = a->hops[(2 * i + !(state >> 24 & 1)) * R + at];
            if (port == NO_ROUTE) return NO_ROUTE;
            vc = state >> 25 & 1;
            return port | (vc < a->fold ? vc : (u32)a->fold - 1) << 16;
        }
        hop = a->hops[line[2] + here * side + there];
        if (hop == NO_ROUTE) return NO_ROUTE;
        port = hop & 0xffff;
        vc = hop >> 16;
    }
    port = a->locals[port * a->local_routers + (a->local_routers == 1 ? 0 : at)];
    if (port == NO_ROUTE) return NO_ROUTE;
    return port | (vc < a->fold ? vc : (u32)a->fold - 1) << 16;
}

// A head that was routed asks for a virtual channel.
INLINE void ask(const Cycle *a, const Router *r, u32 entry, u32 entry_vc) {
    u32 index = entry * (u32)a->slots + slot_of_vc(a, entry_vc);
    u64 queue = r->queues[index];
    Flit *flit = flit_of(a, r, index, place_of(queue));
    u64 ends = flit->ends, rest = flit->rest;
    u32 to = (u32)ends, header = (u32)rest, before = header;
    u32 hop = hop_from(a, r->at, to, &header);
    if (hop == NO_ROUTE && a->loses && far_of(r->links[a->own[r->at]]) & TO_HOST) {
        hop = a->own[r->at] | (u32)a->classes << 16;
        flit->lost = 1;
    }
    if (hop == NO_ROUTE) {
        atomic_least(a->global + 2, (u64)r->at << 32 | to);
        a->global[1] = a->now + 1;
        return;
    }
    if (header != before) {
        flit->rest = (rest & ~0xffffffffull) | header;
        if (a->form == 0) {
            ends = (ends & ~0xffffffffull) | a->targets[header];
            flit->ends = ends;
        }
    }
    if (a->packets) a->packets[(u64)r->at * a->ports * a->slots + index] = ends;
    u32 port = hop & 0xffff;
    prefetch(r->outs + port * (u32)a->vcs);
    if (port_of(queue) != port) queue = with_vc(queue, LAST);
    r->queues[index] = with_stage(with_route(queue, port, hop >> 16), ASKING);
    atomic_or(r->asked + port * r->apart + index / 64, 1ull << (index % 64));
}

// ---- The switch ----

// An output and an input of the switch are matched: the next queue of the input that wants the output sends a flit. The
// virtual channel that becomes free thereby.
INLINE u64 cross(const Cycle *a, const Router *r, u32 port, u32 input) {
    u64 now = a->now, *wants = wants_of(r, port);
    u32 group = (u32)a->group, slots = (u32)a->slots, first = input * group, *accept = accept_of(a, r, input);
    u32 index = first + first_in_word(part_of(wants, r->W, first, group), *accept >> 16);
    u64 queue = r->queues[index];
    u32 entry = small_quotient(index, a->slots_inverse), slot = index - entry * slots;
    u64 back = r->links[entry], ahead = r->links[port];
    u32 vc = vc_of_queue(queue), place = place_of(queue);
    u64 *out_at = out_of(a, r, port, vc), out = *out_at - 1;
    Flit flit = *flit_of(a, r, index, place);
    *turn_of(r, port) = first + group;
    *accept = (index - first + 1) << 16 | (port + 1);
    // No other thread does; so it need not wait for what is there.
    atomic_add_half(a->sent + (u64)r->at * a->ports + port, 1);
    // The credit goes back.
    u32 back_vc = slot, sub = 0;
    if (a->inputs != 1) {
        back_vc = a->vc_of[slot];
        sub = small_quotient(slot, a->group_inverse);
    }
    if (far_of(back) & TO_HOST) {
        u64 cycle = (now + latency_of(back) + a->source_credit) & (a->ring - 1);
        a->host_credits[(cycle * a->inputs + sub) * a->hosts + (far_of(back) & ~TO_HOST)] = (u8)(back_vc + 1);
    } else {
        u8 *row = row_of(a, now + latency_of(back) + a->credit, far_of(back));
        row[a->credits_at + far_port_of(back) * (u32)a->inputs + sub] = (u8)(back_vc + 1);
    }
    // The flit goes on.
    u64 cycle = now + latency_of(ahead) + a->crossed;
    int is_tail = (flit.rest & TAIL) != 0;
    if (far_of(ahead) & TO_HOST) {
        u64 to = (cycle & (a->ring - 1)) * a->hosts + (far_of(ahead) & ~TO_HOST);
        a->ejected[to] = flit;
        a->host_flits[to] = (u8)(vc + 1);
    } else {
        u32 far = far_of(ahead), next = far_port_of(ahead) * slots + slot_of_vc(a, vc), next_place = next_place_of(out);
        if (flit.rest & HEAD) {
            if ((flit.rest >> 32 & 0xffff) == 0xffff) a->global[4] = 1;
            flit.rest += 1ull << 32;
        }
        a->flits[(((u64)far * a->ports * slots) + next) * a->buffer + next_place] = flit;
        row_of(a, cycle, far)[far_port_of(ahead)] = (u8)(vc + 1);
        next_place = next_place + 1 == a->buffer ? 0 : next_place + 1;
        out = (out & 0xffffffffffffull) | (u64)next_place << 48;
    }
    place = place + 1 == a->buffer ? 0 : place + 1;
    queue = ((queue & ~(0x3fffull << 2)) | (u64)place << 2) - (1ull << 16);
    int goes_on = length_of(queue) && credits_of(out);
    if (is_tail) {
        goes_on = 0;
        out |= (u64)NOBODY << 16;
        queue = with_stage(queue, IDLE);
        if (length_of(queue)) {
            queue = with_stage(queue, ROUTING);
            wake_at(a, r->at, now + a->next_delay, entry, back_vc);
        }
    }
    r->queues[index] = queue;
    *out_at = out;
    if (!goes_on) clear_bit(wants, index);
    return is_tail ? 1ull << vc : 0;
}

// Outputs choose first: the input that an output offers itself to.
INLINE u32 offered_input(const Cycle *a, const Router *r, u32 port) {
    return small_quotient(first_from(wants_of(r, port), r->W, *turn_of(r, port)), a->group_inverse);
}

// Whether the input takes another output that offers itself: the next by its round robin.
INLINE int is_refused(const Cycle *a, const Router *r, u32 port, u32 input) {
    u32 start = *accept_of(a, r, input) & 0xffff, mine = behind(start, port), is = 0;
    for (u32 other = 0; other < a->ports; other++)
        is |= r->offers[other] % BEATEN == input && behind(start, other) < mine;
    return (int)is;
}

// Of the outputs that an input wants the next by its round robin, or NO_LINK.
INLINE u32 requested_port(const Cycle *a, const Router *r, u32 input) {
    u32 start = *accept_of(a, r, input) & 0xffff, found = NO_LINK;
    for (u32 port = 0; port < a->ports; port++) {
        if (!part_of(wants_of(r, port), r->W, input * (u32)a->group, (u32)a->group)) continue;
        if (found == NO_LINK || behind(start, port) < behind(start, found)) found = port;
    }
    return found;
}

// Inputs choose first: the next of those that ask for an output, or BEATEN.
INLINE u32 requesting_input(const Cycle *a, const Router *r, u32 port) {
    u32 inputs = (u32)(a->ports * a->inputs), group = (u32)a->group, start = *turn_of(r, port), found = BEATEN;
    for (u32 input = 0; input < inputs; input++) {
        if (!part_of(wants_of(r, port), r->W, input * group, group)) continue;
        if (requested_port(a, r, input) != port) continue;
        if (found == BEATEN || behind(start, input * group) < behind(start, found * group)) found = input;
    }
    return found;
}

// ---- Virtual channels ----

// The free virtual channels that a queue may have.
INLINE u64 askable(const Cycle *a, const Router *r, u32 port, u32 index, u64 queue, u64 free) {
    u64 vcs = free & a->masks[class_of(queue)];
    if (!a->cut_through) return vcs;
    u32 size = (u32)(flit_of(a, r, index, place_of(queue))->rest >> 48) & 0x3fff;
    u64 fits = 0;
    for (u64 left = vcs; left; left &= left - 1) {
        u32 vc = lowest(left);
        if (credits_of(*out_of(a, r, port, vc)) >= size) fits |= 1ull << vc;
    }
    return fits;
}

// The next of some virtual channels for a queue that asks.
INLINE u32 next_vc(u64 queue, u64 vcs) { return first_in_word(vcs, vc_of_queue(queue) + 1); }

// The queue to which a virtual channel offers itself, or NO_LINK.
INLINE u32 offered_queue(const Cycle *a, const Router *r, u32 port, u32 vc, u64 free) {
    u64 *asks = asks_of(r, port);
    u32 first = first_from(asks, r->W, grant_of(*out_of(a, r, port, vc))), index = first;
    do {
        if (askable(a, r, port, index, r->queues[index], free) >> vc & 1) return index;
        index = first_from(asks, r->W, index + 1);
    } while (index != first);
    return NO_LINK;
}

// Whether a queue that chose a virtual channel is beaten by another that did and has none yet.
INLINE int is_beaten(const Cycle *a, const Router *r, u32 port, u32 index, u32 vc, u64 free) {
    u64 *asks = asks_of(r, port);
    u32 start = grant_of(*out_of(a, r, port, vc));
    for (u32 w = 0; w < r->W; w++)
        for (u64 left = asks[w]; left; left &= left - 1) {
            u32 other = w * 64 + lowest(left);
            u64 queue = r->queues[other];
            if (stage_of(queue) != ASKING || behind(start, other) >= behind(start, index)) continue;
            u64 vcs = askable(a, r, port, other, queue, free);
            if (vcs && next_vc(queue, vcs) == vc) return 1;
        }
    return 0;
}

// One cycle of a port that gives away virtual channels. Those that the switch freed in this cycle are given away in the
// next. A queue that gets one wants the switch from the next cycle on, if there is a credit.
INLINE void allocate(const Cycle *a, const Router *r, u32 port, u64 freed) {
    u64 *asks = asks_of(r, port), *free_at = free_of(r, port), free = *free_at, taken = 0;
    int is_alone = is_single(asks, r->W);
    if (free)
        for (u32 w = 0; w < r->W; w++) {
            u64 given = 0;
            for (u64 left = asks[w]; left; left &= left - 1) {
                u32 index = w * 64 + lowest(left);
                u64 queue = r->queues[index], vcs = askable(a, r, port, index, queue, free);
                // One that was taken has chosen another queue.
                if (!a->vcs_input_first && !is_alone)
                    for (u64 offers = vcs; offers; offers &= offers - 1) {
                        u32 vc = lowest(offers);
                        if (taken >> vc & 1 || offered_queue(a, r, port, vc, free) != index) vcs &= ~(1ull << vc);
                    }
                if (!vcs) continue;
                u32 vc = next_vc(queue, vcs);
                if (a->vcs_input_first && !is_alone)
                    if (taken >> vc & 1 || is_beaten(a, r, port, index, vc, free)) continue;
                r->queues[index] = with_stage(with_vc(queue, vc), ACTIVE);
                u64 *out_at = out_of(a, r, port, vc), out = *out_at;
                *out_at = (out & ~0xffffffff0000ull) | (u64)index << 16 | (u64)(index + 1) << 32;
                taken |= 1ull << vc;
                given |= left & -left;
                if (credits_of(out)) {
                    set_bit(wants_of(r, port), index);
                    note_move(a);
                }
            }
            if (r->W == 1 && given) asks[0] &= ~given;
        }
    // They are asked for until all have chosen.
    if (r->W > 1 && taken)
        for (u32 w = 0; w < r->W; w++)
            for (u64 left = asks[w]; left; left &= left - 1)
                if (stage_of(r->queues[w * 64 + lowest(left)]) == ACTIVE) asks[w] &= ~(left & -left);
    if (taken | freed) *free_at = (free & ~taken) | freed;
}

// ---- What a cycle is going to load, begun early: a lane waits for memory most of its time ----

// Of the virtual channels of a port whose heads ask, the first eight.
INLINE u32 first_wakes(const Cycle *a, const u8 *wakes, u32 port) { return wakes[port * (u32)a->wake_bytes]; }

// What is received in this cycle or can cross the switch changes these.
INLINE void prefetch_state(const Cycle *a, const Router *r, u32 port, u32 flit, u32 wakes) {
    u64 wants = wants_of(r, port)[0];
    if (flit | wakes) prefetch(r->queues + port * (u32)a->slots);
    if (wants) {
        prefetch(r->queues + first_in_word(wants, *turn_of(r, port)));
        prefetch(r->links + port);
    }
    if (wants | asks_of(r, port)[0]) prefetch(r->outs + port * (u32)a->vcs);
}

// A head that is routed, and a flit that can cross the switch.
INLINE void prefetch_flits(const Cycle *a, const Router *r, u32 port, u32 wakes) {
    u64 wants = wants_of(r, port)[0];
    if (wakes) {
        u32 index = port * (u32)a->slots + slot_of_vc(a, lowest(wakes));
        prefetch(flit_of(a, r, index, place_of(r->queues[index])));
    }
    if (wants) {
        u32 index = first_in_word(wants, *turn_of(r, port));
        prefetch(flit_of(a, r, index, place_of(r->queues[index])));
    }
}

// ---- One cycle of a router ----

// Its lanes share out its ports, of which there are `ports`, or none for a thread that has no router. `wanted`, `asked` and
// `offers` is memory that they share; where the first two are null, lanes change the states of ports at once.
INLINE void router_cycle(const Cycle *a, u32 at, u32 ports, u32 W, u64 *wanted, u64 *asked, u32 *offers) {
    u32 inputs = (u32)a->inputs, words = (u32)a->port_words, is_active = 0;
    Router router;
    router.at = at;
    router.W = W;
    router.state_words = words;
    router.states = a->states + (u64)at * a->ports * words;
    router.queues = a->queues + (u64)at * a->ports * a->slots;
    router.outs = a->outs + (u64)at * a->ports * a->vcs;
    router.flits = a->flits + (u64)at * a->ports * a->slots * a->buffer;
    router.links = a->links + (u64)at * a->ports;
    router.wanted = wanted ? wanted : router.states;
    router.asked = asked ? asked : router.states + W;
    router.apart = wanted ? 1 : words;
    router.offers = offers;
    const Router *r = &router;
    u8 *row = row_of(a, a->now, at), *wake_row = row + a->wakes_at;
    FOR_LANES(i, a->lanes, ports ? (u32)a->row / 8 : 0) is_active |= ((u64 *)row)[i] != 0;
    FOR_LANES(port, a->lanes, ports) is_active |= !is_empty(wants_of(r, port), 2 * W);
    if (!ANY(is_active)) return;
    if (W == 1) FOR_LANES(port, a->lanes, ports) prefetch_state(a, r, port, row[port], first_wakes(a, wake_row, port));
    FOR_LANES(port, a->lanes, ports) {
        if (wanted) wanted[port] = asked[port] = 0;
        for (u32 i = 0; i < inputs; i++) {
            u8 *event = row + a->credits_at + port * inputs + i;
            u32 vc = *event;
            if (!vc) continue;
            *event = 0;
            take_credit(a, r, port, vc - 1);
        }
        if (W == 1) prefetch_flits(a, r, port, first_wakes(a, wake_row, port));
    }
    STEP;
    FOR_LANES(port, a->lanes, ports) {
        u64 wakes = 0;
        for (u32 i = 0; i < a->wake_bytes; i++) {
            u8 *byte = wake_row + port * (u32)a->wake_bytes + i;
            u64 bits = *byte;
            if (!bits) continue;
            *byte = 0;
            wakes |= bits << 8 * i;
        }
        u32 vc = row[port];
        if (vc) {
            row[port] = 0;
            if (take_flit(a, r, port, vc - 1)) wakes |= 1ull << (vc - 1);
        }
        for (; wakes; wakes &= wakes - 1) ask(a, r, port, lowest(wakes));
    }
    STEP;
    FOR_LANES(port, a->lanes, ports) {
        if (wanted) {
            if (wanted[port]) wants_of(r, port)[0] |= wanted[port];
            if (asked[port]) asks_of(r, port)[0] |= asked[port];
        }
        int is_idle = is_empty(wants_of(r, port), W);
        if (!is_idle) note_move(a);
        r->offers[port] = is_idle || a->switch_input_first ? NO_LINK : offered_input(a, r, port);
    }
    STEP;
    FOR_LANES(port, a->lanes, ports) {
        if (a->switch_input_first) r->offers[port] = requesting_input(a, r, port);
        else if (r->offers[port] != NO_LINK && is_refused(a, r, port, r->offers[port])) r->offers[port] |= BEATEN;
    }
    // Round robins move only when all have been read.
    STEP;
    FOR_LANES(port, a->lanes, ports) {
        u32 input = r->offers[port];
        u64 freed = input < BEATEN ? cross(a, r, port, input) : 0;
        // Behind the switch: so queues that get a virtual channel now want the switch in the next cycle.
        if (freed || !is_empty(asks_of(r, port), W)) allocate(a, r, port, freed);
    }
}

// ---- One cycle of a host ----

INLINE void count(const Cycle *a, u32 host, u32 what, u64 by) {
    atomic_add(a->counts + (host % COPIES) * COUNTS + what, by);
}

// When the next packet is made, and its size.
INLINE void draw_packet(const Cycle *a, u32 host, u64 *random, u64 created, u32 *size) {
    if (!a->making) {
        u32 taken = a->taken[host] + 1;
        a->taken[host] = taken;
        u64 place = taken % a->depth * a->hosts + host;
        a->next[host] = a->given_created[place];
        *size = (u32)a->given_flits[place];
        return;
    }
    u64 failures = 0, counter = *random + STRIDE * a->digits, after = counter;
    for (u32 i = (u32)a->digits; i-- > 0;) {
        counter -= STRIDE;
        failures = failures << 1 | (mixed(counter) < a->chances[i]);
    }
    *random = after;
    u64 next = created + failures + 1;
    a->next[host] = next < created ? NEVER : next;
    u32 i = 0;
    if (a->sizes > 1) {
        u64 part = drawn_bits(random) >> 11;
        while (i + 1 < a->sizes && part >= a->size_list[2 * i + 1]) i++;
    }
    *size = (u32)a->size_list[2 * i];
}

// The target of a packet, or NO_TARGET, and its header.
INLINE u32 draw_target(const Cycle *a, u32 host, u64 *random, u32 *header) {
    if (!a->making) {
        u64 target = a->given_target[a->taken[host] % a->depth * a->hosts + host];
        *header = (u32)(target >> 32);
        return (u32)target;
    }
    u32 to;
    if (a->making == 3) {
        to = a->fixed[host];
    } else if (a->making == 2) {
        to = (u32)drawn_below(random, a->hosts);
    } else {
        to = (u32)drawn_below(random, a->hosts - 1);
        to += to >= host;
    }
    if (to == NO_TARGET) return to;
    u32 choice = a->choices > 1 ? (u32)drawn_below(random, a->choices) : 0;
    *header = a->form == 0 ? to : choice & 0xffff;
    return to;
}

INLINE void host_cycle(const Cycle *a, u32 host) {
    u64 H = a->hosts, now = a->now, slot = now & (a->ring - 1), arrival = slot * H + host;
    for (u32 i = 0; i < a->inputs; i++) {
        u8 *event = a->host_credits + (slot * a->inputs + i) * H + host;
        if (!*event) continue;
        a->source_outs[(*event - 1) * H + host]++;
        *event = 0;
    }
    if (a->host_flits[arrival]) {
        u32 vc = a->host_flits[arrival] - 1u;
        a->host_flits[arrival] = 0;
        u64 link = a->host_links[host];
        u8 *row = row_of(a, now + latency_of(link) + a->host_credit, far_of(link));
        row[a->credits_at + far_port_of(link) * (u32)a->inputs] = (u8)(vc + 1);
        Flit flit = a->ejected[arrival];
        u64 rest = flit.rest;
        if (!(rest & HEAD)) flit = a->heads[vc * H + host];
        u64 created = now - (u32)((u32)now - (u32)flit.times);
        count(a, host, flit.lost ? DROPPED : EJECTED, 1);
        if (rest & TAIL && flit.lost) {
            count(a, host, LOST, 1);
            if (created >= a->first && created < a->last) count(a, host, LOST_MARKED, 1);
        } else if (rest & TAIL) {
            count(a, host, ARRIVED, 1);
            count(a, host, TIMES, 0 - now);
        } else if (rest & HEAD) {
            a->heads[vc * H + host] = flit;
        }
        // Packets made before the window are not measured; where packets are named, all flits of the window are listed,
        // and only the last of a packet with its size.
        int is_last = rest & TAIL && created >= a->first, is_named = a->list_ends && now >= a->first;
        u64 place = flit.lost || !(is_last || is_named) ? a->list_room : atomic_take(a->global + 3) - a->list_base;
        if (place < a->list_room) {
            u64 kept = rest & TAIL ? 0x3fffffff00000000ull : 0x0000ffff00000000ull;
            if (a->list_ends) a->list_ends[place] = flit.ends;
            a->list_times[place] = flit.times;
            a->list_rests[place] = (flit.rest & kept) | (now & 0xffffffffull);
        }
    }
    u64 created = a->making ? a->next[host] : a->given_created[a->taken[host] % a->depth * H + host];
    if (created > now) return;
    u64 source = a->sources[host];
    u32 left = (u32)source & 0xffff, size = (u32)(source >> 16) & 0xffff, vc = (u32)(source >> 32) & 255;
    u64 random = a->random[host];
    Flit flit = {0, 0, 0, 0};
    if (!a->making && !left) size = (u32)a->given_flits[a->taken[host] % a->depth * H + host];
    int is_head = !left;
    if (is_head) {
        u32 needed = a->cut_through ? size : 1, V = (u32)a->vcs;
        u32 next = vc + 1 >= V ? 0 : vc + 1, tries = 0;
        for (; tries < V; tries++, next = next + 1 == V ? 0 : next + 1)
            if ((a->source_outs[next * H + host] & 0xffff) >= needed) break;
        if (tries == V) return;
        vc = next;
        u32 header = 0, to = draw_target(a, host, &random, &header);
        if (to == NO_TARGET) {
            draw_packet(a, host, &random, created, &size);
            a->random[host] = random;
            a->sources[host] = (u64)vc << 32 | (u64)size << 16;
            return;
        }
        flit.ends = (u64)host << 32 | to;
        flit.times = (created & 0xffffffffull) | now << 32;
        flit.rest = HEAD | (u64)size << 48 | header;
        left = size;
        count(a, host, ENTERED, 1);
        count(a, host, TIMES, now);
        if (created >= a->first && created < a->last) {
            count(a, host, MARKED, 1);
            count(a, host, MARKED_FLITS, size);
        } else if (created >= a->last) {
            count(a, host, LATER, 1);
            count(a, host, LATER_FLITS, size);
        }
    }
    u32 out = a->source_outs[vc * H + host];
    if (!(out & 0xffff)) return;
    left--;
    if (!left) flit.rest |= TAIL;
    u32 place = out >> 16;
    u64 link = a->host_links[host];
    u64 queue = ((u64)far_of(link) * a->ports + far_port_of(link)) * a->slots + slot_of_vc(a, vc);
    a->flits[queue * a->buffer + place] = flit;
    row_of(a, now + 1 + latency_of(link), far_of(link))[far_port_of(link)] = (u8)(vc + 1);
    place = place + 1 == a->buffer ? 0 : place + 1;
    a->source_outs[vc * H + host] = ((out & 0xffff) - 1) | place << 16;
    count(a, host, INJECTED, 1);
    if (!left) {
        draw_packet(a, host, &random, created, &size);
        a->random[host] = random;
    } else if (is_head) {
        a->random[host] = random;
    }
    a->sources[host] = (u64)vc << 32 | (u64)size << 16 | left;
}

// One cycle where masks have one word and every lane has at most one port.
KERNEL(simulate_cycle, Cycle) {
    SHARED(u64, wanted, (u32)a.lanes);
    SHARED(u64, asked, (u32)a.lanes);
    SHARED(u32, offers, (u32)a.lanes);
    if (is_over(&a)) return;
    if (THREAD >= a.router_threads) {
        u64 host = THREAD - a.router_threads;
        if (host < a.hosts) host_cycle(&a, (u32)host);
    } else if (IS_FIRST_LANE(a.lanes)) {
        u32 at = (u32)(THREAD / (u32)a.lanes);
        router_cycle(&a, at, at < a.routers ? (u32)a.ports : 0, 1, wanted, asked, offers);
    }
}

// One cycle of any network.
KERNEL(simulate_wide_cycle, Cycle) {
    if (is_over(&a)) return;
    if (THREAD >= a.router_threads) {
        u64 host = THREAD - a.router_threads;
        if (host < a.hosts) host_cycle(&a, (u32)host);
    } else if (IS_FIRST_LANE(a.lanes)) {
        u32 at = (u32)(THREAD / (u32)a.lanes);
        u32 ports = at < a.routers ? (u32)a.ports : 0;
        router_cycle(&a, at, ports, (u32)a.words, 0, 0, a.offers + (u64)at * a.ports);
    }
}

// ---- Deadlocks ----

// Whether nothing in this or the next cycles lets a queue go on by itself.
INLINE int is_blocked(const Cycle *a, u32 at, u64 queue) {
    u64 port = at * a->ports + port_of(queue);
    if (stage_of(queue) == ASKING)
        return !(a->states[port * a->port_words + 2 * a->words] & a->masks[class_of(queue)]);
    if (stage_of(queue) != ACTIVE) return 0;
    return !length_of(queue) || !credits_of(a->outs[port * a->vcs + vc_of_queue(queue)]);
}

INLINE int is_open(const Cycle *a, u32 at, u32 index) {
    return !(a->blocked[at * a->words + index / 64] >> (index % 64) & 1);
}

// Whether a queue waits for nothing, or for one that can go on.
INLINE int goes_on(const Cycle *a, u32 at, u32 index) {
    u64 P = a->ports, queue = a->queues[at * P * a->slots + index];
    u32 port = port_of(queue), slots = (u32)a->slots;
    if (stage_of(queue) == ASKING) {
        for (u64 left = a->masks[class_of(queue)]; left; left &= left - 1) {
            u32 owner = owner_of(a->outs[(at * P + port) * a->vcs + lowest(left)]);
            if (owner != NOBODY && is_open(a, at, owner)) return 1;
        }
        return 0;
    }
    if (!length_of(queue)) {
        // The rest of its packet is in the queue behind it, or on the link.
        u64 link = a->links[at * P + index / slots];
        u32 far = far_of(link);
        if (far & TO_HOST) return 1;
        u32 owner = owner_of(a->outs[(far * P + far_port_of(link)) * a->vcs + a->vc_of[index % slots]]);
        return owner == NOBODY || is_open(a, far, owner);
    }
    u64 link = a->links[at * P + port];
    u32 far = far_of(link);
    if (far & TO_HOST) return 1;
    u32 front = far_port_of(link) * slots + a->slot_of[vc_of_queue(queue)];
    return length_of(a->queues[far * P * slots + front]) != a->buffer || is_open(a, far, front);
}

// A round of the search for packets that wait in a dependency cycle: `first` is 0 in the first round, which finds all queues that
// are blocked; in the others those go on that wait for one that does. Queues only become free, so that the end does not
// depend on the order. `now` is the number of the round.
KERNEL(simulate_waits, Cycle) {
    if (THREAD >= a.routers) return;
    u32 at = (u32)THREAD, queues = (u32)(a.ports * a.slots);
    for (u32 w = 0; w < a.words; w++) {
        u64 blocked = 0, *word = a.blocked + at * a.words + w;
        if (!a.first) {
            for (u32 bit = 0; bit < 64 && w * 64 + bit < queues; bit++)
                if (is_blocked(&a, at, a.queues[(u64)at * queues + w * 64 + bit])) blocked |= 1ull << bit;
            if (blocked) a.global[5] = a.now;
            *word = blocked;
            continue;
        }
        blocked = *word;
        for (u64 left = blocked; left; left &= left - 1)
            if (goes_on(&a, at, w * 64 + lowest(left))) blocked &= ~(left & -left);
        if (blocked != *word) a.global[6] = a.now;
        if (blocked) a.global[7] = a.now;
        *word = blocked;
    }
}
