// Paged attention on a CPU: queries and K/V rows meet in cache, nothing is gathered first.
//
// The work is cut into units: one request, one KV head or two, some of the request's new tokens. A unit's rows are, for
// each of its KV heads, its tokens times the query heads that share the KV head, so that each key and value is loaded
// once for all of them. Two heads that are walked together lie side by side, and memory gives twice as much in one go.
// A unit walks the context in tiles of positions with an online softmax (tile.h): a running maximum and sum per row,
// and what was summed so far is scaled down when the maximum grows. Threads take units off a counter. One long context
// is not divided among threads. They are those of torch's own pool where we are given it: its threads spin for a while
// after each call of torch's, and would keep others off the processors.
//
// float32 rows are used where they lie; bfloat16, float16 and head dims that fill no vector are widened into a tile
// first (vectors.h). All sums are float32. Only elements that a request owns are read. Offsets are 64-bit.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#include "tile.h"

// The fields and their order are those of CALL in native.py.
struct Call {
    const float *q;             // [N, num_heads, head_dim]
    float *out;                 // likewise
    const void *k, *v;          // [num_blocks, block_size, num_kv_heads, head_dim], head_dim side by side
    const void *tables;         // [num_requests, table_width], anything past a context
    const int64_t *seq_lens;    // [num_requests]
    const int64_t *starts;      // [num_requests + 1]
    int64_t num_requests, table_width, table_stride[2];
    int64_t num_heads, num_blocks, block_size, num_kv_heads, head_dim;
    int64_t k_stride[3], v_stride[3];  // of block, slot and head, in elements
    int64_t table_bytes;               // of an entry, 4 or 8
    int64_t storage;                   // 0 float32, 1 bfloat16, 2 float16
    int64_t threads;
    double scale;
    void (*team)(void (*)(void *), void *, unsigned, unsigned);  // GOMP_parallel of torch's thread pool, or null
};

namespace {

constexpr int64_t ROWS = 32;                // rows of a unit for each KV head, or one token's heads if these are more
constexpr int64_t KV_HEADS = 2;             // of a unit, at most
constexpr int64_t UNITS_PER_THREAD = 4;     // at least, before KV heads share one
constexpr double WORTH_A_THREAD = 1 << 20;  // multiply-adds; starting a thread takes tens of microseconds

enum Status { DONE, NO_MEMORY, WRONG_TABLE };

struct Unit {
    int64_t request, kv_head, kv_heads, first_token, tokens;  // tokens within the request's new ones
    const int64_t *table;
};

// The blocks of each request's context, one request after the other; false if one is no block of the cache.
template <class Entry>
bool used_blocks(const Call &call, std::vector<int64_t> &blocks) {
    const Entry *tables = static_cast<const Entry *>(call.tables);
    for (int64_t i = 0; i < call.num_requests; ++i) {
        const int64_t needed = (call.seq_lens[i] + call.block_size - 1) / call.block_size;
        if (needed > call.table_width) return false;
        for (int64_t j = 0; j < needed; ++j) {
            const int64_t block = tables[i * call.table_stride[0] + j * call.table_stride[1]];
            if (block < 0 || block >= call.num_blocks) return false;
            blocks.push_back(block);
        }
    }
    return true;
}

template <class Storage>
void attend(const Call &call, const Unit &unit, Scratch &s) {
    typedef typename Storage::Stored Stored;
    const int64_t group = call.num_heads / call.num_kv_heads, head_rows = unit.tokens * group, dim = s.dim;
    const int64_t start = call.starts[unit.request], num_new = call.starts[unit.request + 1] - start;
    const int64_t first_position = call.seq_lens[unit.request] - num_new + unit.first_token;
    const int64_t walk_end = first_position + unit.tokens;
    const auto each_row = [&](auto &&visit) {  // with its number here, its token, and its offset in q and out
        for (int64_t head = 0; head < unit.kv_heads; ++head)
            for (int64_t r = 0; r < head_rows; ++r) {
                const int64_t token = r / group, of_q = (unit.kv_head + head) * group + r % group;
                const int64_t row = (start + unit.first_token + token) * call.num_heads + of_q;
                visit(head * packed(head_rows) + r, token, row * call.head_dim);
            }
    };
    each_row([&](int64_t r, int64_t, int64_t at) { std::copy_n(call.q + at, call.head_dim, s.q.data() + r * dim); });
    const int64_t rows = unit.kv_heads * packed(head_rows);
    std::fill_n(s.summed.data(), rows * dim, 0.0f);
    std::fill_n(s.total.data(), rows * SIDE, 0.0f);
    std::fill_n(s.highest.data(), rows * SIDE, -INF);

    const Stored *k = static_cast<const Stored *>(call.k) + unit.kv_head * call.k_stride[2];
    const Stored *v = static_cast<const Stored *>(call.v) + unit.kv_head * call.v_stride[2];
    const float scale = float(call.scale);
    s.row_bytes = call.head_dim * sizeof(Stored);
    int64_t logical = 0, slot = 0;  // of the next position
    const auto locate = [&](int64_t first) {  // where the first head's rows of the tile lie that begins there
        const int64_t count = std::min<int64_t>(TILE, walk_end - first);
        for (int64_t i = 0, run; i < count; i += run) {
            const int64_t block = unit.table[logical];
            run = std::min(call.block_size - slot, count - i);
            const Stored *k_at = k + block * call.k_stride[0] + slot * call.k_stride[1];
            const Stored *v_at = v + block * call.v_stride[0] + slot * call.v_stride[1];
            for (int64_t j = 0; j < run; ++j) {
                s.k.next()[i + j] = reinterpret_cast<const char *>(k_at + j * call.k_stride[1]);
                s.v.next()[i + j] = reinterpret_cast<const char *>(v_at + j * call.v_stride[1]);
            }
            if ((slot += run) == call.block_size) slot = 0, ++logical;
        }
    };
    locate(0);
    for (int64_t first = 0; first < walk_end; first += TILE) {
        const int count = int(std::min<int64_t>(TILE, walk_end - first));
        s.k.turn(), s.v.turn();
        locate(first + TILE);
        each_row([&](int64_t r, int64_t token, int64_t) {
            s.visible[r] = int(std::min<int64_t>(count, first_position + token + 1 - first));
        });
        for (int64_t head = 0; head < unit.kv_heads; ++head) {
            s.k.head = head * call.k_stride[2] * sizeof(Stored), s.v.head = head * call.v_stride[2] * sizeof(Stored);
            place<Storage>(s.k, count, call.head_dim, dim);
            place<Storage>(s.v, count, call.head_dim, dim);
            const int64_t begin = head * packed(head_rows), end = begin + head_rows;
            for (int64_t row = begin; row < end; row += SIDE) {
                const bool fetch = row == begin && used_as_stored<Storage>(call.head_dim, dim);
                switch (std::min<int64_t>(SIDE, end - row)) {
                    case 4: step<4>(s, row, count, scale, fetch); break;
                    case 3: step<3>(s, row, count, scale, fetch); break;
                    case 2: step<2>(s, row, count, scale, fetch); break;
                    case 1: step<1>(s, row, count, scale, fetch); break;
                }
            }
        }
    }
    each_row([&](int64_t r, int64_t, int64_t at) {
        float total = 0;
        for (int i = 0; i < SIDE; ++i) total += s.total[r * SIDE + i];
        for (int64_t d = 0; d < call.head_dim; ++d) call.out[at + d] = s.summed[r * dim + d] / total;
    });
}

std::vector<Unit> cut(const Call &call, const int64_t *table) {
    const int64_t group = call.num_heads / call.num_kv_heads, most = std::max<int64_t>(1, ROWS / group);
    std::vector<Unit> units;
    int64_t parts = 0;  // units of one KV head each
    for (int64_t i = 0; i < call.num_requests; ++i)
        parts += (call.starts[i + 1] - call.starts[i] + most - 1) / most * call.num_kv_heads;
    const int64_t together = std::clamp<int64_t>(parts / (UNITS_PER_THREAD * call.threads), 1, KV_HEADS);
    for (int64_t i = 0; i < call.num_requests; ++i) {
        const int64_t num_new = call.starts[i + 1] - call.starts[i];
        for (int64_t token = 0; token < num_new; token += most)
            for (int64_t head = 0; head < call.num_kv_heads; head += together) {
                const int64_t heads = std::min(together, call.num_kv_heads - head);
                units.push_back({i, head, heads, token, std::min(most, num_new - token), table});
            }
        table += (call.seq_lens[i] + call.block_size - 1) / call.block_size;
    }
    return units;
}

int64_t threads_for(const Call &call, const std::vector<Unit> &units) {
    double work = 0;  // each query row meets at most its whole context, in K and in V
    for (int64_t i = 0; i < call.num_requests; ++i)
        work += 2.0 * (call.starts[i + 1] - call.starts[i]) * call.seq_lens[i] * call.num_heads * call.head_dim;
    const int64_t worth = 1 + int64_t(work / WORTH_A_THREAD);
    return std::max<int64_t>(1, std::min({call.threads, int64_t(units.size()), worth}));
}

template <class Storage>
Status attend_all(const Call &call) {
    std::vector<int64_t> blocks;
    if (!(call.table_bytes == 4 ? used_blocks<int32_t>(call, blocks) : used_blocks<int64_t>(call, blocks)))
        return WRONG_TABLE;
    const std::vector<Unit> units = cut(call, blocks.data());
    const int64_t group = call.num_heads / call.num_kv_heads;
    // All memory is taken before a thread starts: nothing can fail after that.
    std::vector<Scratch> scratch(
        threads_for(call, units), Scratch(call.head_dim, KV_HEADS * packed(std::max(ROWS, group))));
    std::atomic<int64_t> left{int64_t(units.size())};  // later tiles of a prompt see more, and are taken first
    std::atomic<size_t> member{0};
    auto work = [&] {
        Scratch &mine = scratch[member++];
        for (int64_t i; (i = --left) >= 0;) attend<Storage>(call, units[i], mine);
    };
    if (call.team && scratch.size() > 1) {
        call.team([](void *job) { (*static_cast<decltype(work) *>(job))(); }, &work, unsigned(scratch.size()), 0);
        return DONE;
    }
    std::vector<std::thread> others;
    others.reserve(scratch.size());
    try {
        for (size_t i = 1; i < scratch.size(); ++i) others.emplace_back(work);
    } catch (const std::system_error &) {
        // The system gives no more threads; those that started and this one do the work.
    }
    work();
    for (std::thread &other : others) other.join();
    return DONE;
}

}  // namespace

// A Status. Nothing was read of K and V and nothing written unless it is DONE.
extern "C" int paged_attention(const Call *call) {
    try {
        switch (call->storage) {
            case 1: return attend_all<Bfloat16>(*call);
            case 2: return attend_all<Float16>(*call);
            default: return attend_all<Float32>(*call);
        }
    } catch (const std::bad_alloc &) {
        return NO_MEMORY;
    }
}
