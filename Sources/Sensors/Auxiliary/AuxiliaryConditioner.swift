/// Checks every sample of a log's auxiliary channels, and counts the problems.
///
/// A value that is unknown by its source's convention (a speed below 0), infinite or impossible becomes missing. A
/// sample without a time, without any value, or equal to the previous sample is dropped.
package struct AuxiliaryConditioner: Sendable, Codable {
  private struct Channel: Sendable, Codable {
    var report: AuxiliaryReport
    /// The last valid sample.
    var last: AuxiliarySample?
  }

  /// The report and the last valid sample of each channel that had a sample.
  private var channels = [Channel?](repeating: nil, count: AuxiliaryChannel.allCases.count)

  package init() {}

  /// The reports of the channels that had a sample.
  package var reports: [AuxiliaryChannel: AuxiliaryReport] {
    var result: [AuxiliaryChannel: AuxiliaryReport] = [:]
    for channel in AuxiliaryChannel.allCases { result[channel] = channels[Int(channel.rawValue)]?.report }
    return result
  }

  /// Checks a sample of the log, in file order, and clears its invalid values.
  ///
  /// - Parameters:
  ///   - sample: The sample.
  ///   - earliest: The time up to which samples have been processed. Older samples are late.
  /// - Returns: `false` if the sample is to be dropped.
  package mutating func judge(_ sample: inout AuxiliarySample, earliest: Double = -.infinity) -> Bool {
    let index = Int(sample.channel.rawValue)
    var channel = channels[index] ?? Channel(report: AuxiliaryReport(channel: sample.channel))
    // Moved out and back in, so that nothing is copied.
    channels[index] = nil
    defer { channels[index] = channel }
    channel.report.count += 1
    guard sample.time.magnitude <= SampleConditioner.latestTime else {
      channel.report.invalid += 1
      return false
    }
    clean(&sample, &channel.report)
    // An event counts even if it has no values.
    guard !sample.isEmpty || sample.channel.isEvent else {
      channel.report.missing += 1
      return false
    }
    if let last = channel.last, last == sample {
      channel.report.collapsed += 1
      return false
    }
    if let last = channel.last {
      channel.report.maximumInterval = max(channel.report.maximumInterval, sample.time - last.time)
      if sample.time < last.time { channel.report.outOfOrder += 1 }
    }
    channel.last = sample
    guard sample.time >= earliest else {
      channel.report.late += 1
      return false
    }
    let isFirst = channel.report.firstTime.isNaN
    channel.report.firstTime = isFirst ? sample.time : min(channel.report.firstTime, sample.time)
    channel.report.lastTime = isFirst ? sample.time : max(channel.report.lastTime, sample.time)
    for (position, value) in sample.values.enumerated() where !value.isNaN {
      channel.report.fields[position].add(value)
    }
    return true
  }

  private func clean(_ sample: inout AuxiliarySample, _ report: inout AuxiliaryReport) {
    if sample.channel == .location { Self.applyAccuracies(&sample) }
    for (position, field) in sample.channel.fields.enumerated() {
      let value = sample.values[position]
      if value.isNaN || field.range.contains(value) { continue }
      sample.set(position, .nan)
      if !(field.isUnknownBelowZero && value < 0) { report.impossibleValues += 1 }
    }
  }

  /// Clears the values whose accuracy is negative, which means unknown (Core Location, CLLocation).
  private static func applyAccuracies(_ sample: inout AuxiliarySample) {
    let rules = [
      ("horizontalAccuracy", ["latitude", "longitude"]),
      ("verticalAccuracy", ["locationAltitude", "ellipsoidalAltitude"]), ("speedAccuracy", ["speed"]),
      ("courseAccuracy", ["course"]),
    ]
    for (accuracy, fields) in rules where sample[accuracy] < 0 {
      for field in fields { sample[field] = .nan }
    }
  }
}
