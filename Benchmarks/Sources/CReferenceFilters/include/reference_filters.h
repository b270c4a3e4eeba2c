// Plain single-precision implementations of two filter updates, the reference of the speed comparison.
//
// Only the papers' equations: no check of the samples, no clocks, no gaps, no start-up. Device axes; the acceleration
// has Core Motion's sign, minus the specific force; the earth frame is north, west, up.
#ifndef REFERENCE_FILTERS_H
#define REFERENCE_FILTERS_H

typedef struct { float x, y, z; } reference_vector;
typedef struct { float x, y, z, w; } reference_quaternion;

typedef struct {
  // Gains in 1/s and 1/s²; weight of the field's error relative to gravity's.
  float proportional, integral, magnetic_weight;
  reference_quaternion attitude;
  // rad/s.
  reference_vector bias;
} reference_mahony;

typedef struct {
  // rad/s and rad/s².
  float beta, zeta;
  reference_quaternion attitude;
  // rad/s.
  reference_vector bias;
} reference_madgwick;

// One step: rate in rad/s, acceleration and field in any unit, the time since the previous step in seconds.
void reference_mahony_update(
    reference_mahony *filter, reference_vector rate, reference_vector acceleration, reference_vector field, float dt);
void reference_mahony_update_6(
    reference_mahony *filter, reference_vector rate, reference_vector acceleration, float dt);
void reference_madgwick_update(
    reference_madgwick *filter, reference_vector rate, reference_vector acceleration, reference_vector field, float dt);
void reference_madgwick_update_6(
    reference_madgwick *filter, reference_vector rate, reference_vector acceleration, float dt);

#endif
