// Mahony, Hamel and Pflimlin 2008, eq. (48); the field's reference after Euston et al. 2008.
#include "vectors.h"

static inline void correct(reference_mahony *f, reference_vector rate, reference_vector error, float dt) {
  const float integral = f->integral * dt;
  f->bias.x -= integral * error.x;
  f->bias.y -= integral * error.y;
  f->bias.z -= integral * error.z;
  rate.x += f->proportional * error.x - f->bias.x;
  rate.y += f->proportional * error.y - f->bias.y;
  rate.z += f->proportional * error.z - f->bias.z;
  f->attitude = unit_quaternion(turned(f->attitude, rate, dt));
}

void reference_mahony_update_6(
    reference_mahony *f, reference_vector rate, reference_vector acceleration, float dt) {
  reference_vector error = {0.0f, 0.0f, 0.0f};
  if (!is_zero(acceleration)) error = cross(to_device(f->attitude, 0.0f, 1.0f), unit(acceleration));
  correct(f, rate, error, dt);
}

void reference_mahony_update(
    reference_mahony *f, reference_vector rate, reference_vector acceleration, reference_vector field, float dt) {
  if (is_zero(field)) {
    reference_mahony_update_6(f, rate, acceleration, dt);
    return;
  }
  reference_vector error = {0.0f, 0.0f, 0.0f};
  if (!is_zero(acceleration)) {
    error = cross(to_device(f->attitude, 0.0f, 1.0f), unit(acceleration));
    const reference_vector m = unit(field);
    const reference_vector earth = to_earth(f->attitude, m);
    const float north = sqrtf(earth.x * earth.x + earth.y * earth.y);
    const reference_vector magnetic = cross(m, to_device(f->attitude, north, earth.z));
    error.x += f->magnetic_weight * magnetic.x;
    error.y += f->magnetic_weight * magnetic.y;
    error.z += f->magnetic_weight * magnetic.z;
  }
  correct(f, rate, error, dt);
}
