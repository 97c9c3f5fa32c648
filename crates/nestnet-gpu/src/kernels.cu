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
