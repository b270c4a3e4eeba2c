#ifndef COPENBLAS_SHIM_H
#define COPENBLAS_SHIM_H

#include <cblas.h>
#include <stdint.h>

// The LAPACK routines that LinearAlgebra calls, with the Fortran binary interface.
// libopenblas exports them itself; Accelerate has the same names on Apple platforms.

#endif
