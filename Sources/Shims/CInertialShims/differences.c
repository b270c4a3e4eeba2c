#include "differences.h"

#include <string.h>

// Selected when the program is loaded, which requires ELF's indirect functions. The code that selects would call a
// sanitizer that is not initialised yet.
#ifdef __has_feature
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define HAS_SANITIZER
#endif
#endif
#if defined(__x86_64__) && defined(__linux__) && !defined(HAS_SANITIZER)
#define FOR_EACH_PROCESSOR __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define FOR_EACH_PROCESSOR
#endif

// A fused multiply-add would change the last bits on processors that support it.
#pragma STDC FP_CONTRACT OFF

enum { WIDTH = 8 };
typedef double lanes __attribute__((vector_size(WIDTH * sizeof(double))));

static inline __attribute__((always_inline)) void load(lanes *into, const double *from) {
  memcpy(into, from, sizeof(lanes));
}

static inline __attribute__((always_inline)) double sum(const lanes *v) {
  return (((*v)[0] + (*v)[4]) + ((*v)[2] + (*v)[6])) + (((*v)[1] + (*v)[5]) + ((*v)[3] + (*v)[7]));
}

static inline __attribute__((always_inline)) void add_second(
    lanes *sum, const double *a, const double *b, const double *c) {
  lanes x, y, z;
  load(&x, a);
  load(&y, b);
  load(&z, c);
  const lanes difference = (z - y) - (y - x);
  *sum += difference * difference;
}

FOR_EACH_PROCESSOR
double cdifferences_squared_second(const double *x, size_t m, size_t count) {
  const double *a = x, *b = x + m, *c = x + 2 * m;
  // Two accumulators, so that consecutive additions do not depend on each other.
  lanes first = {0}, second = {0};
  size_t i = 0;
  for (; i + 2 * WIDTH <= count; i += 2 * WIDTH) {
    add_second(&first, a + i, b + i, c + i);
    add_second(&second, a + i + WIDTH, b + i + WIDTH, c + i + WIDTH);
  }
  first += second;
  double total = sum(&first);
  for (; i < count; i++) {
    const double difference = (c[i] - b[i]) - (b[i] - a[i]);
    total += difference * difference;
  }
  return total;
}

static inline __attribute__((always_inline)) void add_third(
    lanes *sum, const double *a, const double *b, const double *c, const double *d) {
  lanes w, x, y, z;
  load(&w, a);
  load(&x, b);
  load(&y, c);
  load(&z, d);
  const lanes difference = (z - w) - 3.0 * (y - x);
  *sum += difference * difference;
}

FOR_EACH_PROCESSOR
double cdifferences_squared_third(const double *x, size_t m, size_t count) {
  const double *a = x, *b = x + m, *c = x + 2 * m, *d = x + 3 * m;
  lanes first = {0}, second = {0};
  size_t i = 0;
  for (; i + 2 * WIDTH <= count; i += 2 * WIDTH) {
    add_third(&first, a + i, b + i, c + i, d + i);
    add_third(&second, a + i + WIDTH, b + i + WIDTH, c + i + WIDTH, d + i + WIDTH);
  }
  first += second;
  double total = sum(&first);
  for (; i < count; i++) {
    const double difference = (d[i] - a[i]) - 3.0 * (c[i] - b[i]);
    total += difference * difference;
  }
  return total;
}
