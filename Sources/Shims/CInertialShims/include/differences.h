#ifndef CDIFFERENCES_H
#define CDIFFERENCES_H

#include <stddef.h>

// Sums over differences of a series, with the widest vectors that the processor has: Swift compiles a function for one kind of
// processor only. The sums are the same to the last bit on all of them.

/// The sum of (x[i + 2m] - 2 x[i + m] + x[i])^2 over count places i from 0 on.
double cdifferences_squared_second(const double *_Nonnull x, size_t m, size_t count);

/// The sum of (x[i + 3m] - 3 x[i + 2m] + 3 x[i + m] - x[i])^2 over count places i from 0 on.
double cdifferences_squared_third(const double *_Nonnull x, size_t m, size_t count);

#endif
