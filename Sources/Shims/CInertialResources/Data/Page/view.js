// What all plots of a page have in common: the stretch of time that is seen, and the cursor.

class View {
  constructor(start, end) {
    this.start = start;
    this.end = end > start ? end : start + 1;
    this.from = this.start;
    this.to = this.end;
    this.cursor = this.start;
    /** Whether angles go on beyond a turn. */
    this.isUnwrapped = false;
    this.rangeListeners = [];
    this.cursorListeners = [];
    this.pending = 0;
    this.needsRange = false;
  }

  onRange(listener) { this.rangeListeners.push(listener); }
  onCursor(listener) { this.cursorListeners.push(listener); }

  /** The least that can be seen: a millisecond. */
  setRange(from, to) {
    const width = Math.min(Math.max(to - from, 1e-3), this.end - this.start);
    const left = Math.min(Math.max(from, this.start), this.end - width);
    [this.from, this.to] = [left, left + width];
    this.schedule(true);
  }

  showAll() { this.setRange(this.start, this.end); }

  /** Makes what is seen so many times as long, around a time. */
  zoom(factor, around = this.isVisible(this.cursor) ? this.cursor : (this.from + this.to) / 2) {
    const share = (around - this.from) / (this.to - this.from);
    const width = (this.to - this.from) * factor;
    this.setRange(around - share * width, around + (1 - share) * width);
  }

  /** Moves by a share of what is seen. */
  pan(share) {
    const step = (this.to - this.from) * share;
    this.setRange(this.from + step, this.to + step);
  }

  setCursor(time) {
    this.cursor = Math.min(Math.max(time, this.start), this.end);
    this.schedule(false);
  }

  setUnwrapped(isUnwrapped) {
    this.isUnwrapped = isUnwrapped;
    this.schedule(true);
  }

  isVisible(time) { return time >= this.from && time <= this.to; }

  /** Brings the cursor into sight. */
  follow() {
    if (this.isVisible(this.cursor)) return;
    const width = this.to - this.from;
    this.setRange(this.cursor - width * 0.1, this.cursor + width * 0.9);
  }

  /** Draws once a frame, however many events there were. */
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
