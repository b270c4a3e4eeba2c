// The path along a series over time. Lines, bands and ranges all follow it, so they end at the same places.

/** The standard deviation above which an angle is unknown, in degrees. */
const UNKNOWN_ANGLE = 90;

/** Returns the first pause [start, end, ...] that ends after a time, as an index of `pauses`; its length without one. */
function pauseAfter(pauses, time) {
  let [low, high] = [0, pauses.length >> 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pauses[2 * middle + 1] <= time) low = middle + 1; else high = middle;
  }
  return 2 * low;
}

/** Returns whether a pause lies between the times of two successive samples. */
function crossesPause(pauses, from, to) {
  const index = pauseAfter(pauses, from);
  if (index >= pauses.length) return false;
  // The middle of the pause is compared, as the ends are rounded and coincide with samples.
  const middle = (pauses[index] + pauses[index + 1]) / 2;
  return middle > from && middle < to;
}

/**
 * Visits a series from left to right, sample by sample, or dot by dot if there are many samples per dot. The pen is lifted at
 * missing values, at pauses of the table, and where an angle wraps.
 * @param {Object} line table, channel, sigma, series, edges, extremes, isWrapped.
 * @param {Function} visit receives the sample's index, or the dot with `isDot`; the smallest and largest value and the standard
 *   deviation in the plot's unit (NaN without one); whether the pen comes from the previous visit; and `isDot`.
 */
function walk({ table, channel, sigma, series, edges, extremes, isWrapped }, visit) {
  const { factor, sigmaFactor } = series;
  const { times } = table;
  const pauses = series.source.pauses;
  const jump = isWrapped ? series.turn / 2 : Infinity;
  const dots = edges.length - 1;
  let last = NaN;
  const isJoined = (value, index) => last === last && Math.abs(value - last) <= jump
    && !(pauses.length > 0 && crossesPause(pauses, times[index - 1], times[index]));
  if (edges[dots] - edges[0] <= 4 * dots) {
    // Each sample, including the nearest invisible ones.
    const end = Math.min(table.count, edges[dots] + 1);
    for (let index = Math.max(0, edges[0] - 1); index < end; index += 1) {
      const value = channel.at(index) * factor;
      if (value === value) visit(index, value, value, sigma ? sigma.at(index) * sigmaFactor : NaN, isJoined(value, index), false);
      last = value;
    }
    return;
  }
  const deviations = sigma?.extremes(edges, new Float64Array(2 * dots));
  for (let dot = 0; dot < dots; dot += 1) {
    const [begin, end] = [edges[dot], edges[dot + 1]];
    if (begin === end) continue;
    const [low, high] = [extremes[2 * dot] * factor, extremes[2 * dot + 1] * factor];
    const deviation = deviations ? deviations[2 * dot + 1] * sigmaFactor : NaN;
    if (low !== low) {
      last = NaN;
    } else if (high - low <= jump) {
      visit(dot, low, high, deviation, isJoined(channel.at(begin) * factor, begin), true);
      last = channel.at(end - 1) * factor;
    } else {
      // The angle wraps within the dot: each part without a jump is visited.
      let part = null;
      const finish = () => { if (part) visit(dot, part.low, part.high, deviation, part.isJoined, true); };
      for (let index = begin; index < end; index += 1) {
        const value = channel.at(index) * factor;
        if (value === value && part && isJoined(value, index)) {
          [part.low, part.high] = [Math.min(part.low, value), Math.max(part.high, value)];
        } else {
          finish();
          part = value === value ? { low: value, high: value, isJoined: isJoined(value, index) } : null;
        }
        last = value;
      }
      finish();
    }
  }
}

/** Returns the arguments of each visit of `walk`: the range, the band and the line follow the same path. */
function visitsOf(line) {
  const visits = [];
  walk(line, (...visit) => visits.push(visit));
  return visits;
}
