// The directions of the magnetic field in the device's axes: a calibration needs them from all sides.

/** The number of bands from the top to the bottom of the device, and of sectors around its Z. All fields have the same area. */
const BANDS = 8;
const SECTORS = 12;

class FieldCoverage {
  constructor(theme) {
    this.theme = theme;
    this.isSeen = new Uint8Array(BANDS * SECTORS);
    this.isStale = true;
    this.canvas = element("canvas", { class: "coverage", role: "img", "aria-label": "Directions of the field" });
    theme.onChange(() => { this.isStale = true; this.draw(); });
  }

  /** Adds a field vector; missing values are ignored. */
  add(x, y, z) {
    const size = Math.hypot(x, y, z);
    if (!(size > 0)) return;
    const band = Math.min(BANDS - 1, Math.floor((BANDS * (1 - z / size)) / 2));
    const sector = Math.min(SECTORS - 1, Math.floor(SECTORS * (Math.atan2(y, x) / (2 * Math.PI) + 0.5)));
    const place = band * SECTORS + sector;
    if (this.isSeen[place]) return;
    this.isSeen[place] = 1;
    this.isStale = true;
  }

  /** Adds the field of a row. Until it is calibrated, a field with a dip of 60° is turned to the device's axes by the attitude. */
  addRow([x, y, z], [qx, qy, qz, qw]) {
    if (x === x) this.add(x, y, z);
    else this.add(...turned([-qx, -qy, -qz, qw], [Math.cos(Math.PI / 3), 0, -Math.sin(Math.PI / 3)]));
  }

  get share() { return this.isSeen.reduce((sum, value) => sum + value, 0) / this.isSeen.length; }

  /** Draws the half towards Z and the other half as discs of equal areas (Lambert). */
  draw() {
    if (!this.isStale) return;
    this.isStale = false;
    const { theme } = this;
    this.canvas.setAttribute("aria-label", `Directions of the field: ${Math.round(100 * this.share)} % of the sphere`);
    const [width, height, radius] = [150, 76, 34];
    [this.canvas.style.width, this.canvas.style.height] = [`${width}px`, `${height}px`];
    const context = fitCanvas(this.canvas, width, height);
    const edge = (band) => radius * Math.sqrt(band / (BANDS / 2));
    for (let band = 0; band < BANDS; band += 1) {
      const isLower = band >= BANDS / 2;
      const inner = isLower ? edge(BANDS - 1 - band) : edge(band);
      const outer = isLower ? edge(BANDS - band) : edge(band + 1);
      for (let sector = 0; sector < SECTORS; sector += 1) {
        const [from, to] = [sector, sector + 1].map((each) => Math.PI - (2 * Math.PI * each) / SECTORS);
        context.beginPath();
        context.arc(isLower ? 112 : 38, 38, outer, from, to, true);
        context.arc(isLower ? 112 : 38, 38, inner, to, from);
        context.closePath();
        context.fillStyle = this.isSeen[band * SECTORS + sector] ? theme.levels[0] : theme.background;
        context.fill();
        [context.strokeStyle, context.lineWidth] = [theme.faint, 0.5];
        context.stroke();
      }
    }
  }
}
