#ifndef ALLOCATION_COUNT_H
#define ALLOCATION_COUNT_H

#include <stdint.h>

// How often this process has asked for memory so far; -1 where that cannot be counted (it is on glibc).
int64_t allocation_count(void);

#endif
