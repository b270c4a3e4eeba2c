#ifndef CInertialHDF5_SHIM_H
#define CInertialHDF5_SHIM_H

#include <hdf5.h>

// HDF5's type and identifier constants are macros that call into the library; Swift only imports functions.
static inline hid_t chdf5_native_double(void) { return H5T_NATIVE_DOUBLE; }
static inline hid_t chdf5_native_int8(void) { return H5T_NATIVE_INT8; }
static inline hid_t chdf5_c_string(void) { return H5T_C_S1; }
static inline hid_t chdf5_float32(void) { return H5T_IEEE_F32LE; }
static inline hid_t chdf5_float64(void) { return H5T_IEEE_F64LE; }
static inline hid_t chdf5_float32_big_endian(void) { return H5T_IEEE_F32BE; }
static inline hid_t chdf5_float64_big_endian(void) { return H5T_IEEE_F64BE; }
static inline hid_t chdf5_default(void) { return H5P_DEFAULT; }
static inline hid_t chdf5_all(void) { return H5S_ALL; }
static inline hid_t chdf5_file_access(void) { return H5P_FILE_ACCESS; }
static inline hid_t chdf5_file_create(void) { return H5P_FILE_CREATE; }
static inline hid_t chdf5_group_create(void) { return H5P_GROUP_CREATE; }
static inline hid_t chdf5_link_create(void) { return H5P_LINK_CREATE; }
static inline hid_t chdf5_dataset_access(void) { return H5P_DATASET_ACCESS; }
static inline hid_t chdf5_dataset_create(void) { return H5P_DATASET_CREATE; }
static inline hsize_t chdf5_unlimited(void) { return H5S_UNLIMITED; }
static inline size_t chdf5_variable_length(void) { return H5T_VARIABLE; }
static inline unsigned chdf5_read_only(void) { return H5F_ACC_RDONLY; }
static inline unsigned chdf5_truncate(void) { return H5F_ACC_TRUNC; }
static inline unsigned chdf5_creation_order(void) { return H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED; }
static inline void chdf5_silence_errors(void) { H5Eset_auto2(H5E_DEFAULT, NULL, NULL); }

// A file without a name needs no lock, and some network file systems do not support locks.
static inline herr_t chdf5_without_locks(hid_t access) {
#if H5_VERSION_GE(1, 10, 7)
  return H5Pset_file_locking(access, 0, 1);
#else
  return (void)access, 0;
#endif
}

#endif
