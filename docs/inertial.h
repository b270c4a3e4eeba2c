// The toolkit for other languages: the functions of libCInertial, made by .ci/gate/check-c-header from Sources/Tools/CInertial.
//
// Sources/Tools/Jobs/Requests/JobAnswer.swift lists the members of requests. Every function that can fail returns a code: 0
// done, 1 invalid data, 2 invalid usage, 3 stopped by the caller. The error is written to `message`, a buffer of
// `messageSize` bytes (UTF-8, null-terminated, truncated if longer; NULL if not wanted). Handles may be used from any thread.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Returns the name and the unit of a column of a table, valid until the answer is released.
int32_t inertial_answer_column(uint64_t answer, ptrdiff_t table, ptrdiff_t column, const char ** name,
    const char ** unit, char * message, ptrdiff_t messageSize);

/// Returns the result, as the command prints it with --json: one document, UTF-8, null-terminated, valid until the
/// answer is released.
int32_t inertial_answer_document(uint64_t answer, const char ** text, char * message, ptrdiff_t messageSize);

/// Returns a table of an answer: its name, its numbers of columns and rows, and its values. The value in row r and
/// column c is values[c * columnStride + r]; NaN is a missing value. Name and values are valid until the answer is
/// released.
int32_t inertial_answer_table(uint64_t answer, ptrdiff_t table, const char ** name, ptrdiff_t * columnCount,
    ptrdiff_t * rowCount, const double ** values, ptrdiff_t * columnStride, char * message, ptrdiff_t messageSize);

/// Returns the number of tables in an answer: one of fused rows ("motion"), or one per channel that was read.
int32_t inertial_answer_table_count(uint64_t answer, ptrdiff_t * count, char * message, ptrdiff_t messageSize);

/// Writes the fused rows of an answer to a file: CSV, HDF5, NPZ, Parquet, BIDS, TUM or EuRoC, with the same contents as
/// with `inertial fuse`. The JSON object has the path and options of files, such as {"output": "walk.parquet", "force":
/// true, "writesLists": true}; the others are "formats", "digits" and "writesUnits".
int32_t inertial_answer_write(uint64_t answer, const char * json, char * message, ptrdiff_t messageSize);

/// Runs the command `inertial` with the given words as its arguments: prints its output, and ends the process with its
/// status. Returns 2 if a word is not UTF-8, or in a child that was forked after its parent used the library.
int32_t inertial_command(const char * const * words, ptrdiff_t wordCount);

/// Releases an answer or a stream, which invalidates its pointers.
int32_t inertial_release(uint64_t handle, char * message, ptrdiff_t messageSize);

/// Runs a job: fuse, track, read, inspect, convert, evaluate, evaluateEvents, shake, activity, steps, altitude, allan,
/// calibrate, simulate, filters or formats; or restore, with which another process writes the rows of a fuse answer: its
/// document, the options of fuse, and the rows as columns.
/// The request is a JSON object with the job, the path of the log, and the properties of the job, such as {"job":
/// "fuse", "input": "walk.csv", "options": {"filter": "vqf", "smooths": true, "motion": {"frame":
/// "xMagneticNorthZVertical"}, "log": {"rotationUnit": "deg/s"}}}. An unknown member is an error whose message lists
/// the members. Infinity and NaN are strings: "Infinity", "-Infinity", "NaN".
/// With columns the log is in memory, and no path is given: column i is named as in a header (time, accelerationX,
/// rotationRateX, magneticFieldX, or with a unit, "Gyroscope X (deg/s)"), its values are of types[i] (0 double, 1
/// float, 2 int64_t, 3 int32_t) and strides[i] bytes apart, which may be zero or negative. They are borrowed during the
/// call, and not copied; NaN is a missing sample.
/// progress, unless it is NULL, is called in this thread periodically with the completed fraction, 0 to 1; if it
/// returns a nonzero value, the call ends with code 3. Release the answer with inertial_release.
int32_t inertial_request(const char * json, const char * const * columnNames, const void * const * columnValues,
    const int32_t * columnTypes, const ptrdiff_t * columnStrides, ptrdiff_t columnCount, ptrdiff_t rowCount,
    int32_t (* progress)(void *, double), void * context, uint64_t * answer, char * message, ptrdiff_t messageSize);

/// Begins a fusion of samples that arrive one by one. The JSON object has the options of a fuse request, such as
/// {"filter": "vqf"}; the names designate the values in an input row, as in the header of a CSV. Release the stream
/// with inertial_release.
int32_t inertial_stream_begin(const char * json, const char * const * names, ptrdiff_t nameCount, uint64_t * stream,
    char * message, ptrdiff_t messageSize);

/// Returns the name and the unit of a column of the output rows, by its index from 0, and the number of columns if it
/// is requested.
int32_t inertial_stream_column(uint64_t stream, ptrdiff_t column, ptrdiff_t * count, const char ** name,
    const char ** unit, char * message, ptrdiff_t messageSize);

/// Ends the input and returns the remaining rows, like `inertial_stream_update`.
int32_t inertial_stream_finish(uint64_t stream, double * rows, ptrdiff_t rowCapacity, ptrdiff_t * rowCount,
    char * message, ptrdiff_t messageSize);

/// Begins a stream that continues from a state of the same version of the toolkit, and yields the same rows. A state must
/// come from a trusted source, as its numbers are not checked. Release the stream with inertial_release.
int32_t inertial_stream_restore(const char * state, uint64_t * stream, char * message, ptrdiff_t messageSize);

/// Returns the state of a stream between two rows, with which inertial_stream_restore continues, also in another
/// process: a JSON document, UTF-8, null-terminated, valid until the next call for the stream or its release.
int32_t inertial_stream_state(uint64_t stream, const char ** text, char * message, ptrdiff_t messageSize);

/// Appends the samples of one epoch: a row of values in the order of the names; NaN is a missing sample. The rows that
/// become available are written to `rows`, one after another; rows that do not fit are buffered for the next call.
/// numbers: The row, or NULL with a count of 0 to only receive buffered rows.
/// rowCapacity: The maximum number of rows that fit.
/// rowCount: The number of written rows.
int32_t inertial_stream_update(uint64_t stream, const double * numbers, ptrdiff_t numberCount, double * rows,
    ptrdiff_t rowCapacity, ptrdiff_t * rowCount, char * message, ptrdiff_t messageSize);

/// Returns the version of the toolkit, such as "0.9.0". The string is valid for the lifetime of the library.
const char * inertial_version(void);

#ifdef __cplusplus
}
#endif
