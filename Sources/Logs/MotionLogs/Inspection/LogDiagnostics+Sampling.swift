internal import InertialSensors

extension LogDiagnostics {
  /// Returns findings about a channel's clock and about special values.
  func samplingFindings(_ channel: SensorChannel) -> [Diagnostic] {
    guard let report = summary.reports[channel], let quality = summary.quality[channel], quality.count > 0 else {
      return []
    }
    let ordinary = holes(channel, report, quality) + stamps(channel, report, quality) + marks(channel, quality)
    let stuck = stuckFindings(channel, report, quality)
    let held = heldFindings(channel, quality, except: stuck.isEmpty ? nil : quality.longestConstantRun)
    return (stuck + clipping(channel, quality)).map { .certain($0) } + held + ordinary.map { .likely($0) }
  }

  private func holes(_ channel: SensorChannel, _ report: ChannelReport, _ quality: StreamQuality) -> [String] {
    var found: [String] = []
    if 100 * report.invalid > report.count {
      found.append(
        "\(report.invalid) of \(report.count) \(channel.name) samples are infinite or impossible (first in line "
          + "\(report.firstInvalidLine)): check the unit.")
    }
    if let longest = quality.longestGap {
      let line = longest.line > 0 ? ", line \(longest.line)" : ""
      found.append(
        "The \(channel.name) has \(quality.gapCount) gap\(quality.gapCount == 1 ? "" : "s"), the longest of "
          + "\(rounded(longest.duration)) s at \(rounded(longest.time)) s\(line)"
          + (channel == .gyroscope ? ": the attitude is held there and uncertain afterwards; see fuse --gaps." : "."))
    }
    return found
  }

  /// Returns findings about values that no sensor on a body measures: a constant axis, a sleeping sensor, or a number
  /// that stands for a missing value.
  private func stuckFindings(_ channel: SensorChannel, _ report: ChannelReport, _ quality: StreamQuality) -> [String] {
    guard channel != .calibratedMagneticField, report.meanRate > 0 else { return [] }
    var found = summary.stuckAxes(of: channel).map { name, run in
      "The \(channel.name)'s \(name) stays the same \(run.count) times in a row from \(rounded(run.time)) s on, while "
        + "another axis changes: the axis is missing or stuck; see --columns, or leave these rows out."
    }
    guard channel != .magnetometer else { return found }
    if let (name, mark) = zip(["x", "y", "z"], quality.axes).lazy.compactMap({ name, axis in
      axis.mark.map { (name, $0) }
    }).first(where: { isMark($0.1.value, $0.1.count, of: quality.count, channel) }) {
      found.append(
        "The \(channel.name)'s \(name) is exactly \(rounded(mark.value)) \(channel.unit) \(mark.count) times, far from all "
          + "other values: it seems to mark missing values; leave these fields empty.")
    }
    if found.isEmpty, let run = summary.frozenRun(of: channel) {
      found.append(
        "The \(channel.name) repeats the same values \(run.count) times in a row from \(rounded(run.time)) s on: a sensor "
          + "that slept or froze; leave these rows out.")
    }
    return found
  }

  /// Whether an outlying value stands for a missing value: it is frequent, and not the value of a device at rest.
  private func isMark(_ value: Double, _ count: Int, of all: Int, _ channel: SensorChannel) -> Bool {
    let norms = channel == .gyroscope ? inspection.sketch.rateNorms : inspection.sketch.accelerationNorms
    return 500 * count >= all && abs(value) > max(3, 3 * norms.median)
  }

  private func stamps(_ channel: SensorChannel, _ report: ChannelReport, _ quality: StreamQuality) -> [String] {
    if quality.sameTimeCount > 0, report.retimedCount * 100 > report.count {
      return [
        "\(quality.sameTimeCount) \(channel.name) samples share a timestamp with the previous one, up to "
          + "\(quality.longestBurst.count) in a row: the logger timestamps blocks, so their spacing is lost."
      ]
    }
    if let lost = quality.lostSamples, lost.fraction > 0.01 {
      return [
        "\(rounded(100 * lost.fraction)) % of the \(channel.name)'s samples are missing: its intervals are whole multiples of "
          + "\(rounded(1000 * lost.interval)) ms; check the logger and its connection, as motion between samples is lost."
      ]
    }
    if let length = quality.blockLength {
      return [
        "The \(channel.name) is timestamped in blocks of \(length) evenly spaced samples with jumps between them: "
          + "arrival times, spread over the block."
      ]
    }
    let interval = quality.medianInterval
    // A single long interval increases the jitter, but not the spread.
    if interval > 0, report.jitter > 0.5 / max(report.meanRate, 1e-9), quality.intervalSpread > 0.2 {
      return [
        "The \(channel.name)'s intervals vary by \(rounded(report.jitter * 1000)) ms around "
          + "\(rounded(interval * 1000)) ms: arrival times rather than measurement times?"
      ]
    }
    return []
  }

  private func marks(_ channel: SensorChannel, _ quality: StreamQuality) -> [String] {
    guard channel != .calibratedMagneticField else { return [] }
    var found: [String] = []
    if quality.zeroCount * 50 > quality.count {
      found.append(
        "\(quality.zeroCount) of \(quality.count) \(channel.name) samples are exactly zero (the longest run of "
          + "\(quality.longestZeroRun.count) at \(rounded(quality.longestZeroRun.time)) s): a sensor that slept, or is "
          + "missing.")
    } else if channel != .magnetometer, quality.longestConstantRun.count > 50,
      quality.heldRuns.isEmpty, stuckFindings(channel, summary.reports[channel] ?? ChannelReport(), quality).isEmpty
    {
      let run = quality.longestConstantRun
      found.append(
        "The \(channel.name) repeats the same values \(run.count) times in a row at \(rounded(run.time)) s: a sensor "
          + "that slept or froze.")
    }
    return found
  }

  /// Returns findings about exactly equal values while the device rotated, so that its motion is lost. The finding is
  /// certain if gyroscope and accelerometer are held together, as by a program that fills dropouts. One alone occurs on
  /// phones that sample late.
  ///
  /// - Parameter known: A run that another finding names.
  private func heldFindings(
    _ channel: SensorChannel, _ quality: StreamQuality, except known: StreamQuality.Run?
  ) -> [Diagnostic] {
    let other: SensorChannel = channel == .gyroscope ? .accelerometer : .gyroscope
    let (turned, others) = (quality.heldRuns.filter { $0.run != known }, summary.quality[other]?.equalRuns ?? [])
    let together = turned.filter { run in others.contains { overlaps($0, run) } }
    let held = together.isEmpty ? turned : together
    guard channel <= .accelerometer, let longest = held.max(by: { $0.duration < $1.duration }) else { return [] }
    let line = longest.run.line > 0 ? ", line \(longest.run.line)" : ""
    let times = held.count == 1 ? "once" : "\(held.count) times"
    let text =
      "The \(channel.name) repeats the same values \(times) while the device turns, at most \(longest.run.count) in a row, for "
      + "\(rounded(longest.duration)) s from \(rounded(longest.run.time)) s on\(line): drop-outs filled with the last value; "
      + "leave these rows out."
    return [together.isEmpty ? .likely(text) : .certain(text)]
  }

  private func overlaps(_ a: StreamQuality.Hold, _ b: StreamQuality.Hold) -> Bool {
    let shared = min(a.run.time + a.duration, b.run.time + b.duration) - max(a.run.time, b.run.time)
    return shared >= 0.7 * max(a.duration, b.duration)
  }

  /// The minimum ratio of a range's limit to the resolution at which equal values are a limit: 9 bits.
  private static let minimumRangeSteps = 512.0

  /// Returns findings about limits of an axis's range at which values accumulate, far from the typical values.
  private func clipping(_ channel: SensorChannel, _ quality: StreamQuality) -> [String] {
    guard channel != .calibratedMagneticField else { return [] }
    // Gravity is often the largest value of a slow motion, and rest that of a gyroscope with a coarse resolution.
    let minimum =
      switch channel {
      case .gyroscope: max(1.5, 2 * inspection.sketch.rateNorms.median)
      case .accelerometer:
        // The sketch is empty without a gyroscope.
        1.3 * max(inspection.sketch.accelerationNorms.median, quality.norms.median)
      default: 2 * quality.norms.median
      }
    var found: [String] = []
    for (axis, name) in zip(quality.axes, ["x", "y", "z"]) {
      let ends = [
        (axis.smallest, axis.atSmallest, axis.isPiledAtSmallest, axis.runAtSmallest),
        (axis.largest, axis.atLargest, axis.isPiledAtLargest, axis.runAtLargest),
      ]
      for (limit, count, isPiledUp, run) in ends where abs(limit) > minimum {
        // A coarse resolution repeats the values of a smooth peak.
        let isCoarse = axis.step.map { abs(limit) < Self.minimumRangeSteps * $0 } ?? false
        let isFlat = run >= 3 && count >= 5 && (isPiledUp || !isCoarse)
        let isRound = count >= 3 && Self.isEndOfRange(limit, channel)
        guard isFlat || isRound || (isPiledUp && count * 10_000 > quality.count) else { continue }
        found.append(
          "The \(channel.name)'s \(name) is exactly \(rounded(limit)) \(channel.unit) \(count) times: it is clipped at the end "
            + "of its range, and larger values are lost.")
      }
    }
    return found
  }

  /// Whether a value is the limit of a chip's range, 2 to 32 g and 125 to 4000 °/s, or a 16-bit step below it.
  private static func isEndOfRange(_ value: Double, _ channel: SensorChannel) -> Bool {
    let ranges =
      switch channel {
      case .accelerometer: [2.0, 4, 8, 16, 32]
      case .gyroscope: [125.0, 250, 500, 1000, 2000, 4000].map { $0 * .pi / 180 }
      default: [Double]()
      }
    return ranges.contains { abs(abs(value) / $0 - 1) < 1e-4 }
  }
}

extension LogSummary {
  /// The intervals in which the gyroscope or the accelerometer repeats values instead of measuring, in seconds.
  package var heldIntervals: [ClosedRange<Double>] {
    [SensorChannel.gyroscope, .accelerometer].flatMap { channel -> [ClosedRange<Double>] in
      guard let rate = reports[channel]?.meanRate, rate > 0 else { return [] }
      let runs = stuckAxes(of: channel).map(\.run) + [frozenRun(of: channel)].compactMap(\.self)
      return runs.map { $0.time...($0.time + Double($0.count) / rate) }
        + (quality[channel]?.heldRuns ?? []).map { $0.run.time...($0.run.time + $0.duration) }
    }
  }

  /// Returns the axes of a channel that stay the same for long while another axis changes.
  fileprivate func stuckAxes(of channel: SensorChannel) -> [(name: String, run: StreamQuality.Run)] {
    guard let report = reports[channel], let quality = quality[channel], report.meanRate > 0 else { return [] }
    return zip(["x", "y", "z"], quality.axes).compactMap { name, axis in
      let run = axis.longestStuckRun
      // In correct recordings, sensors with a coarse resolution keep an axis for 0.3 s at most. Fields change slowly.
      let isStuck =
        channel == .magnetometer
        ? 10 * run.count > 9 * quality.count : Double(run.count) > 2 * report.meanRate
      return run.count >= 50 && isStuck ? (name, run) : nil
    }
  }

  /// Returns the longest run of equal samples if a sensor on a body cannot measure it, or `nil`.
  fileprivate func frozenRun(of channel: SensorChannel) -> StreamQuality.Run? {
    guard let report = reports[channel], let quality = quality[channel], report.meanRate > 0 else { return nil }
    let run = quality.longestConstantRun
    let length = Double(run.count) / report.meanRate
    let restTime = inspection.rest.report.phases.reduce(0) { $0 + $1.end - $1.start }
    // Sensors with a coarse resolution repeat their values for seconds while a device is at rest. A log that mostly
    // repeats one row is synthetic.
    let isMadeUp = [SensorChannel.gyroscope, .accelerometer].allSatisfy {
      self.quality[$0].map { 2 * $0.longestConstantRun.count > $0.count } ?? false
    }
    let isLong = run.count >= 50 && length >= 5 && 20 * run.count > quality.count
    return isLong && !isMadeUp && (channel == .gyroscope || restTime < 0.5 * length) ? run : nil
  }
}
