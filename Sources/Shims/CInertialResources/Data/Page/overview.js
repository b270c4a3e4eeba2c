// The overview of many recordings: a sortable table with one row per recording, linked to its page.

const overview = JSON.parse(document.getElementById("facts").textContent);

function buildOverview() {
  const link = (text, row, column) => {
    if (column === 0) return element("a", { href: overview.pages[row].split("/").map(encodeURIComponent).join("/"), text });
    return null;
  };
  const { grid } = overview;
  // Columns that are empty or 0 in every recording are omitted; the names of the columns with 0 are listed below the table.
  const known = grid.columns.map((_, column) => grid.rows.some((row) => row[column] !== null && row[column] !== 0));
  const nothing = grid.columns.filter((_, column) => !known[column] && grid.rows.some((row) => row[column] === 0)).map(({ name }) => name);
  const keep = (row) => row.filter((_, column) => known[column]);
  const shown = { caption: grid.caption, columns: keep(grid.columns), rows: grid.rows.map(keep) };
  const withFindings = overview.findings.map((findings, row) => ({ findings, name: grid.rows[row][0] })).filter(({ findings }) => findings.length);
  const section = (title, ...children) => element("section", { class: "part" }, element("h2", { text: title }), ...children);
  document.getElementById("page").append(
    element("header", {}, element("h1", { text: overview.title }),
      element("p", { class: "summary", text: `${grid.rows.length} recordings` })),
    section("Recordings", gridTable(shown, { isSortable: true, cell: link }),
      nothing.length ? element("p", { class: "note", text: `0 in every recording: ${nothing.join(", ")}.` }) : ""),
    ...(withFindings.length ? [section("Findings", ...withFindings.map(({ findings, name }) => element("section", {},
      element("h3", { text: name }), element("ul", { class: "findings" }, ...findings.map((text) => element("li", { text }))))))] : []),
    ...(overview.failures.length ? [section("Failed recordings", element("dl", { class: "facts" },
      ...overview.failures.flatMap(({ name, value }) => [element("dt", { text: name }), element("dd", { text: value })])))] : []),
    element("footer", {}, section("Recreate this page", element("pre", {}, element("code", { text: overview.command })),
      element("p", { class: "note", text: `inertial ${overview.version}` }))));
}

buildOverview();
