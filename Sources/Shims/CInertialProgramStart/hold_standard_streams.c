#include "CInertialProgramStart.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

// If a standard stream is closed when the program starts, its number stays reserved: a file that is opened later must
// not get it, or messages would be written to the file. The placeholder can be neither read nor written, so that no
// data is lost silently.
__attribute__((constructor)) static void hold_standard_streams(void) {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++) {
    if (fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
    // The lowest free number is this one.
    (void)!open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}
