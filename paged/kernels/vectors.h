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
typedef float Four __attribute__((vector_size(16)));
typedef float Loose __attribute__((vector_size(LANES * 4), aligned(4), may_alias));  // at any float's address

inline Vec load(const float *from) { return *reinterpret_cast<const Loose *>(from); }
inline void store(float *to, Vec value) { *reinterpret_cast<Loose *>(to) = value; }

inline Four fold(Vec value) {
    Four parts[LANES / 4];
    std::memcpy(parts, &value, sizeof parts);
    for (int i = 1; i < LANES / 4; ++i) parts[0] += parts[i];
    return parts[0];
}

inline float sum(Vec value) {
    const Four part = fold(value);
    return (part[0] + part[2]) + (part[1] + part[3]);
}

// The sums of four vectors, side by side. In every four lanes: a0+a2 b0+b2 a1+a3 b1+b3, likewise c and d, then a b c d.
inline Four sums(Vec a, Vec b, Vec c, Vec d) {
#if defined(__AVX512F__)
#define EVEN 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29
#define ODD 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31
#define FRONT 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29
#define BACK 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31
#else
#define EVEN 0, 8, 1, 9, 4, 12, 5, 13
#define ODD 2, 10, 3, 11, 6, 14, 7, 15
#define FRONT 0, 1, 8, 9, 4, 5, 12, 13
#define BACK 2, 3, 10, 11, 6, 7, 14, 15
#endif
    const Vec ab = PICK(a, b, EVEN) + PICK(a, b, ODD), cd = PICK(c, d, EVEN) + PICK(c, d, ODD);
    return fold(PICK(ab, cd, FRONT) + PICK(ab, cd, BACK));
}

inline Vec larger(Vec a, Vec b) {
    const Bits first = a > b;
    return (Vec)(((Bits)a & first) | ((Bits)b & ~first));
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
