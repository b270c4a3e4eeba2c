#ifndef CINERTIALOPENBLAS_SHIM_H
#define CINERTIALOPENBLAS_SHIM_H

#include <cblas.h>

// The LAPACK routines that InertialNumerics calls (Sources/Numerics/LinearAlgebra/BLAS.swift), with the
// Fortran binary interface: column-major, 32-bit integers, everything by pointer. libopenblas exports
// them itself, so neither liblapack nor liblapacke is linked; Accelerate has the same names and types on
// Apple platforms.
// Argument lists: LAPACK Users' Guide, 3rd edition, and the netlib reference.

// Cholesky factor of a symmetric positive definite matrix, and the inverse from it.
void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info);
void dpotri_(const char *uplo, const int *n, double *a, const int *lda, int *info);

// Inverse of a triangular matrix.
void dtrtri_(const char *uplo, const char *diag, const int *n, double *a, const int *lda, int *info);

// LU with partial pivoting, and the solution from it.
void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv, int *info);
void dgetrs_(const char *trans, const int *n, const int *nrhs, const double *a, const int *lda,
             const int *ipiv, double *b, const int *ldb, int *info);

// Householder QR, its orthogonal factor formed, and its orthogonal factor applied.
void dgeqrf_(const int *m, const int *n, double *a, const int *lda, double *tau, double *work,
             const int *lwork, int *info);
void dorgqr_(const int *m, const int *n, const int *k, double *a, const int *lda, const double *tau,
             double *work, const int *lwork, int *info);
void dormqr_(const char *side, const char *trans, const int *m, const int *n, const int *k,
             const double *a, const int *lda, const double *tau, double *c, const int *ldc,
             double *work, const int *lwork, int *info);

// Singular value decomposition and symmetric eigenproblem, both by divide and conquer.
void dgesdd_(const char *jobz, const int *m, const int *n, double *a, const int *lda, double *s,
             double *u, const int *ldu, double *vt, const int *ldvt, double *work, const int *lwork,
             int *iwork, int *info);
void dsyevd_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w,
             double *work, const int *lwork, int *iwork, const int *liwork, int *info);

// Minimum-norm least squares by the singular value decomposition.
void dgelsd_(const int *m, const int *n, const int *nrhs, double *a, const int *lda, double *b,
             const int *ldb, double *s, const double *rcond, int *rank, double *work,
             const int *lwork, int *iwork, int *info);

#endif
