#include "lib_fuzzer.h"
