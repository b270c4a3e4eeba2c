// Keyboard shortcuts for all actions of the pointer on the time axis.

const KEYS = [
  ["← →", "move the cursor by one step; with Shift by ten steps"],
  ["Home End", "move the cursor to the start, to the end"],
  ["Space", "play, pause"],
  ["+ −", "zoom in, out"],
  ["Page up, Page down", "scroll"],
  ["0", "show all"],
  ["M", "measure from the cursor, or no longer"],
  ["F", "fix the vertical scales, or no longer"],
  ["U", "unwrap angles at full turns"],
];

function followKeys(view, player, { measure, fix, unwrap }) {
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.metaKey || event.ctrlKey || event.defaultPrevented) return;
    const target = event.target;
    // A focused control handles its own keys; a button only those that press it, so that the others work after a click.
    const isField = target.closest?.("input, select, textarea, .scroll")
      || ([" ", "Enter"].includes(event.key) && target.closest?.("button, a, summary"));
    const dot = (view.to - view.from) / 1000;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const actions = {
      ArrowLeft: () => move(-dot * (event.shiftKey ? 10 : 1)),
      ArrowRight: () => move(dot * (event.shiftKey ? 10 : 1)),
      Home: () => move(-Infinity),
      End: () => move(Infinity),
      " ": () => player.toggle(),
      "+": () => view.zoom(1 / 1.5),
      "=": () => view.zoom(1 / 1.5),
      "-": () => view.zoom(1.5),
      PageUp: () => view.pan(-0.8),
      PageDown: () => view.pan(0.8),
      0: () => view.showAll(),
      f: fix,
      m: measure,
      u: unwrap,
    };
    // Page up and Page down scroll the page unless a plot has the focus.
    const isPage = event.key.startsWith("Page") && !target.closest?.(".frame");
    if (isField || isPage || !actions[key]) return;
    event.preventDefault();
    actions[key]();
  });
  function move(step) {
    view.setCursor(view.cursor + step);
    view.follow();
  }
}
