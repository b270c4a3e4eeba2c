#include "CInertialFastFloat.h"
#include "RoundedDecimal.h"
#include "ShortestDecimal.h"

#include <charconv>
#include <fast_float/fast_float.h>
#include <system_error>

static const char *parse(const char *begin, const char *end, char decimal_point, double *value) {
  // fast_float refuses a leading plus sign, which spreadsheets and MATLAB write.
  if (begin != end && *begin == '+' && end - begin > 1 && begin[1] != '-' && begin[1] != '+') {
    ++begin;
  }
  const auto result = fast_float::from_chars_advanced(
      begin, end, *value, fast_float::parse_options(fast_float::chars_format::general, decimal_point));
  // result_out_of_range still sets the value to infinity or zero.
  if (result.ec == std::errc::invalid_argument) return nullptr;
  return result.ptr;
}

extern "C" const char *cfastfloat_parse(const char *begin, const char *end, double *value) {
  return parse(begin, end, '.', value);
}

extern "C" const char *cfastfloat_parse_comma(const char *begin, const char *end, double *value) {
  return parse(begin, end, ',', value);
}

extern "C" char *cfastfloat_write(char *begin, char *end, double value) {
  if (end - begin >= 24) {
    if (char *const stop = write_usual_number(begin, value)) return stop;
  }
  const auto result = std::to_chars(begin, end, value);
  return result.ec == std::errc() ? result.ptr : nullptr;
}

extern "C" char *cfastfloat_write_digits(char *begin, char *end, double value, int digits) {
  if (end - begin >= 24) {
    if (char *const stop = write_rounded_number(begin, value, digits)) return stop;
  }
  const auto result = std::to_chars(begin, end, value, std::chars_format::general, digits);
  return result.ec == std::errc() ? result.ptr : nullptr;
}
