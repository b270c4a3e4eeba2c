// The page of a recording: creates and arranges its parts.

const began = performance.now();
const { content, recipe } = JSON.parse(document.getElementById("facts").textContent);

/** Creates a section with a heading, or null if it has no content. */
function part(title, ...children) {
  const known = children.filter(Boolean);
  return known.length ? element("section", { class: "part", id: title.toLowerCase().replace(/\W+/g, "-") }, element("h2", { text: title }), ...known) : null;
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

/** Returns the numbers of problems, of warnings and of tests that did not run, with links to them. */
function counts({ findings, likely, warnings, untested }) {
  const entry = (kind, number, one, many) => (number ? element("a", { class: `count ${kind}`, href: "#findings", text: `${number} ${number === 1 ? one : many}` }) : null);
  const isGood = findings.length + likely.length + warnings.length === 0;
  return [
    // The reader's warnings are the reasons of likely problems.
    entry("bad", findings.length, "problem", "problems"), entry("doubtful", likely.length || warnings.length, "warning", "warnings"),
    isGood ? element("span", { class: "count good", text: untested.length ? "No test failed" : "Nothing looks wrong" }) : null,
    entry("untested", untested.length, "test not run", "tests not run"),
  ].filter(Boolean);
}

/** Returns a time in seconds as an address or a command has it. */
function secondsText(time) { return time.toFixed(3).replace(/\.?0+$/, ""); }

/** Shows the range of the address, such as #t=61.2,75 in seconds since the start, and keeps the address of the visible range. */
function followAddress(view, origin) {
  const read = () => {
    const [from, to] = (/^#t=([\d.]+),([\d.]+)$/.exec(location.hash) ?? []).slice(1).map(Number);
    if (to > from) view.setRange(origin + from, origin + to);
  };
  let waiting = 0;
  view.onRange(() => {
    clearTimeout(waiting);
    // Browsers refuse frequent changes of the address.
    waiting = setTimeout(() => {
      const isAll = view.from === view.start && view.to === view.end;
      const hash = `#t=${[view.from, view.to].map((time) => secondsText(time - origin)).join(",")}`;
      if (isAll ? location.hash.startsWith("#t=") : location.hash !== hash) history.replaceState(null, "", isAll ? location.pathname : hash);
    }, 300);
  });
  window.addEventListener("hashchange", read);
  read();
}

function buildReport() {
  const theme = new Theme();
  const sources = content.tables.map((description, place) => new Source(description, place));
  const table = content.tables[0];
  // A second recording may be longer.
  const overlays = new Set(content.plots.flatMap(({ series }) => series.filter((line) => line.isDashed).map((line) => line.table)));
  const view = new View(table.firstTime, Math.max(table.lastTime, ...[...overlays].map((place) => content.tables[place].lastTime)));
  const origin = view.start;
  const player = new Player(view);
  const marks = content.lanes.filter((lane) => lane.isMarked && lane.kind === "span").map(({ name, times }) => ({ name, times }));
  const withSource = (series) => {
    const source = sources[series.table];
    return { ...series, source, column: series.rule ? source.derive(series.rule, series.parts) : series.column };
  };
  // Computed columns need all samples: two columns have their extremes at different times.
  const isShown = ({ series }) => series.every(({ rule, table: place }) => !rule || content.tables[place].rowsPerPair === 2);
  const plots = content.plots.map((plot) => (isShown(plot)
    ? new TimePlot({ ...plot, series: plot.series.map(withSource) }, { view, theme, origin, marks }) : null));
  const timePlots = plots.filter(Boolean);
  for (const timePlot of timePlots) timePlot.node.append(plotTable(timePlot), timePlot.plot.hasSpectrum ? spectrumPanel(timePlot) : "");
  const { answers } = content;
  const isActivity = ({ kind }) => kind === "activity";
  const top = new Lanes([answers.trust, ...content.lanes.filter(isActivity)], { view, theme, title: "Overview", heading: "h2" });
  top.node.append(laneTable(top, origin));
  const others = content.lanes.filter((lane) => !isActivity(lane));
  const lanes = others.length ? new Lanes(others, { view, theme }) : null;
  lanes?.node.append(laneTable(lanes, origin));
  const device = content.scene
    ? new Device(content.scene, sources[content.scene.table], { view, theme, origin, mayUseWebGL: !location.hash.includes("canvas") }) : null;
  const charts = (content.judgement?.charts ?? []).map((chart) => new Curves(chart, { theme }));

  const map = content.path?.chart ? new PathMap(content.path.chart, { view, theme }) : null;

  const further = new Set([...answers.plots, ...content.comparisons, ...content.measured, ...(content.path?.plots ?? []), ...(content.measurements?.plots ?? []), ...(content.judgement?.plots ?? [])]);
  const nodes = (places) => places.map((place) => plots[place]?.node);
  const motion = nodes([...content.plots.keys()].filter((place) => !further.has(place)));
  /** Creates a button that switches a property of the view. */
  const toggle = (text, title, isOn, change) => {
    const node = element("button", { type: "button", "aria-pressed": "false", title, text, on: { click: () => node.change() } });
    node.change = () => {
      change();
      node.setAttribute("aria-pressed", String(isOn()));
    };
    return node;
  };
  const measure = toggle("Measure", "differences from this cursor (M)", () => view.isMeasuring, () => view.toggleAnchor());
  const fix = toggle("Fix scales", "keep the vertical scales (F)", () => view.isFixed, () => view.setFixed(!view.isFixed));
  const unwrap = toggle("Unwrap angles", "unwrap angles at full turns (U)", () => view.isUnwrapped, () => view.setUnwrapped(!view.isUnwrapped));
  const controls = element("div", { class: "controls" },
    player.node,
    element("div", { class: "zoom", role: "group", "aria-label": "Zoom" },
      button("←", "Move back", () => view.pan(-0.5)), button("→", "Move forward", () => view.pan(0.5)),
      button("+", "Zoom in", () => view.zoom(1 / 2)), button("−", "Zoom out", () => view.zoom(2)),
      button("All", "Show all", () => view.showAll())),
    measure, fix, unwrap);

  const range = element("code");
  const { findings, likely, untested, warnings, remarks } = content.notes;
  const main = element("div", { class: "main" },
    part("Findings",
      list("findings", findings), list("findings likely", likely), list("warnings", warnings),
      findings.length + likely.length + warnings.length ? null : element("p", { class: "good", text: untested.length ? "No test failed." : "Nothing looks wrong." }),
      untested.length ? element("p", { class: "note", text: `Not tested: ${untested.map((text) => text.split(": ")[0]).join("; ")}.` }) : null,
      untested.length ? details("The reasons", () => [list("remarks", untested)]) : null,
      list("remarks", remarks)),
    part("Recording", factList(content.facts),
      details("Channels and values", () => content.grids.map((grid) => gridTable(grid)))),
    part("Path", content.path ? element("p", { class: "note", text: content.path.note }) : null, map?.node,
      ...nodes(content.path?.plots ?? [])),
    part("Over time", lanes?.node, ...motion),
    part("Measured values", ...nodes(content.measured),
      table.rowsPerPair > 2 ? element("p", { class: "note", text: "The page has not all samples, so measured values and spectra are not shown. Use --detail full for all samples." }) : null),
    part("Measurements", content.measurements ? gridTable(content.measurements.grid) : null, ...nodes(content.measurements?.plots ?? [])),
    part("Comparison of filters", ...nodes(content.comparisons)),
    part("Errors against the reference",
      content.unjudged ? element("p", { class: "warnings", text: `Not evaluated: ${content.unjudged}` }) : null,
      content.judgement ? element("p", { class: "note", text: content.judgement.note }) : null,
      ...(content.judgement?.grids ?? []).map((grid) => gridTable(grid, { isSortable: true })),
      ...charts.map((chart) => chart.node), ...nodes(content.judgement?.plots ?? [])),
    part("Keys", details("Keyboard shortcuts", () => [factList(KEYS.map(([name, value]) => ({ name, value })))], { class: "screen" })));
  const detail = table.rowsPerPair > 2
    ? `The page has ${table.samples} of ${table.rows} samples of each column: the minimum and maximum of every ${table.rowsPerPair} samples (attitudes: two samples). Use --detail full for all samples.`
    : `The page has all ${table.rows} samples of each column, at 16 bits.`;
  const titles = [...main.querySelectorAll(":scope > .part")].map((section) => element("a", { href: `#${section.id}`, text: section.firstChild.textContent }));
  document.getElementById("page").append(
    element("header", {},
      content.overview ? element("a", { href: content.overview, text: "← All recordings" }) : null,
      element("h1", { text: content.title }), element("p", { class: "summary", text: content.summary })),
    controls,
    tileList(answers.tiles),
    element("nav", { class: "contents", "aria-label": "Contents" }, ...counts(content.notes), ...titles),
    element("div", { class: "columns" },
      element("section", { class: "overview", "aria-label": "Recording at a glance" }, top.node, ...nodes(answers.plots)),
      element("aside", {}, device?.node), main),
    element("footer", {},
      part("Recreate this page",
        content.command ? element("pre", {}, element("code", { text: content.command })) : null,
        element("p", { class: "note", text: "The visible range as a figure:" }), element("pre", {}, range),
        element("p", { class: "note", text: `inertial ${content.version}. ${detail}` }),
        details("All parameters, and the checksum of the input",
          () => [factList(leaves({ ...recipe, meanings: undefined, units: undefined, columns: undefined }).filter((fact) => fact.value !== "undefined"))]))));

  const show = () => {
    range.textContent = `${content.figure}${[["from", view.from], ["to", view.to]].map(([name, time]) => ` --${name} ${secondsText(time - origin)}`).join("")}`;
  };
  view.onRange(show);
  show();
  followAddress(view, origin);
  timePlots.forEach((timePlot) => timePlot.updateVisibility());
  followKeys(view, player, { measure: measure.change, fix: fix.change, unwrap: unwrap.change });
  const ready = load(sources, view, device);
  // For tests and for debugging.
  window.inertial = { view, player, device, top, lanes, timePlots, charts, map, sources, theme, notes: content.notes, ready, savedPlot, parts: { Channel, Table, spectrumOf, MAP_FORMATS, pathParts } };
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
