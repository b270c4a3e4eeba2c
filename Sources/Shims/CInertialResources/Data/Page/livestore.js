// Columns that grow while they are shown. The oldest samples are discarded at the capacity.

/** The maximum number of samples per column: ten minutes at 100 Hz. */
const LIVE_CAPACITY = 60000;
/** The interval between two rows that no line crosses, in seconds. */
const LIVE_GAP = 0.5;

/** A column without a pyramid, as only some seconds are visible. */
class LiveChannel extends Channel {
  constructor() { super(new Float32Array(0)); }
}

/** Numbers in a buffer of twice their capacity, so that they are rarely moved. */
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

/** The data of the plots and the device: like `Source`, with arriving rows. */
class LiveSource {
  constructor(width) {
    this.times = new GrowingColumn(Float64Array);
    this.columns = Array.from({ length: width }, () => new GrowingColumn(Float32Array));
    this.table = new Table(new Float64Array(0));
    this.table.channels = this.columns.map(() => new LiveChannel());
    this.listeners = [];
    this.isStale = false;
    this.pauses = [];
  }

  onLoad(listener) { this.listeners.push(listener); }

  append(row) {
    // After a backward jump of the clock, earlier samples have incomparable times.
    if (this.times.end > this.times.start && row[0] < this.last) this.clear();
    if (row[0] - this.last > LIVE_GAP) this.pauses.push(this.last, row[0]);
    while (this.pauses[1] < this.first) this.pauses.splice(0, 2);
    this.times.append(row[0]);
    this.columns.forEach((column, index) => column.append(row[index] ?? NaN));
    this.isStale = true;
  }

  clear() {
    this.pauses = [];
    for (const column of [this.times, ...this.columns]) column.start = column.end;
  }

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
    return table.count > 0 && !(this.pauses[pauseAfter(this.pauses, time)] < time) ? channel.at(table.nearest(time)) : NaN;
  }
}

/** A view of the newest seconds, unless it is held. */
class LiveView extends View {
  constructor(width, frames) {
    super(0, 1);
    this.width = width;
    this.frames = frames;
    this.isHeld = false;
    this.holdListeners = [];
  }

  onHold(listener) { this.holdListeners.push(listener); }

  /** Updates the available time range. */
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

  /** Requests the drawings one by one. A plot that is drawn for a range draws its cursor, too. */
  schedule(isRange) {
    for (const draw of isRange && this.rangeListeners.length ? this.rangeListeners : this.cursorListeners) this.frames.request(draw);
  }

  /** Holds the view and sets its visible range. */
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
