internal import InertialJobs
internal import InertialRotations

/// The bands around angles, from the filter's own standard deviations.
enum PlotBands {
  /// The columns that have a band.
  static let angles: Set<String> = ["roll", "pitch", "yaw", "heading"]
  /// The columns from which bands are computed.
  static let sources = [
    "quaternionX", "quaternionY", "quaternionZ", "quaternionW", "attitudeSigmaX", "attitudeSigmaY", "attitudeSigmaZ",
  ]

  /// Returns the standard deviations of an angle by row, in radians, or `nil` if the rows do not contain them.
  static func sigma(of angle: String, _ rows: PlotData.Rows) -> [Double]? {
    let columns = sources.compactMap { rows.values[$0] }
    guard angles.contains(angle), columns.count == sources.count, columns[6].contains(where: \.isFinite) else {
      return nil
    }
    // The heading's deviation is that about the vertical axis.
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
