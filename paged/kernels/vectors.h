// Vectors as wide as this machine's registers, through the extension that GCC and Clang share, and the storage dtypes.
//
// Plain loops would do for most of this, but not for a maximum or a sum of floats: a compiler may not reorder those.

#pragma once

#include <cstdint>
#include <cstring>

namespace {

#if defined(__AVX512F__)
constexpr int LANES = 16;
#else
constexpr int LANES = 8;
#endif
#if defined(__clang__)
#define PICK(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define PICK(a, b, ...) __builtin_shuffle(a, b, (Bits){__VA_ARGS__})
#endif

typedef float Vec __attribute__((vector_size(LANES * 4)));
typedef int32_t Bits __attribute__((vector_size(LANES * 4)));
typedef float Loose __attribute__((vector_size(LANES * 4), aligned(4), may_alias));  // at any float's address

inline Vec load(const float *from) { return *reinterpret_cast<const Loose *>(from); }
inline void store(float *to, Vec value) { *reinterpret_cast<Loose *>(to) = value; }

#if defined(__AVX512F__)
#define EVEN 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29
#define ODD 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31
#define FRONT 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29
#define BACK 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31
#define FOURS_EVEN 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27
#define FOURS_ODD 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31
#define ONE_ON 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14
#define TWO_ON 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13
#else
#define EVEN 0, 8, 1, 9, 4, 12, 5, 13
#define ODD 2, 10, 3, 11, 6, 14, 7, 15
#define FRONT 0, 1, 8, 9, 4, 5, 12, 13
#define BACK 2, 3, 10, 11, 6, 7, 14, 15
#define FOURS_EVEN 0, 1, 2, 3, 8, 9, 10, 11
#define FOURS_ODD 4, 5, 6, 7, 12, 13, 14, 15
#define ONE_ON 1, 0, 3, 2, 5, 4, 7, 6
#define TWO_ON 2, 3, 0, 1, 6, 7, 4, 5
#endif

// A pack is four rows of four numbers, in as many vectors as that takes.
constexpr int SIDE = 4, PACKED = SIDE * SIDE, PARTS = PACKED / LANES;

// In every four lanes: a0+a2 b0+b2 a1+a3 b1+b3, likewise c and d, then the sums of four lanes of a b c d.
inline Vec sums_of_fours(Vec a, Vec b, Vec c, Vec d) {
    const Vec ab = PICK(a, b, EVEN) + PICK(a, b, ODD), cd = PICK(c, d, EVEN) + PICK(c, d, ODD);
    return PICK(ab, cd, FRONT) + PICK(ab, cd, BACK);
}

// Fours added in pairs: the first half of the lanes from a, the second from b.
inline Vec pair_up(Vec a, Vec b) { return PICK(a, b, FOURS_EVEN) + PICK(a, b, FOURS_ODD); }

// The sum of each of the sixteen vectors, as a pack.
inline void sums(const Vec (&of)[SIDE][SIDE], Vec (&pack)[PARTS]) {
    Vec rows[SIDE];
    for (int r = 0; r < SIDE; ++r) rows[r] = sums_of_fours(of[r][0], of[r][1], of[r][2], of[r][3]);
    const Vec front = pair_up(rows[0], rows[1]), back = pair_up(rows[2], rows[3]);
#if defined(__AVX512F__)
    pack[0] = pair_up(front, back);
#else
    pack[0] = front, pack[1] = back;
#endif
}

inline Vec larger(Vec a, Vec b) {
    const Bits first = a > b;
    return (Vec)(((Bits)a & first) | ((Bits)b & ~first));
}

// In every four lanes the largest of the four.
inline Vec largest_of_fours(Vec a) {
    a = larger(a, PICK(a, a, ONE_ON));
    return larger(a, PICK(a, a, TWO_ON));
}

// e^x for x <= 0, to 2 units in the last place; 0 below -87. x = n ln 2 + r; e^r is a polynomial, 2^n an exponent.
inline Vec exp_of(Vec x) {
    const Vec rounder = Vec{} + 12582912.0f;  // 1.5 * 2^23: adding it rounds to an integer in the low bits
    const Bits kept = x >= Vec{} - 87.0f;
    const Vec shifted = x * 1.44269504f + rounder, n = shifted - rounder;
    const Vec r = x - n * 0.693359375f + n * 2.12194440e-4f;  // ln 2 in two parts (Cephes)
    Vec p = r * 1.9875691500e-4f + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = p * r * r + r + 1.0f;
    const Bits exponent = ((Bits)shifted - (Bits)rounder + 127) << 23;
    const Vec result = p * (Vec)exponent;
    return (Vec)((Bits)result & (kept | (Bits)(x != x)));  // NaN stays NaN
}

struct Float32 {
    typedef float Stored;
    static float widen(float x) { return x; }
};
struct Bfloat16 {
    typedef uint16_t Stored;
    static float widen(uint16_t x) {
        const uint32_t bits = uint32_t(x) << 16;
        float wide;
        std::memcpy(&wide, &bits, 4);
        return wide;
    }
};
struct Float16 {
    typedef uint16_t Stored;
    static float widen(uint16_t x) {
        uint32_t bits = uint32_t(x & 0x7fff) << 13;  // exponent and fraction, the exponent 112 too small
        const uint32_t sign = uint32_t(x & 0x8000) << 16, special = (x & 0x7c00) == 0x7c00 ? 0x7f800000u : 0u;
        float wide;
        std::memcpy(&wide, &bits, 4);
        wide *= 0x1p112f;  // makes subnormal halves right, too
        std::memcpy(&bits, &wide, 4);
        bits |= sign | special;
        std::memcpy(&wide, &bits, 4);
        return wide;
    }
};

}  // namespace
