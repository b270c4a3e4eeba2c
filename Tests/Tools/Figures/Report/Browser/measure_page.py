"""Times a page of `inertial report` in headless Chromium: until its first picture, until all numbers are loaded, to zoom.

usage: measure_page.py PAGE [TURNS]      prints milliseconds: the first turn, in a browser that just began, and the median
"""

import statistics
import sys

import browser
from check_page import OPTIONS

# Half of the steps zoom in to a tenth, half out again. A page draws what is in sight, the rest when it comes into sight.
ZOOM = """((isAll) => {
  const { view, timePlots } = inertial;
  const steps = [];
  for (let step = 0; step < 10; step += 1) {
    const start = performance.now();
    view.zoom(step % 2 ? 10 : 0.1, view.start + (view.end - view.start) * (0.1 + 0.08 * step));
    view.draw();
    if (isAll) timePlots.forEach((plot) => { if (plot.isStale) plot.draw(); });
    steps.push(performance.now() - start);
  }
  view.showAll();
  return steps;
})"""


def main():
    page, turns = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5
    first, whole, zoom, all_zoom = [], [], [], []
    with browser.Browser(*OPTIONS) as b:
        for _ in range(turns):
            b.open(page)
            moments = b.run("inertial.ready")
            first.append(moments["first"] - moments["start"])
            whole.append(moments["all"] - moments["start"])
            b.run("inertial.timePlots[0].node.scrollIntoView({ block: 'start', behavior: 'instant' })")
            zoom += b.run(f"({ZOOM})(false)")
            all_zoom += b.run(f"({ZOOM})(true)")
        rows = b.run("inertial.sources[0].description.samples")
        series = b.run("inertial.timePlots.reduce((sum, plot) => sum + plot.plot.series.length, 0)")
    print(f"{rows} samples of {series} lines")
    for name, values in [("first picture", first), ("all numbers", whole), ("a step of zoom", zoom),
                         ("a step of zoom, all plots", all_zoom)]:
        print(f"{name}: {values[0]:.0f} at first, {statistics.median(values):.0f} in the median of {len(values)}")


if __name__ == "__main__":
    main()
