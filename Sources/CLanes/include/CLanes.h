// Four and eight numbers at a time as the compiler's own vectors.
//
// The operators of Swift's SIMD types go lane by lane and leave it to the optimiser to find the vector again, which it
// does in part. Here each is one instruction, or as many as the CPU's width needs: SSE2 and NEON take four for eight.
#ifndef CLANES_H
#define CLANES_H

#pragma clang diagnostic push
// Nothing here is called across a boundary where the width of a register would matter: all of it is inlined.
#pragma clang diagnostic ignored "-Wpsabi"

#define LANES_INLINE static inline __attribute__((always_inline))

#define LANES(N)                                                                                                      \
  typedef double lanes##N __attribute__((ext_vector_type(N)));                                                        \
  /* A truth is -1, all bits set, or 0. */                                                                            \
  typedef long long lanemask##N __attribute__((ext_vector_type(N)));                                                  \
  LANES_INLINE lanes##N lanes##N##_add(lanes##N a, lanes##N b) { return a + b; }                                      \
  LANES_INLINE lanes##N lanes##N##_subtract(lanes##N a, lanes##N b) { return a - b; }                                 \
  LANES_INLINE lanes##N lanes##N##_multiply(lanes##N a, lanes##N b) { return a * b; }                                 \
  LANES_INLINE lanes##N lanes##N##_divide(lanes##N a, lanes##N b) { return a / b; }                                   \
  LANES_INLINE lanes##N lanes##N##_negate(lanes##N a) { return -a; }                                                  \
  LANES_INLINE lanes##N lanes##N##_root(lanes##N a) { return __builtin_elementwise_sqrt(a); }                         \
  LANES_INLINE lanes##N lanes##N##_magnitude(lanes##N a) { return __builtin_elementwise_abs(a); }                     \
  LANES_INLINE lanemask##N lanes##N##_less(lanes##N a, lanes##N b) { return (lanemask##N)(a < b); }                   \
  LANES_INLINE lanemask##N lanes##N##_at_most(lanes##N a, lanes##N b) { return (lanemask##N)(a <= b); }               \
  LANES_INLINE lanemask##N lanes##N##_equal(lanes##N a, lanes##N b) { return (lanemask##N)(a == b); }                 \
  LANES_INLINE lanes##N lanes##N##_select(lanemask##N mask, lanes##N yes, lanes##N no) {                              \
    return mask ? yes : no;                                                                                           \
  }                                                                                                                   \
  LANES_INLINE lanemask##N lanes##N##_and(lanemask##N a, lanemask##N b) { return a & b; }                             \
  LANES_INLINE lanemask##N lanes##N##_or(lanemask##N a, lanemask##N b) { return a | b; }                              \
  LANES_INLINE lanemask##N lanes##N##_not(lanemask##N a) { return ~a; }                                               \
  LANES_INLINE long long lanes##N##_any(lanemask##N mask) { return __builtin_reduce_or(mask); }

LANES(4)
LANES(8)

// Where vectors lie in columns they are aligned as their numbers are.
typedef double lanes4_unaligned __attribute__((ext_vector_type(4), aligned(8)));

// The number of each lane at `index` of its column.
LANES_INLINE lanes4 lanes4_gather(const double *const *columns, long index) {
  return (lanes4){columns[0][index], columns[1][index], columns[2][index], columns[3][index]};
}
LANES_INLINE lanes8 lanes8_gather(const double *const *columns, long index) {
  return (lanes8){columns[0][index], columns[1][index], columns[2][index], columns[3][index],
                  columns[4][index], columns[5][index], columns[6][index], columns[7][index]};
}

// A number of each of the vectors that lie in the lanes' columns: `component` 0 is the x of the one at `index`, 1 the
// y, 2 the z. Four numbers are read, so that one has to follow the last vector. Asked for all three, the compiler reads
// once.
LANES_INLINE lanes4 lanes4_gather_of_vectors(const double *const *columns, long index, int component) {
  const lanes4 a = *(const lanes4_unaligned *)(columns[0] + index), b = *(const lanes4_unaligned *)(columns[1] + index);
  const lanes4 c = *(const lanes4_unaligned *)(columns[2] + index), d = *(const lanes4_unaligned *)(columns[3] + index);
  const lanes4 even_ab = __builtin_shufflevector(a, b, 0, 4, 2, 6), odd_ab = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const lanes4 even_cd = __builtin_shufflevector(c, d, 0, 4, 2, 6), odd_cd = __builtin_shufflevector(c, d, 1, 5, 3, 7);
  switch (component) {
    case 0: return __builtin_shufflevector(even_ab, even_cd, 0, 1, 4, 5);
    case 1: return __builtin_shufflevector(odd_ab, odd_cd, 0, 1, 4, 5);
    default: return __builtin_shufflevector(even_ab, even_cd, 2, 3, 6, 7);
  }
}

// Two lanes side by side, four apart: so what follows never crosses the halves of a register.
LANES_INLINE lanes8 lanes8_pair(const double *const *columns, long index) {
  const lanes4 low = *(const lanes4_unaligned *)(columns[0] + index);
  const lanes4 high = *(const lanes4_unaligned *)(columns[4] + index);
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}
#define EVEN(a, b) __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14)
#define ODD(a, b) __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15)
#define FIRST_TWO(a, b) __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define LAST_TWO(a, b) __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15)
LANES_INLINE lanes8 lanes8_gather_of_vectors(const double *const *columns, long index, int component) {
  const lanes8 a = lanes8_pair(columns, index), b = lanes8_pair(columns + 1, index);
  const lanes8 c = lanes8_pair(columns + 2, index), d = lanes8_pair(columns + 3, index);
  switch (component) {
    case 0: return FIRST_TWO(EVEN(a, b), EVEN(c, d));
    case 1: return FIRST_TWO(ODD(a, b), ODD(c, d));
    default: return LAST_TWO(EVEN(a, b), EVEN(c, d));
  }
}

// Puts four numbers of each lane side by side from `index` of its column on.
LANES_INLINE void lanes4_put_four(double *const *columns, long index, lanes4 x, lanes4 y, lanes4 z, lanes4 w) {
  const lanes4 even_xy = __builtin_shufflevector(x, y, 0, 4, 2, 6), odd_xy = __builtin_shufflevector(x, y, 1, 5, 3, 7);
  const lanes4 even_zw = __builtin_shufflevector(z, w, 0, 4, 2, 6), odd_zw = __builtin_shufflevector(z, w, 1, 5, 3, 7);
  *(lanes4_unaligned *)(columns[0] + index) = __builtin_shufflevector(even_xy, even_zw, 0, 1, 4, 5);
  *(lanes4_unaligned *)(columns[1] + index) = __builtin_shufflevector(odd_xy, odd_zw, 0, 1, 4, 5);
  *(lanes4_unaligned *)(columns[2] + index) = __builtin_shufflevector(even_xy, even_zw, 2, 3, 6, 7);
  *(lanes4_unaligned *)(columns[3] + index) = __builtin_shufflevector(odd_xy, odd_zw, 2, 3, 6, 7);
}
LANES_INLINE void lanes8_put_pair(double *const *columns, long index, lanes8 pair) {
  *(lanes4_unaligned *)(columns[0] + index) = pair.lo;
  *(lanes4_unaligned *)(columns[4] + index) = pair.hi;
}
LANES_INLINE void lanes8_put_four(double *const *columns, long index, lanes8 x, lanes8 y, lanes8 z, lanes8 w) {
  const lanes8 even_xy = EVEN(x, y), odd_xy = ODD(x, y), even_zw = EVEN(z, w), odd_zw = ODD(z, w);
  lanes8_put_pair(columns, index, FIRST_TWO(even_xy, even_zw));
  lanes8_put_pair(columns + 1, index, FIRST_TWO(odd_xy, odd_zw));
  lanes8_put_pair(columns + 2, index, LAST_TWO(even_xy, even_zw));
  lanes8_put_pair(columns + 3, index, LAST_TWO(odd_xy, odd_zw));
}
#undef EVEN
#undef ODD
#undef FIRST_TWO
#undef LAST_TWO

// Puts a whole number of each lane, 0 to 32767, at `index` of its column.
LANES_INLINE void lanes4_put_short(unsigned short *const *columns, long index, lanes4 value) {
  typedef int ints __attribute__((ext_vector_type(4)));
  const ints whole = __builtin_convertvector(value, ints);
  for (int lane = 0; lane < 4; ++lane) columns[lane][index] = (unsigned short)whole[lane];
}
LANES_INLINE void lanes8_put_short(unsigned short *const *columns, long index, lanes8 value) {
  lanes4_put_short(columns, index, value.lo);
  lanes4_put_short(columns + 4, index, value.hi);
}

// In how many of the first `count` places a number is above the next, or one of both is NaN. Counted and not looked
// for, so that the compiler compares several at once.
LANES_INLINE long lanes_count_falls(const double *numbers, long count) {
  long falls = 0;
  for (long i = 0; i < count; ++i) falls += !(numbers[i] <= numbers[i + 1]);
  return falls;
}

// In how many of the first `count` places three columns differ, or the first does not rise to the next.
LANES_INLINE long lanes_count_differences(const double *a, const double *b, const double *c, long count) {
  long differences = 0;
  for (long i = 0; i < count; ++i) differences += !((a[i] == b[i]) & (a[i] == c[i]) & (a[i] < a[i + 1]));
  return differences;
}

#undef LANES
#undef LANES_INLINE
#pragma clang diagnostic pop

#endif
