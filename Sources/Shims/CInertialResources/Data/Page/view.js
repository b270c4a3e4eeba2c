// The state shared by all plots of a page: the visible time range and the cursor.

class View {
  constructor(start, end) {
    this.start = start;
    this.end = end > start ? end : start + 1;
    this.from = this.start;
    this.to = this.end;
    this.cursor = this.start;
    /** The time from which the cursor measures, or NaN. */
    this.anchor = NaN;
    /** Whether the vertical scales are fixed. */
    this.isFixed = false;
    /** Whether angles are unwrapped at full turns. */
    this.isUnwrapped = false;
    this.rangeListeners = [];
    this.cursorListeners = [];
    this.pending = 0;
    this.needsRange = false;
  }

  onRange(listener) { this.rangeListeners.push(listener); }
  onCursor(listener) { this.cursorListeners.push(listener); }

  /** Sets the visible range, which is at least a millisecond long. */
  setRange(from, to) {
    const width = Math.min(Math.max(to - from, 1e-3), this.end - this.start);
    const left = Math.min(Math.max(from, this.start), this.end - width);
    [this.from, this.to] = [left, left + width];
    this.schedule(true);
  }

  showAll() { this.setRange(this.start, this.end); }

  /** Multiplies the length of the visible range by a factor, around a time. */
  zoom(factor, around = this.isVisible(this.cursor) ? this.cursor : (this.from + this.to) / 2) {
    const share = (around - this.from) / (this.to - this.from);
    const width = (this.to - this.from) * factor;
    this.setRange(around - share * width, around + (1 - share) * width);
  }

  /** Scrolls by a fraction of the visible range. */
  pan(share) {
    const step = (this.to - this.from) * share;
    this.setRange(this.from + step, this.to + step);
  }

  setCursor(time) {
    this.cursor = Math.min(Math.max(time, this.start), this.end);
    this.schedule(false);
  }

  /** Measures from the cursor, or no longer. */
  toggleAnchor() {
    this.anchor = this.isMeasuring ? NaN : this.cursor;
    this.schedule(true);
  }

  get isMeasuring() { return this.anchor === this.anchor; }

  /** The interval whose numbers are shown: between anchor and cursor, or the visible one. */
  get interval() {
    return this.isMeasuring ? [Math.min(this.anchor, this.cursor), Math.max(this.anchor, this.cursor)] : [this.from, this.to];
  }

  setFixed(isFixed) {
    this.isFixed = isFixed;
    this.schedule(true);
  }

  setUnwrapped(isUnwrapped) {
    this.isUnwrapped = isUnwrapped;
    this.schedule(true);
  }

  isVisible(time) { return time >= this.from && time <= this.to; }

  /** Scrolls so that the cursor is visible. */
  follow() {
    if (this.isVisible(this.cursor)) return;
    const width = this.to - this.from;
    this.setRange(this.cursor - width * 0.1, this.cursor + width * 0.9);
  }

  /** Schedules one drawing per frame, regardless of the number of events. */
  schedule(isRange) {
    this.needsRange = this.needsRange || isRange;
    if (this.pending) return;
    this.pending = requestAnimationFrame(() => this.draw());
  }

  /** Draws now. */
  draw() {
    if (this.pending) cancelAnimationFrame(this.pending);
    this.pending = 0;
    if (this.needsRange) this.rangeListeners.forEach((listener) => listener());
    this.needsRange = false;
    this.cursorListeners.forEach((listener) => listener());
  }
}
