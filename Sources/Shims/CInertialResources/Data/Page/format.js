// Formats numbers and times.

/** Returns the number of decimals for a step between values. */
function digitsOf(step) {
  return step > 0 ? Math.min(8, Math.max(0, Math.ceil(-Math.log10(step) - 1e-9))) : 0;
}

/** Returns a number with a fixed number of decimals and a true minus sign, or a dash if it is missing. */
function formatNumber(value, digits) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  const text = size >= 1e7 || (size > 0 && size < 1e-6) ? value.toExponential(3) : value.toFixed(digits);
  return text.replace("-", "−").replace(/^−(0(\.0*)?)$/, "$1");
}

/** Returns a time since the start: 12.34 s, 3:05.2, 1:03:05. */
function formatTime(seconds, digits = 2) {
  if (!Number.isFinite(seconds)) return "–";
  const sign = seconds < 0 ? "−" : "";
  const size = Math.abs(seconds);
  if (size < 60) return `${sign}${size.toFixed(digits)} s`;
  const scale = 10 ** digits;
  const rounded = Math.round(size * scale) / scale;
  const hours = Math.floor(rounded / 3600);
  const minutes = Math.floor(rounded / 60) % 60;
  const rest = (rounded % 60).toFixed(digits).padStart(digits > 0 ? digits + 3 : 2, "0");
  return hours > 0 ? `${sign}${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${sign}${minutes}:${rest}`;
}

/** Returns the multiples of a step between two ends. */
function multiples(low, high, step) {
  const first = Math.ceil(low / step);
  return { step, ticks: Array.from({ length: Math.max(0, Math.floor(high / step + 1e-9) - first + 1) }, (_, index) => (first + index) * step) };
}

/** Returns at most `most` round values between two ends, 1, 2 or 5 times a power of ten apart. */
function niceTicks(low, high, most) {
  const span = high - low;
  if (!(span > 0) || !Number.isFinite(span)) return { step: 1, ticks: [] };
  const rough = span / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(rough));
  return multiples(low, high, [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough * 0.999));
}

/** Returns ticks of an angle in degrees: above 40°, at divisors or multiples of 90. */
function angleTicks(low, high, most) {
  const step = [15, 30, 45, 90, 180, 360].find((candidate) => high - low <= candidate * most);
  return high - low > 40 && step ? multiples(low, high, step) : niceTicks(low, high, most);
}

/** Returns round times, including halves and quarters of minutes and hours. */
function timeTicks(low, high, most) {
  const span = high - low;
  const rough = span / Math.max(1, most);
  if (rough <= 5) return niceTicks(low, high, most);
  const step = [10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400]
    .find((candidate) => candidate >= rough) || Math.ceil(rough / 86400) * 86400;
  return multiples(low, high, step);
}
