// A plot of columns over time: a canvas for the lines and one above for the cursor, so that moving it redraws no line.

const MARGIN = { left: 58, right: 10, top: 6, bottom: 20 };
const PRINTED_WIDTH = 680;

class TimePlot {
  /**
   * @param {Object} plot title, unit, note, series: { source, column, label, factor, sigma, sigmaFactor, turn }.
   * @param {Object} options view, theme, origin (the time that is 0 on the axis), marks [{ name, times, color }], height.
   *   The plot's range, showsRange, words and level are optional.
   */
  constructor(plot, { view, theme, origin = 0, marks = [], height = 150 }) {
    Object.assign(this, { plot, view, theme, origin, marks, height });
    this.isShown = plot.series.map(() => true);
    this.isVisible = false;
    this.isStale = true;
    this.scale = null;
    this.build();
    view.onRange(() => { this.isStale = true; this.drawIfStale(); });
    view.onCursor(() => this.drawCursor());
    theme.onChange(() => this.invalidate(theme.isPrinting));
    new Set(plot.series.map((series) => series.source)).forEach((source) => source.onLoad((column) => {
      if (column === null || plot.series.some((series) => series.column === column || series.sigma === column)) this.invalidate();
    }));
  }

  build() {
    const { plot } = this;
    this.base = element("canvas", { "aria-hidden": "true" });
    this.top = element("canvas", {
      class: "top", tabindex: "0", role: "img",
      "aria-label": `${plot.title}${plot.unit ? ` in ${plot.unit}` : ""} over time: `
        + `${plot.series.map((series) => series.label).join(", ")}. The values are in the table below.`,
    });
    this.values = plot.series.map(() => element("output", { class: "value" }));
    const legend = plot.series.map((series, index) => element(
      "button", {
        type: "button", class: "series", "aria-pressed": "true",
        title: `show or hide ${series.label}`, on: { click: (event) => this.toggle(index, event.currentTarget) },
      }, swatch(`series-${this.look(index)}`, series.isDashed ? "dashed" : ""), element("span", { text: series.label }),
      this.values[index]));
    this.frame = element("div", { class: "frame" }, this.base, this.top);
    this.node = element(
      "section", { class: "plot", "aria-label": plot.unit ? `${plot.title} in ${plot.unit}` : plot.title },
      element("div", { class: "plot-head" },
        element("h3", {}, plot.title, plot.unit ? element("span", { class: "unit", text: ` ${plot.unit}` }) : null),
        element("div", { class: "legend" }, ...legend)),
      this.frame, plot.note ? element("p", { class: "note", text: plot.note }) : null);
    followPointer(this.top, this.view, MARGIN);
    new ResizeObserver(() => {
      this.frameWidth = this.frame.clientWidth;
      this.invalidate();
    }).observe(this.frame);
    new IntersectionObserver((entries) => {
      this.isVisible = entries[entries.length - 1].isIntersecting;
      if (this.isVisible) this.drawIfStale();
    }, { rootMargin: "200px" }).observe(this.frame);
  }

  /** Determines whether the plot is visible, before the browser's callback, so that the first picture is drawn earlier. */
  updateVisibility() {
    const box = this.frame.getBoundingClientRect();
    this.frameWidth = this.frame.clientWidth;
    this.isVisible = box.top < window.innerHeight + 200 && box.bottom > -200;
  }

  toggle(index, control) {
    this.isShown[index] = !this.isShown[index];
    control.setAttribute("aria-pressed", String(this.isShown[index]));
    this.invalidate();
  }

  /** Marks the lines as outdated. An invisible plot is drawn when it becomes visible. */
  invalidate(isForced = false) {
    this.isStale = true;
    if (isForced) this.draw();
    else if (this.isVisible && !this.isWaiting) {
      this.isWaiting = true;
      queueMicrotask(() => { this.isWaiting = false; this.drawIfStale(); });
    }
  }

  drawIfStale() { if (this.isStale && this.isVisible) this.draw(); }

  /** Returns the index of a line's colour, and the colour. */
  look(index) { return (this.plot.series[index].look ?? index) % 8; }
  color(index) { return this.theme.series[this.look(index)]; }

  /** The intervals without samples, which are hatched. */
  get pauses() { return this.plot.series[0].source.pauses; }

  /** The width in pixels. It is stored, as the browser would arrange the page again for each read after a change. */
  get width() { return this.theme.isPrinting ? PRINTED_WIDTH : this.frameWidth ||= this.frame.clientWidth; }

  x(time) {
    const { from, to } = this.view;
    return MARGIN.left + ((time - from) / (to - from)) * (this.width - MARGIN.left - MARGIN.right);
  }

  y(value) {
    const { low, high } = this.scale;
    return MARGIN.top + (1 - (value - low) / (high - low)) * (this.height - MARGIN.top - MARGIN.bottom);
  }

  /** Returns the data of a series for drawing: its table, channel, and the extremes of each dot. */
  prepare(series) {
    const turn = this.view.isUnwrapped && series.turn ? series.turn / series.factor : 0;
    const found = series.source.column(series.column, turn);
    if (!found) return null;
    const dots = Math.max(2, Math.floor(this.width - MARGIN.left - MARGIN.right));
    const edges = found.table.edges(this.view.from, this.view.to, dots);
    const extremes = found.channel.extremes(edges, new Float64Array(2 * dots));
    const sigma = series.sigma === undefined ? null : series.source.column(series.sigma);
    return {
      ...found, series, edges, extremes, sigma: sigma?.table === found.table ? sigma.channel : null, isWrapped: Boolean(series.turn && !turn),
    };
  }

  draw() {
    const { width, height, theme } = this;
    if (width < 80) return;
    this.isStale = false;
    this.frame.style.height = `${height}px`;
    for (const canvas of [this.base, this.top]) {
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
    }
    const lines = this.lines();
    if (!this.view.isFixed || !this.scale) this.fit(lines);
    this.paint(fitCanvas(this.base, width, height, theme.isPrinting ? 2 : undefined), lines);
    this.drawCursor();
  }

  /** Returns the data of the shown series, with the visits of `walk`. */
  lines() {
    const lines = this.plot.series.map((series, index) => (this.isShown[index] ? this.prepare(series) : null));
    for (const line of lines) if (line) line.visits = visitsOf(line);
    return lines;
  }

  /** Draws the plot without the cursor. */
  paint(context, lines) {
    const { width, height, theme } = this;
    context.fillStyle = theme.background;
    context.fillRect(0, 0, width, height);
    this.drawMarks(context);
    this.drawAxes(context);
    context.save();
    context.beginPath();
    context.rect(MARGIN.left, MARGIN.top, width - MARGIN.left - MARGIN.right, height - MARGIN.top - MARGIN.bottom);
    context.clip();
    lines.forEach((line, index) => { if (line?.sigma || (line && this.plot.range)) this.drawBand(context, line, this.color(index), index); });
    this.drawLevel(context);
    lines.forEach((line, index) => { if (line) this.drawLine(context, line, this.color(index)); });
    context.restore();
  }

  /**
   * Fits the scale to the visible values and their bands with a margin, without magnifying the noise of nearly constant lines, and
   * within the plot's range.
   */
  fit(lines) {
    const { range, showsRange, words, series, level } = this.plot;
    let [low, high] = showsRange ? range : words ? [words[0].value, words[words.length - 1].value + 0.5] : level ? [level.value, level.value] : [Infinity, -Infinity];
    for (const line of lines) {
      if (!line) continue;
      for (const [, least, largest, sigma] of line.visits) {
        const deviation = sigma !== sigma || this.isUnknown(sigma, largest) ? 0 : sigma;
        if (least - deviation < low) low = least - deviation;
        if (largest + deviation > high) high = largest + deviation;
      }
    }
    if (!(low <= high)) [low, high] = [0, 1];
    const room = low === high ? Math.abs(high) * 0.1 || 1 : Math.max((high - low) * 0.06, Math.abs(high) * 1e-4);
    this.scale = { low: low - room, high: high + room };
    const isAngle = series.some(({ turn }) => turn);
    if (!range || showsRange || (isAngle && this.view.isUnwrapped)) return;
    // Nearly a full circle is shown as a full circle.
    this.scale = isAngle && high - low > 270 ? { low: range[0], high: range[1] }
      : { low: Math.max(low - room, range[0]), high: Math.min(high + room, range[1]) };
  }

  /** Returns whether a value is unknown: an angle with a large standard deviation, or a value above the plot's range. */
  isUnknown(sigma, value) {
    const { unit, range, series } = this.plot;
    return (unit === "°" && sigma > UNKNOWN_ANGLE) || (range && value > range[1] && !series[0].turn);
  }

  /** Returns the ticks of the vertical axis with their texts. */
  verticalTicks(most) {
    const { low, high } = this.scale;
    const { words, series } = this.plot;
    if (words) return words.filter(({ value }) => value >= low && value <= high).map(({ value, text }) => ({ value, text, isWord: true }));
    const { step, ticks } = series.some(({ turn }) => turn) ? angleTicks(low, high, most) : niceTicks(low, high, most);
    return ticks.map((value) => ({ value, text: formatNumber(value, digitsOf(step)) }));
  }

  drawAxes(context) {
    const { width, height, theme, view } = this;
    context.font = theme.font;
    context.fillStyle = theme.text;
    context.strokeStyle = theme.grid;
    context.lineWidth = 1;
    const room = height - MARGIN.top - MARGIN.bottom;
    // A low plot has denser ticks, as a single tick shows no scale.
    const most = Math.max(2, Math.floor(room / 24), Math.min(5, Math.floor(room / 16)));
    for (const { value, text, isWord } of this.verticalTicks(most)) {
      const y = Math.round(this.y(value)) + 0.5;
      line(context, MARGIN.left, y, width - MARGIN.right, y);
      // A word is above its line, as the margin is too narrow for it.
      context.textBaseline = isWord ? "bottom" : "middle";
      context.textAlign = isWord ? "left" : "right";
      context.fillText(text, MARGIN.left + (isWord ? 4 : -6), isWord ? y - 1 : y);
    }
    context.textBaseline = "top";
    context.textAlign = "center";
    const [from, to] = [view.from - this.origin, view.to - this.origin];
    const horizontal = timeTicks(from, to, Math.max(2, Math.floor((width - MARGIN.left) / 90)));
    for (const tick of horizontal.ticks) {
      const x = Math.round(this.x(tick + this.origin)) + 0.5;
      line(context, x, MARGIN.top, x, height - MARGIN.bottom);
      const text = formatTime(tick, digitsOf(horizontal.step));
      const half = context.measureText(text).width / 2;
      context.fillText(text, Math.min(Math.max(x, MARGIN.left + half), width - half - 1), height - MARGIN.bottom + 5);
    }
  }

  drawMarks(context) {
    const { height, theme } = this;
    const paint = (times, color) => {
      context.fillStyle = color;
      for (let index = 0; index < times.length; index += 2) {
        const [from, to] = [this.x(times[index]), this.x(times[index + 1])];
        if (to < MARGIN.left || from > this.width) continue;
        const left = Math.max(from, MARGIN.left);
        context.fillRect(left, MARGIN.top, Math.max(1, Math.min(to, this.width - MARGIN.right) - left), height - MARGIN.top - MARGIN.bottom);
      }
    };
    paint(this.pauses, theme.pause);
    for (let index = 0; index < this.pauses.length; index += 2) this.hatch(context, this.x(this.pauses[index]), this.x(this.pauses[index + 1]), theme.faint, 0);
    for (const mark of this.marks) paint(mark.times, theme.mark);
  }

  /** Hatches the plot between two positions: nothing is known there. */
  hatch(context, from, to, color, offset) {
    const [left, right] = [Math.max(from, MARGIN.left), Math.min(to, this.width - MARGIN.right)];
    if (!(right > left)) return;
    const [top, bottom] = [MARGIN.top, this.height - MARGIN.bottom];
    context.save();
    context.beginPath();
    context.rect(left, top, right - left, bottom - top);
    context.clip();
    context.strokeStyle = color;
    context.lineWidth = 0.7;
    context.globalAlpha = 0.6;
    context.beginPath();
    // The lines of neighbouring intervals continue each other.
    const size = bottom - top;
    for (let x = Math.floor((left - size) / 8) * 8 + offset; x < right; x += 8) {
      context.moveTo(x, bottom);
      context.lineTo(x + size, top);
    }
    context.stroke();
    context.restore();
  }

  /** Returns the position of a visit of `walk`. */
  position(line, place, isDot) { return isDot ? MARGIN.left + place + 0.5 : this.x(line.table.times[place]); }

  /** Draws the value to compare the lines with. */
  drawLevel(context) {
    const { level } = this.plot;
    if (!level) return;
    const { theme, width } = this;
    const y = this.y(level.value);
    [context.strokeStyle, context.fillStyle, context.lineWidth, context.font] = [theme.text, theme.text, 1, theme.font];
    context.setLineDash([2, 3]);
    line(context, MARGIN.left, y, width - MARGIN.right, y);
    context.setLineDash([]);
    [context.textAlign, context.textBaseline] = ["right", y < MARGIN.top + 18 ? "top" : "bottom"];
    context.fillText(level.text, width - MARGIN.right - 4, y + (y < MARGIN.top + 18 ? 2 : -2));
  }

  drawLine(context, line, color) {
    context.setLineDash(line.series.isDashed ? [5, 3] : []);
    context.strokeStyle = color;
    context.lineWidth = 1.3;
    context.lineJoin = "round";
    context.beginPath();
    let last = NaN;
    for (const [place, low, high, , isJoined, isDot] of line.visits) {
      const x = this.position(line, place, isDot);
      let [near, far] = [this.y(low), this.y(high)];
      if (isJoined && Math.abs(far - last) < Math.abs(near - last)) [near, far] = [far, near];
      // A single sample is a dot.
      if (isJoined) context.lineTo(x, near); else { context.moveTo(x, near); context.lineTo(x + 0.5, near); }
      if (near !== far) context.lineTo(x, far);
      last = far;
    }
    context.stroke();
    context.setLineDash([]);
  }

  /** Draws a band of ± one standard deviation, which continues at the other end of a circle, and hatches unknown angles. */
  drawBand(context, line, color, index) {
    const turn = line.isWrapped ? line.series.turn : 0;
    const [upper, lower, unknown] = [[], [], []];
    let wasUnknown = false;
    context.fillStyle = color;
    context.globalAlpha = 0.22;
    context.beginPath();
    const close = () => {
      for (const shift of turn ? [-turn, 0, turn] : [0]) {
        for (let place = 0; place < upper.length; place += 2) context[place ? "lineTo" : "moveTo"](upper[place], this.y(upper[place + 1] + shift));
        for (let place = lower.length - 2; place >= 0; place -= 2) context.lineTo(lower[place], this.y(lower[place + 1] + shift));
        if (upper.length) context.closePath();
      }
      upper.length = 0;
      lower.length = 0;
    };
    for (const [place, low, high, sigma, isJoined, isDot] of line.visits) {
      const x = this.position(line, place, isDot);
      const isUnknown = this.isUnknown(sigma, high);
      if (isUnknown && isJoined && wasUnknown) unknown[unknown.length - 1] = x;
      else if (isUnknown) unknown.push(x, x + 1);
      wasUnknown = isUnknown;
      if (!isJoined || isUnknown || sigma !== sigma) close();
      if (isUnknown || sigma !== sigma) continue;
      upper.push(x, high + sigma);
      lower.push(x, low - sigma);
    }
    close();
    context.fill();
    context.globalAlpha = 1;
    for (let place = 0; place < unknown.length; place += 2) this.hatch(context, unknown[place], unknown[place + 1], color, 3 * index);
  }

  /** Returns the value of a series at a time, in the plot's unit. */
  valueAt(index, time) {
    const series = this.plot.series[index];
    const turn = this.view.isUnwrapped && series.turn ? series.turn / series.factor : 0;
    return series.source.value(series.column, time, turn) * series.factor;
  }

  /** Returns the text of a series in the key: its value at the cursor, or its change since the anchor. */
  reading(index, value) {
    const series = this.plot.series[index];
    if (!this.view.isMeasuring || this.plot.words) return this.text(series, value);
    const change = value - this.valueAt(index, this.view.anchor);
    // The shorter way around the circle.
    const turn = this.view.isUnwrapped ? 0 : series.turn;
    return `Δ ${this.text(series, turn ? change - turn * Math.round(change / turn) : change)}`;
  }

  /** Returns a value of a series as text. */
  text(series, value) {
    const word = this.plot.words?.find((entry) => entry.value === Math.round(value));
    if (word) return word.text;
    const step = series.step ?? (series.source.column(series.column)?.channel.resolution ?? 1) * series.factor;
    // Values below half a step of the page's resolution are shown as 0.
    return formatNumber(Math.abs(value) < step / 2 ? 0 : value, Math.min(5, digitsOf(step)));
  }

  drawCursor() {
    if (!this.isVisible && !this.theme.isPrinting) return;
    const { width, height, theme, view } = this;
    if (!this.scale || width < 80) return;
    const context = fitCanvas(this.top, width, height, theme.isPrinting ? 2 : undefined);
    const isSeen = view.isVisible(view.cursor);
    const x = this.x(view.cursor);
    if (isSeen) {
      context.strokeStyle = theme.cursor;
      context.lineWidth = 1;
      line(context, Math.round(x) + 0.5, MARGIN.top, Math.round(x) + 0.5, height - MARGIN.bottom);
    }
    if (view.isMeasuring && view.isVisible(view.anchor)) {
      const place = Math.round(this.x(view.anchor)) + 0.5;
      [context.strokeStyle, context.lineWidth] = [theme.cursor, 1];
      context.setLineDash([4, 3]);
      line(context, place, MARGIN.top, place, height - MARGIN.bottom);
      context.setLineDash([]);
    }
    this.plot.series.forEach((series, index) => {
      const value = this.valueAt(index, view.cursor);
      this.values[index].textContent = this.reading(index, value);
      if (!isSeen || !this.isShown[index] || value !== value) return;
      context.fillStyle = this.color(index);
      context.beginPath();
      context.arc(x, this.y(value), 3, 0, 2 * Math.PI);
      context.fill();
    });
    if (view.selection) {
      context.fillStyle = theme.mark;
      const [a, b] = [this.x(view.selection[0]), this.x(view.selection[1])];
      context.fillRect(Math.min(a, b), MARGIN.top, Math.abs(b - a), height - MARGIN.top - MARGIN.bottom);
    }
  }
}

function line(context, x0, y0, x1, y1) {
  context.beginPath();
  context.moveTo(x0, y0);
  context.lineTo(x1, y1);
  context.stroke();
}
