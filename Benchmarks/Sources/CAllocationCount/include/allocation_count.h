#ifndef ALLOCATION_COUNT_H
#define ALLOCATION_COUNT_H

#include <stdint.h>

// Returns the number of allocations of this process, or -1 if they cannot be counted (they can with glibc).
int64_t allocation_count(void);

#endif
