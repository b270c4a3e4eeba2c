// Creates elements of the page. No function accepts HTML: texts of a log become text nodes or attribute values.

/**
 * Creates an element.
 * @param {string} tag
 * @param {Object} properties attributes by name; `text` is its text, `on` its listeners by event.
 * @param {...(Node|string|null)} children
 */
function element(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "text") {
      node.textContent = value;
    } else if (name === "on") {
      for (const [event, listener] of Object.entries(value)) node.addEventListener(event, listener);
    } else {
      node.setAttribute(name, value === true ? "" : value);
    }
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** The namespace of pictures in SVG, which loads nothing. */
const PICTURE_NAMES = "http://www.w3.org/2000/svg";

/** Creates an element of a picture. */
function shape(tag, attributes, ...children) {
  const node = document.createElementNS(PICTURE_NAMES, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/** Creates a sample of a colour, by the name of the style sheet. */
function swatch(color, kind = "") {
  const node = element("span", { class: `swatch ${kind}`, "aria-hidden": "true" });
  node.style.background = `var(--${color})`;
  return node;
}

/** Creates a part whose contents are created when it is opened, so that the first picture is early. */
function details(summary, make, properties = {}) {
  const node = element("details", {
    ...properties, on: { toggle: () => { if (node.open && node.children.length === 1) node.append(...make()); } },
  }, element("summary", { text: summary }));
  return node;
}

/** Creates a button with a label for its action, and a visible sign. */
function button(sign, label, action, properties = {}) {
  return element("button", { type: "button", "aria-label": label, title: label, on: { click: action }, text: sign, ...properties });
}

/** Resizes a canvas to the screen's resolution for its size in CSS pixels; returns a context that draws in CSS pixels. */
function fitCanvas(canvas, width, height, scale = window.devicePixelRatio || 1) {
  const [w, h] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
  const context = canvas.getContext("2d");
  // A printed canvas repeats all drawing operations, and clearing erases the paper below, so the canvas is reset instead.
  const isPrinted = document.documentElement.classList.contains("printing");
  if (isPrinted || canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h];
  context.setTransform(scale, 0, 0, scale, 0, 0);
  if (!isPrinted) context.clearRect(0, 0, width, height);
  return context;
}

/** Returns the tiles: figures with their names and notes. */
function tileList(tiles) {
  return element("dl", { class: "tiles" }, ...tiles.map(({ name, value, note }) => element("div", { class: "tile" },
    element("dt", { class: "note", text: name }), element("dd", { class: "tile-value", text: value }),
    note ? element("dd", { class: "note", text: note }) : null)));
}
