package import InertialFusion
internal import InertialNumerics
internal import InertialSystem

extension FieldCalibration {
  /// The human-readable description.
  package var sentence: String {
    let basis = String(cFormat: "evidence for an offset %.1f nats", evidence)
    guard let hardIron else { return "raw field used unchanged (\(basis))" }
    let offset = String(cFormat: "(%.1f, %.1f, %.1f) ± %.1f µT", hardIron.x, hardIron.y, hardIron.z, sigma)
    let time = since.map { String(cFormat: "from %.1f s on", $0) } ?? "in the whole log"
    return "hard iron \(offset) subtracted \(time) (\(basis))"
  }
}
