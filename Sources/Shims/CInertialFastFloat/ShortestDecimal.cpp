#include "ShortestDecimal.h"

#include <cstdint>
#include <cstring>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

// R. Giulietti, "The Schubfach way to render doubles" (2020). In the supported range, the scale of a number is a power
// of five below 2^47, so that the interval that rounds to the number is known exactly from one product.
//
// Choices that depend on the number's digits are computed without branches, as such branches cannot be predicted.
// Measured on fused datasets, with 16 to 17 digits per number: 15 ns against 39 ns of std::to_chars and 33 ns of fmt's.

namespace {

/// The exponents q of the supported numbers c 2^q, where c has 53 bits.
constexpr int smallestExponent = -66, largestExponent = -3;

/// The grid of 10^k <= 2^q, k = floor(log10 2^q): a number c 2^q is 2 c power / 2^shift of its units.
struct Grid {
  uint64_t power;
  int shift;
  /// The number of decimal places of the grid, -k.
  int places;
};

struct Grids {
  Grid of[largestExponent - smallestExponent + 1];
  constexpr Grids() : of() {
    for (int q = smallestExponent; q <= largestExponent; ++q) {
      const int places = -static_cast<int>((static_cast<int64_t>(q) * 661971961083) >> 41);
      uint64_t power = 1;
      for (int i = 0; i < places; ++i) power *= 5;
      of[q - smallestExponent] = {power, 1 - q - places, places};
    }
  }
};
constexpr Grids grids;

/// Sixteen digits, one per byte: the first in the lowest byte of `first`, the last in the highest byte of `second`.
struct Digits {
  uint64_t first, second;
};

#ifdef __SSE2__
/// The digits of two numbers below 10^8.
inline Digits sixteen_digits(uint64_t first, uint64_t second) {
  // Both numbers are divided simultaneously: into 4 and 4 digits, then pairs, then single digits.
  const __m128i eights = _mm_set_epi64x(static_cast<int64_t>(second), static_cast<int64_t>(first));
  const __m128i fours = _mm_srli_epi64(_mm_mul_epu32(eights, _mm_set1_epi64x(0xD1B71759)), 45);
  const __m128i four = _mm_sub_epi64(eights, _mm_mul_epu32(fours, _mm_set1_epi64x(10000)));
  const __m128i byFour = _mm_or_si128(fours, _mm_slli_epi64(four, 32));
  const __m128i hundreds = _mm_srli_epi16(_mm_mulhi_epu16(byFour, _mm_set1_epi32(5243)), 3);
  const __m128i hundred = _mm_sub_epi16(byFour, _mm_mullo_epi16(hundreds, _mm_set1_epi32(100)));
  const __m128i byTwo = _mm_or_si128(hundreds, _mm_slli_epi32(hundred, 16));
  const __m128i tens = _mm_mulhi_epu16(byTwo, _mm_set1_epi16(6554));
  const __m128i ten = _mm_sub_epi16(byTwo, _mm_mullo_epi16(tens, _mm_set1_epi16(10)));
  const __m128i digits = _mm_or_si128(tens, _mm_slli_epi16(ten, 8));
  return {static_cast<uint64_t>(_mm_cvtsi128_si64(digits)),
          static_cast<uint64_t>(_mm_cvtsi128_si64(_mm_srli_si128(digits, 8)))};
}
#else
/// The digits of a number below 10^8.
inline uint64_t eight_digits(uint64_t value) {
  // Both halves of a word are computed simultaneously: 4 and 4 digits, then pairs, then single digits.
  uint64_t v = value / 10000 | value % 10000 << 32;
  const uint64_t hundreds = ((v * 10486) >> 20) & 0x0000007F0000007F;
  v = hundreds | (v - 100 * hundreds) << 16;
  const uint64_t tens = ((v * 103) >> 10) & 0x000F000F000F000F;
  return tens | (v - 10 * tens) << 8;
}

/// The digits of two numbers below 10^8.
inline Digits sixteen_digits(uint64_t first, uint64_t second) { return {eight_digits(first), eight_digits(second)}; }
#endif

constexpr uint64_t zeros = 0x3030303030303030;

} // namespace

char *write_usual_number(char *begin, double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  const int q = static_cast<int>((bits >> 52) & 0x7FF) - 1075;
  const uint64_t fraction = bits & ((uint64_t{1} << 52) - 1);
  // A power of two has a nearer neighbour below than above.
  if (q < smallestExponent || q > largestExponent || fraction == 0) return nullptr;

  const uint64_t c = fraction | (uint64_t{1} << 52);
  const Grid grid = grids.of[q - smallestExponent];
  const unsigned __int128 product = static_cast<unsigned __int128>(2 * c) * grid.power;
  const uint64_t low = static_cast<uint64_t>(product);
  const uint64_t unit = uint64_t{1} << grid.shift;
  const uint64_t s = static_cast<uint64_t>(product >> grid.shift);
  const uint64_t tens = s / 10;
  const uint64_t ones = s - 10 * tens;

  // The nearest point on the grid rounds to the number, as 2^q is at least a unit; preferable is a point on the grid of
  // ten units. Half an interval is `power` wide, and its ends belong to it if c is even.
  const uint64_t half = grid.power - (c & 1);
  const uint64_t aboveTens = low - ((10 * tens) << grid.shift);
  const uint64_t aboveOnes = low & (unit - 1);
  const bool takesUpperTen = 10 * unit - aboveTens <= half;
  const bool takesTen = (aboveTens <= half) | takesUpperTen;
  const uint64_t nearest = ones + (2 * aboveOnes + (s & 1) > unit);
  const bool isTen = takesTen | (nearest == 10);
  const uint64_t last = isTen ? 0 : nearest;
  const uint64_t upper = tens + (takesUpperTen | (!takesTen & (nearest == 10)));

  // 16 digits and a last one, the first of which may be 0; `point` of them are before the decimal point.
  const uint64_t head = upper / 100000000;
  const Digits digits = sixteen_digits(head, upper - 100000000 * head);
  const int point = 17 - grid.places;
  const int trailing = last            ? 0
                       : digits.second ? 1 + (__builtin_clzll(digits.second) >> 3)
                                       : 9 + (__builtin_clzll(digits.first) >> 3);

  // Whole numbers and numbers that are shorter with an exponent are not supported.
  const int leading = (digits.first & 0xFF) == 0;
  if (trailing >= grid.places || leading - point > (trailing + leading < 16 ? 3 : 2)) return nullptr;

  char *place = begin;
  *place = '-';
  place += bits >> 63;
  const uint64_t text1 = digits.first | zeros, text2 = digits.second | zeros;
  if (point <= 1) {
    std::memcpy(place, "0.000000", 8);
    char *const text = place + 2 - point;
    std::memcpy(text, &text1, 8);
    std::memcpy(text + 8, &text2, 8);
    text[16] = static_cast<char>('0' + last);
    *(point == 1 ? place : text) = static_cast<char>(text1);
    place[1] = '.';
    return text + 17 - trailing;
  }
  // All digits after the position of the point; then the digits before it are moved by one.
  char *const text = place + 1 - leading;
  std::memcpy(text, &text1, 8);
  std::memcpy(text + 8, &text2, 8);
  text[16] = static_cast<char>('0' + last);
  const int whole = point - leading;
  if (whole < 8) {
    // In a register: reading back the bytes that were just written would stall.
    const uint64_t following = leading ? text1 >> 8 | text2 << 56 : text1;
    const uint64_t before = (uint64_t{1} << 8 * whole) - 1;
    const uint64_t moved =
        (following & before) | uint64_t{'.'} << 8 * whole | (following << 8 & ~(before << 8 | 0xFF));
    std::memcpy(place, &moved, 8);
  } else {
    for (int i = 0; i < whole; ++i) place[i] = place[i + 1];
    place[whole] = '.';
  }
  return place + 18 - leading - trailing;
}
