// Vectors and quaternions of floats, for the two reference filters.
#ifndef REFERENCE_VECTORS_H
#define REFERENCE_VECTORS_H

#include <math.h>

#include "reference_filters.h"

static inline reference_vector cross(reference_vector a, reference_vector b) {
  return (reference_vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline reference_vector unit(reference_vector v) {
  const float scale = 1.0f / sqrtf(v.x * v.x + v.y * v.y + v.z * v.z);
  return (reference_vector){scale * v.x, scale * v.y, scale * v.z};
}

static inline reference_quaternion unit_quaternion(reference_quaternion q) {
  const float scale = 1.0f / sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  return (reference_quaternion){scale * q.x, scale * q.y, scale * q.z, scale * q.w};
}

static inline int is_zero(reference_vector v) { return v.x == 0.0f && v.y == 0.0f && v.z == 0.0f; }

// The attitude after a rotation at a rate, not normalised: three terms of the exponential, the default of Inertial's filters.
static inline reference_quaternion turned(reference_quaternion q, reference_vector rate, float dt) {
  const float h = 0.5f * dt;
  float x = h * rate.x, y = h * rate.y, z = h * rate.z;
  const float squared = x * x + y * y + z * z;
  const float w = 1.0f - 0.5f * squared, s = 1.0f - squared * (1.0f / 6.0f);
  x *= s;
  y *= s;
  z *= s;
  return (reference_quaternion){
      q.w * x + q.x * w + q.y * z - q.z * y, q.w * y - q.x * z + q.y * w + q.z * x,
      q.w * z + q.x * y - q.y * x + q.z * w, q.w * w - q.x * x - q.y * y - q.z * z};
}

// A device vector in earth axes, by the rotation matrix.
static inline reference_vector to_earth(reference_quaternion q, reference_vector v) {
  return (reference_vector){
      2.0f * (v.x * (0.5f - q.y * q.y - q.z * q.z) + v.y * (q.x * q.y - q.w * q.z) + v.z * (q.x * q.z + q.w * q.y)),
      2.0f * (v.x * (q.x * q.y + q.w * q.z) + v.y * (0.5f - q.x * q.x - q.z * q.z) + v.z * (q.y * q.z - q.w * q.x)),
      2.0f * (v.x * (q.x * q.z - q.w * q.y) + v.y * (q.y * q.z + q.w * q.x) + v.z * (0.5f - q.x * q.x - q.y * q.y))};
}

// An earth vector (north, 0, up) in device axes.
static inline reference_vector to_device(reference_quaternion q, float north, float up) {
  return (reference_vector){
      2.0f * (north * (0.5f - q.y * q.y - q.z * q.z) + up * (q.x * q.z - q.w * q.y)),
      2.0f * (north * (q.x * q.y - q.w * q.z) + up * (q.y * q.z + q.w * q.x)),
      2.0f * (north * (q.x * q.z + q.w * q.y) + up * (0.5f - q.x * q.x - q.y * q.y))};
}

#endif
