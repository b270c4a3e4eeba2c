// The live page: the connection, devices, recordings and events.

const facts = JSON.parse(document.getElementById("facts").textContent);
/** The maximum number of events in the list. */
const MAX_EVENTS = 200;
/** The interval between queries of the recordings' sizes, in milliseconds. */
const RECORDINGS_INTERVAL_MS = 5000;

/** Returns the URL of a path relative to the page, with the page's token if present. */
function address(path, scheme) {
  const url = new URL(path, location.href);
  url.hash = "";
  if (scheme) url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return url.href;
}

/** Returns a number of bytes as text. */
function sizeText(bytes) { return bytes < 1e6 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`; }

/** Draws a QR code as an SVG path, dark on white regardless of the page's colours. */
function drawCode(rows) {
  const size = rows.length + 8;
  const path = rows.flatMap((row, y) => [...row].map((dark, x) => (dark === "1" ? `M${x + 4} ${y + 4}h1v1h-1z` : ""))).join("");
  return shape("svg", { viewBox: `0 0 ${size} ${size}`, class: "code", role: "img", "aria-label": "QR code of the push address" },
    shape("rect", { width: size, height: size, fill: "#ffffff" }),
    shape("path", { d: path, fill: "#000000", "shape-rendering": "crispEdges" }));
}

class LivePage {
  constructor() {
    this.theme = new Theme();
    this.frames = new Frames();
    this.devices = new Map();
    this.hello = null;
    this.recording = null;
    this.retry = 250;
    this.reconnects = 0;
    this.build();
    this.connect();
    this.listRecordings();
    // Recordings grow.
    setInterval(() => { if (!document.hidden && this.devices.size > 0) this.listRecordings(); }, RECORDINGS_INTERVAL_MS);
    setInterval(() => { if (this.recording) this.showLight(); }, 1000);
    document.addEventListener("keydown", (event) => this.key(event));
  }

  build() {
    this.state = element("p", { class: "state", role: "status", text: "Connecting…" });
    this.nameField = element("input", { type: "text", maxlength: "200", placeholder: "walk 3", "aria-label": "Name of the recording" });
    this.labelField = element("input", { type: "text", maxlength: "200", placeholder: "label: pocket, left", "aria-label": "Label of the recording" });
    this.startButton = element("button", { type: "button", class: "start", text: "Start recording", on: { click: () => this.toggleRecording() } });
    this.markField = element("input", { type: "text", maxlength: "200", placeholder: "mark", "aria-label": "Text of a mark" });
    this.markButton = element("button", { type: "button", text: "Mark", title: "mark the current time (M; 1 to 9: a numbered mark)", on: { click: () => this.mark(this.markField.value || "mark") } });
    this.answer = element("p", { class: "note", role: "status" });
    this.recordingState = element("p", { class: "recording-state" });
    this.refusals = element("p", { class: "warnings", role: "status", hidden: true });
    this.currentBytes = 0;
    this.deviceList = element("div", { class: "live-devices" });
    this.waiting = element("section", { class: "waiting" },
      element("h2", { text: "No device yet" }),
      element("p", { text: "In Sensor Logger: Settings, Data Streaming, HTTP Push; enter the address, enable it, and start a recording." }));
    this.eventList = element("ol", { class: "events", reversed: true, "aria-label": "Events, newest first" });
    this.recordingList = element("ul", { class: "recordings" });
    document.getElementById("page").append(
      element("header", { class: "live-head" },
        element("div", {}, element("h1", { text: "Live" }), this.state,
          element("p", { class: "summary" }, "Push to ", element("code", { class: "push", text: facts.push }))),
        facts.code ? this.code = element("details", { open: true }, element("summary", { text: "QR code of the address" }), drawCode(facts.code)) : null),
      element("div", { class: "controls" },
        this.nameField, this.labelField, this.startButton, this.markField, this.markButton, this.recordingState),
      this.answer, this.refusals, this.waiting, this.deviceList,
      element("div", { class: "live-foot" },
        element("section", { class: "part" }, element("h2", { text: "Events" }), this.eventList),
        element("section", { class: "part" }, element("h2", { text: "Recordings" }), this.recordingList)),
      element("footer", {}, element("p", { class: "note", text: `inertial ${facts.version}. Keys: M adds a mark, 1 to 9 add a numbered mark, H holds the plots.` })));
  }

  // Connection

  connect() {
    const socket = new WebSocket(address("stream", "ws"));
    this.socket = socket;
    socket.addEventListener("message", (event) => this.receive(JSON.parse(event.data)));
    socket.addEventListener("open", () => {
      this.retry = 250;
      this.setStatus("Connected.", true);
    });
    socket.addEventListener("close", () => {
      this.setStatus("The server does not respond; retrying…", false);
      this.reconnects += 1;
      setTimeout(() => this.connect(), this.retry);
      this.retry = Math.min(4000, this.retry * 2);
    });
  }

  setStatus(text, isGood) {
    this.state.textContent = text;
    this.state.classList.toggle("bad", !isGood);
  }

  receive(message) {
    const actions = {
      hello: () => this.begin(message), rows: () => this.device(message.device).take(message),
      status: () => this.device(message.device).show(message), event: () => this.addEvent(message),
      refused: () => this.showRefusals(message), gone: () => this.remove(message.device), recording: () => this.showRecording(message.recording),
      leftOut: () => this.setStatus(`Connected; ${message.messages} messages were skipped because the page fell behind.`, false),
    };
    actions[message.type]?.();
  }

  /** A restarted server has new sessions. */
  begin(hello) {
    this.hello = hello;
    for (const identifier of [...this.devices.keys()]) this.remove(identifier);
    this.eventList.replaceChildren();
    this.showRecording(hello.recording);
  }

  device(identifier) {
    let device = this.devices.get(identifier);
    if (!device) {
      device = new LiveDevice(identifier, this.hello, { theme: this.theme, frames: this.frames });
      this.devices.set(identifier, device);
      this.deviceList.append(device.node);
      this.waiting.hidden = true;
      // The code has been used.
      if (this.code && this.devices.size === 1) this.code.open = false;
      device.begin();
    }
    return device;
  }

  remove(identifier) {
    this.devices.get(identifier)?.node.remove();
    this.devices.delete(identifier);
    this.waiting.hidden = this.devices.size > 0;
  }

  addEvent(event) {
    this.devices.get(event.device)?.mark(event);
    // The steps are counted next to the device.
    if (event.kind === "step") return;
    const device = event.name ?? event.device;
    const text = event.text === event.kind ? event.kind : `${event.kind}: ${event.text}`;
    this.eventList.prepend(element("li", { "data-kind": event.kind },
      element("span", { class: "time", text: formatTime(event.start, 1) }), ` ${text}`, element("span", { class: "note", text: ` ${device}` })));
    while (this.eventList.children.length > MAX_EVENTS) this.eventList.lastChild.remove();
  }

  // Recordings

  async ask(command) {
    try {
      const answer = await fetch(address("recording"), { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(command) });
      this.answer.textContent = answer.ok ? "" : (await answer.text()).trim();
    } catch {
      this.answer.textContent = "The server does not respond.";
    }
    this.listRecordings();
  }

  toggleRecording() {
    return this.ask(this.recording ? { action: "stop" } : { action: "start", name: this.nameField.value, label: this.labelField.value });
  }

  mark(text) { return this.ask({ action: "mark", text }); }

  showRecording(recording) {
    this.recording = recording;
    this.startButton.textContent = recording ? "Stop recording" : "Start recording";
    this.startButton.setAttribute("aria-pressed", String(recording !== null));
    this.showLight();
    this.listRecordings();
  }

  /** Shows the red light with the name, the time and the size of the current recording. */
  showLight() {
    const { recording } = this;
    if (!recording) {
      this.recordingState.replaceChildren("All data is saved. Start a recording to name it.");
      return;
    }
    const label = recording.label ? ` (${recording.label})` : "";
    const time = formatTime(Math.max(0, Date.now() / 1000 - recording.begun), 0);
    this.recordingState.replaceChildren(element("span", { class: "light", "aria-hidden": "true", text: "●" }),
      ` Recording ${recording.name || "(unnamed)"}${label}, ${time}, ${sizeText(this.currentBytes)}`);
  }

  showRefusals({ count, text }) {
    this.refusals.hidden = false;
    this.refusals.textContent = `${count} ${count === 1 ? "message was" : "messages were"} refused. The last: ${text}`;
  }

  async listRecordings() {
    let recordings = [];
    try { recordings = await (await fetch(address("recordings"))).json(); } catch { return; }
    this.currentBytes = recordings.reduce((sum, { bytes, isCurrent }) => sum + (isCurrent ? bytes : 0), 0);
    this.recordingList.replaceChildren(...recordings.map(({ name, bytes, isCurrent }) => {
      const place = `recordings/${encodeURIComponent(name)}`;
      return element("li", {},
        element("a", { href: address(`${place}/report`), target: "_blank", rel: "noopener", text: name }),
        ` ${sizeText(bytes)}${isCurrent ? ", growing" : ""} `,
        element("a", { href: address(place), download: name, text: "download" }));
    }));
  }

  key(event) {
    if (event.altKey || event.metaKey || event.ctrlKey || event.defaultPrevented) return;
    if (event.target.closest?.("input, select, textarea")) return;
    if (/^[mM1-9]$/.test(event.key)) this.mark(/[mM]/.test(event.key) ? this.markField.value || "mark" : event.key);
    else if (/^[hH]$/.test(event.key)) {
      const isHeld = [...this.devices.values()].every((device) => device.view.isHeld);
      for (const device of this.devices.values()) device.view.setHeld(!isHeld);
    }
  }
}

// For tests and for debugging.
window.inertial = Object.assign(new LivePage(), { parts: { FieldCoverage } });
