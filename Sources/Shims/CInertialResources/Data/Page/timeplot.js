// A plot of columns over time: a canvas for the lines and one above for the cursor, so that moving it redraws no line.

const MARGIN = { left: 58, right: 10, top: 6, bottom: 20 };
const PRINTED_WIDTH = 680;

class TimePlot {
  /**
   * @param {Object} plot title, unit, note, series: { source, column, label, factor, sigma, sigmaFactor, turn }.
   * @param {Object} options view, theme, origin (the time that is 0 on the axis), pauses [start, end, ...],
   *   marks [{ name, times, color }], height.
   */
  constructor(plot, { view, theme, origin = 0, pauses = [], marks = [], height = 150 }) {
    Object.assign(this, { plot, view, theme, origin, pauses, marks, height });
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
        type: "button", class: "series", "aria-pressed": "true", "data-series": index % 8,
        title: `show or hide ${series.label}`, on: { click: (event) => this.toggle(index, event.currentTarget) },
      }, element("span", { class: "swatch", "aria-hidden": "true" }), element("span", { text: series.label }),
      this.values[index]));
    this.frame = element("div", { class: "frame" }, this.base, this.top);
    this.node = element(
      "section", { class: "plot", "aria-label": plot.title },
      element("div", { class: "plot-head" },
        element("h3", {}, plot.title, plot.unit ? element("span", { class: "unit", text: ` ${plot.unit}` }) : null),
        element("div", { class: "legend" }, ...legend)),
      this.frame, plot.note ? element("p", { class: "note", text: plot.note }) : null);
    followPointer(this.top, this.view, MARGIN);
    new ResizeObserver(() => this.invalidate()).observe(this.frame);
    new IntersectionObserver((entries) => {
      this.isVisible = entries[entries.length - 1].isIntersecting;
      if (this.isVisible) this.drawIfStale();
    }, { rootMargin: "200px" }).observe(this.frame);
  }

  /** Determines whether the plot is visible, before the browser's callback, so that the first picture is drawn earlier. */
  updateVisibility() {
    const box = this.frame.getBoundingClientRect();
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

  get width() { return this.theme.isPrinting ? PRINTED_WIDTH : this.frame.clientWidth; }

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
    return { ...found, series, edges, extremes, sigma: sigma?.table === found.table ? sigma.channel : null, isWrapped: series.turn && !turn };
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
    const context = fitCanvas(this.base, width, height, theme.isPrinting ? 2 : undefined);
    const lines = this.plot.series.map((series, index) => (this.isShown[index] ? this.prepare(series) : null));
    this.fit(lines);
    context.fillStyle = theme.background;
    context.fillRect(0, 0, width, height);
    this.drawMarks(context);
    this.drawAxes(context);
    context.save();
    context.beginPath();
    context.rect(MARGIN.left, MARGIN.top, width - MARGIN.left - MARGIN.right, height - MARGIN.top - MARGIN.bottom);
    context.clip();
    lines.forEach((line, index) => { if (line?.sigma) this.drawBand(context, line, theme.series[index % 8]); });
    lines.forEach((line, index) => { if (line) this.drawLine(context, line, theme.series[index % 8]); });
    context.restore();
    this.drawCursor();
  }

  /** Fits the scale to the visible values with a margin, without magnifying the noise of nearly constant lines. */
  fit(lines) {
    let [low, high] = [Infinity, -Infinity];
    for (const line of lines) {
      if (!line) continue;
      const { factor } = line.series;
      for (let index = 0; index < line.extremes.length; index += 1) {
        const value = line.extremes[index] * factor;
        if (value < low) low = value;
        if (value > high) high = value;
      }
    }
    if (!(low <= high)) [low, high] = [0, 1];
    const room = low === high ? Math.abs(high) * 0.1 || 1 : Math.max((high - low) * 0.06, Math.abs(high) * 1e-4);
    this.scale = { low: low - room, high: high + room };
  }

  drawAxes(context) {
    const { width, height, theme, view } = this;
    const { low, high } = this.scale;
    context.font = theme.font;
    context.fillStyle = theme.text;
    context.strokeStyle = theme.grid;
    context.lineWidth = 1;
    context.textBaseline = "middle";
    context.textAlign = "right";
    const room = height - MARGIN.top - MARGIN.bottom;
    // A low plot has denser ticks, as a single tick shows no scale.
    const most = Math.max(2, Math.floor(room / 24), Math.min(5, Math.floor(room / 16)));
    const vertical = niceTicks(low, high, most);
    for (const tick of vertical.ticks) {
      const y = Math.round(this.y(tick)) + 0.5;
      line(context, MARGIN.left, y, width - MARGIN.right, y);
      context.fillText(formatNumber(tick, digitsOf(vertical.step)), MARGIN.left - 6, y);
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
    for (const mark of this.marks) paint(mark.times, theme.mark);
  }

  /** Returns whether a pause lies between two times, so that no line connects them. */
  crossesPause(from, to) {
    const { pauses } = this;
    let low = 0;
    let high = pauses.length >> 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pauses[2 * middle + 1] <= from) low = middle + 1; else high = middle;
    }
    if (low >= pauses.length >> 1) return false;
    // The middle of the pause is compared, as the ends are rounded and coincide with samples.
    const middle = (pauses[2 * low] + pauses[2 * low + 1]) / 2;
    return middle > from && middle < to;
  }

  drawLine(context, { table, channel, series, edges, extremes, isWrapped }, color) {
    context.strokeStyle = color;
    context.lineWidth = 1.3;
    context.lineJoin = "round";
    context.beginPath();
    const dots = edges.length - 1;
    let isDown = false;
    if (edges[dots] - edges[0] <= 4 * dots) {
      // Each sample is drawn, including the nearest invisible samples.
      const first = Math.max(0, edges[0] - 1);
      const end = Math.min(table.count, edges[dots] + 1);
      const jump = isWrapped ? series.turn / 2 : Infinity;
      let [last, lastTime] = [NaN, NaN];
      for (let index = first; index < end; index += 1) {
        const value = channel.at(index) * series.factor;
        const time = table.times[index];
        if (value !== value) { isDown = false; continue; }
        if (isDown && (Math.abs(value - last) > jump || this.crossesPause(lastTime, time))) isDown = false;
        const x = this.x(time);
        const y = this.y(value);
        if (isDown) context.lineTo(x, y); else { context.moveTo(x, y); context.lineTo(x + 0.5, y); }
        isDown = true;
        [last, lastTime] = [value, time];
      }
    } else {
      // The line goes from the minimum to the maximum of a dot, and back in the next.
      const { from, to } = this.view;
      let lastTime = NaN;
      for (let dot = 0; dot < dots; dot += 1) {
        const low = extremes[2 * dot];
        if (low !== low) continue;
        const time = table.times[edges[dot]];
        if (isDown && this.pauses.length > 0 && this.crossesPause(lastTime, time)) isDown = false;
        const x = MARGIN.left + dot + 0.5;
        const a = this.y(low * series.factor);
        const b = this.y(extremes[2 * dot + 1] * series.factor);
        const near = dot % 2 === 0 ? a : b;
        const far = dot % 2 === 0 ? b : a;
        if (isDown) context.lineTo(x, near); else context.moveTo(x, near);
        context.lineTo(x, near === far ? far + 0.1 : far);
        isDown = true;
        lastTime = Math.min(from + ((to - from) * (dot + 1)) / dots, table.times[edges[dot + 1] - 1] ?? time);
      }
    }
    context.stroke();
  }

  /** Draws a band of ± one standard deviation. */
  drawBand(context, { channel, series, edges, extremes, sigma, isWrapped }, color) {
    context.fillStyle = color;
    context.globalAlpha = 0.22;
    const dots = edges.length - 1;
    const edge = [];
    context.beginPath();
    let isDown = false;
    let last = NaN;
    const close = () => {
      for (let index = edge.length - 2; index >= 0; index -= 2) context.lineTo(edge[index], edge[index + 1]);
      context.closePath();
      edge.length = 0;
      isDown = false;
    };
    for (let dot = 0; dot < dots; dot += 1) {
      let low = extremes[2 * dot];
      let high = extremes[2 * dot + 1];
      // After zooming in, some dots have no sample: the band continues from sample to sample.
      if (low !== low) {
        if (edges[dot] > 0 && edges[dot] < channel.values.length) continue;
        if (isDown) close();
        continue;
      }
      const deviation = sigma.at(edges[dot]) * series.sigmaFactor;
      if (isDown && isWrapped && Math.abs(low * series.factor - last) > series.turn / 2) close();
      last = high * series.factor;
      if (isWrapped && (high - low) * series.factor > series.turn / 2) continue;
      if (deviation !== deviation) { if (isDown) close(); continue; }
      low = low * series.factor - deviation;
      high = high * series.factor + deviation;
      const x = MARGIN.left + dot + 0.5;
      if (isDown) context.lineTo(x, this.y(high)); else context.moveTo(x, this.y(high));
      edge.push(x, this.y(low));
      isDown = true;
    }
    if (isDown) close();
    context.fill();
    context.globalAlpha = 1;
  }

  /** Returns the value of a series at the cursor, in the plot's unit. */
  valueAtCursor(index) {
    const series = this.plot.series[index];
    const turn = this.view.isUnwrapped && series.turn ? series.turn / series.factor : 0;
    return series.source.value(series.column, this.view.cursor, turn) * series.factor;
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
    this.plot.series.forEach((series, index) => {
      const value = this.valueAtCursor(index);
      const step = series.step ?? (series.source.column(series.column)?.channel.step ?? 1) * series.factor;
      // Values below half a step of the page's resolution are shown as 0.
      this.values[index].textContent = formatNumber(Math.abs(value) < step / 2 ? 0 : value, Math.min(5, digitsOf(step)));
      if (!isSeen || !this.isShown[index] || value !== value) return;
      context.fillStyle = theme.series[index % 8];
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

/**
 * Handles the pointer over a time axis: moving moves the cursor, dragging selects the visible range, dragging with Shift
 * scrolls, two fingers zoom, and a double click shows all. The wheel scrolls the page, and zooms with Control.
 */
function followPointer(canvas, view, margin) {
  const pointers = new Map();
  let begin = null;
  const timeAt = (clientX) => {
    const box = canvas.getBoundingClientRect();
    const share = (clientX - box.left - margin.left) / (box.width - margin.left - margin.right);
    return view.from + share * (view.to - view.from);
  };
  const spread = () => { const [a, b] = [...pointers.values()]; return { center: (a + b) / 2, width: Math.max(8, Math.abs(a - b)) }; };
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    pointers.set(event.pointerId, event.clientX);
    canvas.setPointerCapture(event.pointerId);
    begin = {
      x: event.clientX, time: timeAt(event.clientX), from: view.from, to: view.to, isMoving: event.shiftKey,
      isTouch: event.pointerType === "touch", pinch: pointers.size === 2 ? spread() : null,
    };
    view.setCursor(begin.time);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (pointers.has(event.pointerId)) pointers.set(event.pointerId, event.clientX);
    if (begin?.pinch && pointers.size === 2) {
      const now = spread();
      const around = timeAt(now.center);
      view.zoom(begin.pinch.width / now.width, around);
      begin.pinch = now;
    } else if (begin?.isMoving) {
      const box = canvas.getBoundingClientRect();
      const step = ((event.clientX - begin.x) / (box.width - margin.left - margin.right)) * (begin.to - begin.from);
      view.setRange(begin.from - step, begin.to - step);
    } else {
      const time = timeAt(event.clientX);
      if (begin && !begin.isTouch && Math.abs(event.clientX - begin.x) > 4) view.selection = [begin.time, time];
      view.setCursor(time);
    }
  });
  const finish = (event) => {
    pointers.delete(event.pointerId);
    if (view.selection) {
      const [from, to] = [Math.min(...view.selection), Math.max(...view.selection)];
      view.selection = null;
      view.setRange(from, to);
    }
    if (pointers.size === 0) begin = null;
  };
  canvas.addEventListener("pointerup", finish);
  canvas.addEventListener("pointercancel", finish);
  canvas.addEventListener("dblclick", () => view.showAll());
  canvas.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    view.zoom(Math.exp(event.deltaY * 0.002), timeAt(event.clientX));
  }, { passive: false });
}
