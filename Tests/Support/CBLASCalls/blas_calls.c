#include "blas_calls.h"

#if defined(__linux__)

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static _Thread_local long calls;

long blas_calls_of_this_thread(void) { return calls; }

// Every routine that InertialNumerics calls (Sources/Numerics/LinearAlgebra/BLAS.swift): result, name, parameters, arguments.
#define ROUTINES(X, F)                                                                                                 \
  X(cblas_dgemm, (int o, int a, int b, int m, int n, int k, double s, const double *x, int lx, const double *y, int ly, \
                  double t, double *c, int lc), (o, a, b, m, n, k, s, x, lx, y, ly, t, c, lc))                         \
  X(cblas_dsyrk, (int o, int u, int a, int n, int k, double s, const double *x, int lx, double t, double *c, int lc),  \
    (o, u, a, n, k, s, x, lx, t, c, lc))                                                                               \
  X(cblas_dgemv, (int o, int a, int m, int n, double s, const double *x, int lx, const double *y, int iy, double t,    \
                  double *z, int iz), (o, a, m, n, s, x, lx, y, iy, t, z, iz))                                         \
  X(cblas_dger, (int o, int m, int n, double s, const double *x, int ix, const double *y, int iy, double *a, int la),  \
    (o, m, n, s, x, ix, y, iy, a, la))                                                                                 \
  X(cblas_dtrsm, (int o, int d, int u, int a, int g, int m, int n, double s, const double *x, int lx, double *y,       \
                  int ly), (o, d, u, a, g, m, n, s, x, lx, y, ly))                                                     \
  X(cblas_dcopy, (int n, const double *x, int ix, double *y, int iy), (n, x, ix, y, iy))                               \
  X(cblas_daxpy, (int n, double s, const double *x, int ix, double *y, int iy), (n, s, x, ix, y, iy))                  \
  F(cblas_ddot, (int n, const double *x, int ix, const double *y, int iy), (n, x, ix, y, iy))                          \
  F(cblas_dnrm2, (int n, const double *x, int ix), (n, x, ix))                                                         \
  X(dpotrf_, (const char *u, const int *n, double *a, const int *l, int *i), (u, n, a, l, i))                          \
  X(dpotri_, (const char *u, const int *n, double *a, const int *l, int *i), (u, n, a, l, i))                          \
  X(dtrtri_, (const char *u, const char *d, const int *n, double *a, const int *l, int *i), (u, d, n, a, l, i))        \
  X(dgetrf_, (const int *m, const int *n, double *a, const int *l, int *p, int *i), (m, n, a, l, p, i))                \
  X(dgetrs_, (const char *t, const int *n, const int *r, const double *a, const int *l, const int *p, double *b,       \
              const int *lb, int *i), (t, n, r, a, l, p, b, lb, i))                                                    \
  X(dgeqrf_, (const int *m, const int *n, double *a, const int *l, double *t, double *w, const int *lw, int *i),       \
    (m, n, a, l, t, w, lw, i))                                                                                         \
  X(dorgqr_, (const int *m, const int *n, const int *k, double *a, const int *l, const double *t, double *w,           \
              const int *lw, int *i), (m, n, k, a, l, t, w, lw, i))                                                    \
  X(dormqr_, (const char *s, const char *r, const int *m, const int *n, const int *k, const double *a, const int *l,   \
              const double *t, double *c, const int *lc, double *w, const int *lw, int *i),                            \
    (s, r, m, n, k, a, l, t, c, lc, w, lw, i))                                                                         \
  X(dgesdd_, (const char *z, const int *m, const int *n, double *a, const int *l, double *s, double *u, const int *lu, \
              double *v, const int *lv, double *w, const int *lw, int *j, int *i),                                     \
    (z, m, n, a, l, s, u, lu, v, lv, w, lw, j, i))                                                                     \
  X(dsyevd_, (const char *z, const char *u, const int *n, double *a, const int *l, double *e, double *w,               \
              const int *lw, int *j, const int *lj, int *i), (z, u, n, a, l, e, w, lw, j, lj, i))                      \
  X(dgelsd_, (const int *m, const int *n, const int *r, double *a, const int *l, double *b, const int *lb, double *s,  \
              const double *c, int *k, double *w, const int *lw, int *j, int *i),                                      \
    (m, n, r, a, l, b, lb, s, c, k, w, lw, j, i))

// Of the whole process, for a program that this was loaded before: a record for each routine.
struct count {
  char name[24];
  atomic_long calls;
};
#define PLACE(name, parameters, arguments) place_##name,
enum { ROUTINES(PLACE, PLACE) routine_count };
#define RECORD(name, parameters, arguments) {#name, 0},
static struct count own_counts[] = {ROUTINES(RECORD, RECORD)};
static struct count *counts = own_counts;

// `make check WHAT=blas-calls` asks for the records in a file. They are shared with it from the beginning, so that nothing is lost
// however the process ends.
__attribute__((constructor)) static void share(void) {
  const char *path = getenv("BLAS_CALLS");
  int file = path ? open(path, O_RDWR | O_CREAT | O_TRUNC, 0600) : -1;
  if (file < 0) return;
  void *shared = MAP_FAILED;
  if (ftruncate(file, sizeof own_counts) == 0)
    shared = mmap(NULL, sizeof own_counts, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (shared == MAP_FAILED) return;
  memcpy(shared, own_counts, sizeof own_counts);
  counts = shared;
}

static void *library_function(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (!found) {
    fprintf(stderr, "%s: not in the libraries that are loaded\n", name);
    abort();
  }
  return found;
}

#define DEFINE(type, give, name, parameters, arguments)                                    \
  type name parameters {                                                                   \
    static type(*_Atomic function) parameters;                                             \
    type(*call) parameters = atomic_load_explicit(&function, memory_order_relaxed);        \
    if (!call) {                                                                           \
      call = (type(*) parameters)library_function(#name);                                  \
      atomic_store_explicit(&function, call, memory_order_relaxed);                        \
    }                                                                                      \
    calls++;                                                                               \
    atomic_fetch_add_explicit(&counts[place_##name].calls, 1, memory_order_relaxed);                 \
    give call arguments;                                                                   \
  }
#define SUBROUTINE(name, parameters, arguments) DEFINE(void, , name, parameters, arguments)
#define FUNCTION(name, parameters, arguments) DEFINE(double, return, name, parameters, arguments)
ROUTINES(SUBROUTINE, FUNCTION)

#else

long blas_calls_of_this_thread(void) { return -1; }

#endif
