#ifndef CDIFFERENCES_H
#define CDIFFERENCES_H

#include <stddef.h>

// Sums of squared differences of a series, with the widest vectors of the processor: Swift compiles a function for one
// processor model only. The sums are bitwise identical on all models.

/// The sum of (x[i + 2m] - 2 x[i + m] + x[i])^2 over count indices i from 0 on.
double cdifferences_squared_second(const double *_Nonnull x, size_t m, size_t count);

/// The sum of (x[i + 3m] - 3 x[i + 2m] + 3 x[i + m] - x[i])^2 over count indices i from 0 on.
double cdifferences_squared_third(const double *_Nonnull x, size_t m, size_t count);

#endif
