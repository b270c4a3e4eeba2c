// Madgwick 2010, the internal report: eq. (25) to (34) and (42) to (49).
#include "vectors.h"

// J^T f for a direction (north, 0, up) of the earth, measured as v.
static inline reference_quaternion gradient(reference_quaternion q, float north, float up, reference_vector v) {
  const reference_vector p = to_device(q, north, up);
  const float a = 2.0f * north, b = 2.0f * up;
  const float fx = p.x - v.x, fy = p.y - v.y, fz = p.z - v.z;
  return (reference_quaternion){
      b * q.z * fx + (a * q.y + b * q.w) * fy + (a * q.z - 2.0f * b * q.x) * fz,
      (a * q.x + b * q.z) * fy - (2.0f * a * q.y + b * q.w) * fx + (a * q.w - 2.0f * b * q.y) * fz,
      (b * q.x - 2.0f * a * q.z) * fx + (b * q.y - a * q.w) * fy + a * q.x * fz,
      (b * q.x - a * q.z) * fy - b * q.y * fx + a * q.y * fz};
}

static inline reference_vector up_measured(reference_vector acceleration) {
  const reference_vector a = unit(acceleration);
  return (reference_vector){-a.x, -a.y, -a.z};
}

static inline void descend(reference_madgwick *f, reference_vector rate, reference_quaternion g, float dt) {
  const reference_quaternion q = f->attitude;
  const reference_quaternion d = unit_quaternion(g);
  // The vector part of q* d.
  const float drift = 2.0f * f->zeta * dt;
  f->bias.x += drift * (q.w * d.x - q.x * d.w - q.y * d.z + q.z * d.y);
  f->bias.y += drift * (q.w * d.y + q.x * d.z - q.y * d.w - q.z * d.x);
  f->bias.z += drift * (q.w * d.z - q.x * d.y + q.y * d.x - q.z * d.w);
  rate.x -= f->bias.x;
  rate.y -= f->bias.y;
  rate.z -= f->bias.z;
  reference_quaternion next = turned(q, rate, dt);
  const float length = f->beta * dt;
  next.x -= length * d.x;
  next.y -= length * d.y;
  next.z -= length * d.z;
  next.w -= length * d.w;
  f->attitude = unit_quaternion(next);
}

static inline void follow(reference_madgwick *f, reference_vector rate, float dt) {
  rate.x -= f->bias.x;
  rate.y -= f->bias.y;
  rate.z -= f->bias.z;
  f->attitude = unit_quaternion(turned(f->attitude, rate, dt));
}

void reference_madgwick_update_6(
    reference_madgwick *f, reference_vector rate, reference_vector acceleration, float dt) {
  if (is_zero(acceleration)) {
    follow(f, rate, dt);
    return;
  }
  descend(f, rate, gradient(f->attitude, 0.0f, 1.0f, up_measured(acceleration)), dt);
}

void reference_madgwick_update(
    reference_madgwick *f, reference_vector rate, reference_vector acceleration, reference_vector field, float dt) {
  if (is_zero(acceleration) || is_zero(field)) {
    reference_madgwick_update_6(f, rate, acceleration, dt);
    return;
  }
  const reference_quaternion q = f->attitude;
  const reference_vector m = unit(field);
  const reference_vector earth = to_earth(q, m);
  const float north = sqrtf(earth.x * earth.x + earth.y * earth.y);
  const reference_quaternion a = gradient(q, 0.0f, 1.0f, up_measured(acceleration));
  const reference_quaternion b = gradient(q, north, earth.z, m);
  descend(f, rate, (reference_quaternion){a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w}, dt);
}
