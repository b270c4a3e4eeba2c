// The keyboard: everything that the pointer can do to the axis of time.

const KEYS = [
  ["← →", "move the cursor by a dot; with Shift by ten"],
  ["Home End", "cursor to the beginning, to the end"],
  ["Space", "play, pause"],
  ["+ −", "zoom in, out"],
  ["Page up, Page down", "move what is seen"],
  ["0", "see all"],
  ["U", "angles beyond a turn"],
];

function followKeys(view, player, unwrap) {
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.metaKey || event.ctrlKey || event.defaultPrevented) return;
    const target = event.target;
    // Where keys are for the control itself, they stay with it.
    const isField = target.closest?.("input, select, textarea, button, a, summary, .scroll");
    const dot = (view.to - view.from) / 1000;
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
      u: () => unwrap(),
      U: () => unwrap(),
    };
    // Pages are turned by Page up and down, unless a plot has the focus.
    const isPage = event.key.startsWith("Page") && !target.closest?.(".frame");
    if (isField || isPage || !actions[event.key]) return;
    event.preventDefault();
    actions[event.key]();
  });
  function move(step) {
    view.setCursor(view.cursor + step);
    view.follow();
  }
}
