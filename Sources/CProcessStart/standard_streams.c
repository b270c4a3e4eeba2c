// Standard output and standard error through C's own streams, whose marks of failure tell at the end of a program whether
// all that it said has arrived.
#include "CProcessStart.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
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

int process_say(const char *text, size_t count) { return fwrite(text, 1, count, stderr) == count; }

int process_output_failure(void) {
  errno = 0;
  if (fflush(stdout) != 0) return errno ? errno : EIO;
  return ferror(stdout) ? EIO : 0;
}

long process_raise_file_limit(long wanted) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return wanted;
  if (limit.rlim_cur < (rlim_t)wanted) {
    rlim_t before = limit.rlim_cur;
    limit.rlim_cur = limit.rlim_max < (rlim_t)wanted ? limit.rlim_max : (rlim_t)wanted;
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0) limit.rlim_cur = before;
  }
  return limit.rlim_cur < (rlim_t)wanted ? (long)limit.rlim_cur : wanted;
}

int process_messages_failed(void) { return ferror(stderr) != 0; }
