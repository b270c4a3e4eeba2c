// Reports signals that terminate a process to a waiting thread. A signal handler may call only few functions: this one
// writes a byte to a pipe.
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

static const int watched[] = {SIGINT, SIGTERM, SIGHUP};
static int ends[2] = {-1, -1};

static void tell(int number) {
  int before = errno;
  unsigned char byte = (unsigned char)number;
  (void)!write(ends[1], &byte, 1);
  errno = before;
}

static void unblock(const int *numbers, int count) {
  sigset_t set;
  sigemptyset(&set);
  for (int index = 0; index < count; index++) sigaddset(&set, numbers[index]);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

int process_watch_signals(void) {
  if (pipe(ends) != 0) return 0;
  for (int index = 0; index < 2; index++) fcntl(ends[index], F_SETFD, FD_CLOEXEC);
  // The handler must not block, regardless of the number of signals.
  fcntl(ends[1], F_SETFL, O_NONBLOCK);
  for (int index = 0; index < 3; index++) {
    struct sigaction action;
    // A signal that is ignored from the start, for example by nohup, stays ignored.
    if (sigaction(watched[index], NULL, &action) != 0 || action.sa_handler == SIG_IGN) continue;
    action.sa_handler = tell;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(watched[index], &action, NULL);
  }
  return 1;
}

int process_next_signal(void) {
  // A parent thread may have blocked all signals: they are unblocked in this thread.
  unblock(watched, 3);
  unsigned char byte;
  ssize_t count;
  do count = read(ends[0], &byte, 1);
  while (count < 0 && errno == EINTR);
  return count == 1 ? byte : 0;
}

void process_end_by_signal(int number) {
  signal(number, SIG_DFL);
  unblock(&number, 1);
  raise(number);
  // Reached only if the signal did not end the process.
  _exit(128 + number);
}
