// The device and the arrows around it as triangles in the reference frame, for drawing with WebGL or a 2D canvas.

/** Rotates a vector by a quaternion [x, y, z, w]: q v q*. */
function turned([x, y, z, w], [a, b, c]) {
  const [tx, ty, tz] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
  return [
    a + w * tx + (y * tz - z * ty),
    b + w * ty + (z * tx - x * tz),
    c + w * tz + (x * ty - y * tx),
  ];
}

const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const plus = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const times = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
const length = (a) => Math.hypot(a[0], a[1], a[2]);
const unit = (a) => { const size = length(a); return size > 0 ? times(a, 1 / size) : a; };

/** Returns a box between two corners, with one colour per face: [+x, −x, +y, −y, +z, −z]. */
function boxTriangles([x0, y0, z0], [x1, y1, z1], colors) {
  const faces = [
    [[x1, y0, z0], [x1, y1, z0], [x1, y1, z1], [x1, y0, z1]], [[x0, y1, z0], [x0, y0, z0], [x0, y0, z1], [x0, y1, z1]],
    [[x1, y1, z0], [x0, y1, z0], [x0, y1, z1], [x1, y1, z1]], [[x0, y0, z0], [x1, y0, z0], [x1, y0, z1], [x0, y0, z1]],
    [[x0, y0, z1], [x1, y0, z1], [x1, y1, z1], [x0, y1, z1]], [[x1, y0, z0], [x0, y0, z0], [x0, y1, z0], [x1, y1, z0]],
  ];
  return faces.flatMap(([a, b, c, d], face) => [
    { points: [a, b, c], color: colors[face] }, { points: [a, c, d], color: colors[face] },
  ]);
}

/** Returns a plate with rounded corners in the plane of X and Y. */
function plateTriangles(halfWidth, halfHeight, radius, z0, z1, sideColor, topColor, bottomColor) {
  const outline = [];
  for (let corner = 0; corner < 4; corner += 1) {
    const [sx, sy] = [corner === 0 || corner === 3 ? 1 : -1, corner < 2 ? 1 : -1];
    for (let step = 0; step <= 5; step += 1) {
      const angle = (corner + step / 5) * (Math.PI / 2);
      outline.push([sx * (halfWidth - radius) + radius * Math.cos(angle), sy * (halfHeight - radius) + radius * Math.sin(angle)]);
    }
  }
  const triangles = [];
  outline.forEach(([x, y], index) => {
    const [nextX, nextY] = outline[(index + 1) % outline.length];
    triangles.push({ points: [[x, y, z0], [nextX, nextY, z0], [nextX, nextY, z1]], color: sideColor });
    triangles.push({ points: [[x, y, z0], [nextX, nextY, z1], [x, y, z1]], color: sideColor });
    triangles.push({ points: [[0, 0, z1], [x, y, z1], [nextX, nextY, z1]], color: topColor });
    triangles.push({ points: [[0, 0, z0], [nextX, nextY, z0], [x, y, z0]], color: bottomColor });
  });
  return triangles;
}

/** Returns an arrow from a point along a vector: a thin shaft with a head. */
function arrowTriangles(from, vector, color, thickness = 0.022) {
  const size = length(vector);
  if (!(size > 1e-3)) return [];
  const along = unit(vector);
  const side = unit(cross(along, Math.abs(along[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0]));
  const other = cross(along, side);
  const ring = (distance, radius) => Array.from({ length: 8 }, (_, index) => {
    const angle = (index / 8) * 2 * Math.PI;
    return plus(plus(from, times(along, distance)), plus(times(side, radius * Math.cos(angle)), times(other, radius * Math.sin(angle))));
  });
  const head = Math.min(0.16, size * 0.5);
  const [start, neck, brim] = [ring(0, thickness), ring(size - head, thickness), ring(size - head, thickness * 2.6)];
  const tip = plus(from, vector);
  const triangles = [];
  for (let index = 0; index < 8; index += 1) {
    const next = (index + 1) % 8;
    triangles.push({ points: [start[index], start[next], neck[next]], color });
    triangles.push({ points: [start[index], neck[next], neck[index]], color });
    triangles.push({ points: [brim[index], brim[next], tip], color });
    triangles.push({ points: [brim[next], brim[index], neck[0]], color });
  }
  return triangles;
}

/** Returns the unrotated device: X to its right, Y to its top, Z out of its face. */
function deviceTriangles(kind) {
  if (kind === "phone") {
    const body = plateTriangles(0.36, 0.76, 0.09, -0.045, 0.045, [0.30, 0.33, 0.38], [0.10, 0.11, 0.13], [0.42, 0.46, 0.52]);
    const screen = plateTriangles(0.33, 0.73, 0.07, 0.044, 0.049, [0.1, 0.1, 0.1], [0.27, 0.55, 0.80], [0.1, 0.1, 0.1]);
    // A bar at the top of the screen and the camera on the back distinguish top from bottom, and front from back.
    const bar = boxTriangles([-0.14, 0.60, 0.049], [0.14, 0.66, 0.053], Array(6).fill([0.05, 0.06, 0.08]));
    const camera = boxTriangles([0.02, 0.44, -0.075], [0.30, 0.70, -0.045], Array(6).fill([0.16, 0.17, 0.2]));
    return [...body, ...screen, ...bar, ...camera];
  }
  const body = boxTriangles([-0.5, -0.7, -0.2], [0.5, 0.7, 0.2], [
    [0.62, 0.64, 0.68], [0.62, 0.64, 0.68], [0.72, 0.74, 0.78], [0.52, 0.54, 0.58], [0.27, 0.55, 0.80], [0.35, 0.36, 0.40],
  ]);
  return [...body, ...boxTriangles([-0.12, 0.5, 0.2], [0.12, 0.62, 0.23], Array(6).fill([0.95, 0.90, 0.25]))];
}

/** The camera that views the reference frame; Z is up. */
class Camera {
  constructor() {
    this.azimuth = -2.6;
    this.elevation = 0.42;
    this.distance = 5.2;
  }

  turn(right, up) {
    this.azimuth -= right;
    this.elevation = Math.min(1.5, Math.max(-1.5, this.elevation + up));
  }

  /** Returns the direction toward the camera, and its right and up axes in the reference frame. */
  axes() {
    const level = Math.cos(this.elevation);
    const from = [level * Math.cos(this.azimuth), level * Math.sin(this.azimuth), Math.sin(this.elevation)];
    const right = [-Math.sin(this.azimuth), Math.cos(this.azimuth), 0];
    return { from, right, up: cross(from, right) };
  }

  /** Projects a point: −1 to 1 along the shorter side of the picture, and the distance from the camera. */
  project(point, axes = this.axes()) {
    const depth = this.distance - (point[0] * axes.from[0] + point[1] * axes.from[1] + point[2] * axes.from[2]);
    const scale = 2.75 / depth;
    return [
      (point[0] * axes.right[0] + point[1] * axes.right[1] + point[2] * axes.right[2]) * scale,
      (point[0] * axes.up[0] + point[1] * axes.up[1] + point[2] * axes.up[2]) * scale, depth,
    ];
  }
}

/** Returns the brightness of a triangle: light from the camera's side, and ambient light. */
function shade(points, axes) {
  const normal = unit(cross(minus(points[1], points[0]), minus(points[2], points[0])));
  const light = unit(plus(plus(axes.from, times(axes.up, 0.6)), times(axes.right, 0.3)));
  return 0.55 + 0.45 * Math.abs(normal[0] * light[0] + normal[1] * light[1] + normal[2] * light[2]);
}
