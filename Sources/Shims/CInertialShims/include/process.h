// What a program needs to know of its standard streams, and of the signals that end it.
#pragma once

#include <stddef.h>

// Writes to standard error; 0 where not all of it arrived.
int process_say(const char *text, size_t count);

// Writes what standard output holds back; 0, or the error number (EIO where only the failure is known) where something
// that was written to it has not arrived.
int process_output_failure(void);

// Lets the process have so many files open, as far as the system allows; how many it may have open then.
long process_raise_file_limit(long wanted);

// Bytes of memory that the process may map; below 0 for as many as it likes.
long long process_memory_limit(void);

// Whether something written to standard error has not arrived.
int process_messages_failed(void);

// From now on SIGINT, SIGTERM and SIGHUP do not end the process but are told by process_next_signal; those that are ignored
// stay so. 0 where that cannot be had.
int process_watch_signals(void);

// Waits for the next of these signals; 0 where none will be told.
int process_next_signal(void);

// Ends the process as the signal would have done.
_Noreturn void process_end_by_signal(int number);
