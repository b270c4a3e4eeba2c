// A device of the live page: its attitude, values and plots.

const TURN = 180 / Math.PI;
/** The time without samples after which a device is folded, in seconds. */
const SILENCE = 10;

/** The colours of lines: roll is about Y, pitch about X, yaw about Z. */
const AXIS_LOOKS = { x: 0, y: 1, z: 2, pitch: 0, roll: 1, yaw: 2 };

/** The plots: title, unit, step of displayed values, [column, label] of each line, factor, and full turn. */
const LIVE_PLOTS = [
  { title: "Attitude", unit: "°", step: 0.1, lines: [["roll", "roll"], ["pitch", "pitch"], ["yaw", "yaw"]], factor: TURN, turn: 360, range: [-180, 180] },
  { title: "User acceleration", unit: "g", step: 0.001, lines: [["userAccelerationX", "x"], ["userAccelerationY", "y"], ["userAccelerationZ", "z"]] },
  { title: "Gravity", unit: "g", step: 0.001, lines: [["gravityX", "x"], ["gravityY", "y"], ["gravityZ", "z"]] },
  { title: "Rotation rate", unit: "°/s", step: 0.1, lines: [["rotationRateX", "x"], ["rotationRateY", "y"], ["rotationRateZ", "z"]], factor: TURN },
  { title: "Magnetic field", unit: "µT", step: 0.1, lines: [["magneticFieldX", "x"], ["magneticFieldY", "y"], ["magneticFieldZ", "z"]] },
  { title: "Altitude", unit: "m", step: 0.1, lines: [["filteredAltitude", "altitude"]] },
  { title: "Probability of a shake", unit: "", step: 0.01, lines: [["shakeProbability", "shake"]], range: [0, 1], showsRange: true },
];

/** Returns the text for the age of the newest sample in seconds, which is negative if the phone's clock is ahead. */
function tellAge(age) {
  if (age === null) return "";
  return age < -1 ? `the phone's clock is ${(-age).toFixed(1)} s ahead` : `newest sample ${Math.max(0, age).toFixed(3)} s old on the phone's clock`;
}

class LiveDevice {
  constructor(identifier, hello, { theme, frames }) {
    this.identifier = identifier;
    this.places = new Map(hello.columns.map(({ name }, index) => [name, index]));
    /** The names of the activity codes from 2. */
    this.activities = hello.activities;
    this.source = new LiveSource(hello.columns.length);
    this.frames = frames;
    this.view = new LiveView(20, frames);
    // The device keeps moving while the plots are held.
    this.now = new LiveView(1, frames);
    this.showTiles = () => this.tellTiles();
    const hasNorth = /North/.test(hello.frame);
    this.device = new Device({
      device: "phone", axes: hasNorth ? ["X north", "Y west", "Z up"] : ["X", "Y", "Z up"], hasNorth,
      quaternion: this.columns(["quaternionX", "quaternionY", "quaternionZ", "quaternionW"]),
      gravity: this.columns(["gravityX", "gravityY", "gravityZ"]),
      userAcceleration: this.columns(["userAccelerationX", "userAccelerationY", "userAccelerationZ"]),
    }, this.source, { view: this.now, theme, mayUseWebGL: !location.hash.includes("canvas") });
    this.marks = ["shake", "fall", "mark"].map((name) => ({ name, times: [] }));
    this.plots = LIVE_PLOTS.map((plot) => new TimePlot({
      title: plot.title, unit: plot.unit, range: plot.range, showsRange: plot.showsRange, note: "",
      series: plot.lines.map(([name, label]) => ({
        source: this.source, column: this.places.get(name), label, look: AXIS_LOOKS[label] ?? 3, factor: plot.factor ?? 1, step: plot.step, turn: plot.turn,
      })),
    }, { view: this.view, theme, marks: this.marks, height: 120 }));
    this.status = null;
    this.coverage = new FieldCoverage(theme);
    this.field = this.columns(["magneticFieldX", "magneticFieldY", "magneticFieldZ"]);
    this.attitude = this.columns(["quaternionX", "quaternionY", "quaternionZ", "quaternionW"]);
    this.isSilent = false;
    this.delivery = 0;
    this.build();
  }

  columns(names) { return names.map((name) => this.places.get(name)); }

  build() {
    this.title = element("h2");
    this.problem = element("p", { class: "warnings problem", role: "alert", hidden: true });
    this.tiles = ["Activity", "Steps", "Altitude", "Heading", "Field directions"].map((name) => {
      const value = element("output", { class: "tile-value", text: "–" });
      return { name, value, node: element("div", { class: "tile" }, element("span", { class: "note", text: name }), value) };
    });
    this.facts = element("p", { class: "note live-facts" });
    this.notes = element("p", { class: "note" });
    this.holdButton = element("button", {
      type: "button", class: "hold", "aria-pressed": "false", text: "Hold",
      title: "hold the plots to look back; recording continues (H)", on: { click: () => this.view.setHeld(!this.view.isHeld) },
    });
    this.windowChoice = element("select", { "aria-label": "Visible seconds", on: { change: () => this.setWidth(Number(this.windowChoice.value)) } },
      ...[5, 10, 20, 60, 300].map((seconds) => element("option", { value: seconds, selected: seconds === 20, text: `${seconds} s` })));
    this.view.onHold(() => {
      this.holdButton.setAttribute("aria-pressed", String(this.view.isHeld));
      this.holdButton.textContent = this.view.isHeld ? "Live" : "Hold";
    });
    this.foldButton = button("Fold", "Hide or show the device's plots", () => this.fold(!this.body.hidden), { "aria-expanded": "true" });
    const values = element("div", { class: "live-values" },
      element("div", { class: "tiles" }, ...this.tiles.map((tile) => tile.node)), this.device.node, this.coverage.canvas, this.facts, this.notes);
    const plots = element("div", { class: "live-plots" },
      element("div", { class: "zoom", role: "group", "aria-label": "Visible time range" },
        this.holdButton, this.windowChoice,
        button("←", "Move back", () => this.view.pan(-0.5)), button("→", "Move forward", () => this.view.pan(0.5)),
        button("+", "Zoom in", () => this.view.zoom(1 / 2)), button("−", "Zoom out", () => this.view.zoom(2))),
      ...this.plots.map((plot) => plot.node));
    this.body = element("div", { class: "live-body" }, values, plots);
    this.summary = element("span", { class: "note" });
    this.node = element("section", { class: "live-device" },
      element("div", { class: "live-title" }, this.title, this.summary, this.foldButton), this.problem, this.body);
    this.setName(this.identifier);
  }

  /** Hides or shows everything except the name and the problem. */
  fold(isFolded) {
    this.body.hidden = isFolded;
    this.foldButton.textContent = isFolded ? "Unfold" : "Fold";
    this.foldButton.setAttribute("aria-expanded", String(!isFolded));
  }

  setWidth(seconds) {
    this.view.width = seconds;
    this.view.setHeld(false);
    this.view.grow(this.view.start, this.view.end);
  }

  begin() {
    this.plots.forEach((plot) => plot.updateVisibility());
    this.device.begin();
  }

  /** Appends rows, which are lists of numbers; null is a missing value. */
  take(message) {
    for (const row of message.rows) {
      this.source.append(row);
      this.coverage.addRow(...[this.field, this.attitude].map((columns) => columns.map((column) => row[column] ?? NaN)));
    }
    this.delivery = Math.max(this.delivery, Date.now() - message.sent);
    if (this.source.count === 0) return;
    const { first, last } = this.source;
    this.now.grow(first, last);
    this.view.grow(first, last);
    this.frames.request(this.showTiles);
  }

  read(name) { return this.source.value(this.places.get(name), this.source.last); }

  tellTiles() {
    const words = ["unknown", "none of these", ...this.activities];
    const tell = (name, text) => {
      const { value } = this.tiles.find((tile) => tile.name === name);
      if (value.textContent !== text) value.textContent = text;
    };
    const number = (name, digits, unit) => { const value = this.read(name); return value === value ? `${value.toFixed(digits)}${unit}` : "–"; };
    tell("Activity", words[this.read("motionActivity")] ?? "–");
    tell("Steps", number("stepCount", 0, ""));
    tell("Altitude", number("filteredAltitude", 1, " m"));
    const heading = this.read("heading");
    const hasField = Boolean(this.status?.rates.magnetometer);
    tell("Field directions", hasField ? `${Math.round(100 * this.coverage.share)} %` : "–");
    this.coverage.canvas.hidden = !hasField;
    this.coverage.draw();
    tell("Heading", heading >= 0 ? `${heading.toFixed(0)}°` : "–");
  }

  /** Sets the name of the device, and with its identifier that of each of its parts, as screen readers list them together. */
  setName(name) {
    if (this.title.textContent === name) return;
    this.title.textContent = name;
    const full = `${name} (${this.identifier})`;
    this.node.setAttribute("aria-label", full);
    this.device.node.setAttribute("aria-label", `Drawing of ${full}`);
    for (const { node, plot } of this.plots) node.setAttribute("aria-label", `${plot.title} of ${full}`);
  }

  show(status) {
    this.status = status;
    this.setName(status.name || "Unnamed device");
    const rates = Object.entries(status.rates).map(([name, rate]) => `${name} ${rate} Hz`);
    const parts = [
      rates.join(", ") || `silent for ${status.silence} s`,
      `processing ${status.work} ms`, `delivery to this page ${Math.max(0, this.delivery).toFixed(0)} ms`,
      tellAge(status.age),
      `${status.messages} messages, ${status.repeated} repeated, ${status.outOfOrder} late, ${status.missing} missing`,
      `${status.dropped} samples dropped`, status.jumps ? `${status.jumps} clock jumps` : "",
      status.battery === null ? "" : `battery ${Math.round(status.battery * 100)} %`,
      status.recording ? `recorded in ${status.recording}` : "",
    ];
    this.facts.textContent = parts.filter(Boolean).join(" · ");
    // A silent device is folded, and unfolded when it sends again.
    const isSilent = rates.length === 0 && status.silence > SILENCE;
    if (isSilent !== this.isSilent) this.fold(isSilent);
    this.isSilent = isSilent;
    this.summary.textContent = isSilent ? `silent for ${formatTime(status.silence, 0)}` : "";
    this.notes.textContent = status.notes.join(" · ");
    this.problem.hidden = !status.problem;
    this.problem.textContent = status.problem ?? "";
    this.delivery = 0;
  }

  /** Adds an event's mark to the plots. */
  mark(event) {
    const found = this.marks.find((mark) => mark.name === event.kind);
    if (found) found.times.push(event.start, Math.max(event.end, event.start + 0.05));
  }
}
