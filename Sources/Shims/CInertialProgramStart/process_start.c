// When OpenBLAS is loaded, it starts a thread for every core, and the threads poll for work for some 30 ms: a tenth of
// the time of a command with a short log. The matrices here are small, so a single thread is requested. OpenBLAS reads
// its environment before any code of the program runs, except for the functions of this section, which the loader calls
// first, before the C library has an environment that could be extended. Therefore the variable `_` is replaced, which
// a shell sets for every command to the command's own name, and which no code needs, as argv contains the name. If `_`
// is missing, nothing is changed. If OPENBLAS_NUM_THREADS is set, it is kept.
#include "CInertialProgramStart.h"

#if defined(__linux__) && defined(__ELF__)
#include <string.h>

static char one_thread[] = "OPENBLAS_NUM_THREADS=1";

static void ask_for_one_thread(int count, char **arguments, char **environment) {
  (void)count;
  (void)arguments;
  char **place = NULL;
  for (char **variable = environment; *variable; variable++) {
    if (strncmp(*variable, one_thread, sizeof one_thread - 2) == 0) return;
    if ((*variable)[0] == '_' && (*variable)[1] == '=') place = variable;
  }
  if (place) *place = one_thread;
}

__attribute__((section(".preinit_array"), used)) static void (*const before_libraries)(int, char **, char **) =
    ask_for_one_thread;
#endif
