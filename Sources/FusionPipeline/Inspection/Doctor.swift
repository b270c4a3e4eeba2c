internal import LinearAlgebra
internal import Sensors

/// Says in plain words what looks wrong with a log, and what mends it.
struct Doctor {
  let summary: LogSummary
  let values: [SensorChannel: ValueReport]
  let rest: RestReport
  let consistency: GyroscopeConsistency

  func findings() -> [String] {
    var found: [String] = []
    for channel in [SensorChannel.gyroscope, .accelerometer] where summary.reports[channel] == nil {
      found.append("There is no \(channel.name): the log cannot be fused.")
    }
    found += accelerometerFindings() + gyroscopeFindings()
    for channel in [SensorChannel.gyroscope, .accelerometer, .magnetometer, .calibratedMagneticField] {
      found += samplingFindings(channel)
    }
    return found
  }

  private func accelerometerFindings() -> [String] {
    guard let report = values[.accelerometer] else { return [] }
    let norm = rest.accelerationNorm ?? report.meanNorm
    let when = rest.accelerationNorm == nil ? "on average" : "at rest"
    if norm > 4 {
      return [
        "The acceleration is \(rounded(norm)) g \(when): it looks like m/s²; try --acceleration-unit m/s2."
      ]
    }
    if norm < 0.25 {
      return [
        "The acceleration is \(rounded(norm)) g \(when): gravity seems to be taken off; fusing needs the raw one."
      ]
    }
    if rest.accelerationNorm != nil, abs(norm - 1) > 0.03 {
      return [
        "The acceleration is \(rounded(norm)) g at rest instead of 1: the accelerometer wants calibration."
      ]
    }
    return []
  }

  private func gyroscopeFindings() -> [String] {
    var found: [String] = []
    if let bias = rest.gyroscopeBias, bias.norm > 0.05 {
      found.append(
        "The gyroscope's bias is \(rounded(bias.norm)) rad/s (\(rounded(bias.norm * 180 / .pi))°/s): large, as of a raw phone sensor; filters learn it in the first seconds."
      )
    }
    if let finding = consistency.finding { found.append(finding) }
    return found
  }

  private func samplingFindings(_ channel: SensorChannel) -> [String] {
    guard let report = summary.reports[channel], let value = values[channel] else { return [] }
    var found: [String] = []
    if report.gaps > 0 {
      found.append(
        "The \(channel.name) has \(report.gaps) gap\(report.gaps == 1 ? "" : "s"), the longest of \(rounded(report.longestInterval)) s: attitude is held there and uncertain after."
      )
    }
    if report.setApart * 100 > report.count {
      found.append(
        "Many \(channel.name) samples share a time stamp: the logger stamps blocks, so their spacing is lost."
      )
    }
    let interval = report.meanRate > 0 ? 1 / report.meanRate : 0
    if interval > 0, report.jitter > 0.5 * interval {
      found.append(
        "The \(channel.name)'s intervals vary by \(rounded(report.jitter * 1000)) ms around \(rounded(interval * 1000)) ms: stamps of arrival rather than of measurement?"
      )
    }
    let isRaw = channel != .calibratedMagneticField
    if isRaw, value.atLargest >= 5, value.atLargest * 10_000 > value.count,
      value.largestComponent > value.meanNorm * 2
    {
      found.append(
        "The \(channel.name) reaches exactly \(rounded(value.largestComponent)) \(channel.unit) \(value.atLargest) times: it looks clipped at the end of its range."
      )
    }
    if isRaw, channel != .magnetometer, value.longestConstantRun > 50 {
      found.append(
        "The \(channel.name) repeats the same values \(value.longestConstantRun) times in a row: a sensor that slept or was held."
      )
    }
    return found
  }
}
