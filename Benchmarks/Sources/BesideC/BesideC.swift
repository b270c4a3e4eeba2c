// Compares Inertial's filters with plain C in single precision: alternating runs on the same data in one process.
// swift run --package-path Benchmarks -c release BesideC [TURNS]
import CReferenceFilters
import Foundation
import Inertial
import SimulatedLogs

@main struct BesideC {
  static func main() throws {
    let turns = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1]) ?? 41 : 41
    let log = NineAxisLog()
    let (mahony, madgwick) = (try FilterKind.all.known("mahony").make(), try FilterKind.all.known("madgwick").make())
    let pairs: [Pair] = [
      Pair("mahony", .step(Mahony()), axes: 9, log, reference: mahony9),
      Pair("madgwick", .step(Madgwick()), axes: 9, log, reference: madgwick9),
      Pair("mahony", .step(Mahony()), axes: 6, log, reference: mahony6),
      Pair("madgwick", .step(Madgwick()), axes: 6, log, reference: madgwick6),
      Pair("mahony", .filter(mahony), axes: 9, log, reference: mahony9),
      Pair("madgwick", .filter(madgwick), axes: 9, log, reference: madgwick9),
      Pair("mahony", .filter(mahony), axes: 6, log, reference: mahony6),
      Pair("madgwick", .filter(madgwick), axes: 6, log, reference: madgwick6),
    ]
    print(
      """
      \(log.rows.count) samples, \(turns) turns each; ns per sample, an attitude out after each
      step: the update that the C function computes, and nothing else
      filter: the same after the start-up, the checks of every sample, rest, gaps and lost samples
      """)
    print("algorithm    ours   axes   ours min median    C min median   ratio min median   max   apart (deg)")
    for pair in pairs { print(pair.measure(turns: turns)) }
  }
}

/// The part of Inertial's filter that is timed.
enum Ours {
  /// The mathematics only: a step from one state to the next with the samples of one epoch.
  case step(any SteppedAlgorithm)
  /// The filter for recorded logs, as made by the registry.
  case filter(any AttitudeFilter)

  var name: String {
    switch self {
    case .step: "step"
    case .filter: "filter"
    }
  }

  func run(_ log: NineAxisLog, axes: Int, _ attitudes: inout [Quaternion]) {
    switch self {
    case .step(let algorithm): log.run(algorithm, axes: axes, &attitudes)
    case .filter(var filter): log.run(&filter, over: log.rows.indices, axes: axes, &attitudes)
    }
  }
}

/// A filter and its C implementation.
struct Pair {
  let name: String
  let ours: Ours
  let axes: Int
  let log: NineAxisLog
  let singles: [SingleRow]
  let reference: ([SingleRow], inout [reference_quaternion]) -> Void

  init(
    _ name: String, _ ours: Ours, axes: Int, _ log: NineAxisLog,
    reference: @escaping ([SingleRow], inout [reference_quaternion]) -> Void
  ) {
    (self.name, self.ours, self.axes, self.log, self.reference) = (name, ours, axes, log, reference)
    singles = log.rows.map(SingleRow.init)
  }

  func measure(turns: Int) -> String {
    var times: [Double] = []
    var referenceTimes: [Double] = []
    var attitudes = [Quaternion](repeating: .identity, count: singles.count)
    var references = [reference_quaternion](repeating: reference_quaternion(), count: singles.count)
    for _ in 0..<turns {
      times.append(time { ours.run(log, axes: axes, &attitudes) })
      referenceTimes.append(time { reference(singles, &references) })
    }
    let ratios = zip(times, referenceTimes).map { $0 / $1 }.sorted()
    times.sort()
    referenceTimes.sort()
    let last = references[singles.count - 1]
    let single = Quaternion(x: Double(last.x), y: Double(last.y), z: Double(last.z), w: Double(last.w))
    let apart = attitudes[singles.count - 1].angle(to: single) * 180 / .pi
    return String(
      format: "%@ %@ %4d %10.1f %6.1f %8.1f %6.1f %11.2f %6.2f %5.2f %13.4f",
      name.padding(toLength: 12, withPad: " ", startingAt: 0),
      ours.name.padding(toLength: 6, withPad: " ", startingAt: 0), axes, times[0], times[turns / 2],
      referenceTimes[0], referenceTimes[turns / 2], ratios[0], ratios[turns / 2], ratios[turns - 1], apart)
  }

  /// Returns the time per row, in nanoseconds.
  private func time(_ body: () -> Void) -> Double {
    ContinuousClock().measure(body) / .nanoseconds(1) / Double(singles.count)
  }
}
