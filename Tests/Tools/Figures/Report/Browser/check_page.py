"""Opens a page of `inertial report` in headless Chromium and does with it what a reader does.

usage: check_page.py PAGE...      prints a line for what is not as it should be; exit status 1 where there is one
"""

import base64
import sys
import time
import zlib

import browser

# Software WebGL is asked for by name, as a machine of tests has no graphics card; else Chromium notes that it fell back.
OPTIONS = ["--enable-unsafe-swiftshader", "--use-angle=swiftshader"]
# Notes of the software driver on its own speed, which say nothing of the page.
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
  return short;
})()"""


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

    # What is drawn.

    def plots(self, b):
        b.run("inertial.timePlots.forEach((plot) => { plot.isVisible = true; plot.draw(); })")
        drawn = b.run(f"""inertial.timePlots.map((plot) => {{
          const {{ counts }} = ({COLOURS})(plot.base);
          return {{ title: plot.plot.title, series: plot.plot.series.map((_, index) =>
            ({NEAR})(counts, inertial.theme.series[index % 8])) }};
        }})""")
        self.expect(len(drawn) >= 4, f"there are {len(drawn)} plots")
        for plot in drawn:
            # Lines may lie on one another: one of a plot has to be seen.
            self.expect(max(plot["series"]) > 20, f"the plot {plot['title']} has no line: {plot['series']}")

    def gaps(self, b):
        """On a narrow page many samples share a dot; nothing may be drawn where there is none."""
        b.size(390, 800, mobile=True)
        b.run("inertial.view.showAll()")
        b.run("inertial.timePlots.forEach((plot) => { plot.isVisible = true; plot.draw(); })")
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
            const dots = plot.plot.series.map((_, place) => ({NEAR})(counts, inertial.theme.series[place % 8]));
            if (Math.max(...dots) > 0) found.push(`${{plot.plot.title}} from ${{plot.pauses[index]}} s: ${{dots}}`);
          }}
          return found;
        }})""")
        self.expect(not filled, f"lines are drawn where there is a gap: {filled[:4]}")
        b.size(1440, 900)

    def map(self, b):
        """The path from above: in its colours, with a metre as long upwards as across, and with the cursor on it."""
        if not b.run("Boolean(inertial.map)"):
            return
        b.run("inertial.map.node.scrollIntoView({ block: 'center', behavior: 'instant' }); inertial.map.draw()")
        drawn = b.run(f"""(() => {{
          const {{ map, theme }} = inertial;
          const {{ counts }} = ({COLOURS})(map.canvas);
          return {{ metre: [map.x(1) - map.x(0), map.y(0) - map.y(1)],
            tones: map.chart.curves.map((curve) => ({NEAR})(counts, theme.tones[PathMapTone(curve)])) }};
          function PathMapTone(curve) {{ return map.constructor.tone(curve); }}
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
        self.wait(b, f"inertial.view.cursor > {at}", "playback does not go on")
        b.key(" ", "Space", " ")
        self.wait(b, "!inertial.player.isPlaying", "space does not pause")
        b.run("inertial.view.setCursor(inertial.view.end - 1e-6); inertial.player.speed = 60; inertial.player.play()")
        self.wait(b, "!inertial.player.isPlaying && inertial.view.cursor === inertial.view.end", "playback does not stop at the end")

    def tables(self, b):
        rows = b.run("""(async () => { const details = inertial.timePlots[0].node.querySelector("details");
          details.open = true; await new Promise((done) => setTimeout(done)); await new Promise(requestAnimationFrame);
          return details.querySelectorAll("tbody tr").length; })()""")
        self.expect(rows > 20, f"the table behind a plot has {rows} rows")
        b.run("inertial.timePlots[0].node.querySelector('details').open = false")
        named = b.run("""[...document.querySelectorAll("canvas.top, button, select, input")].every((node) =>
          node.getAttribute("aria-label") || node.textContent.trim() || node.title)""")
        self.expect(named, "a control has no name")

    def schemes(self, b):
        corner = f"[...({COLOURS})(inertial.timePlots[0].base).counts].sort((a, b) => b[1] - a[1])[0][0]"
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
        self.expect(grounds["light"] > 600 and grounds["dark"] < 250, f"the plots' grounds are {grounds}")
        b.scheme("light")

    def paper(self, b):
        # As for a print, the whole of what is drawn for paper is looked at before it is put back.
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
        b.size(390, 800, mobile=True)
        b.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        wide = b.run("document.documentElement.scrollWidth")
        self.expect(wide <= 390, f"on a phone the page is {wide} wide")
        b.size(1440, 900)

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
        for check in (self.harmless, self.plots, self.gaps, self.map, self.device, self.cursor, self.zoom, self.playback, self.tables,
                      self.schemes, self.phone, self.paper, self.silence):
            check(b)
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
