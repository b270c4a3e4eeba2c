// Columns that grow while they are seen. The oldest samples go when there is no more room.

/** Samples of a column that are kept: ten minutes of 100 Hz. */
const LIVE_CAPACITY = 60000;

/** A column without a pyramid: what is in sight is some seconds. */
class LiveChannel extends Channel {
  constructor() { super(new Float32Array(0)); }
}

/** Numbers in a buffer of twice their most, so that they seldom move. */
class GrowingColumn {
  constructor(Values) {
    this.buffer = new Values(1024);
    this.start = 0;
    this.end = 0;
  }

  append(value) {
    if (this.end === this.buffer.length) this.makeRoom();
    this.buffer[this.end] = value;
    this.end += 1;
    if (this.end - this.start > LIVE_CAPACITY) this.start += 1;
  }

  makeRoom() {
    const values = this.buffer.subarray(this.start, this.end);
    const wanted = Math.min(2 * LIVE_CAPACITY, 2 * this.buffer.length);
    const next = wanted > this.buffer.length ? new this.buffer.constructor(wanted) : this.buffer;
    if (next === this.buffer) next.copyWithin(0, this.start, this.end); else next.set(values);
    [this.buffer, this.start, this.end] = [next, 0, values.length];
  }

  get values() { return this.buffer.subarray(this.start, this.end); }
}

/** What plots and the device read: as `Source`, of rows that come. */
class LiveSource {
  constructor(width) {
    this.times = new GrowingColumn(Float64Array);
    this.columns = Array.from({ length: width }, () => new GrowingColumn(Float32Array));
    this.table = new Table(new Float64Array(0));
    this.table.channels = this.columns.map(() => new LiveChannel());
    this.listeners = [];
    this.isStale = false;
  }

  onLoad(listener) { this.listeners.push(listener); }

  append(row) {
    // Behind a jump of the clock what was before is of another time.
    if (this.times.end > this.times.start && row[0] < this.last) this.clear();
    this.times.append(row[0]);
    this.columns.forEach((column, index) => column.append(row[index] ?? NaN));
    this.isStale = true;
  }

  clear() { for (const column of [this.times, ...this.columns]) column.start = column.end; }

  get last() { return this.times.buffer[this.times.end - 1]; }
  get first() { return this.times.buffer[this.times.start]; }
  get count() { return this.times.end - this.times.start; }

  refresh() {
    if (!this.isStale) return;
    this.isStale = false;
    this.table.times = this.times.values;
    this.table.cached = null;
    this.columns.forEach((column, index) => { this.table.channels[index].values = column.values; });
  }

  column(index, turn = 0) {
    this.refresh();
    const channel = this.table.channels[index];
    return { table: this.table, channel: turn ? channel.unwrapped(turn) : channel };
  }

  value(index, time) {
    const { table, channel } = this.column(index);
    return table.count > 0 ? channel.at(table.nearest(time)) : NaN;
  }
}

/** A view of the newest seconds, until somebody holds it. */
class LiveView extends View {
  constructor(width) {
    super(0, 1);
    this.width = width;
    this.isHeld = false;
    this.holdListeners = [];
  }

  onHold(listener) { this.holdListeners.push(listener); }

  /** Takes note of what there is now. */
  grow(start, end) {
    this.start = start;
    this.end = Math.max(end, start + 1e-3);
    if (this.isHeld) {
      if (this.from < start) super.setRange(start, start + (this.to - this.from));
      return;
    }
    [this.from, this.to, this.cursor] = [Math.max(start, Math.min(end - this.width, end - 1)), this.end, end];
    this.schedule(true);
  }

  /** Whoever chooses what is seen holds it. */
  setRange(from, to) {
    this.setHeld(true);
    super.setRange(from, to);
  }

  setHeld(isHeld) {
    if (this.isHeld === isHeld) return;
    this.isHeld = isHeld;
    this.holdListeners.forEach((listener) => listener());
    if (!isHeld) this.grow(this.start, this.end);
  }
}
