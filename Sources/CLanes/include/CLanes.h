// Four numbers at a time as the compiler's own vectors.
//
// The operators of Swift's SIMD types go lane by lane and leave it to the optimiser to find the vector again, which it
// does in part. Here each is one instruction, or as many as the CPU's width needs: SSE2 and NEON take two.
#ifndef CLANES_H
#define CLANES_H

#pragma clang diagnostic push
// Nothing here is called across a boundary where the width of a register would matter: all of it is inlined.
#pragma clang diagnostic ignored "-Wpsabi"

#define LANES_INLINE static inline __attribute__((always_inline))

typedef double lanes4 __attribute__((ext_vector_type(4)));
// A truth is -1, all bits set, or 0.
typedef long long lanemask4 __attribute__((ext_vector_type(4)));
LANES_INLINE lanes4 lanes4_add(lanes4 a, lanes4 b) { return a + b; }
LANES_INLINE lanes4 lanes4_subtract(lanes4 a, lanes4 b) { return a - b; }
LANES_INLINE lanes4 lanes4_multiply(lanes4 a, lanes4 b) { return a * b; }
LANES_INLINE lanes4 lanes4_divide(lanes4 a, lanes4 b) { return a / b; }
LANES_INLINE lanes4 lanes4_negate(lanes4 a) { return -a; }
LANES_INLINE lanes4 lanes4_root(lanes4 a) { return __builtin_elementwise_sqrt(a); }
LANES_INLINE lanes4 lanes4_magnitude(lanes4 a) { return __builtin_elementwise_abs(a); }
LANES_INLINE lanemask4 lanes4_less(lanes4 a, lanes4 b) { return (lanemask4)(a < b); }
LANES_INLINE lanemask4 lanes4_at_most(lanes4 a, lanes4 b) { return (lanemask4)(a <= b); }
LANES_INLINE lanemask4 lanes4_equal(lanes4 a, lanes4 b) { return (lanemask4)(a == b); }
LANES_INLINE lanes4 lanes4_select(lanemask4 mask, lanes4 yes, lanes4 no) {
  return mask ? yes : no;
}
LANES_INLINE lanemask4 lanes4_and(lanemask4 a, lanemask4 b) { return a & b; }
LANES_INLINE lanemask4 lanes4_or(lanemask4 a, lanemask4 b) { return a | b; }
LANES_INLINE lanemask4 lanes4_not(lanemask4 a) { return ~a; }
LANES_INLINE long long lanes4_any(lanemask4 mask) { return __builtin_reduce_or(mask); }

// Where vectors lie in columns they are aligned as their numbers are.
typedef double lanes4_unaligned __attribute__((ext_vector_type(4), aligned(8)));

// The number of each lane at `index` of its column.
LANES_INLINE lanes4 lanes4_gather(const double *const *columns, long index) {
  return (lanes4){columns[0][index], columns[1][index], columns[2][index], columns[3][index]};
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

// Puts four numbers of each lane side by side from `index` of its column on.
LANES_INLINE void lanes4_put_four(double *const *columns, long index, lanes4 x, lanes4 y, lanes4 z, lanes4 w) {
  const lanes4 even_xy = __builtin_shufflevector(x, y, 0, 4, 2, 6), odd_xy = __builtin_shufflevector(x, y, 1, 5, 3, 7);
  const lanes4 even_zw = __builtin_shufflevector(z, w, 0, 4, 2, 6), odd_zw = __builtin_shufflevector(z, w, 1, 5, 3, 7);
  *(lanes4_unaligned *)(columns[0] + index) = __builtin_shufflevector(even_xy, even_zw, 0, 1, 4, 5);
  *(lanes4_unaligned *)(columns[1] + index) = __builtin_shufflevector(odd_xy, odd_zw, 0, 1, 4, 5);
  *(lanes4_unaligned *)(columns[2] + index) = __builtin_shufflevector(even_xy, even_zw, 2, 3, 6, 7);
  *(lanes4_unaligned *)(columns[3] + index) = __builtin_shufflevector(odd_xy, odd_zw, 2, 3, 6, 7);
}

// Puts a whole number of each lane, 0 to 32767, at `index` of its column.
LANES_INLINE void lanes4_put_short(unsigned short *const *columns, long index, lanes4 value) {
  typedef int ints __attribute__((ext_vector_type(4)));
  const ints whole = __builtin_convertvector(value, ints);
  for (int lane = 0; lane < 4; ++lane) columns[lane][index] = (unsigned short)whole[lane];
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

#undef LANES_INLINE
#pragma clang diagnostic pop

#endif
