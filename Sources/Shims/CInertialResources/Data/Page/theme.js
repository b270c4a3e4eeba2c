// The colours of canvases: those of the style sheet, so that light, dark and print colours are defined in one place.

/** The activities, which have the same colours on every page. */
const ACTIVITIES = ["stationary", "walking", "running", "cycling", "automotive", "other"];

/** Returns the activity of a label: "walking, stairs" is a walk. */
function activityOf(label) { return ACTIVITIES.find((name) => label.startsWith(name)) ?? "unknown"; }

class Theme {
  constructor() {
    this.listeners = [];
    this.isPrinting = false;
    this.read();
    const again = () => { this.read(); this.listeners.forEach((listener) => listener()); };
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
    // Printed plots are complete, and light regardless of the screen.
    const print = (isPrinting) => () => {
      if (this.isPrinting === isPrinting) return;
      this.isPrinting = isPrinting;
      document.documentElement.classList.toggle("printing", isPrinting);
      again();
    };
    window.addEventListener("beforeprint", print(true));
    window.addEventListener("afterprint", print(false));
  }

  /** Adds a listener for changes of the colours. */
  onChange(listener) { this.listeners.push(listener); }

  read() {
    const style = getComputedStyle(document.documentElement);
    const color = (name) => style.getPropertyValue(`--${name}`).trim();
    this.background = color("plot");
    this.text = color("text");
    this.faint = color("muted");
    this.grid = color("grid");
    this.cursor = color("cursor");
    this.pause = color("pause");
    this.mark = color("mark");
    this.series = [0, 1, 2, 3, 4, 5, 6, 7].map((index) => color(`series-${index}`));
    this.tones = [0, 1, 2, 3, 4, 5].map((index) => color(`tone-${index}`));
    this.levels = [0, 1, 2].map((index) => color(`level-${index}`));
    this.activities = Object.fromEntries(ACTIVITIES.map((name) => [name, color(`activity-${name}`)]));
    this.font = "12px system-ui, sans-serif";
  }
}
