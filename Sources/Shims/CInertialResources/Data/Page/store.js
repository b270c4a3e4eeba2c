// Columns over time with min/max pyramids, so that the cost of a picture depends on its width, not on the number of
// samples.

/** The number of samples per bucket of a pyramid's lowest level, and of buckets per bucket of the next level. */
const PYRAMID_BASE = 16;
const PYRAMID_FACTOR = 4;

function isValue(value) { return value === value && value !== MISSING; }

/** Computes the minimum of every `factor` values, or `none` without a value. The smallest integer denotes a missing value. */
function smallestOfEach(values, factor, result, none) {
  const length = values.length;
  for (let bucket = 0; bucket < result.length; bucket += 1) {
    let smallest = none;
    let index = bucket * factor;
    const end = index + factor < length ? index + factor : length;
    for (; index < end; index += 1) {
      const value = values[index];
      if (value < smallest && value !== MISSING) smallest = value;
    }
    result[bucket] = smallest;
  }
}

/** Computes the maximum of every `factor` values, or `least` without a value. */
function largestOfEach(values, factor, result, least) {
  const length = values.length;
  for (let bucket = 0; bucket < result.length; bucket += 1) {
    let largest = least;
    let index = bucket * factor;
    const end = index + factor < length ? index + factor : length;
    for (; index < end; index += 1) {
      const value = values[index];
      if (value > largest) largest = value;
    }
    result[bucket] = largest;
  }
}

/** A column: integers with a step and an offset, or plain numbers. */
class Channel {
  constructor(values, step = 1, offset = 0) {
    this.values = values;
    this.step = step;
    /** The step of displayed values. */
    this.resolution = step;
    this.offset = offset;
    /** Levels from fine to coarse: { size: samples per bucket, low, high }; low > high if a bucket has no value. */
    this.levels = [];
    this.build();
  }

  /** Returns the value of a sample, or NaN if it is missing. */
  at(index) {
    const value = this.values[index];
    return isValue(value) ? this.offset + this.step * value : NaN;
  }

  build() {
    const { values } = this;
    if (values.length < 4 * PYRAMID_BASE) return;
    const Values = values.constructor;
    const isWhole = values instanceof Int16Array;
    // Without values the minimum exceeds the maximum.
    const none = isWhole ? 32767 : Infinity;
    const least = isWhole ? MISSING : -Infinity;
    let [size, low, high] = [1, values, values];
    while (size === 1 || low.length > 64) {
      const factor = size === 1 ? PYRAMID_BASE : PYRAMID_FACTOR;
      const count = Math.ceil(low.length / factor);
      const [coarseLow, coarseHigh] = [new Values(count), new Values(count)];
      smallestOfEach(low, factor, coarseLow, none);
      largestOfEach(high, factor, coarseHigh, least);
      [size, low, high] = [size * factor, coarseLow, coarseHigh];
      this.levels.push({ size, low, high });
    }
  }

  /** Returns the coarsest level with at least two buckets per dot, or null for the samples themselves. */
  level(samplesPerDot) {
    let found = null;
    for (const level of this.levels) if (level.size * 2 <= samplesPerDot) found = level;
    return found;
  }

  /**
   * Computes the minimum and maximum between sample edges, one pair per dot; NaN without a value.
   * @param {Int32Array} edges the first sample of each dot, and the end of the last dot.
   */
  extremes(edges, result) {
    const count = edges.length - 1;
    const level = this.level((edges[count] - edges[0]) / count);
    const { values, step, offset } = this;
    for (let dot = 0; dot < count; dot += 1) {
      let smallest = Infinity;
      let largest = -Infinity;
      // A dot without samples is empty: its bucket would contain the samples next to the gap.
      if (edges[dot] === edges[dot + 1]) {
        result[2 * dot] = NaN;
        result[2 * dot + 1] = NaN;
        continue;
      }
      if (level) {
        const end = Math.ceil(edges[dot + 1] / level.size);
        for (let bucket = Math.floor(edges[dot] / level.size); bucket < end; bucket += 1) {
          if (level.low[bucket] > level.high[bucket]) continue;
          if (level.low[bucket] < smallest) smallest = level.low[bucket];
          if (level.high[bucket] > largest) largest = level.high[bucket];
        }
      } else {
        for (let index = edges[dot]; index < edges[dot + 1]; index += 1) {
          const value = values[index];
          if (!isValue(value)) continue;
          if (value < smallest) smallest = value;
          if (value > largest) largest = value;
        }
      }
      const isKnown = smallest <= largest;
      result[2 * dot] = isKnown ? offset + step * smallest : NaN;
      result[2 * dot + 1] = isKnown ? offset + step * largest : NaN;
    }
    return result;
  }

  /** Returns the mean, the standard deviation and the root mean square of the values between two samples; NaN without a value. */
  statistics(begin, end) {
    let [count, sum, squares] = [0, 0, 0];
    for (let index = begin; index < end; index += 1) {
      const value = this.values[index];
      if (!isValue(value)) continue;
      count += 1;
      sum += value;
      squares += value * value;
    }
    const [mean, variance] = [sum / count, Math.max(0, squares / count - (sum / count) ** 2)];
    const [center, sigma] = [this.offset + this.step * mean, this.step * Math.sqrt(variance)];
    return count > 0 ? [center, sigma, Math.hypot(center, sigma)] : [NaN, NaN, NaN];
  }

  /** Returns the channel without jumps by a full turn; `turn` is in the channel's unit. */
  unwrapped(turn) {
    const values = new Float32Array(this.values.length);
    let turns = 0;
    let last = NaN;
    for (let index = 0; index < values.length; index += 1) {
      const value = this.at(index);
      if (value === value) {
        if (value - last > turn / 2) turns -= 1;
        if (last - value > turn / 2) turns += 1;
        last = value;
      }
      values[index] = value + turns * turn;
    }
    return new Channel(values);
  }
}

/** Channels with common times. */
class Table {
  constructor(times) {
    this.times = times;
    this.channels = [];
    this.cached = null;
  }

  get count() { return this.times.length; }

  /** Returns the index of the first sample at or after a time. */
  first(time) {
    let low = 0;
    let high = this.times.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.times[middle] < time) low = middle + 1; else high = middle;
    }
    return low;
  }

  /** Returns the index of the sample nearest to a time. */
  nearest(time) {
    const after = this.first(time);
    if (after === 0) return 0;
    if (after === this.count) return this.count - 1;
    return time - this.times[after - 1] < this.times[after] - time ? after - 1 : after;
  }

  /** Returns the index of the first sample of each dot between two times, and the end of the last dot. */
  edges(from, to, dots) {
    const key = `${from} ${to} ${dots}`;
    if (this.cached?.key !== key) {
      const edges = new Int32Array(dots + 1);
      for (let dot = 0; dot <= dots; dot += 1) edges[dot] = this.first(from + ((to - from) * dot) / dots);
      this.cached = { key, edges };
    }
    return this.cached.edges;
  }
}

/** A table in the page. Each column is drawn in coarse form until all its values are decompressed. */
class Source {
  constructor(description, place) {
    this.description = description;
    this.place = place;
    this.overview = null;
    this.full = null;
    this.unwrappedChannels = new Map();
    /** The columns that are computed from others: { rule, parts }, and their channels by index. */
    this.derived = [];
    this.derivedChannels = new Map();
    this.listeners = [];
  }

  /** The intervals without samples, as alternating start and end times. */
  get pauses() { return this.description.pauses; }

  /**
   * Adds a column that is computed from others, sample by sample, and returns its index.
   * @param {string} rule "sum", "norm", or "interval": the time since the previous sample in ms.
   */
  derive(rule, parts) {
    this.derived.push({ rule, parts });
    return this.description.columns.length + this.derived.length - 1;
  }

  /** Adds a listener, which receives the index of a loaded column, or null for all columns. */
  onLoad(listener) { this.listeners.push(listener); }

  /** Loads the coarse form, which is available before the page's values. */
  loadOverview() {
    const { overview, columns, firstTime, overviewTick } = this.description;
    if (!overview) return;
    const bytes = takeBytes(`overview-${this.place}`);
    const table = new Table(decodeTimes(bytes, 0, overview, firstTime, overviewTick));
    columns.forEach((column, index) => {
      const values = decodeValues(bytes, 4 * overview + 2 * overview * index, overview);
      table.channels.push(new Channel(values, column.step, column.offset));
    });
    this.overview = table;
  }

  /** Loads all values, column by column. */
  async load() {
    const { samples, columns, firstTime, tick } = this.description;
    const times = decodeTimes(await readBlock(`block-${this.place}-0`), 0, samples, firstTime, tick);
    this.full = new Table(times);
    // Several columns at once, as the browser decompresses in parallel; not all, to limit the memory.
    const waiting = [...columns.keys()];
    const work = async () => {
      while (waiting.length > 0) {
        const index = waiting.shift();
        const column = columns[index];
        const values = decodeValues(await readBlock(`block-${this.place}-${index + 1}`), 0, samples);
        this.full.channels[index] = new Channel(values, column.step, column.offset);
        this.unwrappedChannels.delete(index);
        if (!this.overview) continue;
        this.tell(index);
        this.derived.forEach(({ parts }, place) => { if (parts.includes(index)) this.tell(columns.length + place); });
      }
    };
    await Promise.all(Array.from({ length: 6 }, work));
    if (!this.overview) this.tell();
    this.overview = null;
  }

  /** Notifies the listeners of a loaded column, or of all columns. */
  tell(column = null) { this.listeners.forEach((listener) => listener(column)); }

  /** Returns the best available form of a column: its table and channel, or null if it is not loaded. */
  column(index, turn = 0) {
    const derived = this.derived[index - this.description.columns.length];
    const isComplete = derived ? derived.parts.every((part) => this.full?.channels[part]) : this.full?.channels[index];
    const table = isComplete ? this.full : this.overview;
    const channel = derived ? table && this.compute(index, derived, table) : table?.channels[index];
    if (!channel) return null;
    if (!turn) return { table, channel };
    if (!this.unwrappedChannels.has(index)) this.unwrappedChannels.set(index, channel.unwrapped(turn));
    return { table, channel: this.unwrappedChannels.get(index) };
  }

  /** Returns the channel of a computed column, or null if a part is not loaded. */
  compute(index, { rule, parts }, table) {
    const known = this.derivedChannels.get(index);
    if (known?.table === table) return known.channel;
    const channels = parts.map((part) => table.channels[part]);
    if (!channels.every(Boolean)) return null;
    const { times } = table;
    const value = {
      sum: (place) => channels.reduce((sum, channel) => sum + channel.at(place), 0),
      norm: (place) => Math.hypot(...channels.map((channel) => channel.at(place))),
      interval: (place) => (place > 0 ? 1000 * (times[place] - times[place - 1]) : NaN),
    }[rule];
    const channel = new Channel(Float32Array.from({ length: table.count }, (_, place) => value(place)));
    channel.resolution = rule === "interval" ? 0.01 : Math.min(...channels.map(({ step }) => step));
    this.derivedChannels.set(index, { table, channel });
    return channel;
  }

  /** Returns the value of a column at the sample nearest to a time; NaN in a pause, and before and after all samples. */
  value(index, time, turn = 0) {
    if (time < this.description.firstTime || time > this.description.lastTime) return NaN;
    const found = this.column(index, turn);
    const pause = pauseAfter(this.pauses, time);
    return found && found.table.count > 0 && !(this.pauses[pause] < time) ? found.channel.at(found.table.nearest(time)) : NaN;
  }
}
