internal import InertialSystem

extension StreamQuality: Encodable {
  /// Encodes the statistics for reports. Large fractions of samples at an axis's limits indicate a clipped sensor.
  package func encode(to encoder: any Encoder) throws {
    let total = Double(max(changeCount, 1))
    let axes = namedAxes.map { name, axis in
      EncodedObject([
        "name": name, "smallest": axis.smallest, "largest": axis.largest,
        "shareAtSmallest": Double(axis.atSmallest) / total, "shareAtLargest": Double(axis.atLargest) / total,
        "step": axis.step,
      ])
    }
    try EncodedObject([
      "medianInterval": medianInterval, "intervalSpread": intervalSpread, "gaps": gaps, "longestGap": longestGap,
      "gapTime": gapTime, "sameTime": sameTimeCount, "longestBurst": longestBurst.count, "blockLength": blockLength,
      "zeros": zeroCount, "longestZeroRun": longestZeroRun, "longestConstantRun": longestConstantRun,
      "medianNorm": norms.median, "axes": axes,
    ]).encode(to: encoder)
  }
}
