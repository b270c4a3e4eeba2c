// Tables of texts and numbers, sortable by their headings, and tables of a plot's values.

/**
 * @param {Object} grid caption, columns: [{ name, unit, digits }], rows of texts, numbers and nulls.
 * @param {Object} options isSortable; cell: returns the content of a cell from its value, row and column, or null for its text.
 */
function gridTable(grid, { isSortable = false, cell = null } = {}) {
  const isNumber = grid.columns.map((_, column) => grid.rows.some((row) => typeof row[column] === "number"));
  const order = grid.rows.map((_, index) => index);
  const body = element("tbody");
  const fill = () => body.replaceChildren(...order.map((index) => element("tr", {}, ...grid.rows[index].map((value, column) => {
    const content = cell?.(value, index, column) ?? (isNumber[column] ? formatNumber(value, grid.columns[column].digits ?? 3) : value ?? "");
    return element(column === 0 ? "th" : "td", column === 0 ? { scope: "row" } : { class: isNumber[column] ? "number" : null }, content);
  }))));
  const sort = (column, isRising) => {
    order.sort((a, b) => {
      const [one, other] = [grid.rows[a][column], grid.rows[b][column]];
      // Missing values are last in both directions.
      if (one === null || other === null) return (one === null) - (other === null) || a - b;
      const difference = isNumber[column] ? one - other : String(one).localeCompare(String(other), "en", { numeric: true });
      return (isRising ? difference : -difference) || a - b;
    });
    fill();
    headings.forEach((heading, index) => {
      if (index === column) heading.setAttribute("aria-sort", isRising ? "ascending" : "descending");
      else heading.removeAttribute("aria-sort");
    });
  };
  const headings = grid.columns.map((column, index) => {
    const name = [column.name, column.unit ? element("span", { class: "unit", text: ` ${column.unit}` }) : null];
    const heading = element("th", { scope: "col", class: isNumber[index] ? "number" : null });
    if (isSortable) {
      heading.append(element("button", {
        type: "button", title: `sort by ${column.name}`,
        on: { click: () => sort(index, heading.getAttribute("aria-sort") !== "ascending") },
      }, ...name.filter(Boolean)));
    } else {
      heading.append(...name.filter(Boolean));
    }
    return heading;
  });
  fill();
  return element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `Table: ${grid.caption}` },
    element("table", {}, element("caption", { text: grid.caption }), element("thead", {}, element("tr", {}, ...headings)), body));
}

/** Creates a part that is filled when it is opened, and for each new interval of the view while it is open. */
function rangeDetails(summary, view, place, fill) {
  const node = element("details", { on: { toggle: () => { if (node.open) fill(); } } }, element("summary", { text: summary }), place);
  view.onRange(() => { if (node.open) fill(); });
  view.onCursor(() => { if (node.open && view.isMeasuring) fill(); });
  return node;
}

/** Returns a table of a plot's values at `rowCount` times of the visible range, and their extremes. It is filled when opened. */
function plotTable(timePlot, rowCount = 25) {
  const { plot, view, origin } = timePlot;
  const place = element("div");
  let buttons = null;
  const fill = () => {
    if (!buttons) {
      buttons = saveButtons(timePlot);
      place.before(buttons);
    }
    const columns = [{ name: "time", unit: "s", digits: 3 }];
    plot.series.forEach((series) => {
      const step = (series.source.column(series.column)?.channel.resolution ?? 1) * series.factor;
      columns.push({ name: series.label, unit: plot.unit, digits: Math.min(5, digitsOf(step)) });
    });
    const cell = (series, value) => (plot.words ? timePlot.text(series, value) : value);
    const rows = [];
    for (let row = 0; row < rowCount; row += 1) {
      const time = view.from + ((view.to - view.from) * row) / (rowCount - 1);
      rows.push([time - origin, ...plot.series.map((series) => cell(series, series.source.value(series.column, time) * series.factor))]);
    }
    const [begin, end] = view.interval;
    for (const [name, pick] of [["smallest", 0], ["largest", 1]]) {
      rows.push([name, ...plot.series.map((series) => {
        const found = series.source.column(series.column);
        if (!found) return NaN;
        const ends = found.channel.extremes(found.table.edges(begin, end, 1), new Float64Array(2));
        return cell(series, ends[pick] * series.factor);
      })]);
    }
    // Words have no mean.
    if (!plot.words) {
      ["mean", "standard deviation", "root mean square"].forEach((name, pick) => rows.push([name, ...plot.series.map((series) => {
        const found = series.source.column(series.column, series.turn ? series.turn / series.factor : 0);
        if (!found) return null;
        const [mean, deviation, square] = found.channel.statistics(found.table.first(begin), found.table.first(end)).map((value) => value * series.factor);
        if (!series.turn || view.isUnwrapped) return [mean, deviation, square][pick];
        // The mean of an angle that turns by more than half would be none of its directions.
        const ends = found.channel.extremes(found.table.edges(begin, end, 1), new Float64Array(2));
        if ((ends[1] - ends[0]) * series.factor > series.turn / 2) return null;
        const near = mean - series.turn * Math.round(mean / series.turn);
        return [near, deviation, Math.hypot(near, deviation)][pick];
      })]));
    }
    const text = rows.map((row) => [typeof row[0] === "string" ? row[0] : formatNumber(row[0], 3), ...row.slice(1)]);
    place.replaceChildren(gridTable({
      caption: `${plot.title}: the visible range at ${rowCount} times${view.isMeasuring ? `; the last rows from ${formatTime(begin - origin, 3)} to ${formatTime(end - origin, 3)}` : ""}`,
      columns, rows: text,
    }));
  };
  return rangeDetails("Table", view, place, fill);
}

/** Returns a table of the marks, which is created when opened. */
function laneTable({ lanes, title }, origin) {
  return details("Table", () => {
    const most = 500;
    const rows = lanes.flatMap((lane) => {
      const stride = Lanes.stride(lane);
      const count = lane.times.length / stride;
      return Array.from({ length: Math.min(count, most) }, (_, index) => [
        lane.name, lane.times[index * stride] - origin,
        stride === 2 ? lane.times[index * stride + 1] - origin : null, lane.texts[index] ?? "",
      ]);
    });
    const columns = [{ name: "kind" }, { name: "from", unit: "s", digits: 2 }, { name: "to", unit: "s", digits: 2 }, { name: "details" }];
    return [gridTable({ caption: `${title} (at most ${most} per kind)`, columns, rows }, { isSortable: true })];
  });
}
