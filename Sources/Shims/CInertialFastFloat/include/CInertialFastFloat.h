#ifndef CFASTFLOAT_H
#define CFASTFLOAT_H

// Decimal text to double and back, without a locale, a copy or an allocation.

#ifdef __cplusplus
extern "C" {
#endif

/// Parses the longest decimal floating-point prefix of [begin, end): "1", "-1.5e-3", "+2", "nan", "inf".
/// Correctly rounded. Returns one past the last character used, or NULL if there is no number.
/// A number beyond the range of double gives infinity or zero of its sign.
const char *_Nullable cfastfloat_parse(
    const char *_Nonnull begin, const char *_Nonnull end, double *_Nonnull value);

/// The same for numbers with a decimal comma: "1,5".
const char *_Nullable cfastfloat_parse_comma(
    const char *_Nonnull begin, const char *_Nonnull end, double *_Nonnull value);

/// Writes the shortest text that reads back as the same double, at most 24 characters.
/// Returns one past the last character written, or NULL if [begin, end) is too small.
char *_Nullable cfastfloat_write(char *_Nonnull begin, char *_Nonnull end, double value);

/// Writes the value rounded to `digits` significant decimal digits (1 to 17), without trailing zeros: the characters of
/// std::to_chars, in a quarter of its time for up to 9 digits. At most 24 characters; returns as above.
char *_Nullable cfastfloat_write_digits(
    char *_Nonnull begin, char *_Nonnull end, double value, int digits);

#ifdef __cplusplus
}
#endif
#endif
