// The overview of many recordings: figures, odd recordings, and a table that can be searched, grouped and sorted.

const overview = JSON.parse(document.getElementById("facts").textContent);

/** The pictures of the columns that have one; the number next to them has the same meaning. */
const PICTURES = {
  trusted: ({ trust }) => picture(96, 10, trust.map(([from, to, level]) => shape(
    "rect", { class: `level-${level}`, x: 96 * from, width: Math.max(0.5, 96 * (to - from)), y: [4, 2, 0][level], height: [6, 8, 10][level] }))),
  "largest acceleration": ({ acceleration }) => {
    const most = Math.max(...acceleration.filter((value) => value !== null), 0.01);
    const bars = [];
    for (let place = 0; place < acceleration.length; place += 2) {
      const [low, high] = [acceleration[place], acceleration[place + 1]];
      if (low !== null) bars.push(shape("rect", { class: "line", x: place, width: 2, y: 24 - (23 * high) / most, height: Math.max(1, (23 * (high - low)) / most) }));
    }
    return picture(120, 24, bars);
  },
  path: ({ path }) => picture(34, 34, path.map((part) => shape("polyline", { class: "path", points: part.map((value) => 1 + 32 * value).join(" ") }))),
};

function picture(width, height, shapes) {
  return shapes.length ? shape("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }, ...shapes) : null;
}

/** The groups of recordings: each returns the name of a recording's group. */
const GROUPS = {
  "no groups": () => "",
  folder: (row) => overview.grid.rows[row][0].split("/").slice(0, -1).join("/") || "–",
  format: (row) => overview.grid.rows[row][overview.grid.columns.findIndex(({ name }) => name === "format")],
  findings: (row) => (overview.findings[row].length ? "with findings" : "without findings"),
};

function buildOverview() {
  const { grid, pages, glances, odd, failures } = overview;
  const href = (row) => pages[row].split("/").map(encodeURIComponent).join("/");
  const place = (name) => grid.columns.findIndex((column) => column.name === name);
  const section = (title, ...children) => element("section", { class: "part", id: title.toLowerCase().replace(/\W+/g, "-") }, element("h2", { text: title }), ...children);
  // Columns that are empty or 0 in every recording are omitted; the names of the columns with 0 are listed below the table.
  const known = grid.columns.map((_, column) => grid.rows.some((row) => row[column] !== null && row[column] !== 0));
  const nothing = grid.columns.filter((_, column) => !known[column] && grid.rows.some((row) => row[column] === 0)).map(({ name }) => name);
  const keep = (row) => row.filter((_, column) => known[column]);
  const columns = keep(grid.columns);
  const cell = (rows) => (value, index, column) => {
    const row = rows[index];
    const { name, unit, digits } = columns[column];
    if (column === 0) return element("a", { href: href(row), text: value });
    const drawing = value === null ? null : PICTURES[name]?.(glances[row]);
    return drawing && element("span", { class: "glance" }, drawing, `${formatNumber(value, digits)} ${unit}`);
  };
  const body = element("div");
  const search = element("input", { type: "search", "aria-label": "Search recordings", placeholder: "Search name, format, finding", on: { input: () => fill() } });
  const group = element("select", { "aria-label": "Groups", on: { change: () => fill() } }, ...Object.keys(GROUPS).map((name) => element("option", { value: name, text: name })));
  const count = element("output", { class: "note" });
  const texts = grid.rows.map((row, index) => [row[0], row[place("format")], ...overview.findings[index], odd.find(({ name }) => name === row[0])?.value].join(" ").toLowerCase());
  function fill() {
    const words = search.value.toLowerCase().split(/\s+/);
    const found = [...grid.rows.keys()].filter((row) => words.every((word) => texts[row].includes(word)));
    count.textContent = `${found.length} of ${grid.rows.length} recordings`;
    const groups = new Map();
    for (const row of found) {
      const name = GROUPS[group.value](row);
      groups.set(name, [...(groups.get(name) ?? []), row]);
    }
    body.replaceChildren(...[...groups].sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true })).flatMap(([name, rows]) => [
      name ? element("h3", { text: `${name} (${rows.length})` }) : null,
      gridTable({ caption: name ? `${grid.caption}: ${name}` : grid.caption, columns, rows: rows.map((row) => keep(grid.rows[row])) }, { isSortable: true, cell: cell(rows) }),
    ]).filter(Boolean));
  }
  fill();
  const total = grid.rows.reduce((sum, row) => sum + (row[place("duration")] ?? 0), 0);
  const withFindings = overview.findings.map((findings, row) => ({ findings, name: grid.rows[row][0] })).filter(({ findings }) => findings.length);
  const steps = grid.rows.reduce((sum, row) => sum + (row[place("steps")] ?? 0), 0);
  const list = (facts) => element("dl", { class: "facts" }, ...facts.flatMap(({ name, value }) => {
    const row = grid.rows.findIndex((cells) => cells[0] === name);
    return [element("dt", {}, row < 0 ? name : element("a", { href: href(row), text: name })), element("dd", { text: value })];
  }));
  document.getElementById("page").append(
    element("header", {}, element("h1", { text: overview.title })),
    tileList([
      { name: "Recordings", value: String(grid.rows.length), note: failures.length ? `${failures.length} failed` : "none failed" },
      { name: "Duration", value: formatTime(total, 0), note: "all recordings" },
      { name: "With findings", value: String(withFindings.length), note: "see below" },
      { name: "Odd", value: odd.length || grid.rows.length >= 4 ? String(odd.length) : "–", note: grid.rows.length >= 4 ? "unlike most others" : "too few to compare" },
      ...(steps ? [{ name: "Steps", value: String(steps), note: "all recordings" }] : []),
    ]),
    odd.length ? section("Odd recordings", list(odd)) : "",
    section("Recordings", element("div", { class: "search" }, search, group, count), body,
      nothing.length ? element("p", { class: "note", text: `0 in every recording: ${nothing.join(", ")}.` }) : "",
      element("p", { class: "note", text: "Low bars: trusted seconds; middle: doubtful; high: not trusted. Acceleration: minimum to maximum over time, from 0 to the largest." })),
    ...(withFindings.length ? [section("Findings", ...withFindings.map(({ findings, name }) => element("section", {},
      element("h3", { text: name }), element("ul", { class: "findings" }, ...findings.map((text) => element("li", { text }))))))] : []),
    ...(failures.length ? [section("Failed recordings", list(failures))] : []),
    element("footer", {}, section("Recreate this page", element("pre", {}, element("code", { text: overview.command })),
      element("p", { class: "note", text: `inertial ${overview.version}` }))));
}

buildOverview();
