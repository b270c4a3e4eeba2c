#ifndef CHDF5_SHIM_H
#define CHDF5_SHIM_H

#include <hdf5.h>

// HDF5's type and identifier constants are macros that call into the library; Swift sees functions.
static inline hid_t chdf5_native_double(void) { return H5T_NATIVE_DOUBLE; }
static inline hid_t chdf5_native_int8(void) { return H5T_NATIVE_INT8; }
static inline hid_t chdf5_default(void) { return H5P_DEFAULT; }
static inline hid_t chdf5_all(void) { return H5S_ALL; }
static inline void chdf5_silence_errors(void) { H5Eset_auto2(H5E_DEFAULT, NULL, NULL); }

#endif
