// The page of a recording: creates and arranges its parts.

const began = performance.now();
const { content, recipe } = JSON.parse(document.getElementById("facts").textContent);

/** Creates a section with a heading, or null if it has no content. */
function part(title, ...children) {
  const known = children.filter(Boolean);
  return known.length ? element("section", { class: "part" }, element("h2", { text: title }), ...known) : null;
}

function list(kind, lines) {
  return lines.length ? element("ul", { class: kind }, ...lines.map((text) => element("li", { text }))) : null;
}

function factList(facts) {
  return element("dl", { class: "facts" }, ...facts.flatMap(({ name, value }) => [
    element("dt", { text: name }), element("dd", { text: value }),
  ]));
}

/** Flattens nested facts to names and texts: { a: { b: 1 } } becomes "a.b", "1". */
function leaves(value, name = "") {
  if (Array.isArray(value)) return [{ name, value: value.map((item) => (typeof item === "object" ? JSON.stringify(item) : String(item))).join(", ") }];
  if (value !== null && typeof value === "object") {
    return Object.entries(value).flatMap(([key, item]) => leaves(item, name ? `${name}.${key}` : key));
  }
  return [{ name, value: String(value) }];
}

function buildReport() {
  const theme = new Theme();
  const sources = content.tables.map((description, place) => new Source(description, place));
  const first = content.tables[0];
  const view = new View(first.firstTime, first.lastTime);
  const origin = view.start;
  const player = new Player(view);
  const marks = content.lanes.filter((lane) => lane.isMarked && lane.kind === "span").map(({ name, times }) => ({ name, times }));
  const timePlots = content.plots.map((plot) => new TimePlot({
    ...plot, series: plot.series.map((series) => ({ ...series, source: sources[series.table] })),
  }, { view, theme, origin, pauses: content.pauses, marks }));
  for (const timePlot of timePlots) timePlot.node.append(plotTable(timePlot));
  const lanes = content.lanes.length ? new Lanes(content.lanes, { view, theme, origin }) : null;
  lanes?.node.append(laneTable(content.lanes, origin));
  const device = content.scene
    ? new Device(content.scene, sources[content.scene.table], { view, theme, mayUseWebGL: !location.hash.includes("canvas") }) : null;
  const charts = (content.judgement?.charts ?? []).map((chart) => new Curves(chart, { theme }));

  const map = content.path?.chart ? new PathMap(content.path.chart, { view, theme }) : null;

  const further = new Set([...content.comparisons, ...(content.path?.plots ?? []), ...(content.measurements?.plots ?? []), ...(content.judgement?.plots ?? [])]);
  const nodes = (places) => places.map((place) => timePlots[place].node);
  const motion = nodes([...content.plots.keys()].filter((place) => !further.has(place)));
  const unwrap = element("button", {
    type: "button", "aria-pressed": "false", title: "unwrap angles at full turns (U)", text: "Unwrap angles",
    on: { click: () => setUnwrapped(!view.isUnwrapped) },
  });
  function setUnwrapped(isUnwrapped) {
    unwrap.setAttribute("aria-pressed", String(isUnwrapped));
    view.setUnwrapped(isUnwrapped);
  }
  const controls = element("div", { class: "controls" },
    player.node,
    element("div", { class: "zoom", role: "group", "aria-label": "Zoom" },
      button("←", "Move back", () => view.pan(-0.5)), button("→", "Move forward", () => view.pan(0.5)),
      button("+", "Zoom in", () => view.zoom(1 / 2)), button("−", "Zoom out", () => view.zoom(2)),
      button("All", "Show all", () => view.showAll())),
    unwrap);

  const { findings, untested, warnings, remarks } = content.notes;
  const table = content.tables[0];
  const detail = table.rowsPerPair > 2
    ? `The page has ${table.samples} of ${table.rows} samples of each column: the minimum and maximum of every ${table.rowsPerPair} samples (attitudes: two samples). Use --detail full for all samples.`
    : `The page has all ${table.rows} samples of each column, at 16 bits.`;
  document.getElementById("page").append(
    element("header", {},
      content.overview ? element("a", { href: content.overview, text: "← All recordings" }) : null,
      element("h1", { text: content.title }), element("p", { class: "summary", text: content.summary })),
    controls,
    element("div", { class: "columns" },
      element("aside", {}, device?.node),
      element("div", { class: "main" },
        part("Findings",
          findings.length
            ? list("findings", findings)
            : element("p", { class: "good", text: untested.length ? "No test failed." : "Nothing looks wrong." }),
          list("warnings", warnings), list("remarks", remarks),
          untested.length ? element("details", {}, element("summary", { text: `Not tested: ${untested.length}` }), list("remarks", untested)) : null),
        part("Recording", factList(content.facts),
          element("details", {}, element("summary", { text: "Channels and values" }), ...content.grids.map((grid) => gridTable(grid)))),
        part("Path", content.path ? element("p", { class: "note", text: content.path.note }) : null, map?.node,
          ...nodes(content.path?.plots ?? [])),
        part("Over time", lanes?.node, ...motion),
        part("Measurements", content.measurements ? gridTable(content.measurements.grid) : null, ...nodes(content.measurements?.plots ?? [])),
        part("Comparison of filters", ...nodes(content.comparisons)),
        part("Errors against the reference",
          content.unjudged ? element("p", { class: "warnings", text: `Not evaluated: ${content.unjudged}` }) : null,
          content.judgement ? element("p", { class: "note", text: content.judgement.note }) : null,
          ...(content.judgement?.grids ?? []).map((grid) => gridTable(grid, { isSortable: true })),
          ...charts.map((chart) => chart.node), ...nodes(content.judgement?.plots ?? [])),
        part("Keys", element("details", { class: "screen" }, element("summary", { text: "Keyboard shortcuts" }),
          factList(KEYS.map(([name, value]) => ({ name, value }))))))),
    element("footer", {},
      part("Recreate this page",
        content.command ? element("pre", {}, element("code", { text: content.command })) : null,
        element("p", { class: "note", text: `inertial ${content.version}. ${detail}` }),
        element("details", {}, element("summary", { text: "All parameters, and the checksum of the input" }),
          factList(leaves({ ...recipe, meanings: undefined, units: undefined, columns: undefined }).filter((fact) => fact.value !== "undefined"))))));

  timePlots.forEach((timePlot) => timePlot.updateVisibility());
  followKeys(view, player, () => setUnwrapped(!view.isUnwrapped));
  const ready = load(sources, view, device);
  // For tests and for debugging.
  window.inertial = { view, player, device, lanes, timePlots, charts, map, sources, theme, ready };
  view.schedule(true);
}

/**
 * Loads the coarse form of all tables, and then all values, which need the complete document.
 * @returns the times of the script's start, the first picture and the last value, in milliseconds.
 */
async function load(sources, view, device) {
  const moments = { start: began };
  sources.forEach((source) => source.loadOverview());
  if (sources.some((source) => source.overview)) {
    view.needsRange = true;
    view.draw();
    moments.first = performance.now();
    await new Promise(requestAnimationFrame);
    device?.begin();
  }
  if (document.readyState === "loading") {
    await new Promise((done) => { document.addEventListener("DOMContentLoaded", done, { once: true }); });
  }
  for (const source of sources) await source.load();
  view.needsRange = true;
  view.draw();
  moments.all = performance.now();
  moments.first ??= moments.all;
  if (!device?.paint) device?.begin();
  return moments;
}

buildReport();
