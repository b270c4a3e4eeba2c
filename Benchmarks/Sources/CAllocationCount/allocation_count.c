// Counts the calls of malloc and related functions by interposition: an executable's own definitions take precedence.
#include "allocation_count.h"

#include <errno.h>
#include <stddef.h>

#if defined(__GLIBC__)
static _Atomic int64_t count;

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

void *malloc(size_t size) {
  count++;
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count++;
  return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
  count++;
  return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count++;
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  count++;
  *memory = __libc_memalign(alignment, size);
  return *memory || !size ? 0 : ENOMEM;
}

int64_t allocation_count(void) { return count; }
#else
int64_t allocation_count(void) { return -1; }
#endif
