// One step of the walk: some rows of queries meet one tile of K and V.
//
// Scores, the online softmax, the weighted sum of V. Up to four rows go together, so that what is once loaded of K and
// V serves four; their sums stay in registers.

#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "vectors.h"

namespace {

constexpr int TILE = 64;  // positions per step of the walk, a multiple of LANES
constexpr float INF = std::numeric_limits<float>::infinity();

// The rows of one tile, as one head after another needs them, each padded to whole vectors; `at` points to where they
// are. `now` points to the first head's rows as they are stored, and `next` to those of the tile after it, which are
// fetched into cache meanwhile, for blocks lie where no hardware guesses. `head`: bytes from there to this head's.
struct Tile {
    std::vector<float> widened;
    const float *at[TILE] = {};
    const char *now[TILE] = {}, *next[TILE] = {};
    int64_t head = 0;

    void turn() { std::copy_n(next, TILE, now); }

    void fetch(int i, int64_t bytes) const {
        for (int64_t b = 0; b < bytes; b += 64) __builtin_prefetch(next[i] + head + b, 0, 2);
    }
};

struct Scratch {
    Tile k, v;
    std::vector<float> q, summed;    // [rows, padded head dim]
    std::vector<float> weights;      // [rows, TILE]
    std::vector<float> highest, total;
    std::vector<int> visible;        // [rows], how many positions of the tile a row sees
    int64_t dim;                     // head_dim, padded to whole vectors
    int64_t row_bytes;               // of a stored row

    Scratch(int64_t head_dim, int64_t rows) : dim((head_dim + LANES - 1) / LANES * LANES) {
        k.widened.resize(TILE * dim);  // zeros: padding stays zero
        v.widened.resize(TILE * dim);
        q.resize(rows * dim);
        summed.resize(rows * dim);
        weights.resize(rows * TILE);
        highest.resize(rows);
        total.resize(rows);
        visible.resize(rows);
    }
};

template <class Storage>
void place(Tile &tile, int i, int64_t head_dim, int64_t dim) {
    const auto *row = reinterpret_cast<const typename Storage::Stored *>(tile.now[i] + tile.head);
    if constexpr (sizeof(typename Storage::Stored) == sizeof(float))
        if (head_dim == dim) {
            tile.at[i] = row;
            return;
        }
    float *to = tile.widened.data() + i * dim;
    for (int64_t d = 0; d < head_dim; ++d) to[d] = Storage::widen(row[d]);
    tile.at[i] = to;
}

// weights[r][i] = q[r] . k[i] * scale for R rows
template <int R>
void score(Scratch &s, int64_t row, int count, float scale, bool fetch) {
    constexpr int P = 4;  // positions at a time, as many as `sums` takes
    const float *q = s.q.data() + row * s.dim;
    for (int i = 0; i < count; i += P) {
        const float *k[P];
        for (int p = 0; p < P; ++p) {
            const int position = std::min(i + p, count - 1);
            k[p] = s.k.at[position];
            if (fetch) s.k.fetch(position, s.row_bytes);
        }
        Vec dots[R][P] = {};
        for (int64_t d = 0; d < s.dim; d += LANES)
            for (int r = 0; r < R; ++r) {
                const Vec query = load(q + r * s.dim + d);
                for (int p = 0; p < P; ++p) dots[r][p] += query * load(k[p] + d);
            }
        for (int r = 0; r < R; ++r) {
            const Four scores = sums(dots[r][0], dots[r][1], dots[r][2], dots[r][3]) * scale;
            std::memcpy(s.weights.data() + (row + r) * TILE + i, &scores, sizeof scores);
        }
    }
}

// summed[r] += weights[r][i] * v[i] for R rows and C vectors from d on
template <int R, int C>
void add_values(Scratch &s, int64_t row, int count, int64_t d, bool fetch) {
    float *to = s.summed.data() + row * s.dim + d;
    const float *weights = s.weights.data() + row * TILE;
    Vec sums[R][C];
    for (int r = 0; r < R; ++r)
        for (int c = 0; c < C; ++c) sums[r][c] = load(to + r * s.dim + c * LANES);
    for (int i = 0; i < count; ++i) {
        const float *v = s.v.at[i] + d;
        if (fetch) s.v.fetch(i, s.row_bytes);
        for (int r = 0; r < R; ++r)
            for (int c = 0; c < C; ++c) sums[r][c] += weights[r * TILE + i] * load(v + c * LANES);
    }
    for (int r = 0; r < R; ++r)
        for (int c = 0; c < C; ++c) store(to + r * s.dim + c * LANES, sums[r][c]);
}

// Scores of row r become weights: its first `visible` positions count, the others weigh 0.
void soften(Scratch &s, int64_t r, int visible, int count) {
    float *weights = s.weights.data() + r * TILE;
    std::fill(weights + std::max(visible, 0), weights + TILE, -INF);
    if (visible <= 0) {
        std::fill(weights, weights + count, 0.0f);
        return;
    }
    Vec largest = Vec{} + s.highest[r];
    for (int i = 0; i < TILE; i += LANES) largest = larger(largest, load(weights + i));
    float highest = s.highest[r];
    for (int i = 0; i < LANES; ++i) highest = std::max(highest, largest[i]);
    const float shrink = std::exp(s.highest[r] - highest);
    Vec total{};
    for (int i = 0; i < TILE; i += LANES) {
        const Vec weight = exp_of(load(weights + i) - highest);
        store(weights + i, weight);
        total += weight;
    }
    s.total[r] = s.total[r] * shrink + sum(total);
    s.highest[r] = highest;
    if (shrink != 1.0f)
        for (int64_t d = 0; d < s.dim; ++d) s.summed[r * s.dim + d] *= shrink;
}

template <int R>
void step(Scratch &s, int64_t row, int count, float scale, bool fetch) {
    score<R>(s, row, count, scale, fetch);
    for (int r = 0; r < R; ++r) soften(s, row + r, s.visible[row + r], count);
    int64_t d = 0;
    for (; d + 4 * LANES <= s.dim; d += 4 * LANES) add_values<R, 4>(s, row, count, d, fetch && d == 0);
    for (; d < s.dim; d += LANES) add_values<R, 1>(s, row, count, d, fetch && d == 0);
}

}  // namespace
