// OpenBLAS starts a thread for every core as soon as it is loaded, and they look out for work for some 30 ms: a tenth of
// the time that a command with a short log takes. Its matrices here are small, and it is asked for one thread. It looks
// at its environment before anything of the program runs but the functions of this section, which the loader calls first:
// so early that the C library has no environment yet to be added to. So the place of a variable is taken that a shell
// sets for every command and that nobody needs (`_`, the command's own name, of which argv tells). Where there is none,
// nothing is done. Whoever sets the variable keeps what they have set.
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
