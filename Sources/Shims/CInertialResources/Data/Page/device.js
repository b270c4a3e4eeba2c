// Draws the device in the reference frame at the cursor, with WebGL or else with a 2D canvas, far triangles first.

class Device {
  /**
   * @param {Object} scene the scene of the page's content: device, axes, hasNorth, quaternion, gravity, userAcceleration.
   * @param {Source} source the table with its columns.
   * @param {Object} options view, theme, origin (the time that is 0 in the text), mayUseWebGL.
   */
  constructor(scene, source, { view, theme, origin = 0, mayUseWebGL = true }) {
    Object.assign(this, { scene, source, view, theme, origin, mayUseWebGL });
    this.camera = new Camera();
    this.triangles = deviceTriangles(scene.device);
    this.canvas = element("canvas", {});
    this.labels = element("canvas", {
      class: "top", tabindex: "0", role: "img",
      "aria-label": "The device in the reference frame at the cursor. Drag, or use Control and the arrow keys, to turn the view.",
    });
    this.frame = element("div", { class: "frame device" }, this.canvas, this.labels);
    this.text = element("p", { class: "note", "aria-live": "off" });
    this.node = element("section", { class: "plot", "aria-label": "Device" },
      element("div", { class: "plot-head" }, element("h2", { class: "small", text: "Device" })), this.frame, this.text);
    this.gl = null;
    this.paint = null;
    this.isVisible = true;
    this.size = null;
    this.turnWithPointer();
    new ResizeObserver(() => { this.size = null; this.draw(); }).observe(this.frame);
    new IntersectionObserver((entries) => {
      this.isVisible = entries[entries.length - 1].isIntersecting;
      this.draw();
    }, { rootMargin: "200px" }).observe(this.frame);
    view.onCursor(() => this.draw());
    theme.onChange(() => this.draw());
    source.onLoad(() => this.draw());
  }

  /** Starts drawing. WebGL takes longer to start than all plots, so it starts after them. */
  begin() {
    this.gl = this.mayUseWebGL ? glPainter(this.canvas) : null;
    this.paint = this.gl ?? canvasPainter(this.canvas);
    this.draw();
  }

  /** Whether WebGL draws the device. */
  get isAccelerated() { return this.gl !== null; }

  turnWithPointer() {
    let last = null;
    this.labels.addEventListener("pointerdown", (event) => {
      last = [event.clientX, event.clientY];
      this.labels.setPointerCapture(event.pointerId);
    });
    this.labels.addEventListener("pointermove", (event) => {
      if (!last) return;
      this.camera.turn((event.clientX - last[0]) * 0.01, (event.clientY - last[1]) * 0.01);
      last = [event.clientX, event.clientY];
      this.draw();
    });
    for (const name of ["pointerup", "pointercancel"]) this.labels.addEventListener(name, () => { last = null; });
    this.labels.addEventListener("dblclick", () => { this.camera = new Camera(); this.draw(); });
    this.labels.addEventListener("keydown", (event) => {
      const turns = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] };
      if (!event.ctrlKey || !turns[event.key]) return;
      event.preventDefault();
      event.stopPropagation();
      this.camera.turn(...turns[event.key]);
      this.draw();
    });
  }

  /** Returns the values at the cursor, or null if there is no attitude. */
  state() {
    const read = (columns) => columns.map((column) => this.source.value(column, this.view.cursor));
    const quaternion = read(this.scene.quaternion);
    const size = Math.hypot(...quaternion);
    if (!(size > 0.5)) return null;
    return {
      quaternion: quaternion.map((part) => part / size), gravity: read(this.scene.gravity),
      userAcceleration: this.scene.userAcceleration ? read(this.scene.userAcceleration) : [NaN, NaN, NaN],
    };
  }

  draw() {
    const { theme } = this;
    if (!this.paint || !(this.isVisible || theme.isPrinting)) return;
    // The size is stored, as the browser would arrange the page again for each read after a change.
    this.size ??= [this.frame.clientWidth, this.frame.clientHeight];
    const [width, height] = theme.isPrinting ? [300, 260] : this.size;
    if (width < 40 || height < 40) return;
    for (const canvas of [this.canvas, this.labels]) {
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
    }
    const state = this.state();
    const rgb = (color) => {
      const value = parseInt(color.slice(1), 16);
      return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
    };
    const axisColors = [theme.series[0], theme.series[1], theme.series[2]];
    const origin = [0, 0, 0];
    const triangles = [[1.55, 0, 0], [0, 1.55, 0], [0, 0, 1.55]].flatMap(
      (axis, index) => arrowTriangles(origin, axis, rgb(axisColors[index]), 0.012));
    const notes = this.scene.axes.map((text, index) => ({
      at: [index === 0 ? 1.7 : 0, index === 1 ? 1.7 : 0, index === 2 ? 1.65 : 0], text, color: theme.text,
    }));
    if (state) {
      triangles.push(...this.triangles.map(({ points, color }) => ({
        points: points.map((point) => turned(state.quaternion, point)), color,
      })));
      const gravity = turned(state.quaternion, state.gravity);
      triangles.push(...arrowTriangles(origin, times(gravity, 1.35), rgb(theme.series[3])));
      notes.push({ at: times(gravity, 1.5), text: "gravity", color: theme.text });
      const push = turned(state.quaternion, state.userAcceleration);
      if (length(push) > 0.03) {
        // An arrow of 0.5 g is as long as the device is wide; the length is limited to that of the axes.
        const arrow = times(unit(push), Math.min(1.5, length(push) * 1.5));
        triangles.push(...arrowTriangles(origin, arrow, rgb(theme.series[4])));
        if (length(arrow) > 0.5) notes.push({ at: times(arrow, 1.12), text: "user acceleration", color: theme.text });
      }
    }
    // Browsers do not print WebGL: on paper the triangles are on the canvas of the labels.
    const paint = theme.isPrinting && this.gl ? canvasPainter(this.labels) : this.paint;
    paint(triangles, this.camera, width, height, rgb(theme.background), theme.isPrinting ? 2 : window.devicePixelRatio || 1);
    this.drawLabels(notes, width, height, paint === this.paint);
    const time = formatTime(this.view.cursor - this.origin);
    this.text.textContent = state
      ? `At ${time}. ${this.scene.hasNorth ? "X points north." : "X is arbitrary: north is unknown in this frame."}`
      : `At ${time}. The attitude is unknown.`;
  }

  drawLabels(notes, width, height, isCleared) {
    const context = isCleared ? fitCanvas(this.labels, width, height, this.theme.isPrinting ? 2 : undefined) : this.labels.getContext("2d");
    context.font = this.theme.font;
    context.textAlign = "center";
    context.textBaseline = "middle";
    const half = Math.min(width, height) / 2;
    for (const note of notes) {
      const [x, y] = this.camera.project(note.at);
      const [left, top] = [width / 2 + x * half, height / 2 - y * half];
      const wide = context.measureText(note.text).width;
      context.fillStyle = this.theme.background;
      context.globalAlpha = 0.7;
      context.fillRect(left - wide / 2 - 2, top - 8, wide + 4, 16);
      context.globalAlpha = 1;
      context.fillStyle = note.color;
      context.fillText(note.text, left, top);
    }
  }
}

/** Returns a function that draws triangles with a 2D canvas, far triangles first. */
function canvasPainter(canvas) {
  return (triangles, camera, width, height, background, scale) => {
    const context = fitCanvas(canvas, width, height, scale);
    const css = (color, light = 1) => `rgb(${color.map((part) => Math.round(255 * Math.min(1, part * light))).join(",")})`;
    context.fillStyle = css(background);
    context.fillRect(0, 0, width, height);
    const axes = camera.axes();
    const half = Math.min(width, height) / 2;
    const seen = triangles.map(({ points, color }) => {
      const projected = points.map((point) => camera.project(point, axes));
      return { projected, depth: projected.reduce((sum, point) => sum + point[2], 0), fill: css(color, shade(points, axes)) };
    });
    seen.sort((a, b) => b.depth - a.depth);
    for (const { projected, fill } of seen) {
      context.fillStyle = fill;
      context.strokeStyle = fill;
      context.lineWidth = 0.7;
      context.beginPath();
      projected.forEach(([x, y], index) => context[index ? "lineTo" : "moveTo"](width / 2 + x * half, height / 2 - y * half));
      context.closePath();
      context.fill();
      context.stroke();
    }
  };
}

/** Returns a function that draws triangles with WebGL, or null if WebGL is unavailable. */
function glPainter(canvas) {
  const gl = canvas.getContext("webgl", { antialias: true, preserveDrawingBuffer: true });
  if (!gl) return null;
  const compile = (type, source) => {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    return shader;
  };
  const program = gl.createProgram();
  gl.attachShader(program, compile(gl.VERTEX_SHADER, `
    attribute vec3 place; attribute vec3 color; varying vec3 paint;
    void main() { gl_Position = vec4(place.xy, place.z, 1.0); paint = color; }`));
  gl.attachShader(program, compile(gl.FRAGMENT_SHADER, `
    precision mediump float; varying vec3 paint;
    void main() { gl_FragColor = vec4(paint, 1.0); }`));
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) return null;
  gl.useProgram(program);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  ["place", "color"].forEach((name, index) => {
    const location = gl.getAttribLocation(program, name);
    gl.enableVertexAttribArray(location);
    gl.vertexAttribPointer(location, 3, gl.FLOAT, false, 24, 12 * index);
  });
  gl.enable(gl.DEPTH_TEST);
  return (triangles, camera, width, height, background, scale) => {
    const [w, h] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
    if (canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h];
    const axes = camera.axes();
    const [fitX, fitY] = width > height ? [height / width, 1] : [1, width / height];
    const numbers = new Float32Array(triangles.length * 18);
    let next = 0;
    for (const { points, color } of triangles) {
      const light = shade(points, axes);
      for (const point of points) {
        const [x, y, depth] = camera.project(point, axes);
        numbers.set([x * fitX, y * fitY, (depth - camera.distance) / 4, color[0] * light, color[1] * light, color[2] * light], next);
        next += 6;
      }
    }
    gl.viewport(0, 0, w, h);
    gl.clearColor(background[0], background[1], background[2], 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.bufferData(gl.ARRAY_BUFFER, numbers, gl.STREAM_DRAW);
    gl.drawArrays(gl.TRIANGLES, 0, triangles.length * 3);
  };
}
