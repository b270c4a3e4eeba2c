// What a program that links this does before its libraries begin, and what it needs to know of its standard streams.
#pragma once

#include <stddef.h>

// Writes to standard error; 0 where not all of it arrived.
int process_say(const char *text, size_t count);

// Writes what standard output holds back; 0, or the error number (EIO where only the failure is known) where something
// that was written to it has not arrived.
int process_output_failure(void);

// Lets the process have so many files open, as far as the system allows; how many it may have open then.
long process_raise_file_limit(long wanted);

// Whether something written to standard error has not arrived.
int process_messages_failed(void);
