// The power spectral density of a plot's lines, by Welch's method (1967): averaged periodograms of overlapping windows.

const WINDOW_LENGTHS = [2048, 1024, 512, 256, 128, 64];

/** Transforms complex numbers in place; their number is a power of two (Cooley and Tukey, 1965). */
function transform(real, imaginary) {
  const count = real.length;
  for (let index = 1, other = 0; index < count; index += 1) {
    let bit = count >> 1;
    for (; other & bit; bit >>= 1) other ^= bit;
    other ^= bit;
    if (index >= other) continue;
    [real[index], real[other]] = [real[other], real[index]];
    [imaginary[index], imaginary[other]] = [imaginary[other], imaginary[index]];
  }
  for (let size = 2; size <= count; size *= 2) {
    for (let place = 0; place < size / 2; place += 1) {
      const angle = (-2 * Math.PI * place) / size;
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      for (let start = place; start < count; start += size) {
        const end = start + size / 2;
        const [re, im] = [real[end] * c - imaginary[end] * s, real[end] * s + imaginary[end] * c];
        [real[end], imaginary[end]] = [real[start] - re, imaginary[start] - im];
        [real[start], imaginary[start]] = [real[start] + re, imaginary[start] + im];
      }
    }
  }
}

/**
 * Returns the one-sided density of a channel between two samples: { frequencies in Hz, density in the squared unit per Hz }, or null
 * if there is no window without a gap or a missing value. Windows overlap by half, and have no mean.
 */
function spectrumOf(table, channel, factor, begin, end) {
  const { times } = table;
  const count = end - begin;
  const length = WINDOW_LENGTHS.find((each) => 3 * each <= count) ?? WINDOW_LENGTHS.find((each) => each <= count);
  if (!length) return null;
  const intervals = Float64Array.from({ length: count - 1 }, (_, index) => times[begin + index + 1] - times[begin + index]).sort();
  const interval = intervals[intervals.length >> 1];
  const taper = Float64Array.from({ length }, (_, index) => 0.5 - 0.5 * Math.cos((2 * Math.PI * index) / length));
  const power = taper.reduce((sum, value) => sum + value * value, 0);
  const density = new Float64Array(length / 2 - 1);
  let windows = 0;
  for (let start = begin; start + length <= end; start += length / 2) {
    // Samples are missing if a window is longer than its samples.
    if (Math.abs(times[start + length - 1] - times[start] - (length - 1) * interval) > 0.02 * length * interval + 2 * interval) continue;
    const real = Float64Array.from({ length }, (_, index) => channel.at(start + index) * factor);
    const mean = real.reduce((sum, value) => sum + value, 0) / length;
    if (mean !== mean) continue;
    for (let index = 0; index < length; index += 1) real[index] = (real[index] - mean) * taper[index];
    const imaginary = new Float64Array(length);
    transform(real, imaginary);
    for (let index = 0; index < density.length; index += 1) density[index] += real[index + 1] ** 2 + imaginary[index + 1] ** 2;
    windows += 1;
  }
  if (windows === 0) return null;
  const scale = (2 * interval) / (power * windows);
  return {
    frequencies: Array.from(density, (_, index) => (index + 1) / (length * interval)), density: Array.from(density, (value) => value * scale),
  };
}

/** Returns the spectrum of a plot's visible range, which is computed when it is opened. */
function spectrumPanel(timePlot) {
  const { plot, view, theme } = timePlot;
  const place = element("div");
  const fill = () => {
    const [begin, end] = view.interval;
    const curves = plot.series.flatMap((series) => {
      const found = series.source.column(series.column);
      const spectrum = found && spectrumOf(found.table, found.channel, series.factor, found.table.first(begin), found.table.first(end));
      return spectrum && spectrum.density.some((value) => value > 0) ? [{ label: series.label, x: spectrum.frequencies, y: spectrum.density }] : [];
    });
    if (curves.length < plot.series.length) {
      place.replaceChildren(element("p", { class: "note", text: "A spectrum needs at least 64 samples without a gap." }));
      return;
    }
    const unit = plot.unit.includes("/") ? `(${plot.unit})²` : `${plot.unit}²`;
    const chart = { title: `Spectrum of ${plot.title.toLowerCase()}`, x: "frequency in Hz", y: `density in ${unit}/Hz`, hasLogarithmicX: true, hasLogarithmicY: true, isLine: true, curves };
    place.replaceChildren(new Curves(chart, { theme }).node);
  };
  return rangeDetails("Spectrum", view, place, fill);
}
