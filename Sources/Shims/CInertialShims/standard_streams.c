// Standard output and standard error through C's streams, whose error indicators show at the end of a program whether
// all output has been written.
#include "process.h"

#include <errno.h>
#include <stdio.h>
#include <sys/resource.h>

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

long long process_memory_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return -1;
  return (long long)limit.rlim_cur;
}
