#ifndef BROAD_FILE_H
#define BROAD_FILE_H

#include <stdint.h>

// Writes an HDF5 file in the layout of BROAD: three columns per row, sampling_rate as an attribute.
// Specific force in m/s², rad/s, µT; rate in Hz. Returns 0, or -1 if the file cannot be written.
int broad_file_write(
    const char *path, int64_t rows, double rate, const double *force, const double *gyroscope, const double *field);

#endif
