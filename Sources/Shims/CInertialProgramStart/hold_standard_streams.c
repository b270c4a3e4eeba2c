#include "CInertialProgramStart.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

// A stream that is closed when the program begins keeps its number: a file that is opened later must not get it, or
// messages would go into the file. What is put in its place can neither be read from nor written to, so nothing is lost
// unnoticed.
__attribute__((constructor)) static void hold_standard_streams(void) {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++) {
    if (fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
    // The lowest free number is this one.
    (void)!open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}
