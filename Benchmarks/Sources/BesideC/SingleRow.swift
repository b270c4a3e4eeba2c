import CReferenceFilters
import Inertial
import SimulatedLogs

/// A row in single precision, the input of the C filters.
struct SingleRow {
  var rate: reference_vector
  var acceleration: reference_vector
  var field: reference_vector
  var duration: Float

  init(_ row: NineAxisLog.Row) {
    rate = reference_vector(row.rate)
    acceleration = reference_vector(row.acceleration)
    field = reference_vector(row.field)
    duration = Float(row.duration)
  }
}

extension reference_vector {
  init(_ v: Vector3) { self.init(x: Float(v.x), y: Float(v.y), z: Float(v.z)) }
}
