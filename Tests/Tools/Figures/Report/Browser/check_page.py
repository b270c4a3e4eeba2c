"""Opens a page of `inertial report` in headless Chromium and does with it what a reader does.

usage: check_page.py PAGE...      prints a line for each fault; exit status 1 if there are faults
"""

import base64
import sys
import time
import zlib

import browser
import colours

# Software WebGL is requested by name, as a machine of tests has no graphics card; otherwise Chromium notes its fallback.
OPTIONS = ["--enable-unsafe-swiftshader", "--use-angle=swiftshader", "--disable-accelerated-2d-canvas"]
# Notes of the software driver on its own speed, which do not concern the page.
DRIVER = "GL Driver Message"

COLOURS = """(canvas) => {
  const copy = document.createElement("canvas");
  [copy.width, copy.height] = [canvas.width, canvas.height];
  const context = copy.getContext("2d", { willReadFrequently: true });
  context.drawImage(canvas, 0, 0);
  const data = context.getImageData(0, 0, copy.width, copy.height).data;
  const counts = new Map();
  let sum = 0;
  for (let i = 0; i < data.length; i += 4) {
    const colour = (data[i] << 16) | (data[i + 1] << 8) | data[i + 2];
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
    sum = (sum * 31 + colour) % 2147483647;
  }
  return { counts, sum };
}"""

# How many dots have about a colour: those of a thin line are mixed with the ground.
NEAR = """(counts, colour) => {
  const parts = (value) => [value >> 16, (value >> 8) & 255, value & 255];
  const wanted = parts(parseInt(colour.slice(1), 16));
  let number = 0;
  for (const [found, count] of counts) {
    if (parts(found).reduce((sum, part, index) => sum + Math.abs(part - wanted[index]), 0) < 120) number += count;
  }
  return number;
}"""

CONTRAST = """(() => {
  const light = (colour) => {
    const value = parseInt(colour.slice(1), 16);
    return [value >> 16, (value >> 8) & 255, value & 255].map((part) => part / 255)
      .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
      .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
  };
  const style = getComputedStyle(document.documentElement);
  const get = (name) => style.getPropertyValue("--" + name).trim();
  const ratio = (a, b) => { const [x, y] = [light(get(a)), light(get(b))]; return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05); };
  const short = [];
  const check = (a, b, least) => { if (ratio(a, b) < least) short.push(`${a} on ${b}: ${ratio(a, b).toFixed(2)}`); };
  for (const ground of ["background", "plot"]) for (const text of ["text", "muted", "accent", "good"]) check(text, ground, 4.5);
  check("bad", "bad-background", 3);
  for (let index = 0; index < 8; index += 1) check("series-" + index, "plot", 3);
  for (let index = 0; index < 6; index += 1) check("tone-" + index, "plot", 3);
  for (let index = 0; index < 3; index += 1) check("level-" + index, "plot", 3);
  for (const ground of ["background", "plot"]) check("doubtful", ground, 4.5);
  return short;
})()"""


# Whether a plot shows so few samples that each pair of them can be drawn.
FEW = """((plot) => { const { table } = plot.plot.series[0].source.column(plot.plot.series[0].column);
  return table.first(inertial.view.to) - table.first(inertial.view.from) < 30000; })"""

# Draws what may be drawn of a plot's lines by looking at each pair of samples, and compares: dots in the colour of a line
# without a sample nearby, and visible samples without such a dot.
TRUTH = """(plot, gap) => {
  const { view } = inertial;
  [plot.marks, plot.isVisible] = [[], true];
  plot.draw();
  const [width, height] = [plot.base.width, plot.base.height];
  const scale = width / plot.width;
  const copy = (paint) => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [width, height];
    const context = canvas.getContext("2d", { willReadFrequently: true });
    paint(context);
    return context.getImageData(0, 0, width, height).data;
  };
  const seen = copy((context) => context.drawImage(plot.base, 0, 0));
  const samples = plot.plot.series.flatMap((series) => {
    const turn = view.isUnwrapped && series.turn ? series.turn / series.factor : 0;
    const { table, channel } = series.source.column(series.column, turn);
    const found = [];
    const steps = Array.from(table.times.subarray(1), (time, index) => time - table.times[index]).sort((a, b) => a - b);
    // Samples of a path are further apart than a gap of the others.
    const most = Math.max(gap, 1.5 * steps[steps.length >> 1]);
    for (let index = Math.max(0, table.first(view.from) - 1); index <= Math.min(table.count - 1, table.first(view.to)); index += 1) {
      const value = channel.at(index) * series.factor;
      const last = index > 0 ? channel.at(index - 1) * series.factor : NaN;
      const isNext = table.times[index] - table.times[index - 1] <= most && (!series.turn || turn || Math.abs(value - last) <= series.turn / 2);
      if (value === value) found.push({ x: plot.x(table.times[index]), y: plot.y(value), from: isNext && last === last ? [plot.x(table.times[index - 1]), plot.y(last)] : null });
    }
    return found;
  });
  const allowed = copy((context) => {
    context.scale(scale, scale);
    [context.lineWidth, context.lineCap] = [6, "round"];
    context.beginPath();
    for (const { x, y, from } of samples) {
      context.moveTo(...(from ?? [x, y]));
      context.lineTo(x, y + 0.01);
    }
    context.stroke();
  });
  const colours = plot.plot.series.map((_, index) => parseInt(plot.color(index).slice(1), 16)).map((value) => [value >> 16, (value >> 8) & 255, value & 255]);
  // A line between two rows of dots is pale in both.
  const isLine = (place, far = 90) => colours.some((colour) => colour.reduce((sum, part, index) => sum + Math.abs(part - seen[place + index]), 0) < far);
  let [wrong, where] = [0, null];
  for (let place = 0; place < seen.length; place += 4) {
    const [x, y] = [((place / 4) % width) / scale, Math.floor(place / 4 / width) / scale];
    // The texts of the axes are as dark as some lines.
    if (x < 58 || y > plot.height - 22 || plot.plot.words || allowed[place + 3] > 0 || !isLine(place)) continue;
    wrong += 1;
    where = [x, y];
  }
  const inside = samples.filter(({ x, y }) => x > 60 && x < plot.width - 12 && y > 8 && y < plot.height - 22);
  const some = inside.filter((_, index) => index % Math.ceil(inside.length / 500) === 0);
  const missing = some.filter(({ x, y }) => {
    for (let dy = -3; dy <= 3; dy += 1) for (let dx = -3; dx <= 3; dx += 1) {
      if (isLine(4 * (Math.round((y + dy) * scale) * width + Math.round((x + dx) * scale)), 250)) return false;
    }
    return true;
  });
  return { title: plot.plot.title, wrong, where, missing: missing.length, shown: some.length };
}"""


class Checks:
    def __init__(self, page):
        self.page = page
        self.failures = []

    def expect(self, holds, what):
        if not holds:
            self.failures.append(f"{self.page}: {what}")

    def silence(self, b):
        said = [m for m in b.messages if DRIVER not in m]
        self.expect(not said, f"the console says {said[:3]}")

    def wait(self, b, condition, what, seconds=60):
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if b.run(condition):
                return
            time.sleep(0.05)
        self.expect(False, what)

    def resize(self, b, *size, **more):
        """The page arranges itself before the next picture."""
        b.size(*size, **more)
        b.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    # What is drawn.

    def plots(self, b):
        b.run("inertial.timePlots.forEach((plot) => { plot.isVisible = true; plot.draw(); })")
        drawn = b.run(f"""inertial.timePlots.map((plot) => {{
          const {{ counts }} = ({COLOURS})(plot.base);
          return {{ title: plot.plot.title, series: plot.plot.series.map((_, index) =>
            ({NEAR})(counts, plot.color(index))) }};
        }})""")
        self.expect(len(drawn) >= 4, f"there are {len(drawn)} plots")
        for plot in drawn:
            # Lines may lie on one another: one of a plot has to be seen.
            self.expect(max(plot["series"]) > 20, f"the plot {plot['title']} has no line: {plot['series']}")

    def truth(self, b):
        """At three zooms around gaps, wraps and empty stretches, lines are drawn at numbers only."""
        # Reading pixels takes seconds: the first six plots, which have angles and bands, of pages with gaps.
        if not b.run("inertial.sources[0].pauses.length"):
            return
        centres = b.run("""(() => {
          const { timePlots, view } = inertial;
          const found = timePlots[0].pauses.slice(0, 2);
          for (const { plot } of timePlots) for (const { source, column, turn, factor } of plot.series) {
            const { table, channel } = source.column(column);
            for (let index = 1; index < table.count; index += 1) {
              const [last, value] = [channel.at(index - 1) * factor, channel.at(index) * factor];
              if ((last === last) !== (value === value) || (turn && Math.abs(value - last) > turn / 2)) { found.push(table.times[index]); break; }
            }
          }
          return [...new Set(found.length ? found : [(view.start + view.end) / 2])].slice(0, 3);
        })()""")
        for fraction in (1, 0.25, 0.01):
            for centre in centres if fraction < 1 else centres[:1]:
                b.run(f"(() => {{ const half = (inertial.view.end - inertial.view.start) * {fraction / 2}; inertial.view.setRange({centre} - half, {centre} + half); }})()")
                for unwrapped, chosen in (("false", "true"), ("true", "plot.plot.series[0].turn")):
                    b.run(f"inertial.view.isUnwrapped = {unwrapped}")
                    found = b.run(f"inertial.timePlots.filter((plot) => {chosen} && {FEW}(plot)).slice(0, 6).map((plot) => ({TRUTH})(plot, 0.5))")
                    for plot in found:
                        at = f"{plot['title']} at {centre:.1f} s, {fraction} of the time"
                        self.expect(plot["wrong"] == 0, f"{at}: {plot['wrong']} dots of a line without a number, such as {plot['where']}")
                        self.expect(plot["missing"] <= plot["shown"] / 50, f"{at}: {plot['missing']} of {plot['shown']} samples without a line")
        b.run("inertial.view.isUnwrapped = false; inertial.view.showAll()")

    def axes(self, b):
        """Angles, probabilities and enumerations have their own axes, and an unknown angle is hatched."""
        axes = b.run("""inertial.timePlots.map((plot) => { plot.draw(); const { low, high } = plot.scale;
          return { title: plot.plot.title, isAngle: plot.plot.series.some(({ turn }) => turn), hasRange: Boolean(plot.plot.range), isShare: Boolean(plot.plot.showsRange),
            words: plot.plot.words?.map(({ text }) => text) ?? null, low, high, ticks: plot.verticalTicks(5).map(({ value, text }) => [value, text]) }; })""")
        for axis in axes:
            if axis["isAngle"] and axis["high"] - axis["low"] > 90:
                self.expect(all(value % 15 == 0 for value, _ in axis["ticks"]), f"the ticks of {axis['title']} are {axis['ticks']}")
            if axis["isAngle"] and axis["hasRange"]:
                self.expect(-180 <= axis["low"] and axis["high"] <= 360, f"{axis['title']} is from {axis['low']} to {axis['high']}")
            if axis["isShare"]:
                self.expect(axis["low"] <= 0 and 1 <= axis["high"] < 1.2, f"{axis['title']} is from {axis['low']} to {axis['high']}")
            if axis["words"]:
                self.expect([text for _, text in axis["ticks"]] == axis["words"], f"the ticks of {axis['title']} are {axis['ticks']}")
        unknown = b.run("""(() => {
          const plot = inertial.timePlots.find((plot) => plot.plot.title === "Attitude");
          const series = plot.plot.series[0];
          if (series.sigma === undefined) return null;
          const { table, channel } = series.source.column(series.sigma);
          const put = (value) => { table.channels[series.sigma] = new channel.constructor(Float32Array.from({ length: table.count }, () => value)); };
          const calls = [];
          const hatch = plot.hatch;
          plot.hatch = (...all) => { calls.push(all.slice(1, 3)); hatch.apply(plot, all); };
          const results = [0.1, 1.5, 1.7].map((value) => { put(value); calls.length = 0; plot.draw();
            return calls.slice(plot.pauses.length / 2).reduce((sum, [from, to]) => sum + to - from, 0); });
          delete plot.hatch;
          table.channels[series.sigma] = channel;
          plot.draw();
          return [...results, plot.width];
        })()""")
        if unknown:
            others, known, hatched, width = unknown
            self.expect(known == others and hatched - others > width / 4, f"a sigma of 86° hatches {known} dots, one of 97° {hatched} of {width}")

    def gaps(self, b):
        """On a narrow page many samples share a dot; nothing may be drawn without samples."""
        self.resize(b, 390, 800, mobile=True)
        b.run("inertial.view.showAll()")
        b.run("inertial.timePlots.forEach((plot) => { [plot.isVisible, plot.marks] = [true, []]; plot.draw(); })")
        filled = b.run(f"""inertial.timePlots.flatMap((plot) => {{
          const scale = plot.base.width / plot.width;
          const copy = document.createElement("canvas");
          [copy.width, copy.height] = [3, Math.round((plot.height - 30) * scale)];
          const context = copy.getContext("2d", {{ willReadFrequently: true }});
          const found = [];
          for (let index = 0; index < plot.pauses.length; index += 2) {{
            const [from, to] = [plot.x(plot.pauses[index]), plot.x(plot.pauses[index + 1])];
            if (to - from < 6) continue;
            context.drawImage(plot.base, 1 - Math.round((from + to) / 2 * scale), -Math.round(8 * scale));
            const {{ counts }} = ({COLOURS})(copy);
            // Lines and bands have colours, the hatching and words are grey.
            const tinted = [...counts.keys()].map((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255])
              .some((parts) => Math.max(...parts) - Math.min(...parts) > 26);
            if (tinted) found.push(`${{plot.plot.title}} from ${{plot.pauses[index]}} s`);
          }}
          return found;
        }})""")
        self.expect(not filled, f"lines are drawn across a gap: {filled[:4]}")
        self.resize(b, 1440, 900)

    def map(self, b):
        """The path from above: in its colours, with a metre as long upwards as across, and with the cursor on it."""
        if not b.run("Boolean(inertial.map)"):
            return
        b.run("inertial.map.node.scrollIntoView({ block: 'center', behavior: 'instant' }); inertial.map.draw()")
        drawn = b.run(f"""(() => {{
          const {{ map, theme }} = inertial;
          const {{ counts }} = ({COLOURS})(map.canvas);
          return {{ metre: [map.x(1) - map.x(0), map.y(0) - map.y(1)],
            tones: map.chart.curves.map((curve) => ({NEAR})(counts, theme.tones[map.constructor.tone(curve)] ?? theme.faint)) }};
        }})()""")
        across, up = drawn["metre"]
        self.expect(abs(across / up - 1) < 1e-6, f"a metre is {across} dots across and {up} upwards")
        self.expect(max(drawn["tones"]) > 20, f"the path is not drawn: {drawn['tones']}")
        sums = [b.run(f"""(() => {{ const {{ curves }} = inertial.map.chart; const curve = curves[{place}];
          inertial.view.setCursor(curve.times[0]); inertial.view.draw(); return ({COLOURS})(inertial.map.top).sum; }})()""")
                for place in ("0", "curves.length - 1")]
        self.expect(sums[0] != sums[1], "the cursor does not move on the path")
        time = b.run("""(() => { const { map } = inertial; const curve = map.chart.curves.at(-1);
          map.seek(map.x(curve.x.at(-1)), map.y(curve.y.at(-1))); inertial.view.draw(); return inertial.view.cursor - curve.times.at(-1); })()""")
        # The path may end within a millisecond of the last moment shown.
        self.expect(abs(time) < 0.01, f"a click on the path's end moves the cursor {time} s beside it")
        scales = b.run("""(() => { const { map } = inertial; const width = () => map.shown[0][1] - map.shown[0][0]; const all = width();
          map.zoom(0.5); const near = width(); map.window = null; map.draw(); return [near / all, width() / all]; })()""")
        self.expect(abs(scales[0] - 0.5) < 1e-9 and abs(scales[1] - 1) < 1e-9, f"a zoom of the map by two shows {scales}")
        files = b.run("""(() => { const { map, parts } = inertial; const { curves } = map.chart; const anchor = [48, 16, 9e-6, 1.3e-5];
          const [json, gpx, kml] = Object.values(parts.MAP_FORMATS).map((text) => text(parts.pathParts(curves, anchor)));
          const parse = (text) => { const found = new DOMParser().parseFromString(text, "text/xml"); return found.querySelector("parsererror") ? null : found; };
          const points = curves.reduce((sum, { x }) => sum + x.length, 0); const [place] = JSON.parse(json).geometry.coordinates[0];
          return [points, JSON.parse(json).geometry.coordinates.flat().length, parse(gpx)?.querySelectorAll("trkpt").length,
            (parse(kml)?.documentElement.textContent.trim().match(/,/g) ?? []).length, (place[1] - 48) / 9e-6 - curves[0].y[0], (place[0] - 16) / 1.3e-5 - curves[0].x[0]]; })()""")
        self.expect(files[0] == files[1] == files[2] == files[3] and abs(files[4]) < 2e-3 and abs(files[5]) < 2e-3, f"the saved paths are {files}")
        stand = b.run("""(() => { const { map } = inertial; const { curves } = map.chart; const curve = curves.at(-1);
          const [x, y, end] = [curve.x.at(-1), curve.y.at(-1), curve.times.at(-1)];
          curves.push({ ...curve, x: [x, x], y: [y, y], times: [end, end + 60] });
          const time = map.timeAt(map.x(x), map.y(y)) - end; curves.pop(); return time; })()""")
        self.expect(abs(stand - 60) < 1e-6, f"after a stand of 60 s at the path's end a click on it leads to {stand} s after its begin")

    def device(self, b):
        seen = b.run(f"inertial.device ? ({COLOURS})(inertial.device.canvas).counts.size : -1")
        self.expect(seen == -1 or seen > 20, f"the device has {seen} colours")

    # What is done with it.

    def cursor(self, b):
        b.run("window.scrollTo({ top: 0, behavior: 'instant' })")
        b.run("inertial.timePlots[0].node.scrollIntoView({ block: 'center', behavior: 'instant' })")
        box = b.run("""(() => { const { x, y, width, height } = inertial.timePlots[0].top.getBoundingClientRect();
          return [x, y, width, height]; })()""")
        state = f"""(async () => {{
          await new Promise(requestAnimationFrame);
          inertial.timePlots.forEach((plot) => {{ plot.isVisible = true; }});
          inertial.view.draw();
          return {{ time: inertial.view.cursor, values: inertial.timePlots.map((plot) => plot.values.map((v) => v.textContent).join(" ")),
            tops: inertial.timePlots.map((plot) => ({COLOURS})(plot.top).sum),
            device: inertial.device ? ({COLOURS})(inertial.device.canvas).sum : null }};
        }})()"""
        seen = []
        for share in (0.25, 0.75):
            b.move(box[0] + 58 + share * (box[2] - 68), box[1] + box[3] / 2)
            seen.append(b.run(state))
        first, second = seen
        length = b.run("inertial.view.end - inertial.view.start")
        self.expect(abs(second["time"] - first["time"] - length / 2) < length / 20, "the cursor does not follow the pointer")
        moved = [a != c for a, c in zip(first["tops"], second["tops"])]
        self.expect(all(moved), f"the cursor moves in {sum(moved)} of {len(moved)} plots")
        changed = [a != c for a, c in zip(first["values"], second["values"])]
        self.expect(sum(changed) >= 3, f"the values change in {sum(changed)} of {len(changed)} plots")
        if first["device"] is not None:
            self.expect(first["device"] != second["device"], "the device does not turn with the cursor")

    def zoom(self, b):
        box = b.run("""(() => { const { x, y, width, height } = inertial.timePlots[0].top.getBoundingClientRect();
          return [x, y, width, height]; })()""")
        before = b.run("({ from: inertial.view.from, to: inertial.view.to, sum: (" + COLOURS + ")(inertial.timePlots[0].base).sum })")
        middle = box[1] + box[3] / 2
        b.drag(box[0] + 58 + 0.4 * (box[2] - 68), middle, box[0] + 58 + 0.6 * (box[2] - 68), middle)
        after = b.run("new Promise(requestAnimationFrame).then(() => ({ from: inertial.view.from, to: inertial.view.to, sum: ("
                      + COLOURS + ")(inertial.timePlots[0].base).sum }))")
        share = (after["to"] - after["from"]) / (before["to"] - before["from"])
        self.expect(0.15 < share < 0.25, f"a drag over a fifth shows {share:.2f} of the time")
        self.expect(before["sum"] != after["sum"], "a zoom draws the same picture")
        b.run("document.activeElement.blur()")
        b.key("0", "Digit0", "0")
        self.wait(b, "inertial.view.to - inertial.view.from === inertial.view.end - inertial.view.start", "0 does not show all")
        b.key("+", "Equal", "+", shift=True)
        self.wait(b, "inertial.view.to - inertial.view.from < 0.7 * (inertial.view.end - inertial.view.start)", "+ does not zoom")
        b.key("0", "Digit0", "0")
        at = b.run("inertial.view.cursor")
        b.key("ArrowLeft")
        self.wait(b, f"inertial.view.cursor < {at}", "the arrow keys do not move the cursor")
        b.key("End")
        self.wait(b, "inertial.view.cursor === inertial.view.end", "End does not move the cursor to the end")

    def playback(self, b):
        b.run("document.activeElement.blur(); inertial.view.setCursor(inertial.view.start)")
        b.key(" ", "Space", " ")
        self.wait(b, "inertial.player.isPlaying && inertial.view.cursor > inertial.view.start", "space does not play")
        at = b.run("inertial.view.cursor")
        self.wait(b, f"inertial.view.cursor > {at}", "playback does not continue")
        b.key(" ", "Space", " ")
        self.wait(b, "!inertial.player.isPlaying", "space does not pause")
        b.run("inertial.view.setCursor(inertial.view.end - 1e-6); inertial.player.speed = 60; inertial.player.play()")
        self.wait(b, "!inertial.player.isPlaying && inertial.view.cursor === inertial.view.end", "playback does not stop at the end")

    def tables(self, b):
        rows = b.run("""(async () => { const details = inertial.timePlots[0].node.querySelector("details");
          details.open = true; await new Promise((done) => setTimeout(done)); await new Promise(requestAnimationFrame);
          return details.querySelectorAll("tbody tr").length; })()""")
        self.expect(rows > 20, f"the table of a plot has {rows} rows")
        b.run("inertial.timePlots[0].node.querySelector('details').open = false")
        numbers = b.run("""(async () => { const { timePlots: [plot], view } = inertial; const { source, column } = plot.plot.series[0];
          const details = plot.node.querySelector("details"); details.open = true;
          view.setRange(view.start + 1, view.start + 3); view.draw();
          const { table, channel } = source.column(column); const values = [];
          for (let index = table.first(view.from); index < table.first(view.to); index += 1) values.push(channel.at(index));
          const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
          const rms = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);
          const cell = (name) => Number([...details.querySelectorAll("tbody tr")].find((row) => row.firstChild.textContent === name).children[1].textContent.replace("−", "-"));
          await new Promise((done) => setTimeout(done, 400));
          const shown = { shownMean: cell("mean"), shownRMS: cell("root mean square"), sigma: cell("standard deviation") };
          const { hash } = location; view.showAll(); view.draw(); details.open = false;
          return { mean, rms, ...shown, hash }; })()""")
        self.expect(abs(numbers["mean"] - numbers["shownMean"]) < 2e-4 and abs(numbers["rms"] - numbers["shownRMS"]) < 2e-4
                    and abs(numbers["sigma"] ** 2 + numbers["mean"] ** 2 - numbers["rms"] ** 2) < 1e-3, f"the numbers of a range are {numbers}")
        self.expect(numbers["hash"] == "#t=1,3", f"the address of a range of 1 to 3 s is {numbers['hash']}")
        named = b.run("""[...document.querySelectorAll("canvas.top, button, select, input")].every((node) =>
          node.getAttribute("aria-label") || node.textContent.trim() || node.title)""")
        self.expect(named, "a control has no name")

    def measuring(self, b):
        """Two cursors, fixed scales, spectra, and what is shown as a picture, a drawing and numbers."""
        b.run("inertial.view.showAll(); inertial.view.setCursor(inertial.view.start + 2); inertial.view.draw(); document.activeElement.blur()")
        b.key("m", "KeyM", "m")
        self.wait(b, "inertial.view.isMeasuring", "M does not measure")
        seen = b.run("""(() => { const { view, timePlots: [plot] } = inertial; view.setCursor(view.start + 5); plot.isVisible = true; view.draw();
          const number = Number(plot.values[0].textContent.replace("−", "-").replace("Δ ", ""));
          return [number, plot.valueAt(0, view.cursor) - plot.valueAt(0, view.anchor), document.querySelector(".time").textContent]; })()""")
        self.expect(abs(seen[0] - seen[1]) < 2e-3 and "Δ 3.00 s" in seen[2], f"the differences are {seen}")
        b.key("m", "KeyM", "m")
        self.wait(b, "!inertial.view.isMeasuring", "M does not end to measure")
        scales = b.run("""(() => { const { view, timePlots: [plot] } = inertial; const scale = () => { view.draw(); plot.draw(); return JSON.stringify(plot.scale); };
          view.setFixed(true); const before = scale(); view.setRange(view.start, view.start + 0.2); const fixed = scale();
          view.setFixed(false); const free = scale(); view.showAll(); return [before === fixed, before === free]; })()""")
        self.expect(scales == [True, False], f"fixed and free scales are kept: {scales}")
        saved = b.run("""(async () => { const { timePlots: [plot], view } = inertial; view.setRange(view.start + 1, view.start + 2); view.draw();
          const text = async (kind) => (await inertial.savedPlot(plot, kind)).text();
          const png = new Uint8Array(await (await inertial.savedPlot(plot, "png")).arrayBuffer());
          const svg = new DOMParser().parseFromString(await text("svg"), "image/svg+xml");
          const csv = await text("csv"); const { table, channel } = plot.plot.series[0].source.column(plot.plot.series[0].column);
          const count = table.first(view.to + 1e-9) - table.first(view.from); const first = csv.split("\\n")[1].split(",").map(Number);
          const value = channel.at(table.first(view.from)) * plot.plot.series[0].factor; view.showAll(); view.draw();
          return { png: [...png.slice(1, 4)], paths: svg.querySelectorAll("path").length, faults: svg.querySelectorAll("parsererror").length,
            rows: csv.trim().split("\\n").length - 1, count, first, value }; })()""")
        self.expect(saved["png"] == [80, 78, 71] and saved["paths"] > 5 and saved["faults"] == 0, f"the saved pictures are {saved}")
        self.expect(abs(saved["rows"] - saved["count"]) <= 1 and abs(saved["first"][1] - saved["value"]) < 1e-6 and saved["first"][0] >= 1 - 1e-6,
                    f"the saved numbers are {saved}")
        # A sine with amplitude 3 at 12.5 Hz: the density's integral is its mean square, at its frequency.
        sine = b.run("""(() => { const count = 4096; const times = Float64Array.from({ length: count }, (_, index) => index / 100);
          const values = Float32Array.from(times, (time) => 3 * Math.sin(2 * Math.PI * 12.5 * time));
          const { Channel, Table, spectrumOf } = inertial.parts; const table = new Table(times);
          const { frequencies, density } = spectrumOf(table, new Channel(values), 1, 0, count);
          const most = density.indexOf(Math.max(...density));
          return [frequencies[most], density.reduce((sum, value) => sum + value, 0) * frequencies[0], spectrumOf(table, new Channel(values), 1, 0, 40)]; })()""")
        self.expect(abs(sine[0] - 12.5) < 0.1 and abs(sine[1] - 4.5) < 0.05 and sine[2] is None, f"the spectrum of a sine is {sine}")
        shown = b.run("""(async () => { const plot = inertial.timePlots.find(({ plot }) => plot.hasSpectrum); if (!plot) return -1;
          const details = [...plot.node.querySelectorAll("details")].find((node) => node.textContent.startsWith("Spectrum"));
          details.open = true; await new Promise((done) => setTimeout(done, 100)); const count = details.querySelectorAll("canvas, p.note").length;
          details.open = false; return count; })()""")
        self.expect(shown != 0, "the spectrum has no curve")
        command = b.run("(() => { inertial.view.setRange(inertial.view.start + 1, inertial.view.start + 3); inertial.view.draw(); const text = [...document.querySelectorAll('code')].at(-1).textContent; inertial.view.showAll(); return text; })()")
        self.expect(command.startswith("inertial plot ") and command.endswith(" --from 1 --to 3"), f"the command of a range is {command}")

    def schemes(self, b):
        corner = """(() => { const { base } = inertial.timePlots[0]; const copy = document.createElement("canvas").getContext("2d");
          copy.drawImage(base, 3 - base.width, 3 - base.height); const [red, green, blue] = copy.getImageData(0, 0, 1, 1).data;
          return (red << 16) + (green << 8) + blue; })()"""
        grounds = {}
        for scheme in ("light", "dark"):
            b.scheme(scheme)
            style = "getComputedStyle(document.documentElement).getPropertyValue('--plot').trim()"
            is_dark = str(scheme == "dark").lower()
            self.wait(b, f"matchMedia('(prefers-color-scheme: dark)').matches === {is_dark} && inertial.theme.background === {style}",
                      f"{scheme} is not taken up")
            b.run("inertial.timePlots[0].draw()")
            ground = b.run(corner)
            grounds[scheme] = (ground >> 16) + (ground >> 8 & 255) + (ground & 255)
            short = b.run(CONTRAST)
            self.expect(not short, f"too little contrast in {scheme}: {short}")
            for name, shown in b.run("({ lines: inertial.theme.series, levels: inertial.theme.levels, activities: Object.values(inertial.theme.activities) })").items():
                difference, one, other, reader = colours.nearest({str(index): colour for index, colour in enumerate(shown)})
                self.expect(difference >= 12, f"the {name} {one} and {other} differ by {difference:.1f} in {scheme} for readers with {reader}")
        self.expect(grounds["light"] > 600 and grounds["dark"] < 250, f"the plots' grounds are {grounds}")
        b.scheme("light")

    def paper(self, b):
        # As for a print, everything drawn for paper is examined before it is restored.
        drawn = b.run(f"""(() => {{
          window.dispatchEvent(new Event("beforeprint"));
          const lines = inertial.timePlots.map((plot) => [plot.base.clientWidth, plot.base.width, ({COLOURS})(plot.base).counts.size]);
          window.dispatchEvent(new Event("afterprint"));
          return lines;
        }})()""")
        self.expect(all(width <= 680 and colours > 3 for width, _, colours in drawn), f"on paper plots are {drawn[:4]}")
        b.call("Emulation.setEmulatedMedia", media="print")
        shown = b.run("""[".controls", ".screen", "details:not([open])"].map((part) => document.querySelector(part))
          .filter((node) => node && getComputedStyle(node).display !== "none").length""")
        self.expect(shown == 0, "on paper there are controls")
        kept = b.run("[...document.querySelectorAll('.plot')].every((node) => getComputedStyle(node).breakInside === 'avoid')")
        self.expect(kept, "on paper plots may be cut")
        b.call("Emulation.setEmulatedMedia", media="")
        pdf = base64.b64decode(b.call("Page.printToPDF", printBackground=True)["data"])
        self.expect(pdf.startswith(b"%PDF") and len(pdf) > 20_000, f"the PDF has {len(pdf)} bytes")
        # Lines are printed as lines, and not as dots of a screen.
        lines = 0
        for part in pdf.split(b"endstream"):
            try:
                lines += zlib.decompress(part[part.index(b"stream") + 6:].lstrip(b"\r\n")).count(b" l\n")
            except (ValueError, zlib.error):
                continue
        self.expect(lines > 1000, f"the PDF has {lines} lines")

    def phone(self, b):
        self.resize(b, 390, 800, mobile=True)
        wide = b.run("document.documentElement.scrollWidth")
        self.expect(wide <= 390, f"on a phone the page is {wide} wide")
        self.resize(b, 1440, 900)

    def first_screen(self, b):
        """The answers are on the first screen of a laptop: tiles, counts, contents, trust, activity, acceleration and heading."""
        b.run("window.scrollTo({ top: 0, behavior: 'instant' })")
        seen = b.run("""(() => { const bottom = (node) => node.getBoundingClientRect().bottom + scrollY;
          return { tiles: [...document.querySelectorAll(".tile")].map((node) => [node.querySelector("dt").textContent, node.querySelector("dd").textContent]),
            counts: [...document.querySelectorAll(".contents .count")].map((node) => node.textContent),
            lost: [...document.querySelectorAll(".contents a")].filter((node) => !document.querySelector(node.hash)).map((node) => node.hash),
            links: document.querySelectorAll(".contents a:not(.count)").length, end: bottom(document.querySelector(".overview")),
            plots: document.querySelectorAll(".overview canvas").length, height: innerHeight }; })()""")
        self.expect([name for name, _ in seen["tiles"]][:2] == ["Duration", "Rate"] and all(value for _, value in seen["tiles"]), f"the tiles are {seen['tiles']}")
        self.expect(seen["counts"] and seen["links"] >= 3 and not seen["lost"], f"the contents are {seen}")
        self.expect(seen["plots"] == 6 and seen["end"] <= seen["height"], f"the overview ends at {seen['end']} of {seen['height']}")
        good = b.run("(() => { const { findings, likely, warnings, untested } = inertial.notes; return findings.length + likely.length + warnings.length + untested.length; })()")
        texts = b.run("document.querySelector('.contents').textContent + document.querySelector('#findings').textContent")
        self.expect(("Nothing looks wrong" in texts) == (good == 0), f"with {good} findings, warnings and tests that did not run: {texts[:200]}")
        told = b.run("""(() => { const { top, view } = inertial; const [lane] = top.lanes;
          return lane.levels.map((level, index) => { view.setCursor((lane.times[2 * index] + lane.times[2 * index + 1]) / 2); view.draw();
            return [level, top.now.textContent, lane.texts[index]]; }); })()""")
        words = ["trusted", "doubtful: ", "not trusted: "]
        for level, text, reason in told[:50]:
            self.expect(text.startswith(words[level] + reason) and (level == 0) == (reason == ""), f"the trust {level} for '{reason}' has the text '{text}'")

    def access(self, b):
        """Names, roles, headings and identifiers, and the keyboard after a click."""
        faults = b.run("""(() => {
          const name = (node) => node.getAttribute("aria-label") || node.textContent.trim() || node.title;
          const faults = [...document.querySelectorAll("button, a, select, input, [tabindex], output, [role]")]
            .filter((node) => !name(node) && !node.closest("[hidden]") && node.tagName !== "OUTPUT").map((node) => `no name: ${node.outerHTML.slice(0, 80)}`);
          let level = 0;
          for (const heading of document.querySelectorAll("h1, h2, h3, h4")) {
            const own = Number(heading.tagName[1]);
            if (own > level + 1) faults.push(`${heading.tagName} '${heading.textContent}' after H${level}`);
            level = own;
          }
          const regions = [...document.querySelectorAll("section[aria-label], nav[aria-label], [role=region]")].map((node) => node.getAttribute("aria-label"));
          const twice = regions.filter((text, index) => regions.indexOf(text) !== index);
          if (twice.length) faults.push(`two regions are named ${twice}`);
          const ids = [...document.querySelectorAll("[id]")].map((node) => node.id);
          if (new Set(ids).size < ids.length) faults.push("two elements have one id");
          if (document.querySelectorAll("[tabindex]:not([tabindex='0'])").length) faults.push("an order of focus that is not the page's");
          if (document.querySelectorAll("h1").length !== 1 || document.querySelectorAll("main").length !== 1 || !document.documentElement.lang) faults.push("no title, main part or language");
          for (const list of document.querySelectorAll("ul")) if ([...list.children].some((node) => node.tagName !== "LI")) faults.push("a list with other parts");
          return faults;
        })()""")
        self.expect(not faults, f"{faults[:5]}")
        b.run("inertial.view.showAll(); [...document.querySelectorAll('.zoom button')].find((node) => node.textContent === '+').focus()")
        at = b.run("inertial.view.cursor")
        b.key("ArrowRight")
        self.wait(b, f"inertial.view.cursor > {at}", "after a click on a button the arrow keys do not move the cursor")
        b.key("0", "Digit0", "0")
        self.wait(b, "inertial.view.to - inertial.view.from === inertial.view.end - inertial.view.start", "after a click on a button 0 does not show all")
        b.key(" ", "Space", " ")
        self.wait(b, "!inertial.player.isPlaying", "the space bar on a button plays")
        b.run("document.activeElement.blur(); inertial.view.showAll(); inertial.view.setCursor(inertial.view.start)")

    def harmless(self, b):
        self.expect(b.run("typeof window.hacked") == "undefined", "a script of the log has run")
        scripts = b.run("[...document.querySelectorAll('script')].filter((s) => !s.type || s.type === 'text/javascript').length")
        self.expect(scripts == 1, f"there are {scripts} scripts that run")
        foreign = b.run("document.querySelectorAll('main script, main img, main iframe, main b, main object, link').length")
        self.expect(foreign == 0, "text of the log became elements")

    def recording(self, b):
        b.open(self.page)
        moments = b.run("inertial.ready")
        self.expect(moments["all"] >= moments["first"] >= moments["start"], f"it is not ready in order: {moments}")
        for check in (self.harmless, self.first_screen, self.access, self.plots, self.truth, self.axes, self.gaps, self.map, self.device, self.cursor, self.zoom, self.playback, self.tables, self.measuring,
                      self.schemes, self.phone, self.paper, self.silence):
            check(b)
        b.open("about:blank")
        b.open(self.page, "#t=2.5,4")
        seen = b.run("inertial.ready.then(() => [inertial.view.from - inertial.view.start, inertial.view.to - inertial.view.start])")
        self.expect(abs(seen[0] - 2.5) < 1e-6 and abs(seen[1] - 4) < 1e-6, f"the address of 2.5 to 4 s shows {seen}")
        has_webgl = b.run("!inertial.device || inertial.device.isAccelerated")
        b.open("about:blank")
        b.open(self.page, "#canvas")
        b.run("inertial.ready")
        self.expect(b.run("!inertial.device || !inertial.device.isAccelerated"), "there is no drawing without WebGL")
        self.device(b)
        if not has_webgl:
            print(f"note: {self.page}: this Chromium has no WebGL; the device was drawn by a plain canvas")

    def overview(self, b):
        b.open(self.page)
        self.harmless(b)
        names = "[...document.querySelectorAll('table')][0].querySelectorAll('tbody th')"
        first = b.run(f"[...{names}].map((node) => node.textContent)")
        self.expect(len(first) >= 1, "the overview has no line")
        b.run("[...document.querySelectorAll('thead th button')].find((node) => node.textContent.startsWith('duration')).click()")
        lengths = b.run("""(() => { const column = [...document.querySelectorAll('thead th')].findIndex((n) => n.textContent.startsWith('duration'));
          return [...document.querySelectorAll('table')[0].querySelectorAll('tbody tr')].map((row) => Number(row.children[column].textContent)); })()""")
        self.expect(lengths == sorted(lengths), f"sorted by duration it is {lengths}")
        found = b.run("""(() => { const search = document.querySelector("input[type=search]"); const rows = () => document.querySelectorAll("tbody tr").length;
          const all = rows(); search.value = "nowhere to be found"; search.dispatchEvent(new Event("input")); const none = rows();
          search.value = ""; search.dispatchEvent(new Event("input"));
          const groups = document.querySelector(".search select"); groups.value = "format"; groups.dispatchEvent(new Event("change"));
          const titles = document.querySelectorAll("#recordings h3").length; const grouped = rows();
          groups.value = "no groups"; groups.dispatchEvent(new Event("change"));
          return [all, none, grouped, rows(), titles, document.querySelectorAll("tbody svg").length, document.querySelectorAll(".tile").length]; })()""")
        self.expect(found[0] == found[2] == found[3] >= 1 and found[1] == 0 and found[4] >= 1, f"search and groups show {found}")
        self.expect(found[5] >= found[0] and found[6] >= 4, f"the pictures and tiles are {found}")
        target = b.run(f"{names}[0].querySelector('a').href")
        b.size(390, 800, mobile=True)
        self.expect(b.run("document.documentElement.scrollWidth") <= 390, "on a phone the overview is too wide")
        b.call("Page.navigate", url=target)
        self.wait(b, "typeof inertial === 'object'", "the first line does not lead to a page")
        self.expect(b.run("inertial.ready.then(() => inertial.timePlots.length)") > 3, "its page has no plots")
        self.silence(b)


def main():
    if browser.find() is None:
        print("error: there is no Chromium; set CHROMIUM, or install the package chromium")
        return 2
    failures = []
    with browser.Browser(*OPTIONS) as b:
        for page in sys.argv[1:]:
            b.renew()
            checks = Checks(page)
            checks.overview(b) if page.endswith("index.html") else checks.recording(b)
            failures += checks.failures
    for failure in failures:
        print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
