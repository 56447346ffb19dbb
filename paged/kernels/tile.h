// One step of the walk: some rows of queries meet one tile of K and V.
//
// Scores, the online softmax, the weighted sum of V. Up to four rows go together, so that what is once loaded of K and
// V serves four; their sums stay in registers, and their softmax is one, in packs of four rows of four positions.

#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "vectors.h"

namespace {

constexpr int TILE = 64;   // positions per step of the walk, a multiple of SIDE
constexpr int AHEAD = 8;   // positions from a row in use to the one that is fetched to the processor meanwhile
constexpr float INF = std::numeric_limits<float>::infinity();

// The rows of one tile, as one head after another needs them, each padded to whole vectors: `at` points to them.
// `stored` holds where the first head's rows lie in the cache, of this tile and of the next, which is fetched
// meanwhile: blocks lie where no hardware guesses. `head`: bytes from there to the head at hand.
struct Tile {
    std::vector<float> widened;
    const float *at[TILE] = {};
    const char *stored[2][TILE] = {};
    int current = 0;
    int64_t head = 0;

    const char **now() { return stored[current]; }
    const char **next() { return stored[1 - current]; }
    void turn() { current = 1 - current; }

    // While row i is used: the row soon to follow goes to the first cache, and a line in four of the row one tile on
    // to the second, from where the processor goes on by itself.
    // Always inline: a compiler that looks at this function alone finds no effect, and leaves its calls out.
    __attribute__((always_inline)) void fetch(int i, int64_t bytes) {
        const char *soon = i + AHEAD < TILE ? now()[i + AHEAD] : next()[i + AHEAD - TILE], *later = next()[i];
        for (int64_t b = 0; b < bytes; b += 64) __builtin_prefetch(soon + head + b);
        for (int64_t b = 0; b < bytes; b += 256) __builtin_prefetch(later + head + b, 0, 2);
    }
};

inline int64_t packed(int64_t rows) { return (rows + SIDE - 1) / SIDE * SIDE; }  // with those that fill the last pack

struct Scratch {
    Tile k, v;
    std::vector<float> q, summed;       // [rows, padded head dim]
    std::vector<float> highest, total;  // [rows / SIDE] packs: a row's highest score, four times; sums of its weights
    std::vector<int> visible;           // [rows], how many positions of the tile a row sees
    float weights[TILE * SIDE];         // [TILE / SIDE] packs, of the rows at hand; scores at first
    int64_t dim;                        // head_dim, padded to whole vectors
    int64_t row_bytes;                  // of a stored row

    Scratch(int64_t head_dim, int64_t rows) : dim((head_dim + LANES - 1) / LANES * LANES) {
        k.widened.resize(TILE * dim);  // zeros: padding stays zero
        v.widened.resize(TILE * dim);
        q.resize(rows * dim);
        summed.resize(rows * dim);
        highest.resize(rows * SIDE);
        total.resize(rows * SIDE);
        visible.resize(rows);
    }
};

// Rows that are used where they lie are fetched as they are used; those that are widened, here.
template <class Storage>
constexpr bool used_as_stored(int64_t head_dim, int64_t dim) {
    return sizeof(typename Storage::Stored) == sizeof(float) && head_dim == dim;
}

template <class Storage>
void place(Tile &tile, int count, int64_t head_dim, int64_t dim) {
    typedef typename Storage::Stored Stored;
    const char *const *now = tile.now();
    if (used_as_stored<Storage>(head_dim, dim)) {
        for (int i = 0; i < count; ++i) tile.at[i] = reinterpret_cast<const float *>(now[i] + tile.head);
        return;
    }
    for (int i = 0; i < count; ++i) {
        const Stored *row = reinterpret_cast<const Stored *>(now[i] + tile.head);
        float *to = tile.widened.data() + i * dim;
        tile.fetch(i, head_dim * sizeof(Stored));
        for (int64_t d = 0; d < head_dim; ++d) to[d] = Storage::widen(row[d]);
        tile.at[i] = to;
    }
}

inline float &weight(Scratch &s, int r, int i) { return s.weights[i / SIDE * PACKED + r * SIDE + i % SIDE]; }

// weights[r][i] = q[r] . k[i] * scale for R rows, and 0 in the rest of a pack
template <int R>
void score(Scratch &s, int64_t row, int count, float scale, bool fetch) {
    const float *q = s.q.data() + row * s.dim;
    for (int i = 0; i < count; i += SIDE) {
        const float *k[SIDE];
        for (int p = 0; p < SIDE; ++p) {
            const int position = std::min(i + p, count - 1);
            k[p] = s.k.at[position];
            if (fetch) s.k.fetch(position, s.row_bytes);
        }
        Vec dots[SIDE][SIDE] = {}, scores[PARTS];
        for (int64_t d = 0; d < s.dim; d += LANES)
            for (int r = 0; r < R; ++r) {
                const Vec query = load(q + r * s.dim + d);
                for (int p = 0; p < SIDE; ++p) dots[r][p] += query * load(k[p] + d);
            }
        sums(dots, scores);
        for (int part = 0; part < PARTS; ++part) store(s.weights + i * SIDE + part * LANES, scores[part] * scale);
    }
}

// Scores of R rows become weights: a row's first `visible` positions count, the others weigh 0.
template <int R>
void soften(Scratch &s, int64_t row, int count) {
    const int end = (count + SIDE - 1) / SIDE * PACKED;
    for (int r = 0; r < R; ++r)
        for (int i = std::max(0, s.visible[row + r]); i < end / SIDE; ++i) weight(s, r, i) = -INF;
    float shrink[PACKED];
    for (int part = 0; part < PARTS; ++part) {
        float *highest = s.highest.data() + row * SIDE + part * LANES, *weights = s.weights + part * LANES;
        Vec largest = load(highest);
        for (int i = 0; i < end; i += PACKED) largest = larger(largest, load(weights + i));
        largest = largest_of_fours(largest);
        const Vec factor = exp_of(load(highest) - largest);
        Vec added{};
        for (int i = 0; i < end; i += PACKED) {
            const Vec weight = exp_of(load(weights + i) - largest);
            store(weights + i, weight);
            added += weight;
        }
        float *total = s.total.data() + row * SIDE + part * LANES;
        store(total, load(total) * factor + added);
        store(highest, largest);
        store(shrink + part * LANES, factor);
    }
    for (int r = 0; r < R; ++r) {
        const float factor = shrink[r * SIDE];
        if (factor != 1.0f)
            for (int64_t d = 0; d < s.dim; ++d) s.summed[(row + r) * s.dim + d] *= factor;
    }
}

// summed[r] += weights[r][i] * v[i] for R rows and C vectors from d on
template <int R, int C>
void add_values(Scratch &s, int64_t row, int count, int64_t d, bool fetch) {
    float *to = s.summed.data() + row * s.dim + d;
    Vec sums[R][C];
    for (int r = 0; r < R; ++r)
        for (int c = 0; c < C; ++c) sums[r][c] = load(to + r * s.dim + c * LANES);
    for (int i = 0; i < count; ++i) {
        const float *v = s.v.at[i] + d;
        if (fetch) s.v.fetch(i, s.row_bytes);
        for (int r = 0; r < R; ++r)
            for (int c = 0; c < C; ++c) sums[r][c] += weight(s, r, i) * load(v + c * LANES);
    }
    for (int r = 0; r < R; ++r)
        for (int c = 0; c < C; ++c) store(to + r * s.dim + c * LANES, sums[r][c]);
}

// Not inline: every storage dtype would get a copy, and compiling takes the longer for it.
template <int R>
__attribute__((noinline)) void step(Scratch &s, int64_t row, int count, float scale, bool fetch) {
    score<R>(s, row, count, scale, fetch);
    soften<R>(s, row, count);
    int64_t d = 0;
    for (; d + 4 * LANES <= s.dim; d += 4 * LANES) add_values<R, 4>(s, row, count, d, fetch && d == 0);
    for (; d < s.dim; d += LANES) add_values<R, 1>(s, row, count, d, fetch && d == 0);
}

}  // namespace
