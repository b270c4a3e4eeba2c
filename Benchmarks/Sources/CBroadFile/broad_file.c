#include "broad_file.h"

#include <hdf5.h>

static int write_table(hid_t file, const char *name, int64_t rows, const double *values) {
  const hsize_t extents[2] = {(hsize_t)rows, 3};
  const hid_t space = H5Screate_simple(2, extents, NULL);
  const hid_t table = H5Dcreate2(file, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const herr_t result = H5Dwrite(table, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  H5Dclose(table);
  H5Sclose(space);
  return result < 0 ? -1 : 0;
}

int broad_file_write(
    const char *path, int64_t rows, double rate, const double *force, const double *gyroscope, const double *field) {
  const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  if (file < 0) return -1;
  const hid_t scalar = H5Screate(H5S_SCALAR);
  const hid_t attribute = H5Acreate2(file, "sampling_rate", H5T_IEEE_F64LE, scalar, H5P_DEFAULT, H5P_DEFAULT);
  int result = H5Awrite(attribute, H5T_NATIVE_DOUBLE, &rate) < 0 ? -1 : 0;
  H5Aclose(attribute);
  H5Sclose(scalar);
  if (write_table(file, "imu_acc", rows, force)) result = -1;
  if (write_table(file, "imu_gyr", rows, gyroscope)) result = -1;
  if (write_table(file, "imu_mag", rows, field)) result = -1;
  return H5Fclose(file) < 0 ? -1 : result;
}
