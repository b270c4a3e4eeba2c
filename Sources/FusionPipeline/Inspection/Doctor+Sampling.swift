internal import Sensors

extension Doctor {
  /// What a channel's clock and its values' marks tell.
  func samplingFindings(_ channel: SensorChannel) -> [String] {
    guard let report = summary.reports[channel], let quality = summary.quality[channel], quality.count > 0 else {
      return []
    }
    return holes(channel, report, quality) + stamps(channel, report, quality) + marks(channel, quality)
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
          + "\(rounded(longest.duration)) s at \(rounded(longest.time)) s\(line): attitude is held there and uncertain "
          + "after; see fuse --gaps.")
    }
    return found
  }

  private func stamps(_ channel: SensorChannel, _ report: ChannelReport, _ quality: StreamQuality) -> [String] {
    if report.setApart * 100 > report.count {
      return [
        "\(quality.sameTimeCount) \(channel.name) samples share a time stamp with the one before, up to "
          + "\(quality.longestBurst.count) in a row: the logger stamps blocks, so their spacing is lost."
      ]
    }
    if let length = quality.blockLength {
      return [
        "The \(channel.name) is stamped in blocks of \(length) evenly spaced samples with a jump between: stamps of "
          + "arrival, spread over the block."
      ]
    }
    let interval = quality.medianInterval
    if interval > 0, report.jitter > 0.5 / max(report.meanRate, 1e-9) {
      return [
        "The \(channel.name)'s intervals vary by \(rounded(report.jitter * 1000)) ms around "
          + "\(rounded(interval * 1000)) ms: stamps of arrival rather than of measurement?"
      ]
    }
    return []
  }

  private func marks(_ channel: SensorChannel, _ quality: StreamQuality) -> [String] {
    guard channel != .calibratedMagneticField else { return [] }
    var found = clipping(channel, quality)
    if quality.zeroCount * 50 > quality.count {
      found.append(
        "\(quality.zeroCount) of \(quality.count) \(channel.name) samples are exactly zero (the longest run of "
          + "\(quality.longestZeroRun.count) at \(rounded(quality.longestZeroRun.time)) s): a sensor that slept, or is "
          + "missing.")
    } else if channel != .magnetometer, quality.longestConstantRun.count > 50 {
      let run = quality.longestConstantRun
      found.append(
        "The \(channel.name) repeats the same values \(run.count) times in a row at \(rounded(run.time)) s: a sensor "
          + "that slept or was held.")
    }
    return found
  }

  /// Ends of an axis's range that values pile up at, and that lie far from the usual values.
  private func clipping(_ channel: SensorChannel, _ quality: StreamQuality) -> [String] {
    var found: [String] = []
    for (axis, name) in zip(quality.axes, ["x", "y", "z"]) {
      let ends = [
        (axis.smallest, axis.atSmallest, axis.isPiledAtSmallest), (axis.largest, axis.atLargest, axis.isPiledAtLargest),
      ]
      for (limit, count, isPiledUp) in ends
      where isPiledUp && count * 10_000 > quality.count && abs(limit) > 2 * quality.norms.median {
        found.append(
          "The \(channel.name)'s \(name) is exactly \(rounded(limit)) \(channel.unit) \(count) times: it looks clipped "
            + "at the end of its range.")
      }
    }
    return found
  }
}
