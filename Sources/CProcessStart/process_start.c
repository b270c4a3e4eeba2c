// OpenBLAS starts a thread for every core as soon as it is loaded, and they look out for work for some 30 ms: a tenth of
// the time that a command with a short log takes. Its matrices here are small, and it is asked for one thread. It looks
// at its environment before anything of the program runs, but not before the functions of this section, which the
// loader calls first. Whoever sets the variable keeps what they have set.
#include "CProcessStart.h"

#if defined(__linux__) && defined(__ELF__)
#include <stdlib.h>

static void ask_for_one_thread(void) { setenv("OPENBLAS_NUM_THREADS", "1", 0); }

__attribute__((section(".preinit_array"), used)) static void (*const before_libraries)(void) = ask_for_one_thread;
#endif
