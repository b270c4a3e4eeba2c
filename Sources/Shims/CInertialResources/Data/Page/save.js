// Saves what a plot shows: as a picture of dots, as a drawing, and as numbers.

/** Draws as a canvas does, into a document in SVG. */
class SVGContext {
  constructor(width, height) {
    Object.assign(this, { width, height, parts: [], states: [], path: "", clips: 0, offset: 0, dash: [] });
    Object.assign(this, { fillStyle: "#000", strokeStyle: "#000", lineWidth: 1, lineJoin: "miter", globalAlpha: 1, textAlign: "left", textBaseline: "alphabetic", font: "" });
    this.clipName = "";
    this.meter = document.createElement("canvas").getContext("2d");
  }

  static number(value) { return String(Math.round(value * 100) / 100); }
  static text(value) { return value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;"); }

  save() {
    const { fillStyle, strokeStyle, lineWidth, lineJoin, globalAlpha, textAlign, textBaseline, font, clipName, offset } = this;
    this.states.push({ fillStyle, strokeStyle, lineWidth, lineJoin, globalAlpha, textAlign, textBaseline, font, clipName, offset });
  }

  restore() { Object.assign(this, this.states.pop()); }
  translate(_, y) { this.offset += y; }
  point(x, y) { return `${SVGContext.number(x)} ${SVGContext.number(y + this.offset)}`; }
  beginPath() { this.path = ""; }
  moveTo(x, y) { this.path += `M${this.point(x, y)}`; }
  lineTo(x, y) { this.path += `L${this.point(x, y)}`; }
  setLineDash(dash) { this.dash = dash; }
  closePath() { this.path += "Z"; }
  rect(x, y, width, height) { this.path += `M${this.point(x, y)}h${SVGContext.number(width)}v${SVGContext.number(height)}h${SVGContext.number(-width)}Z`; }

  add(tag, facts, content = "") {
    const all = { ...facts, opacity: this.globalAlpha < 1 ? this.globalAlpha : null, "clip-path": this.clipName ? `url(#${this.clipName})` : null };
    const written = Object.entries(all).filter(([, value]) => value !== null).map(([name, value]) => ` ${name}="${SVGContext.text(String(value))}"`).join("");
    this.parts.push(`<${tag}${written}>${content}<` + `/${tag}>`);
  }

  clip() {
    this.clips += 1;
    const name = `clip${this.clips}`;
    this.parts.push(`<clipPath id="${name}"><path d="${this.path}"/><` + "/clipPath>");
    this.clipName = name;
  }

  stroke() { this.add("path", { d: this.path, fill: "none", stroke: this.strokeStyle, "stroke-width": this.lineWidth, "stroke-linejoin": this.lineJoin, "stroke-dasharray": this.dash.join(" ") || null }); }
  fill() { this.add("path", { d: this.path, fill: this.fillStyle }); }

  fillRect(x, y, width, height) {
    this.beginPath();
    this.rect(x, y, width, height);
    this.fill();
  }

  fillText(text, x, y) {
    const shift = { top: 10, middle: 4, bottom: -3 }[this.textBaseline] ?? 0;
    const anchor = { center: "middle", right: "end" }[this.textAlign] ?? "start";
    this.add("text", { x: SVGContext.number(x), y: SVGContext.number(y + this.offset + shift), fill: this.fillStyle, "text-anchor": anchor }, SVGContext.text(text));
  }

  measureText(text) {
    this.meter.font = this.font;
    return this.meter.measureText(text);
  }

  get document() {
    const { width, height } = this;
    return `<svg xmlns="${PICTURE_NAMES}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12">\n${this.parts.join("\n")}\n<` + "/svg>\n";
  }
}

const TITLE_HEIGHT = 24;

/** Draws a plot with its title and the key of its colours. */
function paintWithTitle(timePlot, context) {
  const { plot, theme, width } = timePlot;
  context.fillStyle = theme.background;
  context.fillRect(0, 0, width, timePlot.height + TITLE_HEIGHT);
  [context.font, context.textBaseline, context.textAlign, context.fillStyle] = [theme.font, "middle", "left", theme.text];
  const title = plot.unit ? `${plot.title} in ${plot.unit}` : plot.title;
  context.fillText(title, MARGIN.left, TITLE_HEIGHT / 2);
  let x = MARGIN.left + context.measureText(title).width + 24;
  plot.series.forEach((series, index) => {
    if (!timePlot.isShown[index]) return;
    context.fillStyle = timePlot.color(index);
    context.fillRect(x, TITLE_HEIGHT / 2 - 2, 14, 4);
    context.fillStyle = theme.text;
    context.fillText(series.label, x + 20, TITLE_HEIGHT / 2);
    x += 20 + context.measureText(series.label).width + 16;
  });
  context.save();
  context.translate(0, TITLE_HEIGHT);
  timePlot.paint(context, timePlot.lines());
  context.restore();
}

/** Returns the visible samples of a plot's lines as a table in CSV; times are in seconds since the start of the page. */
function visibleCSV({ plot, view, origin, isShown }) {
  const series = plot.series.filter((_, index) => isShown[index]);
  const first = series[0]?.source.column(series[0].column);
  if (!first) return "";
  const columns = series.map((each) => each.source.column(each.column, view.isUnwrapped && each.turn ? each.turn / each.factor : 0));
  const name = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = [["time [s]", ...series.map((each) => (plot.unit ? `${each.label} [${plot.unit}]` : each.label))].map(name).join(",")];
  const { table } = first;
  for (let index = table.first(view.from); index < table.count && table.times[index] <= view.to; index += 1) {
    const time = table.times[index];
    const values = columns.map((found, place) => (found ? found.channel.at(found.table === table ? index : found.table.nearest(time)) * series[place].factor : NaN));
    lines.push([time - origin, ...values].map((value) => (Number.isFinite(value) ? String(Number(value.toPrecision(9))) : "")).join(","));
  }
  return `${lines.join("\n")}\n`;
}

/** Returns the visible part of a plot as a blob. */
async function savedPlot(timePlot, kind) {
  if (kind === "csv") return new Blob([visibleCSV(timePlot)], { type: "text/csv" });
  const [width, height] = [timePlot.width, timePlot.height + TITLE_HEIGHT];
  if (kind === "svg") {
    const context = new SVGContext(width, height);
    paintWithTitle(timePlot, context);
    return new Blob([context.document], { type: "image/svg+xml" });
  }
  const canvas = document.createElement("canvas");
  paintWithTitle(timePlot, fitCanvas(canvas, width, height, 2));
  return new Promise((done) => { canvas.toBlob(done, "image/png"); });
}

/** Saves a blob as a file of the reader. */
function download(blob, name) {
  const link = element("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** Returns the buttons that save what a plot shows. */
function saveButtons(timePlot) {
  const stem = timePlot.plot.title.toLowerCase().replace(/\W+/g, "-");
  return element("div", { class: "zoom", role: "group", "aria-label": `Save ${timePlot.plot.title}` }, ...["png", "svg", "csv"].map((kind) => button(
    kind.toUpperCase(), `Save what the plot shows as ${kind.toUpperCase()}`, async () => download(await savedPlot(timePlot, kind), `${stem}.${kind}`))));
}
