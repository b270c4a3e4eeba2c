internal import InertialJobs
internal import InertialLogs
internal import InertialSensors

/// The findings of `inspect`, as tables and facts of the page.
enum InspectionGrids {
  typealias Grid = RecordingContent.Grid

  /// Returns the table of the motion sensors' clocks.
  static func clocks(_ log: LogSummary) -> Grid {
    var grid = Grid(
      caption: "Sampling of each channel",
      columns: [
        .init(name: "channel"), .init(name: "samples", digits: 0), .init(name: "rate", unit: "Hz", digits: 2),
        .init(name: "median interval", unit: "ms", digits: 3), .init(name: "jitter", unit: "ms", digits: 3),
        .init(name: "gaps", digits: 0), .init(name: "in gaps", unit: "s", digits: 2),
        .init(name: "missing or invalid", digits: 0), .init(name: "out of order", digits: 0),
        .init(name: "repeated", digits: 0),
      ], rows: [])
    for channel in SensorChannel.allCases {
      guard let report = log.reports[channel] else { continue }
      let quality = log.quality[channel]
      grid.rows.append([
        .text(channel.name), .number(Double(report.used)), .number(report.meanRate),
        .number(quality.map { $0.medianInterval * 1000 }), .number(report.jitter * 1000),
        .number(Double(report.gaps)), .number(quality?.gapTime),
        .number(Double(report.missing + report.invalid)),
        .number(Double(report.outOfOrder)), .number(Double(report.collapsed + report.retimedCount)),
      ])
    }
    for (channel, report) in log.auxiliary.sorted(by: { $0.key < $1.key }) {
      grid.rows.append([
        .text(channel.name), .number(Double(report.used)), .number(channel.isEvent ? nil : report.meanRate),
        .number(nil), .number(nil), .number(nil), .number(nil), .number(Double(report.missing + report.invalid)),
        .number(Double(report.outOfOrder)), .number(Double(report.collapsed)),
      ])
    }
    return grid
  }

  /// Returns the table of each axis's extremes, which reveal clipping.
  static func values(_ log: LogSummary) -> Grid {
    var grid = Grid(
      caption:
        "The range of each axis, and the fraction of changed samples at its ends: a large fraction indicates clipping",
      columns: [
        .init(name: "channel"), .init(name: "axis"), .init(name: "unit"), .init(name: "smallest", digits: 4),
        .init(name: "at smallest", unit: "%", digits: 2), .init(name: "largest", digits: 4),
        .init(name: "at largest", unit: "%", digits: 2), .init(name: "step", digits: 6),
      ], rows: [])
    for channel in SensorChannel.allCases {
      guard let quality = log.quality[channel] else { continue }
      let total = Double(max(quality.changeCount, 1))
      for (name, axis) in quality.namedAxes {
        grid.rows.append([
          .text(channel.name), .text(name), .text(channel.unit), .number(axis.smallest),
          .number(100 * Double(axis.atSmallest) / total), .number(axis.largest),
          .number(100 * Double(axis.atLargest) / total), .number(axis.step),
        ])
      }
    }
    return grid
  }
}
