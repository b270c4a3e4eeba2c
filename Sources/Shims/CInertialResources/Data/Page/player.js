// Plays a recording: moves the cursor in real time or at another speed.

class Player {
  constructor(view) {
    this.view = view;
    this.isPlaying = false;
    this.speed = 1;
    this.lastFrame = 0;
    this.playButton = button("▶", "Play", () => this.toggle(), { class: "play" });
    this.time = element("output", { class: "time", "aria-label": "Time at the cursor" });
    this.slider = element("input", {
      type: "range", min: "0", max: "1000", value: "0", step: "1", "aria-label": "Cursor",
      on: { input: () => { view.setCursor(view.start + (this.slider.value / 1000) * (view.end - view.start)); view.follow(); } },
    });
    this.speedChoice = element("select", { "aria-label": "Speed", on: { change: () => { this.speed = Number(this.speedChoice.value); } } },
      ...[0.1, 0.25, 0.5, 1, 2, 5, 10, 60].map((speed) => element(
        "option", { value: speed, selected: speed === 1, text: `${speed}×` })));
    this.node = element("div", { class: "player", role: "group", "aria-label": "Playback" },
      this.playButton, this.speedChoice, this.slider, this.time);
    view.onCursor(() => this.show());
  }

  toggle() { if (this.isPlaying) this.pause(); else this.play(); }

  play() {
    if (this.view.cursor >= this.view.end) this.view.setCursor(this.view.start);
    this.isPlaying = true;
    this.lastFrame = performance.now();
    this.setButton("❚❚", "Pause");
    requestAnimationFrame((now) => this.step(now));
  }

  pause() {
    this.isPlaying = false;
    this.setButton("▶", "Play");
  }

  setButton(sign, label) {
    this.playButton.textContent = sign;
    this.playButton.setAttribute("aria-label", label);
    this.playButton.title = label;
  }

  step(now) {
    if (!this.isPlaying) return;
    const elapsed = Math.max(0, (now - this.lastFrame) / 1000);
    this.lastFrame = Math.max(now, this.lastFrame);
    this.view.setCursor(this.view.cursor + elapsed * this.speed);
    this.view.follow();
    if (this.view.cursor >= this.view.end) { this.pause(); return; }
    requestAnimationFrame((next) => this.step(next));
  }

  show() {
    const { view } = this;
    const change = view.isMeasuring ? `, Δ ${formatTime(view.cursor - view.anchor)}` : "";
    this.time.textContent = `${formatTime(view.cursor - view.start)} of ${formatTime(view.end - view.start, 1)}${change}`;
    this.slider.value = String(Math.round(((view.cursor - view.start) / (view.end - view.start)) * 1000));
    this.slider.setAttribute("aria-valuetext", this.time.textContent);
  }
}
