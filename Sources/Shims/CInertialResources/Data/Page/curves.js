// Curves and points without a time axis: distributions, accuracy against cost, deviations against averaging time.

/** Returns a tick of a logarithmic axis, short enough for the margin. */
function logarithmicText(value) {
  return value >= 1e-3 && value < 1e5 ? formatNumber(value, digitsOf(value)) : value.toExponential(0).replace("e-", "e−").replace("e+", "e");
}

class Curves {
  /** @param {Object} chart title, x, y, hasLogarithmicX, hasLogarithmicY, isLine, note, curves: [{ label, x, y }]. */
  constructor(chart, { theme, height = 260 }) {
    Object.assign(this, { chart, theme, usualHeight: height });
    this.canvas = element("canvas", {
      role: "img", "aria-label": `${chart.title}: ${chart.y} against ${chart.x}. The values are in the table below.`,
    });
    this.frame = element("div", { class: "frame" }, this.canvas);
    this.node = element("section", { class: "plot", "aria-label": chart.title },
      element("div", { class: "plot-head" }, element("h3", { text: chart.title }),
        element("div", { class: "legend" }, ...this.legend())),
      this.frame, chart.note ? element("p", { class: "note", text: chart.note }) : null, this.table());
    new ResizeObserver(() => this.draw()).observe(this.frame);
    theme.onChange(() => this.draw());
  }

  legend() {
    return this.chart.curves.map((curve, index) => element(
      "span", { class: "series" }, swatch(`series-${index % 8}`), curve.label));
  }

  /** Returns the height of the chart for a width. */
  heightFor() { return this.usualHeight; }

  /** Returns both axes for a box in pixels. */
  axes(box) {
    const { chart } = this;
    return [
      Curves.axis(chart.curves.flatMap((curve) => curve.x), chart.hasLogarithmicX, Math.floor((box.right - box.left) / 90)),
      Curves.axis(chart.curves.flatMap((curve) => curve.y), chart.hasLogarithmicY, Math.floor((box.bottom - box.top) / 40)),
    ];
  }

  table() { return details("Table", () => [this.values()]); }

  values() {
    const { chart } = this;
    const rows = chart.curves.flatMap((curve) => {
      const step = Math.max(1, Math.floor(curve.x.length / 20));
      return curve.x.map((x, index) => [curve.label, x, curve.y[index]]).filter((_, index) => index % step === 0);
    });
    const digits = (values) => digitsOf((Math.max(...values) - Math.min(...values) || Math.abs(values[0]) || 1) / 1000);
    return gridTable({
      caption: chart.title,
      columns: [
        { name: "curve", unit: "" }, { name: chart.x, unit: "", digits: digits(rows.map((row) => row[1])) },
        { name: chart.y, unit: "", digits: digits(rows.map((row) => row[2])) },
      ], rows,
    });
  }

  draw() {
    const { chart, theme } = this;
    const width = theme.isPrinting ? PRINTED_WIDTH : this.frame.clientWidth;
    if (width < 80) return;
    const height = this.heightFor(width);
    this.frame.style.height = `${height}px`;
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    const context = fitCanvas(this.canvas, width, height, theme.isPrinting ? 2 : undefined);
    const box = { left: 58, right: width - 14, top: 8, bottom: height - 38 };
    context.fillStyle = theme.background;
    context.fillRect(0, 0, width, height);
    const [xs, ys] = this.axes(box);
    const x = (value) => box.left + xs.share(value) * (box.right - box.left);
    const y = (value) => box.bottom - ys.share(value) * (box.bottom - box.top);
    context.font = theme.font;
    context.strokeStyle = theme.grid;
    // A redrawn canvas keeps its previous settings.
    context.lineWidth = 1;
    context.fillStyle = theme.text;
    context.textAlign = "center";
    context.textBaseline = "top";
    for (const tick of xs.ticks) {
      line(context, x(tick.value), box.top, x(tick.value), box.bottom);
      context.fillText(tick.text, x(tick.value), box.bottom + 4);
    }
    context.fillText(chart.x, (box.left + box.right) / 2, height - 16);
    context.textAlign = "right";
    context.textBaseline = "middle";
    for (const tick of ys.ticks) {
      line(context, box.left, y(tick.value), box.right, y(tick.value));
      context.fillText(tick.text, box.left - 6, y(tick.value));
    }
    context.save();
    context.translate(11, (box.top + box.bottom) / 2);
    context.rotate(-Math.PI / 2);
    context.textAlign = "center";
    context.fillText(chart.y, 0, 0);
    context.restore();
    this.drawCurves(context, x, y, box);
  }

  drawCurves(context, x, y, box) {
    const { chart, theme } = this;
    chart.curves.forEach((curve, index) => {
      context.strokeStyle = theme.series[index % 8];
      context.fillStyle = theme.series[index % 8];
      context.lineWidth = 2;
      if (chart.isLine) {
        context.beginPath();
        curve.x.forEach((value, place) => context[place ? "lineTo" : "moveTo"](x(value), y(curve.y[place])));
        context.stroke();
        return;
      }
      curve.x.forEach((value, place) => {
        const [px, py] = [x(value), y(curve.y[place])];
        context.beginPath();
        context.arc(px, py, 5, 0, 2 * Math.PI);
        context.fill();
        // Points are labelled, so that colours need not be distinguished.
        const isLeft = px + 8 + context.measureText(curve.label).width > box.right;
        context.textAlign = isLeft ? "right" : "left";
        context.textBaseline = "middle";
        context.fillStyle = theme.text;
        context.fillText(curve.label, px + (isLeft ? -9 : 9), py);
        context.fillStyle = theme.series[index % 8];
      });
    });
  }

  /** Returns the ticks of an axis, and the function from values to positions along it, 0 to 1. */
  static axis(values, isLogarithmic, most) {
    const known = values.filter((value) => Number.isFinite(value) && (!isLogarithmic || value > 0));
    let [low, high] = [Math.min(...known), Math.max(...known)];
    if (isLogarithmic) {
      [low, high] = [Math.log10(low) - 0.1, Math.log10(high) + 0.1];
      const ticks = [];
      const factors = high - low > 3 ? [1] : [1, 2, 5];
      for (let power = Math.floor(low); power <= Math.ceil(high); power += 1) {
        for (const factor of factors) {
          const value = factor * 10 ** power;
          const place = Math.log10(value);
          if (place >= low && place <= high) ticks.push({ value, text: logarithmicText(value) });
        }
      }
      return { ticks, share: (value) => (Math.log10(value) - low) / (high - low) };
    }
    if (low > 0 && low < high / 2) low = 0;
    const room = (high - low) * 0.04 || 1;
    [low, high] = [low === 0 ? 0 : low - room, high + room];
    const { step, ticks } = niceTicks(low, high, most);
    return {
      ticks: ticks.map((value) => ({ value, text: formatNumber(value, digitsOf(step)) })),
      share: (value) => (value - low) / (high - low),
    };
  }
}
