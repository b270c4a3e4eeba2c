internal import InertialJobs
internal import InertialRotations

/// Bands around angles, of the filter's own standard deviations.
enum PlotBands {
  /// Columns that have a band.
  static let angles: Set<String> = ["roll", "pitch", "yaw", "heading"]
  /// Columns that it is made of.
  static let sources = [
    "quaternionX", "quaternionY", "quaternionZ", "quaternionW", "attitudeSigmaX", "attitudeSigmaY", "attitudeSigmaZ",
  ]

  /// Standard deviations of an angle in rad, row by row; nil where the rows do not tell.
  static func sigma(of angle: String, _ rows: PlotMaterial.Rows) -> [Double]? {
    let columns = sources.compactMap { rows.values[$0] }
    guard angles.contains(angle), columns.count == sources.count, columns[6].contains(where: \.isFinite) else {
      return nil
    }
    // A heading turns as the yaw does.
    if angle == "heading" { return columns[6] }
    return columns[0].indices.map { row in
      let angles = EulerAngles(
        Quaternion(x: columns[0][row], y: columns[1][row], z: columns[2][row], w: columns[3][row]))
      let sigma = AngleSigmas(
        pitch: angles.pitch, yaw: angles.yaw, x: columns[4][row], y: columns[5][row], z: columns[6][row])
      return angle == "roll" ? sigma.roll : angle == "pitch" ? sigma.pitch : sigma.yaw
    }
  }
}
