#ifndef ROUNDED_DECIMAL_H
#define ROUNDED_DECIMAL_H

/// Writes the value rounded to `digits` significant digits (1 to 17), with the characters of std::to_chars for that
/// precision and std::chars_format::general: half to even of the exact value, without trailing zeros.
/// Returns one past the last character, or nullptr if std::to_chars has to write the number: more than 9 digits, zero,
/// not finite, not below 10^7 or 10^digits, or so small that the product is not exact (10^-19 for 9 digits);
/// [begin, begin + 24) may then have been overwritten.
char *write_rounded_number(char *begin, double value, int digits);

#endif
