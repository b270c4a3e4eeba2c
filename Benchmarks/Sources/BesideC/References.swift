import CReferenceFilters
import Inertial

// The C filters with Inertial's default gains, starting from the identity.

private func mahony() -> reference_mahony {
  let parameters = Mahony.Parameters()
  return reference_mahony(
    proportional: Float(parameters.kP), integral: Float(parameters.kI),
    magnetic_weight: Float(parameters.magneticWeight), attitude: reference_quaternion(x: 0, y: 0, z: 0, w: 1),
    bias: reference_vector())
}

private func madgwick() -> reference_madgwick {
  let parameters = Madgwick.Parameters()
  return reference_madgwick(
    beta: Float(parameters.beta), zeta: Float(parameters.zeta),
    attitude: reference_quaternion(x: 0, y: 0, z: 0, w: 1), bias: reference_vector())
}

func mahony9(_ rows: [SingleRow], _ attitudes: inout [reference_quaternion]) {
  var filter = mahony()
  for index in rows.indices {
    let row = rows[index]
    reference_mahony_update(&filter, row.rate, row.acceleration, row.field, row.duration)
    attitudes[index] = filter.attitude
  }
}

func mahony6(_ rows: [SingleRow], _ attitudes: inout [reference_quaternion]) {
  var filter = mahony()
  for index in rows.indices {
    let row = rows[index]
    reference_mahony_update_6(&filter, row.rate, row.acceleration, row.duration)
    attitudes[index] = filter.attitude
  }
}

func madgwick9(_ rows: [SingleRow], _ attitudes: inout [reference_quaternion]) {
  var filter = madgwick()
  for index in rows.indices {
    let row = rows[index]
    reference_madgwick_update(&filter, row.rate, row.acceleration, row.field, row.duration)
    attitudes[index] = filter.attitude
  }
}

func madgwick6(_ rows: [SingleRow], _ attitudes: inout [reference_quaternion]) {
  var filter = madgwick()
  for index in rows.indices {
    let row = rows[index]
    reference_madgwick_update_6(&filter, row.rate, row.acceleration, row.duration)
    attitudes[index] = filter.attitude
  }
}
