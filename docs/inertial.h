// The toolkit for other languages: the functions of libCInertial, made by .ci/gate/check-c-header from Sources/Tools/CInertial.
//
// What can be asked for, and how, is what the command takes: `inertial help`. Every function that can fail gives a code: 0
// done, 1 bad data, 2 bad usage, 3 stopped by the caller. The line that says why goes to `message`, room for `messageSize`
// bytes (UTF-8, ended with 0, cut where it is longer; NULL where nobody asks). Handles may be used by any thread.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The name and the unit of a column of a table. They live until the answer is released.
int32_t inertial_answer_column(uint64_t answer, ptrdiff_t table, ptrdiff_t column, const char ** name,
    const char ** unit, char * message, ptrdiff_t messageSize);

/// What the subcommand prints with --json: one document, UTF-8, ended with 0. It lives until the answer is released.
int32_t inertial_answer_document(uint64_t answer, const char ** text, char * message, ptrdiff_t messageSize);

/// A table of an answer: its name, its columns and rows, and where its numbers are. The number of row r and column c is
/// values[c * columnStride + r]; NaN is no value. Name and numbers live until the answer is released.
int32_t inertial_answer_table(uint64_t answer, ptrdiff_t table, const char ** name, ptrdiff_t * columnCount,
    ptrdiff_t * rowCount, const double ** values, ptrdiff_t * columnStride, char * message, ptrdiff_t messageSize);

/// How many tables of numbers an answer has: one of fused rows ("motion"), or one for each channel that was read.
int32_t inertial_answer_table_count(uint64_t answer, ptrdiff_t * count, char * message, ptrdiff_t messageSize);

/// Writes the fused rows of an answer to a file: CSV, HDF5, NPZ, Parquet, BIDS, TUM or EuRoC, with all that `inertial fuse`
/// tells in it. The words are its options of the output: "-o", "walk.parquet", "--force", "--lists", "--digits", "6".
int32_t inertial_answer_write(uint64_t answer, const char * const * words, ptrdiff_t wordCount, char * message,
    ptrdiff_t messageSize);

/// Asks a subcommand: fuse, read, inspect, evaluate, shake, activity, steps, altitude, filters or formats; or restore, by which
/// another process writes the rows of an answer of fuse: its document, the words of fuse with the path after "--", and the rows
/// as columns.
/// The words are those of the command line, the subcommand's first, such as "fuse", "--filter", "vqf", "--smooth",
/// "--", "walk.csv". With columns the log is in memory, and no path is given: column i is named as in a header
/// (time, accelerationX, rotationRateX, magneticFieldX, or with a unit, "Gyroscope X (deg/s)"), its numbers are of types[i]
/// (0 double, 1 float, 2 int64_t, 3 int32_t) and strides[i] bytes apart, which may be 0 or less. They are borrowed until the
/// call is over, and not copied; NaN is no sample.
/// progress, where it is not NULL, is called in this thread now and then with the share that is done, 0 to 1; where it
/// gives something else than 0, the work ends with code 3. The answer is to be released.
int32_t inertial_ask(const char * const * words, ptrdiff_t wordCount, const char * const * columnNames,
    const void * const * columnValues, const int32_t * columnTypes, const ptrdiff_t * columnStrides,
    ptrdiff_t columnCount, ptrdiff_t rowCount, int32_t (* progress)(void *, double), void * context,
    uint64_t * answer, char * message, ptrdiff_t messageSize);

/// The command `inertial` with words behind its name: prints what it prints, and ends the process with its status. Returns 2 if
/// a word is not UTF-8, or in a child that was forked after its parent used the library.
int32_t inertial_command(const char * const * words, ptrdiff_t wordCount);

/// Releases an answer or a stream: what it gave pointers to is gone.
int32_t inertial_release(uint64_t handle, char * message, ptrdiff_t messageSize);

/// Begins a fusion whose samples come one by one. The words are options of `inertial fuse` ("--filter", "vqf"); the names
/// are those of the numbers of a row that goes in, as in the header of a CSV. The stream is to be released.
int32_t inertial_stream_begin(const char * const * words, ptrdiff_t wordCount, const char * const * names,
    ptrdiff_t nameCount, uint64_t * stream, char * message, ptrdiff_t messageSize);

/// The name and the unit of a number of the rows that come out, by its place from 0; the count where it is asked for.
int32_t inertial_stream_column(uint64_t stream, ptrdiff_t column, ptrdiff_t * count, const char ** name,
    const char ** unit, char * message, ptrdiff_t messageSize);

/// No more samples will come: gives the rows that waited for them, as `inertial_stream_update` does.
int32_t inertial_stream_finish(uint64_t stream, double * rows, ptrdiff_t rowCapacity, ptrdiff_t * rowCount,
    char * message, ptrdiff_t messageSize);

/// Takes the samples of one time: a row of numbers in the order of the names; NaN is no sample. Rows that become known by
/// it go to `rows`, one after another; those that there is no room for wait for the next call.
/// numbers: NULL with a count of 0 takes nothing, and only gives what waits.
/// rowCapacity: rows that there is room for.
/// rowCount: how many were given.
int32_t inertial_stream_update(uint64_t stream, const double * numbers, ptrdiff_t numberCount, double * rows,
    ptrdiff_t rowCapacity, ptrdiff_t * rowCount, char * message, ptrdiff_t messageSize);

/// The version of the toolkit, such as "0.9.0". The text is the library's and lives as long as it.
const char * inertial_version(void);

#ifdef __cplusplus
}
#endif
