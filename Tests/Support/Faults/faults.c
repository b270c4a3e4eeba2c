// Stands before the system's calls in a process that is told to load it first, and lets one of them fail: the
// INERTIAL_FAULT_NUMBER-th call of the kind INERTIAL_FAULT_CALL that would change the disk, with the error
// INERTIAL_FAULT_ERROR. The file INERTIAL_FAULT_MARK is made when that happens. INERTIAL_FAULT_TIME shifts the time of day by
// so many seconds.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define REAL(name) ((typeof(&name))dlsym(RTLD_NEXT, #name))

static atomic_long calls;

// Whether this call is the one that is to fail.
static int fails(const char *call) {
  const char *wanted = getenv("INERTIAL_FAULT_CALL"), *number = getenv("INERTIAL_FAULT_NUMBER");
  if (!wanted || !number || strcmp(wanted, call) != 0) return 0;
  if (atomic_fetch_add(&calls, 1) + 1 != atol(number)) return 0;
  const char *mark = getenv("INERTIAL_FAULT_MARK"), *error = getenv("INERTIAL_FAULT_ERROR");
  if (mark) {
    int descriptor = REAL(open)(mark, O_WRONLY | O_CREAT, 0600);
    if (descriptor >= 0) REAL(close)(descriptor);
  }
  errno = error ? atoi(error) : EIO;
  return 1;
}

// Whether a descriptor is of a file or folder that the process writes: not of its messages, its locks or what it reads.
static int is_output(int descriptor) {
  struct stat status;
  int number = errno, flags = fcntl(descriptor, F_GETFL);
  int is = descriptor > 2 && flags >= 0 && (flags & O_ACCMODE) != O_RDONLY && fstat(descriptor, &status) == 0 &&
           S_ISREG(status.st_mode);
  errno = number;
  return is;
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
  if (is_output(descriptor) && fails("write")) return -1;
  return REAL(write)(descriptor, bytes, count);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t place) {
  if (is_output(descriptor) && fails("write")) return -1;
  return REAL(pwrite)(descriptor, bytes, count, place);
}

size_t fwrite(const void *bytes, size_t size, size_t count, FILE *stream) {
  if (stream != stdout && stream != stderr && fails("fwrite")) return 0;
  return REAL(fwrite)(bytes, size, count, stream);
}

int fflush(FILE *stream) {
  if (stream && stream != stdout && stream != stderr && fails("fflush")) return EOF;
  return REAL(fflush)(stream);
}

int fclose(FILE *stream) {
  int is = is_output(fileno(stream)), result = REAL(fclose)(stream);
  return is && fails("fclose") ? EOF : result;
}

int fsync(int descriptor) { return fails("fsync") ? -1 : REAL(fsync)(descriptor); }

int close(int descriptor) {
  int is = is_output(descriptor), result = REAL(close)(descriptor);
  return is && fails("close") ? -1 : result;
}

int rename(const char *from, const char *to) { return fails("rename") ? -1 : REAL(rename)(from, to); }

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags) {
  return fails("linkat") ? -1 : REAL(linkat)(from_folder, from, to_folder, to, flags);
}

int mkdir(const char *path, mode_t mode) { return fails("mkdir") ? -1 : REAL(mkdir)(path, mode); }

static int opening(const char *path, int flags, mode_t mode) {
  if ((flags & O_ACCMODE) != O_RDONLY && strncmp(path, "/dev/", 5) != 0 && fails("open")) return -1;
  return REAL(open)(path, flags, mode);
}

int open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  return opening(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  return opening(path, flags, mode);
}

static long shift(void) {
  const char *seconds = getenv("INERTIAL_FAULT_TIME");
  return seconds ? atol(seconds) : 0;
}

time_t time(time_t *place) {
  time_t now = REAL(time)(NULL) + shift();
  if (place) *place = now;
  return now;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  int result = REAL(gettimeofday)(now, zone);
  now->tv_sec += shift();
  return result;
}
