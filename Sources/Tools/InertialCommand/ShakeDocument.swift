import Inertial
import InertialSystem

/// The shakes of a log, as a JSON document, CSV rows, or a page.
struct ShakeDocument: Encodable {
  struct Event: Encodable {
    /// The start on the log's clock, in seconds.
    var start: Double
    var end: Double
    var phase: GesturePhase
    /// The word that data collectors use for the phase.
    var status: String
    /// The corresponding UIKit method.
    var method: String
    var detector: String
    var score: Double
    /// The axis of the shake: a unit vector in device axes with an arbitrary sign.
    var axis: [Double]
    /// The number of the detector's gestures that have ended, including this one.
    var count: Int
    var reason: Reason?

    init(_ event: GestureEvent) {
      (start, end, phase, detector) = (event.start, event.end, event.phase, event.detector)
      (score, count) = (event.score, event.count)
      (status, method) = (event.phase.shakeStatusName, event.phase.motionMethodName)
      axis = [event.axis.x, event.axis.y, event.axis.z]
      reason = event.reason.map { Reason($0) }
    }
  }

  /// A beginning, an end or a cancellation, at the time of its detection.
  struct Phase: Encodable {
    /// The time on the log's clock, in seconds.
    var time: Double
    var detector: String
    var phase: GesturePhase
    /// Same as for an event.
    var status: String
    var method: String
    var count: Int

    init(_ event: GestureEvent) {
      (time, detector, phase, count) = (event.time, event.detector, event.phase, event.count)
      (status, method) = (event.phase.shakeStatusName, event.phase.motionMethodName)
    }
  }

  /// The features that the reference detector measured at the gesture's best time.
  struct Reason: Encodable {
    /// The frequency in Hz.
    var frequency: Double?
    var reversals: Int
    /// The root-mean-square displacement, in m.
    var displacement: Double
    /// The root mean square of the user acceleration, in g.
    var energy: Double
    var axisShare: Double
    var periodicity: Double
    var rotationPeriodicity: Double?

    init(_ reason: ShakeReason) {
      (frequency, reversals, displacement) = (reason.frequency, reason.reversals, reason.displacement)
      (energy, axisShare, periodicity) = (reason.energy, reason.axisFraction, reason.periodicity)
      rotationPeriodicity = reason.rotationPeriodicity
    }
  }

  var input: String
  var format: String
  var source: MotionSource?
  var firstTime: Double
  var lastTime: Double
  /// All shakes in their final state.
  var events: [Event]
  /// The events that a phone would have reported, in chronological order.
  var phases: [Phase]
  /// The number of samples at which each detector's rule reported a shake.
  var detections: [String: Int]
  var warnings: [String]
  private let detectors: [String]

  private enum CodingKeys: CodingKey {
    case input, format, source, firstTime, lastTime, events, phases, detections, warnings
  }

  init(_ report: ShakeJob.Report, detectors: [String]) {
    input = report.log.description.path
    format = report.log.description.format
    source = report.source
    firstTime = report.firstTime ?? 0
    lastTime = report.lastTime ?? 0
    events = report.gestures.map { Event($0) }
    phases = report.phases.map { Phase($0) }
    detections = report.detections
    warnings = report.log.warnings
    self.detectors = detectors
  }

  func printCSV() {
    Page.standard.line("time,detector,phase,status,method,count")
    for phase in phases {
      Page.standard.line(
        "\(phase.time),\(phase.detector),\(phase.phase.rawValue),\(phase.status),\(phase.method),\(phase.count)")
    }
  }

  func print(on page: Page = .standard) {
    page.line("\(input): \(fixed(lastTime - firstTime, 1)) s, \(source?.meaning ?? "")")
    for warning in warnings { page.line("note: \(warning)", style: .yellow) }
    page.line("")
    if events.isEmpty {
      page.line("No shake.")
    } else {
      var table = TextTable(
        [.init("detector", 16, isLeft: true)]
          + ["start s", "end s", "score", "Hz", "axis x", "y", "z"].map { .init($0, 9) } + [
            .init(" phase", 0, isLeft: true)
          ])
      for event in events {
        table.add(
          event.detector, fixed(event.start, 2), fixed(event.end, 2), fixed(event.score, 2),
          event.reason?.frequency.map { fixed($0, 1) } ?? "-", fixed(event.axis[0], 2), fixed(event.axis[1], 2),
          fixed(event.axis[2], 2), " \(event.phase.rawValue)")
      }
      table.print(on: page)
    }
    page.line("")
    for name in detectors {
      let strip = strip(of: name, width: page.picture(beside: 24))
      page.line(padded(name, 16), strip, " \(count(of: name))", style: .blue)
    }
  }

  private func count(of detector: String) -> Int { events.count { $0.detector == detector && $0.phase == .ended } }

  private func strip(of detector: String, width: Int) -> String {
    var strip = TimeStrip(from: firstTime, to: lastTime, width: width)
    for event in events where event.detector == detector {
      strip.mark(from: event.start, to: event.end, event.phase == .ended ? "█" : "░")
    }
    return strip.text
  }
}
