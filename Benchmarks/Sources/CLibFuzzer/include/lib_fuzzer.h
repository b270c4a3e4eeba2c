#ifndef LIB_FUZZER_H
#define LIB_FUZZER_H

#include <stddef.h>
#include <stdint.h>

// libFuzzer's loop as a function (compiler-rt), which exists only in a build with -sanitize=fuzzer.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*test)(const uint8_t *bytes, size_t count));

#endif
