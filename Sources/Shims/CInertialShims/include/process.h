// Functions for the standard streams of a program, and for the signals that terminate it.
#pragma once

#include <stddef.h>

// Writes to standard error; returns 0 if the text was not written completely.
int process_say(const char *text, size_t count);

// Flushes standard output. Returns 0, or the error number (EIO if it is unknown) if any output was not written.
int process_output_failure(void);

// Raises the limit of open files to the given number, as far as the system permits; returns the resulting limit, at
// most the given number.
long process_raise_file_limit(long wanted);

// Returns the number of bytes of memory that the process may map, or a negative number without a limit.
long long process_memory_limit(void);

// Returns whether writing to standard error has failed.
int process_messages_failed(void);

// Makes SIGINT, SIGTERM and SIGHUP available to process_next_signal instead of ending the process; ignored signals stay
// ignored. Returns 0 on failure.
int process_watch_signals(void);

// Waits for the next of these signals; returns 0 if there will be none.
int process_next_signal(void);

// Ends the process as the signal would have done.
_Noreturn void process_end_by_signal(int number);
