#ifndef CINERTIALCOMPRESSION_SHIM_H
#define CINERTIALCOMPRESSION_SHIM_H

#include <zlib.h>
#include <zstd.h>

#endif
