#ifndef BLAS_CALLS_H
#define BLAS_CALLS_H

// Calls of BLAS and LAPACK counted. Linked into a program, or loaded before it (LD_PRELOAD), the functions here take the
// place of the library's own, count, and go on to them. Where that is not possible nothing is counted.

// Calls that this thread has made so far; -1 where calls are not counted.
long blas_calls_of_this_thread(void);

#endif
