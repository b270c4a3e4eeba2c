// Marks on the time axis, one lane per kind: rest, disturbance, activities, steps and so on.

const LANE_HEIGHT = 26;
const LANE_BAR = 9;
/** The words for the levels of trust. */
const LEVELS = ["trusted", "doubtful", "not trusted"];

class Lanes {
  /** @param {Array} lanes { name, kind: "span" | "moment" | "activity" | "trust", times, texts, levels }. */
  constructor(lanes, { view, theme, title = "Marks", heading = "h3" }) {
    Object.assign(this, { lanes, view, theme, title });
    this.height = lanes.length * LANE_HEIGHT + 4;
    this.base = element("canvas", { "aria-hidden": "true" });
    this.top = element("canvas", {
      class: "top", tabindex: "0", role: "img",
      "aria-label": `${title} over time: ${lanes.map((lane) => lane.name).join(", ")}. They are listed in the table below.`,
    });
    this.frame = element("div", { class: "frame" }, this.base, this.top);
    this.now = element("output", { class: "now" });
    this.node = element("section", { class: "plot", "aria-label": title },
      element("div", { class: "plot-head" }, element(heading, { class: "small", text: title }), this.now, element("div", { class: "legend" }, ...this.key())), this.frame);
    followPointer(this.top, view, MARGIN);
    new ResizeObserver(() => {
      this.frameWidth = this.frame.clientWidth;
      this.draw();
    }).observe(this.frame);
    view.onRange(() => this.draw());
    view.onCursor(() => this.drawCursor());
    theme.onChange(() => this.draw());
  }

  /** Returns the key of the colours of activities and of trust. */
  key() {
    const entry = (color, kind, text) => element("span", { class: "series" }, swatch(color, kind), text);
    return this.lanes.flatMap(({ kind, texts }) => {
      if (kind === "trust") return LEVELS.map((text, level) => entry(`level-${level}`, `level-${level}`, text));
      return kind === "activity" ? [...new Set(texts.map(activityOf))].map((name) => entry(name === "unknown" ? "muted" : `activity-${name}`, "activity", name)) : [];
    });
  }

  /** Returns the colour and the height of a mark. Trust is lower the higher its bar, so that colours need not be distinguished. */
  style({ kind, texts, levels, isMarked }, index) {
    const { theme } = this;
    if (kind === "trust") return [theme.levels[levels[index]], [3, 6, LANE_BAR][levels[index]]];
    return [kind === "activity" ? theme.activities[activityOf(texts[index])] ?? theme.faint : isMarked ? theme.levels[1] : theme.faint, LANE_BAR];
  }

  /** Returns the description of a mark. */
  static text({ name, kind, texts, levels }, index) {
    if (kind === "trust") return `${LEVELS[levels[index]]}${texts[index] ? `: ${texts[index]}` : ""}`;
    return texts[index] && kind !== "activity" ? `${name}: ${texts[index]}` : texts[index] || name;
  }

  get width() { return this.theme.isPrinting ? PRINTED_WIDTH : this.frameWidth ||= this.frame.clientWidth; }

  x(time) {
    return MARGIN.left + ((time - this.view.from) / (this.view.to - this.view.from)) * (this.width - MARGIN.left - MARGIN.right);
  }

  /** Returns the number of times per mark of a lane. */
  static stride(lane) { return lane.kind === "moment" ? 1 : 2; }

  /** Returns the index of the mark at a time, or of a momentary mark at most 0.5 s earlier; −1 if there is no mark. */
  static at(lane, time) {
    const stride = Lanes.stride(lane);
    for (let index = 0; index < lane.times.length; index += stride) {
      const end = stride === 2 ? lane.times[index + 1] : lane.times[index] + 0.5;
      if (time >= lane.times[index] && time <= end) return index / stride;
    }
    return -1;
  }

  draw() {
    const { width, height, theme } = this;
    if (width < 80) return;
    this.frame.style.height = `${height}px`;
    for (const canvas of [this.base, this.top]) {
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
    }
    const context = fitCanvas(this.base, width, height, theme.isPrinting ? 2 : undefined);
    context.fillStyle = theme.background;
    context.fillRect(0, 0, width, height);
    this.lanes.forEach((lane, row) => {
      const y = row * LANE_HEIGHT + LANE_HEIGHT - LANE_BAR - 2;
      context.fillStyle = theme.grid;
      context.fillRect(MARGIN.left, y + LANE_BAR, width - MARGIN.left - MARGIN.right, 1);
      context.font = "11px system-ui, sans-serif";
      context.textAlign = "left";
      context.textBaseline = "bottom";
      context.fillStyle = theme.text;
      // The labels of activities take the usual position of the lane's name.
      if (lane.kind === "activity" || lane.kind === "trust") context.fillText(lane.name, 2, y + LANE_BAR + 1);
      else context.fillText(lane.name, MARGIN.left, y - 1);
      const stride = Lanes.stride(lane);
      let lastX = -Infinity;
      for (let index = 0; index < lane.times.length; index += stride) {
        const from = this.x(lane.times[index]);
        const to = stride === 2 ? this.x(lane.times[index + 1]) : from + 1;
        if (to < MARGIN.left || from > width - MARGIN.right) continue;
        const left = Math.max(from, MARGIN.left);
        const right = Math.max(left + 1, Math.min(to, width - MARGIN.right));
        // Marks on the same pixel are drawn once, except that a higher one is not hidden.
        if (right <= lastX && lane.kind !== "trust") continue;
        lastX = right;
        const [color, height] = this.style(lane, index / stride);
        context.fillStyle = color;
        context.fillRect(left, y + LANE_BAR - height, right - left, height);
        if (lane.kind === "activity") this.name(context, lane.texts[index / stride], left, right, y);
      }
    });
    this.drawCursor();
  }

  /** Draws the label of an interval if it is wide enough, as some readers cannot distinguish colours. */
  name(context, word, left, right, y) {
    context.font = "10px system-ui, sans-serif";
    if (!word || context.measureText(word).width + 4 > right - left) return;
    context.fillStyle = this.theme.text;
    context.textAlign = "left";
    context.textBaseline = "bottom";
    context.fillText(word, left + 1, y - 1);
  }

  drawCursor() {
    const { width, height, theme, view } = this;
    if (width < 80) return;
    const context = fitCanvas(this.top, width, height, theme.isPrinting ? 2 : undefined);
    const words = [];
    this.lanes.forEach((lane) => {
      const index = Lanes.at(lane, view.cursor);
      if (index >= 0) words.push(Lanes.text(lane, index));
    });
    this.now.textContent = words.join("; ");
    if (!view.isVisible(view.cursor)) return;
    context.strokeStyle = theme.cursor;
    context.lineWidth = 1;
    const x = Math.round(this.x(view.cursor)) + 0.5;
    line(context, x, 0, x, height);
  }
}
