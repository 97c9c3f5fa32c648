// The kernels, in the C that CUDA and a C compiler share: `cargo xtask kernels` makes `kernels.ptx` of this file, and the
// tests compile it for the CPU and run it thread by thread. A kernel gets one struct, whose fields have 8 bytes each, and
// no thread waits for another: what they share is added to or or-ed into, in any order.

#ifdef __CUDACC__
typedef unsigned long long u64;
typedef unsigned int u32;
typedef unsigned short u16;
typedef unsigned char u8;
struct __align__(16) Word { u64 low, high; };
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
INLINE u64 atomic_take(u64 *at) { return atomicAdd(at, 1ull); }
INLINE void atomic_least(u64 *at, u64 value) { atomicMin(at, value); }
INLINE u32 lowest(u64 bits) { return (u32)__ffsll((long long)bits) - 1; }
INLINE u64 high_product(u64 x, u64 y) { return __umul64hi(x, y); }
#else
typedef unsigned long long u64;
typedef unsigned int u32;
typedef unsigned short u16;
typedef unsigned char u8;
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
INLINE void prefetch(const void *at) { (void)at; }
INLINE void atomic_add(u64 *at, u64 value) { *at += value; }
INLINE u64 atomic_or(u64 *at, u64 bits) { u64 before = *at; *at |= bits; return before; }
INLINE u64 atomic_take(u64 *at) { return (*at)++; }
INLINE void atomic_least(u64 *at, u64 value) { if (value < *at) *at = value; }
INLINE u32 lowest(u64 bits) { return (u32)__builtin_ctzll(bits); }
INLINE u64 high_product(u64 x, u64 y) { return (u64)((unsigned __int128)x * y >> 64); }
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
// One cycle of a network: a thread for every router, and behind these one for every host. It makes the decisions of the
// engine of nestnet-sim, which its documentation describes. What goes from one router or host to another is an event, a
// byte in a ring of cycles that only its receiver reads, when it is due: 1 + the virtual channel of a flit or a credit.
// A link carries at most one flit a cycle. Flits are written straight into the queue behind the link, where a credit keeps a
// place for them, so that no thread reads what another one writes in the same cycle.
//
// A flit has three words: target and source; the cycles in which its packet was made and entered, modulo 2^32; and the rest,
// which alone the flits behind the head have: the header for the router, from bit 32 on the links that it took, from bit 48
// on the flits of the packet, and whether it is the head and the tail.
//
// The fastest index of what belongs to a router is the router, of what belongs to a host the host.

#define HEAD (1ull << 62)
#define TAIL (1ull << 63)

// A link to a host, and none.
#define TO_HOST 0x80000000u
#define NO_LINK 0xffffffffu
#define NO_ROUTE 0xffffffffu
#define NO_TARGET 0xffffffffu
#define NEVER 0xffffffffffffffffull

// What a queue does. It chose a virtual channel, and another that did goes first: marks of one cycle.
#define IDLE 0u
#define ROUTING 1u
#define ASKING 2u
#define ACTIVE 3u
#define PENDING (1ull << 62)
#define BEATEN_QUEUE (1ull << 63)

// The queue that has a virtual channel is in 16 bits.
#define NOBODY 0xffffu

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

typedef struct {
    u64 routers, hosts, ports, vcs;
    u64 slots, inputs, group;  // queues and inputs of a port, queues of an input
    u64 buffer;                // flits of a queue
    u64 words;                 // words of a mask of queues
    u64 cut_through, vcs_input_first, switch_input_first;
    u64 crossed, credit, source_credit, host_credit, routed, next_delay;
    u64 flit_ring, credit_ring, wake_ring; // lengths, powers of two
    u64 flit_bytes, credit_bytes;          // of a router in a cycle, multiples of 8
    u64 classes;               // the class of all virtual channels
    u64 form;                  // how routes are found: 0 table, 1 digits, 2 clusters, 3 rings
    u64 fold;                  // virtual channels of the router from this on are folded into the one before
    u64 lines;                 // of digits and rings: how many
    u64 local_routers;         // rows of `locals`: 1 where all routers have the same
    u64 making;                // how packets are made: 0 given, 1 to others, 2 to all, 3 as listed
    u64 digits;                // of the cycles between packets
    u64 sizes;                 // how many sizes packets have
    u64 choices;               // starts of the router
    u64 depth;                 // rows of given packets
    u64 list_room;             // packets that may arrive
    u64 now;
    u64 first, last;           // packets made from the one to before the other are marked
    u64 list_base;             // packets that arrived before
    const u32 *far;            // [port][router]: a router, TO_HOST and a host, or NO_LINK
    const u32 *links;          // [port][router]: the port there, and from bit 16 on the latency
    const u32 *own;            // [router]: the port of its own host
    const u32 *host_at;        // [host]: its router
    const u32 *host_links;     // [host]: its port there, and from bit 16 on the latency
    const u32 *slot_of;        // [vc]: its queue
    const u32 *vc_of;          // [queue of a port]: its virtual channel
    const u64 *masks;          // [class]: its virtual channels
    const u64 *shape;          // [line]: side, stride, and whether it is a ring or where its hops begin; clusters: n, cross, width
    const u32 *hops;           // of a table [header][router], of digits and clusters [from][to], of rings [way][router]
    const u32 *next_headers;   // [header][router], or null
    const u32 *targets;        // [header]
    const u32 *locals;         // [port of a node][router or one for all]
    u8 *flits;                 // [cycle][router][port]: events
    u8 *credits;               // [cycle][router][port][input]: events
    u8 *host_flits;            // [cycle][host]: events
    u8 *host_credits;          // [cycle][input][host]: events
    u64 *wakes;                // [cycle][word][router]: queues whose heads ask
    u64 *wants;                // [port][word][router]: queues that want the switch
    u64 *asks;                 // [port][word][router]: queues that ask for a virtual channel
    u64 *free;                 // [port][router]: virtual channels that nobody has
    u64 *freed;                // [port][router]: and those besides whose tails left
    u32 *grants;               // [port][router]: the round robin over inputs, and from bit 16 on the input of this cycle
    u64 *busy;                 // [word][router]: ports that are wanted
    u64 *listed;               // [word][router]: ports that give away virtual channels
    u32 *accepts;              // [input][router]: round robins over outputs, and from bit 16 on over queues
    u64 *queues;               // [queue][router]: see the functions below
    u32 *turns;                // [queue][router]: a port, and from bit 16 on the virtual channel behind the last it had there
    u64 *outs;                 // [port][vc][router]: credits, from bit 16 on the owner, 32 the round robin, 48 the next place
    u64 *ends, *times, *rests; // [queue][place][router]: flits
    u64 *packets;              // [queue][router]: target and source of its packet, or null where packets have one flit
    u32 *sent;                 // [port][router]: flits
    u64 *ejected_ends, *ejected_times, *ejected_rests; // [cycle][host]: flits on the way to a host
    u64 *taken_ends, *taken_times, *taken_rests;       // [vc][host]: heads whose tails are to come
    u64 *random;               // [host]
    u64 *next;                 // [host]: when the packet is made that is sent next
    u64 *sources;              // [host]: flits left, from bit 16 on flits of the packet, 32 its virtual channel
    u32 *source_outs;          // [vc][host]: credits, and from bit 16 on the next place
    const u32 *fixed;          // [host]: a target
    const u64 *chances;        // [digit]: of 2^64
    const u64 *size_list;      // [size]: flits and up to which of 2^53 draws
    const u64 *given_created, *given_target, *given_flits; // [row][host]
    u32 *taken;                // [host]: packets of these that were taken
    u64 *list_ends, *list_times, *list_rests; // packets that arrived
    u64 *counts;               // [copy][count]
    u64 *blocked;              // [word][router]: queues that nothing lets go on by itself, as far as is known
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

// ---- Masks: the words of one are R apart ----

INLINE u32 first_in_word(u64 bits, u32 start) {
    start &= 63;
    u64 turned = start ? bits >> start | bits << (64 - start) : bits;
    return (lowest(turned) + start) & 63;
}

// The first element at or behind `start`, else the first of all; the set is not empty.
INLINE u32 first_from(const u64 *mask, u64 R, u32 W, u32 start) {
    if (W == 1) return first_in_word(mask[0], start);
    u32 word = start / 64 % W;
    u64 high = mask[word * R] & (~0ull << (start % 64));
    if (high) return word * 64 + lowest(high);
    for (u32 i = 1; i <= W; i++) {
        u32 at = (word + i) % W;
        u64 bits = mask[at * R];
        if (bits) return at * 64 + lowest(bits);
    }
    return 0;
}

INLINE void set_bit(u64 *mask, u64 R, u32 bit) { mask[bit / 64 * R] |= 1ull << (bit % 64); }
INLINE void clear_bit(u64 *mask, u64 R, u32 bit) { mask[bit / 64 * R] &= ~(1ull << (bit % 64)); }

INLINE int is_empty(const u64 *mask, u64 R, u32 W) {
    for (u32 w = 0; w < W; w++)
        if (mask[w * R]) return 0;
    return 1;
}

INLINE int is_single(const u64 *mask, u64 R, u32 W) {
    u32 ones = 0;
    for (u32 w = 0; w < W; w++) ones += (u32)ones_of(mask[w * R]);
    return ones == 1;
}

// So many bits from `start` on, at most 64.
INLINE u64 part_of(const u64 *mask, u64 R, u32 W, u32 start, u32 count) {
    u32 word = start / 64, shift = start % 64;
    u64 low = mask[word * R] >> shift;
    if (shift && word + 1 < W) low |= mask[(word + 1) * R] << (64 - shift);
    return count < 64 ? low & ((1ull << count) - 1) : low;
}

// Grows with how far `at` lies behind `start` in a cycle.
INLINE u32 behind(u32 start, u32 at) { return at - start; }

// ---- A queue: stage 2 bits, first place 14, flits 15, port 13, virtual channel 8, class 8, marks 2 ----

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

INLINE u64 out_at(const Cycle *a, u32 port, u32 vc, u32 at) { return ((u64)port * a->vcs + vc) * a->routers + at; }
INLINE u64 *mask_at(u64 *masks, const Cycle *a, u32 port, u32 at) {
    return masks + (u64)port * a->words * a->routers + at;
}

// A queue with a flit and a credit wants the switch.
INLINE void want(const Cycle *a, u32 at, u32 port, u32 queue) {
    set_bit(mask_at(a->wants, a, port, at), a->routers, queue);
    set_bit(a->busy + at, a->routers, port);
}

INLINE void wake_at(const Cycle *a, u32 at, u64 cycle, u32 queue) {
    u64 slot = cycle & (a->wake_ring - 1);
    set_bit(a->wakes + slot * a->words * a->routers + at, a->routers, queue);
}

INLINE void take_credit(const Cycle *a, u32 at, u32 port, u32 vc) {
    u64 index = out_at(a, port, vc, at), out = a->outs[index] + 1;
    a->outs[index] = out;
    if (credits_of(out) != 1 || owner_of(out) == NOBODY) return;
    u32 queue = owner_of(out);
    if (length_of(a->queues[queue * a->routers + at])) want(a, at, port, queue);
}

INLINE void take_flit(const Cycle *a, u32 at, u32 port, u32 vc) {
    u64 R = a->routers;
    u32 index = port * (u32)a->slots + a->slot_of[vc];
    u64 queue = a->queues[index * R + at] + (1ull << 16);
    if (stage_of(queue) == IDLE) {
        queue = with_stage(queue, ROUTING);
        wake_at(a, at, a->now + a->routed, index);
    } else if (stage_of(queue) == ACTIVE && length_of(queue) == 1) {
        u32 to = port_of(queue);
        if (credits_of(a->outs[out_at(a, to, vc_of_queue(queue), at)])) want(a, at, to, index);
    }
    a->queues[index * R + at] = queue;
}

// ---- Routes ----

// Port of the router and from bit 16 on class, or NO_ROUTE; the header may change.
INLINE u32 hop_from(const Cycle *a, u32 at, u32 to, u32 *header) {
    u64 R = a->routers;
    if (a->form == 0) {
        u64 place = (u64)*header * R + at;
        if (a->next_headers) *header = a->next_headers[place];
        return a->hops[place];
    }
    u32 own = (u32)a->classes << 16;
    if (at == to) return a->own[at] | own;
    u32 hop = NO_ROUTE, port, vc;
    if (a->form == 3) {
        for (u32 i = 0; i < a->lines; i++) {
            u32 side = (u32)a->shape[3 * i], stride = (u32)a->shape[3 * i + 1];
            u32 here = at / stride % side, there = to / stride % side;
            if (here == there) continue;
            u32 state = *header;
            if ((state >> 16 & 255) != i + 1) {
                int up = there > here, upper = 0;
                if (a->shape[3 * i + 2]) {
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
        return NO_ROUTE;
    }
    if (a->form == 1) {
        for (u32 i = 0; i < a->lines && hop == NO_ROUTE; i++) {
            u32 side = (u32)a->shape[3 * i], stride = (u32)a->shape[3 * i + 1];
            u32 here = at / stride % side, there = to / stride % side;
            if (here == there) continue;
            hop = a->hops[a->shape[3 * i + 2] + here * side + there];
            if (hop == NO_ROUTE) return NO_ROUTE;
        }
        if (hop == NO_ROUTE) return NO_ROUTE;
        port = hop & 0xffff;
        vc = hop >> 16;
    } else {
        u32 n = (u32)a->shape[0], width = (u32)a->shape[2];
        u32 u1 = at / n, u2 = at - u1 * n, v1 = to / n, v2 = to - v1 * n;
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
    }
    port = a->locals[port * a->local_routers + (a->local_routers == 1 ? 0 : at)];
    if (port == NO_ROUTE) return NO_ROUTE;
    return port | (vc < a->fold ? vc : (u32)a->fold - 1) << 16;
}

// A head that was routed asks for a virtual channel.
INLINE void ask(const Cycle *a, u32 at, u32 index) {
    u64 R = a->routers;
    u64 queue = a->queues[index * R + at];
    u64 place = ((u64)index * a->buffer + place_of(queue)) * R + at;
    u64 ends = a->ends[place], rest = a->rests[place];
    u32 to = (u32)ends, header = (u32)rest, before = header;
    u32 hop = hop_from(a, at, to, &header);
    if (hop == NO_ROUTE) {
        atomic_least(a->global + 2, (u64)at << 32 | to);
        a->global[1] = a->now + 1;
        return;
    }
    u32 port = hop & 0xffff;
    u32 is_link = !(a->far[port * R + at] & TO_HOST);
    if (is_link && (rest >> 32 & 0xffff) == 0xffff) a->global[4] = 1;
    if (is_link || header != before) {
        a->rests[place] = (rest & ~0xffffffffull) + ((u64)is_link << 32) + header;
        if (a->form == 0 && a->next_headers) {
            ends = (ends & ~0xffffffffull) | a->targets[header];
            a->ends[place] = ends;
        }
    }
    if (a->packets) a->packets[index * R + at] = ends;
    a->queues[index * R + at] = with_stage(with_route(queue, port, hop >> 16), ASKING);
    set_bit(mask_at(a->asks, a, port, at), R, index);
    u64 free = a->free[port * R + at], freed = a->freed[port * R + at];
    if (freed) {
        // Tails of earlier cycles; those of this one are still to win the switch.
        free |= freed;
        a->free[port * R + at] = free;
        a->freed[port * R + at] = 0;
    }
    if (free) set_bit(a->listed + at, R, port);
}

// ---- The switch ----

// The queue that a matched output and input send from.
INLINE u32 matched_queue(const Cycle *a, u32 at, u32 port, u32 input, u32 W) {
    u64 *wants = mask_at(a->wants, a, port, at);
    u32 group = (u32)a->group, turn = a->accepts[input * a->routers + at] >> 16;
    return input * group + first_in_word(part_of(wants, a->routers, W, input * group, group), turn);
}

// An output and an input of the switch are matched: the next queue of the input that wants the output sends a flit.
INLINE void cross(const Cycle *a, u32 at, u32 port, u32 input, u32 W) {
    u64 R = a->routers, now = a->now;
    u32 group = (u32)a->group, slots = (u32)a->slots, first = input * group;
    u64 *wants = mask_at(a->wants, a, port, at);
    a->grants[port * R + at] = first + group;
    u32 index = matched_queue(a, at, port, input, W);
    a->accepts[input * R + at] = (index - first + 1) << 16 | (port + 1);
    u64 queue = a->queues[index * R + at];
    u32 vc = vc_of_queue(queue), place = place_of(queue);
    u64 out_index = out_at(a, port, vc, at), out = a->outs[out_index] - 1;
    a->sent[port * R + at]++;
    u64 from = ((u64)index * a->buffer + place) * R + at;
    u64 rest = a->rests[from];
    // The credit goes back.
    u32 entry = index / slots, far = a->far[entry * R + at], link = a->links[entry * R + at];
    u32 back_vc = a->vc_of[index % slots], sub = index % slots / group;
    if (far & TO_HOST) {
        u64 slot = (now + (link >> 16) + a->source_credit) & (a->credit_ring - 1);
        a->host_credits[(slot * a->inputs + sub) * a->hosts + (far & ~TO_HOST)] = (u8)(back_vc + 1);
    } else {
        u64 slot = (now + (link >> 16) + a->credit) & (a->credit_ring - 1);
        a->credits[(slot * R + far) * a->credit_bytes + (link & 0xffff) * a->inputs + sub] = (u8)(back_vc + 1);
    }
    // The flit goes on.
    far = a->far[port * R + at];
    link = a->links[port * R + at];
    u64 slot = (now + (link >> 16) + a->crossed) & (a->flit_ring - 1);
    if (far & TO_HOST) {
        u64 to = slot * a->hosts + (far & ~TO_HOST);
        if (rest & HEAD) {
            a->ejected_ends[to] = a->ends[from];
            a->ejected_times[to] = a->times[from];
        }
        a->ejected_rests[to] = rest;
        a->host_flits[to] = (u8)(vc + 1);
    } else {
        u32 next = (link & 0xffff) * slots + a->slot_of[vc], next_place = next_place_of(out);
        u64 to = ((u64)next * a->buffer + next_place) * R + far;
        if (rest & HEAD) {
            a->ends[to] = a->ends[from];
            a->times[to] = a->times[from];
        }
        a->rests[to] = rest;
        a->flits[(slot * R + far) * a->flit_bytes + (link & 0xffff)] = (u8)(vc + 1);
        next_place = next_place + 1 == a->buffer ? 0 : next_place + 1;
        out = (out & 0xffffffffffffull) | (u64)next_place << 48;
    }
    place = place + 1 == a->buffer ? 0 : place + 1;
    queue = ((queue & ~(0x3fffull << 2)) | (u64)place << 2) - (1ull << 16);
    int goes_on = length_of(queue) && credits_of(out);
    if (rest & TAIL) {
        goes_on = 0;
        out |= (u64)NOBODY << 16;
        a->freed[port * R + at] |= 1ull << vc;
        if (!is_empty(mask_at(a->asks, a, port, at), R, W)) set_bit(a->listed + at, R, port);
        queue = with_stage(queue, IDLE);
        if (length_of(queue)) {
            queue = with_stage(queue, ROUTING);
            wake_at(a, at, now + a->next_delay, index);
        }
    }
    a->queues[index * R + at] = queue;
    a->outs[out_index] = out;
    if (!goes_on) {
        clear_bit(wants, R, index);
        if (is_empty(wants, R, W)) clear_bit(a->busy + at, R, port);
    }
}

// The inputs of this cycle are in the upper half of the grants, which are fewer than this; one that is beaten has it too.
#define BEATEN 0x8000u

// Outputs choose first; inputs that several of them offer themselves to take the next of them.
INLINE void offer_switch(const Cycle *a, u32 at, u32 W) {
    u64 R = a->routers;
    u64 *busy = a->busy + at;
    for (u32 w = 0; w < W; w++)
        for (u64 left = busy[w * R]; left; left &= left - 1) {
            u32 port = w * 64 + lowest(left), start = a->grants[port * R + at] & 0xffff;
            u32 first = first_from(mask_at(a->wants, a, port, at), R, W, start);
            a->grants[port * R + at] = start | first / (u32)a->group << 16;
        }
    if (is_single(busy, R, W)) return;
    for (u32 w = 0; w < W; w++)
        for (u64 left = busy[w * R]; left; left &= left - 1) {
            u32 port = w * 64 + lowest(left), input = a->grants[port * R + at] >> 16 & ~BEATEN;
            u32 start = a->accepts[input * R + at] & 0xffff;
            int is_beaten = 0;
            for (u32 v = 0; v < W && !is_beaten; v++)
                for (u64 others = busy[v * R]; others; others &= others - 1) {
                    u32 other = v * 64 + lowest(others);
                    if ((a->grants[other * R + at] >> 16 & ~BEATEN) != input) continue;
                    if (behind(start, other) < behind(start, port)) { is_beaten = 1; break; }
                }
            if (is_beaten) a->grants[port * R + at] |= BEATEN << 16;
        }
}

// Of the outputs that an input wants the next by its round robin, or NO_LINK.
INLINE u32 requested_port(const Cycle *a, u32 at, u32 input, u32 W) {
    u64 R = a->routers;
    u32 start = a->accepts[input * R + at] & 0xffff, found = NO_LINK;
    for (u32 w = 0; w < W; w++)
        for (u64 left = a->busy[w * R + at]; left; left &= left - 1) {
            u32 port = w * 64 + lowest(left);
            u64 *wants = mask_at(a->wants, a, port, at);
            if (!part_of(wants, R, W, input * (u32)a->group, (u32)a->group)) continue;
            if (found == NO_LINK || behind(start, port) < behind(start, found)) found = port;
        }
    return found;
}

// Inputs choose first, and outputs take the next of those that ask for them.
INLINE void request_switch(const Cycle *a, u32 at, u32 W) {
    u64 R = a->routers;
    u64 *busy = a->busy + at;
    u32 inputs = (u32)(a->ports * a->inputs), group = (u32)a->group;
    for (u32 w = 0; w < W; w++)
        for (u64 left = busy[w * R]; left; left &= left - 1) {
            u32 port = w * 64 + lowest(left), start = a->grants[port * R + at] & 0xffff, found = BEATEN;
            u64 *wants = mask_at(a->wants, a, port, at);
            for (u32 input = 0; input < inputs; input++) {
                if (!part_of(wants, R, W, input * group, group)) continue;
                if (requested_port(a, at, input, W) != port) continue;
                if (found == BEATEN || behind(start, input * group) < behind(start, found * group)) found = input;
            }
            a->grants[port * R + at] = start | found << 16;
        }
}

// ---- Virtual channels ----

// The free virtual channels that a queue may have.
INLINE u64 askable(const Cycle *a, u32 at, u32 port, u32 index, u64 free) {
    u64 R = a->routers, queue = a->queues[index * R + at];
    u64 vcs = free & a->masks[class_of(queue)];
    if (!a->cut_through) return vcs;
    u64 place = ((u64)index * a->buffer + place_of(queue)) * R + at;
    u32 size = (u32)(a->rests[place] >> 48) & 0x3fff;
    u64 fits = 0;
    for (u64 left = vcs; left; left &= left - 1) {
        u32 vc = lowest(left);
        if (credits_of(a->outs[out_at(a, port, vc, at)]) >= size) fits |= 1ull << vc;
    }
    return fits;
}

// The next of some virtual channels for a queue.
INLINE u32 next_vc(const Cycle *a, u32 at, u32 port, u32 index, u64 vcs) {
    u32 turn = a->turns[index * a->routers + at];
    return first_in_word(vcs, (turn & 0xffff) == port ? turn >> 16 : 0);
}

// A queue gets a virtual channel, and wants the switch from the next cycle on if there is a credit.
INLINE void give(const Cycle *a, u32 at, u32 port, u32 index, u32 vc) {
    u64 R = a->routers;
    u64 queue = a->queues[index * R + at] & ~(PENDING | BEATEN_QUEUE);
    a->queues[index * R + at] = with_stage(with_vc(queue, vc), ACTIVE);
    a->turns[index * R + at] = port | (vc + 1) << 16;
    u64 out_index = out_at(a, port, vc, at), out = a->outs[out_index];
    a->outs[out_index] = (out & ~0xffffffff0000ull) | (u64)index << 16 | (u64)(index + 1) << 32;
    a->free[port * R + at] &= ~(1ull << vc);
    clear_bit(mask_at(a->asks, a, port, at), R, index);
    if (credits_of(out)) {
        want(a, at, port, index);
        a->global[0] = a->now;
    }
}

// The queue to which a virtual channel offers itself, or NO_LINK.
INLINE u32 offered_queue(const Cycle *a, u32 at, u32 port, u32 vc, u64 free, u32 W) {
    u64 R = a->routers;
    u64 *asks = mask_at(a->asks, a, port, at);
    u32 start = grant_of(a->outs[out_at(a, port, vc, at)]);
    u32 first = first_from(asks, R, W, start), index = first;
    do {
        if (askable(a, at, port, index, free) >> vc & 1) return index;
        index = first_from(asks, R, W, index + 1);
    } while (index != first);
    return NO_LINK;
}

// Whether a queue that chose a virtual channel is beaten by another that did.
INLINE int is_beaten(const Cycle *a, u32 at, u32 port, u32 index, u32 vc, u32 W) {
    u64 R = a->routers;
    u64 *asks = mask_at(a->asks, a, port, at);
    u32 start = grant_of(a->outs[out_at(a, port, vc, at)]);
    for (u32 w = 0; w < W; w++)
        for (u64 left = asks[w * R]; left; left &= left - 1) {
            u32 other = w * 64 + lowest(left);
            u64 queue = a->queues[other * R + at];
            if (!(queue & PENDING) || vc_of_queue(queue) != vc) continue;
            if (behind(start, other) < behind(start, index)) return 1;
        }
    return 0;
}

// One cycle of a port that gives away virtual channels.
INLINE void allocate_port(const Cycle *a, u32 at, u32 port, u32 W) {
    u64 R = a->routers;
    u64 *asks = mask_at(a->asks, a, port, at);
    u64 free = a->free[port * R + at];
    int is_alone = is_single(asks, R, W);
    for (u32 w = 0; w < W; w++)
        for (u64 left = asks[w * R]; left; left &= left - 1) {
            u32 index = w * 64 + lowest(left);
            u64 vcs = askable(a, at, port, index, free);
            if (!a->vcs_input_first && !is_alone)
                for (u64 offers = vcs; offers; offers &= offers - 1) {
                    u32 vc = lowest(offers);
                    if (offered_queue(a, at, port, vc, free, W) != index) vcs &= ~(1ull << vc);
                }
            if (!vcs) continue;
            u64 queue = a->queues[index * R + at];
            a->queues[index * R + at] = with_vc(queue, next_vc(a, at, port, index, vcs)) | PENDING;
        }
    if (a->vcs_input_first && !is_alone)
        for (u32 w = 0; w < W; w++)
            for (u64 left = asks[w * R]; left; left &= left - 1) {
                u32 index = w * 64 + lowest(left);
                u64 queue = a->queues[index * R + at];
                if (queue & PENDING && is_beaten(a, at, port, index, vc_of_queue(queue), W))
                    a->queues[index * R + at] = queue | BEATEN_QUEUE;
            }
    for (u32 w = 0; w < W; w++)
        for (u64 left = asks[w * R]; left; left &= left - 1) {
            u32 index = w * 64 + lowest(left);
            u64 queue = a->queues[index * R + at];
            if (!(queue & PENDING)) continue;
            if (queue & BEATEN_QUEUE) a->queues[index * R + at] = queue & ~(PENDING | BEATEN_QUEUE);
            else give(a, at, port, index, vc_of_queue(queue));
        }
    // What the switch freed in this cycle is given away in the next.
    free = a->free[port * R + at] | a->freed[port * R + at];
    a->free[port * R + at] = free;
    a->freed[port * R + at] = 0;
    if (!free || is_empty(asks, R, W)) clear_bit(a->listed + at, R, port);
}

// ---- What a cycle is going to load, begun at once: a thread waits for memory most of its time ----

// Virtual channels of the credits that are received.
INLINE void prefetch_credits(const Cycle *a, u32 at, u64 events, u32 first) {
    for (; events; events &= ~(255ull << lowest(events) / 8 * 8)) {
        u32 byte = lowest(events) / 8, vc = (u32)(events >> 8 * byte & 255) - 1;
        prefetch(a->outs + out_at(a, (first + byte) / (u32)a->inputs, vc, at));
    }
}

// Queues of the flits that are received.
INLINE void prefetch_flits(const Cycle *a, u32 at, u64 events, u32 first) {
    for (; events; events &= ~(255ull << lowest(events) / 8 * 8)) {
        u32 byte = lowest(events) / 8, vc = (u32)(events >> 8 * byte & 255) - 1;
        prefetch(a->queues + ((first + byte) * (u32)a->slots + a->slot_of[vc]) * a->routers + at);
    }
}

INLINE void prefetch_queues(const Cycle *a, u32 at, u64 queues, u32 first) {
    for (; queues; queues &= queues - 1) prefetch(a->queues + (first + lowest(queues)) * a->routers + at);
}

// The flits of heads that are to be routed.
INLINE void prefetch_heads(const Cycle *a, u32 at, u64 queues, u32 first) {
    u64 R = a->routers;
    for (; queues; queues &= queues - 1) {
        u32 index = first + lowest(queues);
        u64 place = ((u64)index * a->buffer + place_of(a->queues[index * R + at])) * R + at;
        prefetch(a->ends + place);
        prefetch(a->rests + place);
    }
}

// The flits that are going to cross the switch.
INLINE void prefetch_crossing(const Cycle *a, u32 at, u32 W) {
    u64 R = a->routers;
    for (u32 w = 0; w < W; w++)
        for (u64 left = a->busy[w * R + at]; left; left &= left - 1) {
            u32 port = w * 64 + lowest(left), grant = a->grants[port * R + at];
            if (grant >> 16 & BEATEN) continue;
            prefetch(a->queues + matched_queue(a, at, port, grant >> 16, W) * R + at);
        }
    for (u32 w = 0; w < W; w++)
        for (u64 left = a->busy[w * R + at]; left; left &= left - 1) {
            u32 port = w * 64 + lowest(left), grant = a->grants[port * R + at];
            if (grant >> 16 & BEATEN) continue;
            u32 index = matched_queue(a, at, port, grant >> 16, W);
            u64 queue = a->queues[index * R + at];
            u64 place = ((u64)index * a->buffer + place_of(queue)) * R + at;
            prefetch(a->rests + place);
            prefetch(a->ends + place);
            prefetch(a->times + place);
            prefetch(a->outs + out_at(a, port, vc_of_queue(queue), at));
        }
}

// Queues that ask for virtual channels, and these.
INLINE void prefetch_asking(const Cycle *a, u32 at, u32 W) {
    u64 R = a->routers;
    if (W > 1) return;
    for (u64 left = a->listed[at]; left; left &= left - 1) {
        u32 port = lowest(left);
        for (u64 asks = a->asks[port * R + at]; asks; asks &= asks - 1) {
            prefetch(a->queues + lowest(asks) * R + at);
            prefetch(a->turns + lowest(asks) * R + at);
        }
        for (u64 free = a->free[port * R + at]; free; free &= free - 1)
            prefetch(a->outs + out_at(a, port, lowest(free), at));
    }
}

// ---- One cycle of a router ----

INLINE void router_cycle(const Cycle *a, u32 at, u32 W) {
    u64 R = a->routers, now = a->now;
    u64 *credits = (u64 *)(a->credits + ((now & (a->credit_ring - 1)) * R + at) * a->credit_bytes);
    u64 *flits = (u64 *)(a->flits + ((now & (a->flit_ring - 1)) * R + at) * a->flit_bytes);
    u64 first_credits = credits[0], first_flits = flits[0];
    u64 first_wakes = a->wakes[(now & (a->wake_ring - 1)) * W * R + at];
    u64 first_busy = a->busy[at], first_listed = a->listed[at];
    if (first_credits | first_flits | first_wakes | first_busy | first_listed) {
        prefetch_credits(a, at, first_credits, 0);
        prefetch_flits(a, at, first_flits, 0);
        prefetch_queues(a, at, first_wakes, 0);
        prefetch_heads(a, at, first_wakes, 0);
    }
    for (u32 w = 0; w < a->credit_bytes / 8; w++) {
        u64 events = credits[w];
        if (!events) continue;
        credits[w] = 0;
        while (events) {
            u32 byte = lowest(events) / 8;
            u32 vc = (u32)(events >> 8 * byte & 255) - 1;
            events &= ~(255ull << 8 * byte);
            take_credit(a, at, (w * 8 + byte) / (u32)a->inputs, vc);
        }
    }
    for (u32 w = 0; w < a->flit_bytes / 8; w++) {
        u64 events = flits[w];
        if (!events) continue;
        flits[w] = 0;
        while (events) {
            u32 byte = lowest(events) / 8;
            u32 vc = (u32)(events >> 8 * byte & 255) - 1;
            events &= ~(255ull << 8 * byte);
            take_flit(a, at, w * 8 + byte, vc);
        }
    }
    for (u32 w = 0; w < W; w++) {
        u64 *wakes = a->wakes + ((now & (a->wake_ring - 1)) * W + w) * R + at;
        u64 left = *wakes;
        if (!left) continue;
        *wakes = 0;
        for (; left; left &= left - 1) ask(a, at, w * 64 + lowest(left));
    }
    u64 *busy = a->busy + at, *listed = a->listed + at;
    if (!is_empty(busy, R, W)) {
        a->global[0] = now;
        if (a->switch_input_first) request_switch(a, at, W);
        else offer_switch(a, at, W);
        prefetch_crossing(a, at, W);
        // Pointers move only when all have been read.
        for (u32 w = 0; w < W; w++)
            for (u64 left = busy[w * R]; left; left &= left - 1) {
                u32 port = w * 64 + lowest(left), grant = a->grants[port * R + at];
                if (grant >> 16 & BEATEN) a->grants[port * R + at] = grant & 0xffff;
                else cross(a, at, port, grant >> 16, W);
            }
    }
    prefetch_asking(a, at, W);
    // Behind the switch: so queues that get a virtual channel now want the switch in the next cycle.
    for (u32 w = 0; w < W; w++)
        for (u64 left = listed[w * R]; left; left &= left - 1) allocate_port(a, at, w * 64 + lowest(left), W);
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
    u64 H = a->hosts, R = a->routers, now = a->now;
    u64 slot = now & (a->credit_ring - 1);
    for (u32 i = 0; i < a->inputs; i++) {
        u8 *event = a->host_credits + (slot * a->inputs + i) * H + host;
        if (!*event) continue;
        a->source_outs[(*event - 1) * H + host]++;
        *event = 0;
    }
    u64 arrival = (now & (a->flit_ring - 1)) * H + host;
    if (a->host_flits[arrival]) {
        u32 vc = a->host_flits[arrival] - 1u;
        a->host_flits[arrival] = 0;
        u32 router = a->host_at[host], link = a->host_links[host], port = link & 0xffff, latency = link >> 16;
        u64 due = (now + latency + a->host_credit) & (a->credit_ring - 1);
        a->credits[(due * R + router) * a->credit_bytes + port * a->inputs] = (u8)(vc + 1);
        count(a, host, EJECTED, 1);
        u64 rest = a->ejected_rests[arrival];
        u64 ends = a->ejected_ends[arrival], times = a->ejected_times[arrival];
        if (!(rest & HEAD)) {
            ends = a->taken_ends[vc * H + host];
            times = a->taken_times[vc * H + host];
        }
        if (rest & TAIL) {
            if (!(rest & HEAD)) rest = a->taken_rests[vc * H + host];
            count(a, host, ARRIVED, 1);
            count(a, host, TIMES, 0 - now);
            // Packets made before the window are not measured.
            u64 created = now - (u32)((u32)now - (u32)times);
            u64 place = created < a->first ? a->list_room : atomic_take(a->global + 3) - a->list_base;
            if (place < a->list_room) {
                if (a->list_ends) a->list_ends[place] = ends;
                a->list_times[place] = times;
                a->list_rests[place] = (rest & 0x3fffffff00000000ull) | (now & 0xffffffffull);
            }
        } else if (rest & HEAD) {
            a->taken_ends[vc * H + host] = ends;
            a->taken_times[vc * H + host] = times;
            a->taken_rests[vc * H + host] = rest;
        }
    }
    u64 created = a->making ? a->next[host] : a->given_created[a->taken[host] % a->depth * H + host];
    if (created > now) return;
    u64 source = a->sources[host];
    u32 left = (u32)source & 0xffff, size = (u32)(source >> 16) & 0xffff, vc = (u32)(source >> 32) & 255;
    u64 random = a->random[host], ends = 0, rest = 0;
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
        ends = (u64)host << 32 | to;
        rest = HEAD | (u64)size << 48 | header;
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
    if (!left) rest |= TAIL;
    u32 place = out >> 16;
    u32 router = a->host_at[host], link = a->host_links[host], port = link & 0xffff, latency = link >> 16;
    u64 to = (((u64)port * a->slots + a->slot_of[vc]) * a->buffer + place) * R + router;
    if (is_head) {
        a->ends[to] = ends;
        a->times[to] = (created & 0xffffffffull) | now << 32;
    }
    a->rests[to] = rest;
    u64 due = (now + 1 + latency) & (a->flit_ring - 1);
    a->flits[(due * R + router) * a->flit_bytes + port] = (u8)(vc + 1);
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

KERNEL(simulate_cycle, Cycle) {
    // Where a packet could not go on, all stands still from the next cycle on.
    if (a.global[1] && a.global[1] <= a.now) return;
    if (THREAD < a.routers) {
        router_cycle(&a, (u32)THREAD, (u32)a.words);
    } else if (THREAD - a.routers < a.hosts) {
        host_cycle(&a, (u32)(THREAD - a.routers));
    }
}

// ---- Deadlocks ----

// Whether nothing in this or the next cycles lets a queue go on by itself.
INLINE int is_blocked(const Cycle *a, u32 at, u64 queue) {
    u64 R = a->routers;
    u32 port = port_of(queue);
    if (stage_of(queue) == ASKING)
        return !((a->free[port * R + at] | a->freed[port * R + at]) & a->masks[class_of(queue)]);
    if (stage_of(queue) != ACTIVE) return 0;
    return !length_of(queue) || !credits_of(a->outs[out_at(a, port, vc_of_queue(queue), at)]);
}

INLINE int is_open(const Cycle *a, u32 at, u32 index) {
    return !(a->blocked[index / 64 * a->routers + at] >> (index % 64) & 1);
}

// Whether a queue waits for nothing, or for one that can go on.
INLINE int goes_on(const Cycle *a, u32 at, u32 index) {
    u64 R = a->routers, queue = a->queues[index * R + at];
    u32 port = port_of(queue), slots = (u32)a->slots;
    if (stage_of(queue) == ASKING) {
        for (u64 left = a->masks[class_of(queue)]; left; left &= left - 1) {
            u32 owner = owner_of(a->outs[out_at(a, port, lowest(left), at)]);
            if (owner != NOBODY && is_open(a, at, owner)) return 1;
        }
        return 0;
    }
    if (!length_of(queue)) {
        // The rest of its packet is in the queue behind it, or on the link.
        u32 entry = index / slots, far = a->far[entry * R + at];
        if (far & TO_HOST) return 1;
        u32 back = a->links[entry * R + at] & 0xffff;
        u32 owner = owner_of(a->outs[out_at(a, back, a->vc_of[index % slots], far)]);
        return owner == NOBODY || is_open(a, far, owner);
    }
    u32 far = a->far[port * R + at];
    if (far & TO_HOST) return 1;
    u32 front = (a->links[port * R + at] & 0xffff) * slots + a->slot_of[vc_of_queue(queue)];
    return length_of(a->queues[front * R + far]) != a->buffer || is_open(a, far, front);
}

// A round of the search for packets that wait in a dependency cycle: `first` is 0 in the first round, which finds all queues that
// are blocked; in the others those go on that wait for one that does. Queues only become free, so that the end does not
// depend on the order. `now` is the number of the round.
KERNEL(simulate_waits, Cycle) {
    if (THREAD >= a.routers) return;
    u64 R = a.routers;
    u32 at = (u32)THREAD, queues = (u32)(a.ports * a.slots);
    for (u32 w = 0; w < a.words; w++) {
        u64 blocked = 0, *word = a.blocked + w * R + at;
        if (!a.first) {
            for (u32 bit = 0; bit < 64 && w * 64 + bit < queues; bit++)
                if (is_blocked(&a, at, a.queues[(w * 64 + bit) * R + at])) blocked |= 1ull << bit;
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
