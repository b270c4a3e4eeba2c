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

typedef double lanes2 __attribute__((ext_vector_type(2)));
// Where vectors lie in columns they are aligned as their numbers are.
typedef double lanes2_unaligned __attribute__((ext_vector_type(2), aligned(8)));
typedef double lanes4_unaligned __attribute__((ext_vector_type(4), aligned(8)));

// The number of each lane at `index` of its column.
LANES_INLINE lanes4 lanes4_gather(const double *const *columns, long index) {
  return (lanes4){columns[0][index], columns[1][index], columns[2][index], columns[3][index]};
}
LANES_INLINE lanes8 lanes8_gather(const double *const *columns, long index) {
  return (lanes8){columns[0][index], columns[1][index], columns[2][index], columns[3][index],
                  columns[4][index], columns[5][index], columns[6][index], columns[7][index]};
}

// Puts four numbers of each lane side by side from `index` of its column on.
LANES_INLINE void lanes4_put_four(double *const *columns, long index, lanes4 x, lanes4 y, lanes4 z, lanes4 w) {
  const lanes4 xy02 = __builtin_shufflevector(x, y, 0, 4, 2, 6), xy13 = __builtin_shufflevector(x, y, 1, 5, 3, 7);
  const lanes4 zw02 = __builtin_shufflevector(z, w, 0, 4, 2, 6), zw13 = __builtin_shufflevector(z, w, 1, 5, 3, 7);
  *(lanes4_unaligned *)(columns[0] + index) = __builtin_shufflevector(xy02, zw02, 0, 1, 4, 5);
  *(lanes4_unaligned *)(columns[1] + index) = __builtin_shufflevector(xy13, zw13, 0, 1, 4, 5);
  *(lanes4_unaligned *)(columns[2] + index) = __builtin_shufflevector(xy02, zw02, 2, 3, 6, 7);
  *(lanes4_unaligned *)(columns[3] + index) = __builtin_shufflevector(xy13, zw13, 2, 3, 6, 7);
}
LANES_INLINE void lanes8_put_four(double *const *columns, long index, lanes8 x, lanes8 y, lanes8 z, lanes8 w) {
  lanes4_put_four(columns, index, x.lo, y.lo, z.lo, w.lo);
  lanes4_put_four(columns + 4, index, x.hi, y.hi, z.hi, w.hi);
}

// The same for three numbers.
LANES_INLINE void lanes4_put_three(double *const *columns, long index, lanes4 x, lanes4 y, lanes4 z) {
  const lanes4 xy02 = __builtin_shufflevector(x, y, 0, 4, 2, 6), xy13 = __builtin_shufflevector(x, y, 1, 5, 3, 7);
  *(lanes2_unaligned *)(columns[0] + index) = xy02.lo;
  *(lanes2_unaligned *)(columns[1] + index) = xy13.lo;
  *(lanes2_unaligned *)(columns[2] + index) = xy02.hi;
  *(lanes2_unaligned *)(columns[3] + index) = xy13.hi;
  for (int lane = 0; lane < 4; ++lane) columns[lane][index + 2] = z[lane];
}
LANES_INLINE void lanes8_put_three(double *const *columns, long index, lanes8 x, lanes8 y, lanes8 z) {
  lanes4_put_three(columns, index, x.lo, y.lo, z.lo);
  lanes4_put_three(columns + 4, index, x.hi, y.hi, z.hi);
}

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

// Asks for the cache line of an address, which may be any.
LANES_INLINE void lanes_prefetch(const void *address) { __builtin_prefetch(address); }
LANES_INLINE void lanes_prefetch_to_write(const void *address) { __builtin_prefetch(address, 1); }

#undef LANES
#undef LANES_INLINE
#pragma clang diagnostic pop

#endif
