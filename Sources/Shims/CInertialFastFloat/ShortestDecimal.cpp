#include "ShortestDecimal.h"

#include <cstdint>
#include <cstring>

// R. Giulietti, "The Schubfach way to render doubles" (2020). In the supported range, all powers of ten that it needs
// are whole and below 2^126, so that its table is short and exact.
//
// Choices that depend on the number's digits are computed without branches, as such branches cannot be predicted.
// Measured on fused datasets, with 16 to 17 digits per number: 19 ns against 39 ns of std::to_chars and 33 ns of fmt's.

namespace {

using uint128 = unsigned __int128;

constexpr uint64_t low63 = (uint64_t{1} << 63) - 1;

/// 10^p times the power of two that makes it 126 bits long, in two halves of 63 bits.
struct Powers {
  struct Halves {
    uint64_t high, low;
  } halves[28];
  constexpr Powers() : halves() {
    uint128 power = 1;
    for (int p = 0; p < 28; ++p) {
      uint128 g = power;
      while (!(g >> 125)) g <<= 1;
      halves[p] = {static_cast<uint64_t>(g >> 63), static_cast<uint64_t>(g) & low63};
      power *= 10;
    }
  }
};
constexpr Powers powers;

/// g c / 2^127, rounded to odd: exact enough for every comparison that follows.
inline uint64_t scaled(uint64_t high, uint64_t low, uint64_t c) {
  const uint64_t x = static_cast<uint64_t>((static_cast<uint128>(low) * c) >> 64);
  const uint128 y = static_cast<uint128>(high) * c;
  const uint64_t z = (static_cast<uint64_t>(y) >> 1) + x;
  const uint64_t whole = static_cast<uint64_t>(y >> 64) + (z >> 63);
  return whole | (((z & low63) + low63) >> 63);
}

/// The eight digits of a number below 10^8, the first in the lowest byte.
inline uint64_t eight_digits(uint32_t value) {
  // Both halves of a word are computed simultaneously: 4 and 4 digits, then pairs, then single digits.
  uint64_t v = value / 10000 | static_cast<uint64_t>(value % 10000) << 32;
  const uint64_t hundreds = ((v * 10486) >> 20) & 0x0000007F0000007F;
  v = hundreds | (v - 100 * hundreds) << 16;
  const uint64_t tens = ((v * 103) >> 10) & 0x000F000F000F000F;
  return tens | (v - 10 * tens) << 8;
}

constexpr uint64_t zeros = 0x3030303030303030;

} // namespace

char *write_usual_number(char *begin, double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  const int biased = static_cast<int>(bits >> 52) & 0x7FF;
  const uint64_t fraction = bits & ((uint64_t{1} << 52) - 1);
  // A power of two has a nearer neighbour below than above.
  if (biased < 1023 - 14 || biased >= 1023 + 50 || fraction == 0) return nullptr;

  // |value| = c 2^q, and the shortest decimals are searched on the grid of 10^k <= 2^q: k = floor(log10 2^q).
  const uint64_t c = fraction | (uint64_t{1} << 52);
  const int q = biased - 1075;
  const int k = static_cast<int>((static_cast<int64_t>(q) * 661971961083) >> 41);
  const int h = q + static_cast<int>((static_cast<int64_t>(-k) * 913124641741) >> 38) + 2;
  const auto [high, low] = powers.halves[-k];
  // Four times the value, and the ends of the interval that rounds to it, on that grid; an end belongs to the interval
  // if c is even.
  const uint64_t isOdd = c & 1;
  const uint64_t middle = scaled(high, low, (4 * c) << h);
  const uint64_t left = scaled(high, low, (4 * c - 2) << h) + isOdd;
  const uint64_t right = scaled(high, low, (4 * c + 2) << h) - isOdd;

  // The nearest point on the grid in the interval, or preferably the only point on the grid of ten times the width.
  const uint64_t s = middle >> 2;
  const uint64_t ten = s / 10 * 10;
  const bool hasLowerTen = left <= 4 * ten, hasUpperTen = 4 * ten + 40 <= right;
  const bool hasLower = left <= 4 * s, hasUpper = 4 * s + 4 <= right;
  const int64_t side = static_cast<int64_t>(middle - (4 * s + 2));
  const bool isNearLower = (side < 0) | ((side == 0) & ((s & 1) == 0));
  const bool takesUpper = (hasUpper & !hasLower) | ((hasLower == hasUpper) & !isNearLower);
  const uint64_t one = s + takesUpper;
  const uint64_t withTen = ten + 10 * static_cast<uint64_t>(hasUpperTen);
  const uint64_t takesTen = -static_cast<uint64_t>(hasLowerTen != hasUpperTen);
  const uint64_t decimal = (withTen & takesTen) | (one & ~takesTen);

  // 17 digits, the first of which may be 0; `point` of them are before the decimal point.
  const uint64_t upper = decimal / 100000000;
  const uint64_t first = upper / 100000000;
  const uint64_t middleEight = eight_digits(static_cast<uint32_t>(upper % 100000000));
  const uint64_t lastEight = eight_digits(static_cast<uint32_t>(decimal % 100000000));
  const int point = 17 + k;
  const int trailing = lastEight     ? __builtin_clzll(lastEight) >> 3
                       : middleEight ? 8 + (__builtin_clzll(middleEight) >> 3)
                                     : 16;

  // Whole numbers and numbers that are shorter with an exponent are not supported.
  const int leading = first == 0;
  if (trailing >= -k || leading - point > (trailing + leading < 16 ? 3 : 2)) return nullptr;

  char *place = begin;
  *place = '-';
  place += bits >> 63;
  const uint64_t text1 = middleEight | zeros, text2 = lastEight | zeros;
  if (point <= 1) {
    std::memcpy(place, "0.000000", 8);
    char *const rest = place + 3 - point;
    *(point == 1 ? place : rest - 1) = static_cast<char>('0' + first);
    std::memcpy(rest, &text1, 8);
    std::memcpy(rest + 8, &text2, 8);
    return rest + 16 - trailing;
  }
  // All digits after the position of the point; then the digits before it are moved by one.
  char *const second = place + 2 - leading;
  second[-1] = static_cast<char>('0' + first);
  std::memcpy(second, &text1, 8);
  std::memcpy(second + 8, &text2, 8);
  const int whole = point - leading;
  if (whole < 8) {
    // In a register: reading back the bytes that were just written would stall.
    const uint64_t digits = leading ? text1 : text1 << 8 | ('0' + first);
    const uint64_t before = (uint64_t{1} << 8 * whole) - 1;
    const uint64_t text = (digits & before) | uint64_t{'.'} << 8 * whole | (digits << 8 & ~(before << 8 | 0xFF));
    std::memcpy(place, &text, 8);
  } else {
    for (int i = 0; i < whole; ++i) place[i] = place[i + 1];
    place[whole] = '.';
  }
  return place + 18 - leading - trailing;
}
