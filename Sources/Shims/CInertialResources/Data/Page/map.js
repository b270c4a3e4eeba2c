// A path in plan view with equal axis scales.

const TONES = 6;

/** Returns the parts of a path as lists of { latitude, longitude, time }. */
function pathParts(curves, [latitude, longitude, perNorth, perEast]) {
  return curves.map(({ x, y, times }) => x.map((east, place) => ({
    latitude: (latitude + y[place] * perNorth).toFixed(8), longitude: (longitude + east * perEast).toFixed(8), time: times[place],
  })));
}

/** The formats of a path for programs that show maps, as of RFC 7946, GPX 1.1 and KML 2.2. */
const MAP_FORMATS = {
  GeoJSON: (parts) => `${JSON.stringify({
    type: "Feature", properties: { time: parts.map((part) => part.map(({ time }) => time)) },
    geometry: { type: "MultiLineString", coordinates: parts.map((part) => part.map(({ latitude, longitude }) => [Number(longitude), Number(latitude)])) },
  })}\n`,
  GPX: (parts) => xml("gpx", 'version="1.1" creator="inertial" xmlns="http://www.topografix.com/GPX/1/1"',
    xml("trk", "", ...parts.map((part) => xml("trkseg", "", ...part.map(({ latitude, longitude }) => `<trkpt lat="${latitude}" lon="${longitude}"/>`))))),
  KML: (parts) => xml("kml", 'xmlns="http://www.opengis.net/kml/2.2"',
    xml("Placemark", "", xml("MultiGeometry", "", ...parts.map((part) => xml("LineString", "",
      xml("coordinates", "", ...part.map(({ latitude, longitude }) => `${longitude},${latitude}`))))))),
};

/** Returns an element of XML; the root has a declaration. */
function xml(tag, facts, ...contents) {
  const start = facts.includes("xmlns") ? '<?xml version="1.0" encoding="UTF-8"?>\n' : "";
  return `${start}<${tag}${facts && ` ${facts}`}>\n${contents.join("\n")}\n<` + `/${tag}>`;
}

class PathMap extends Curves {
  /** @param {Object} chart the chart of Curves, with map: { isNorthUp, areas, dots, places }, and tone and times of each curve. */
  constructor(chart, { view, theme }) {
    super(chart, { theme });
    this.view = view;
    this.top = element("canvas", { class: "map", "aria-hidden": "true" });
    this.frame.append(this.top);
    /** The visible range after a zoom, [[x from, x to], [y from, y to]], or null for the complete path. */
    this.window = null;
    this.node.querySelector(".plot-head").append(element("div", { class: "zoom", role: "group", "aria-label": "Map" },
      button("+", "Zoom in on the map", () => this.zoom(1 / 1.5)), button("−", "Zoom out of the map", () => this.zoom(1.5)),
      button("All", "Show the complete path", () => { this.window = null; this.draw(); }), ...this.saveButtons()));
    this.followPointer();
    view.onCursor(() => this.drawCursor());
  }

  /** Moves the map by dragging, zooms with Control and the wheel, and moves the cursor by a click on the path. */
  followPointer() {
    const { top } = this;
    let begin = null;
    top.addEventListener("pointerdown", (event) => {
      begin = { x: event.offsetX, y: event.offsetY, window: this.shown };
      top.setPointerCapture(event.pointerId);
    });
    top.addEventListener("pointermove", (event) => {
      if (!begin || Math.hypot(event.offsetX - begin.x, event.offsetY - begin.y) < 5) return;
      const [[left, right], [bottom, upper]] = begin.window;
      const [across, up] = [(this.back.x(begin.x) - this.back.x(event.offsetX)), (this.back.y(begin.y) - this.back.y(event.offsetY))];
      begin.isMoved = true;
      this.window = [[left + across, right + across], [bottom + up, upper + up]];
      [begin.x, begin.y, begin.window] = [event.offsetX, event.offsetY, this.window];
      this.draw();
    });
    top.addEventListener("pointerup", (event) => {
      if (begin && !begin.isMoved) this.seek(event.offsetX, event.offsetY);
      begin = null;
    });
    top.addEventListener("pointercancel", () => { begin = null; });
    top.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      this.zoom(Math.exp(event.deltaY * 0.002), [this.back.x(event.offsetX), this.back.y(event.offsetY)]);
    }, { passive: false });
  }

  /** Multiplies the visible range by a factor, around a point. */
  zoom(factor, around = this.shown.map(([low, high]) => (low + high) / 2)) {
    this.window = this.shown.map(([low, high], axis) => [around[axis] + (low - around[axis]) * factor, around[axis] + (high - around[axis]) * factor]);
    this.draw();
  }

  /** Returns the buttons that save the path for maps, if its location is known. */
  saveButtons() {
    const { curves, map } = this.chart;
    if (!map.anchor) return [];
    return Object.entries(MAP_FORMATS).map(([kind, text]) => button(kind, `Save the path as ${kind}`,
      () => download(new Blob([text(pathParts(curves, map.anchor))]), `path.${kind.toLowerCase()}`)));
  }

  /** Returns the index of a curve's tone; −1 without one. */
  static tone({ tone }) { return tone === undefined ? -1 : Math.round(tone * (TONES - 1)); }

  legend() {
    const entry = (color, label, kind) => element("span", { class: "series" }, swatch(color, kind), label);
    const { curves, map } = this.chart;
    return [
      ...curves.filter((curve) => curve.label).sort((a, b) => PathMap.tone(a) - PathMap.tone(b))
        .map((curve) => entry(PathMap.tone(curve) < 0 ? "muted" : `tone-${PathMap.tone(curve)}`, curve.label)),
      ...map.areas.filter((area) => area.label).map((area) => entry("muted", area.label, "area")),
      ...map.dots.map((dots) => entry(dots.isFaint ? "muted" : "text", dots.label, "dot")),
    ];
  }

  /** The visible range: the path with a margin, and areas up to the path's size on each side. */
  get extent() {
    const { curves, map } = this.chart;
    // There are too many numbers for one argument each.
    const range = (parts) => parts.reduce(
      ([low, high], part) => part.reduce(([a, b], value) => [Math.min(a, value), Math.max(b, value)], [low, high]), [Infinity, -Infinity]);
    const axes = ["x", "y"].map((axis) => range([...curves, ...map.places.map((place) => ({ x: [place.x], y: [place.y] }))].map((part) => part[axis])));
    const span = Math.max(...axes.map(([low, high]) => high - low));
    const room = span > 0 ? span : Infinity;
    return axes.map(([low, high], axis) => {
      const [least, most] = range(map.areas.flatMap((area) => area.outlines.map((outline) => outline.filter((_, place) => place % 2 === axis))));
      const wide = [Math.min(low, Math.max(least, low - room)), Math.max(high, Math.min(most, high + room))];
      const margin = (wide[1] - wide[0]) * 0.04 || (span > 0 ? span * 0.04 : 1);
      return [wide[0] - margin, wide[1] + margin];
    });
  }

  heightFor(width) {
    const [x, y] = this.extent;
    const inside = ((y[1] - y[0]) / (x[1] - x[0])) * (width - 72);
    return Math.round(Math.min(Math.max(inside + 46, 240), Math.max(280, Math.min(width, 560))));
  }

  axes(box) {
    const extent = this.window ?? this.extent;
    const sizes = [box.right - box.left, box.bottom - box.top];
    const perDot = Math.max(...extent.map(([low, high], axis) => (high - low) / sizes[axis]));
    const { step } = niceTicks(0, Math.max(...sizes) * perDot, Math.floor(Math.max(...sizes) / 80));
    this.scaleLength = step;
    const halves = sizes.map((size) => (size * perDot) / 2);
    this.shown = extent.map(([low, high], axis) => [(low + high) / 2 - halves[axis], (low + high) / 2 + halves[axis]]);
    this.back = {
      x: (dot) => this.shown[0][0] + ((dot - box.left) / sizes[0]) * 2 * halves[0],
      y: (dot) => this.shown[1][1] - ((dot - box.top) / sizes[1]) * 2 * halves[1],
    };
    return extent.map(([low, high], axis) => {
      const middle = (low + high) / 2;
      const half = halves[axis];
      const ticks = multiples(middle - half, middle + half, step).ticks.map((value) => ({ value, text: formatNumber(value, digitsOf(step)) }));
      return { ticks, share: (value) => (value - middle + half) / (2 * half) };
    });
  }

  drawCurves(context, x, y, box) {
    const { chart, theme } = this;
    Object.assign(this, { x, y });
    context.save();
    context.beginPath();
    context.rect(box.left, box.top, box.right - box.left, box.bottom - box.top);
    context.clip();
    for (const area of chart.map.areas) {
      context.beginPath();
      for (const outline of area.outlines) {
        for (let index = 0; index < outline.length; index += 2) {
          context[index ? "lineTo" : "moveTo"](x(outline[index]), y(outline[index + 1]));
        }
        context.closePath();
      }
      context.lineWidth = 1;
      [context.fillStyle, context.strokeStyle] = [theme.faint, theme.text];
      context.globalAlpha = area.isOutlined ? 1 : 0.22;
      if (area.isOutlined) context.stroke(); else context.fill();
      context.globalAlpha = 1;
    }
    this.drawCircles(context);
    this.drawDots(context, chart.map.dots.filter((dots) => dots.isFaint), 2, theme.faint);
    context.lineWidth = 2;
    context.lineJoin = "round";
    context.lineCap = "round";
    for (const curve of chart.curves) {
      context.strokeStyle = theme.tones[PathMap.tone(curve)] ?? theme.faint;
      context.beginPath();
      curve.x.forEach((value, place) => context[place ? "lineTo" : "moveTo"](x(value), y(curve.y[place])));
      context.stroke();
    }
    this.drawDots(context, chart.map.dots.filter((dots) => !dots.isFaint), 1.6, theme.text);
    context.restore();
    this.drawPlaces(context, box);
    if (chart.map.isNorthUp) this.drawNorth(context, box);
    this.drawScale(context, box);
    this.drawCursor();
  }

  /** Draws circles with the accuracy of position fixes. */
  drawCircles(context) {
    const perUnit = this.x(1) - this.x(0);
    [context.strokeStyle, context.lineWidth, context.globalAlpha] = [this.theme.faint, 1, 0.5];
    context.beginPath();
    for (const { x, y, radii } of this.chart.map.dots) {
      radii?.forEach((radius, place) => {
        context.moveTo(this.x(x[place]) + radius * perUnit, this.y(y[place]));
        context.arc(this.x(x[place]), this.y(y[place]), radius * perUnit, 0, 2 * Math.PI);
      });
    }
    context.stroke();
    context.globalAlpha = 1;
  }

  /** Draws a bar with the length of a step of the axes. */
  drawScale(context, box) {
    const { theme, scaleLength } = this;
    const [left, y] = [box.left + 12, box.bottom - 12];
    const right = left + this.x(scaleLength) - this.x(0);
    [context.strokeStyle, context.fillStyle, context.lineWidth, context.font] = [theme.text, theme.text, 2, theme.font];
    context.beginPath();
    context.moveTo(left, y - 4);
    context.lineTo(left, y);
    context.lineTo(right, y);
    context.lineTo(right, y - 4);
    context.stroke();
    [context.textAlign, context.textBaseline] = ["center", "bottom"];
    context.fillText(`${formatNumber(scaleLength, digitsOf(scaleLength))} m`, (left + right) / 2, y - 3);
  }

  drawDots(context, all, radius, color) {
    context.fillStyle = color;
    for (const dots of all) {
      dots.x.forEach((value, place) => {
        context.beginPath();
        context.arc(this.x(value), this.y(dots.y[place]), radius, 0, 2 * Math.PI);
        context.fill();
      });
    }
  }

  /** Draws markers with labels on the side away from the other marker. */
  drawPlaces(context, box) {
    const { theme } = this;
    const places = this.chart.map.places.map((place) => ({ ...place, px: this.x(place.x), py: this.y(place.y) }));
    context.font = theme.font;
    context.textBaseline = "middle";
    places.forEach((place, index) => {
      const other = places[1 - index];
      const width = context.measureText(place.label).width;
      const wantsLeft = other && (place.px < other.px || (place.px === other.px && index === 0));
      const isLeft = wantsLeft ? place.px - 10 - width > box.left : place.px + 10 + width > box.right;
      context.fillStyle = theme.background;
      context.strokeStyle = theme.text;
      context.lineWidth = 2;
      context.beginPath();
      if (place.label === "start") context.arc(place.px, place.py, 4.5, 0, 2 * Math.PI);
      else context.rect(place.px - 4.5, place.py - 4.5, 9, 9);
      context.fill();
      context.stroke();
      context.textAlign = isLeft ? "right" : "left";
      const at = place.px + (isLeft ? -10 : 10);
      // The outline keeps the label readable on top of lines.
      context.lineWidth = 4;
      context.lineJoin = "round";
      context.strokeStyle = theme.background;
      context.strokeText(place.label, at, place.py);
      context.fillStyle = theme.text;
      context.fillText(place.label, at, place.py);
    });
  }

  /** Draws a north arrow in an upper corner without the path. */
  drawNorth(context, box) {
    const { theme, chart } = this;
    const isNear = (left) => chart.curves.some((curve) => curve.x.some((value, place) => Math.abs(this.x(value) - left) < 20 && this.y(curve.y[place]) < box.top + 50));
    const sides = [box.right - 16, box.left + 16];
    const x = sides.find((side) => !isNear(side)) ?? sides[0];
    context.fillStyle = theme.text;
    context.strokeStyle = theme.text;
    context.lineWidth = 1.5;
    context.textAlign = "center";
    context.textBaseline = "top";
    context.fillText("N", x, box.top + 4);
    line(context, x, box.top + 24, x, box.top + 42);
    context.beginPath();
    context.moveTo(x, box.top + 18);
    context.lineTo(x + 5, box.top + 29);
    context.lineTo(x - 5, box.top + 29);
    context.fill();
  }

  /** Returns the position at a time, or null if there is no path. */
  placeAt(time) {
    for (const { times, x, y } of this.chart.curves) {
      if (!(times[0] <= time && time <= times[times.length - 1])) continue;
      let [low, high] = [0, times.length - 1];
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (times[middle] <= time) low = middle; else high = middle;
      }
      const share = times[high] > times[low] ? (time - times[low]) / (times[high] - times[low]) : 0;
      return { x: x[low] + (x[high] - x[low]) * share, y: y[low] + (y[high] - y[low]) * share };
    }
    return null;
  }

  drawCursor() {
    if (!this.x || !this.top) return;
    const [width, height] = [parseFloat(this.canvas.style.width), parseFloat(this.canvas.style.height)];
    [this.top.style.width, this.top.style.height] = [this.canvas.style.width, this.canvas.style.height];
    const context = fitCanvas(this.top, width, height, this.theme.isPrinting ? 2 : undefined);
    const place = this.placeAt(this.view.cursor);
    if (!place) return;
    context.beginPath();
    context.arc(this.x(place.x), this.y(place.y), 5, 0, 2 * Math.PI);
    context.fillStyle = this.theme.text;
    context.fill();
    context.lineWidth = 2;
    context.strokeStyle = this.theme.background;
    context.stroke();
  }

  /**
   * Returns the time at which the path was nearest to a point of the canvas, or null if it was never near. Of passes less than a pixel
   * apart, such as while the device is stationary, it is the latest, which is drawn on top of the others.
   */
  timeAt(px, py) {
    const visits = this.chart.curves.flatMap(({ x, y, times }) => Array.from(
      x, (value, place) => ({ distance: Math.hypot(this.x(value) - px, this.y(y[place]) - py), time: times[place] })));
    const nearest = visits.reduce((least, { distance }) => Math.min(least, distance), Infinity);
    if (nearest >= 20) return null;
    return visits.reduce((latest, { distance, time }) => (distance < nearest + 1 ? Math.max(latest, time) : latest), -Infinity);
  }

  /** Moves the cursor to the time of the path at a point of the canvas. */
  seek(px, py) {
    const time = this.timeAt(px, py);
    if (time !== null) this.view.setCursor(time);
  }
}
