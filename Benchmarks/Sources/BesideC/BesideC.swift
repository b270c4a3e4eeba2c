// Our filters beside plain C in single precision: the same update on the same data in one process, taking turns.
// swift run --package-path Benchmarks -c release BesideC [TURNS]
import CReferenceFilters
import Foundation
import Inertial
import SimulatedLogs

@main struct BesideC {
  static func main() throws {
    let turns = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1]) ?? 41 : 41
    let log = NineAxisLog()
    let pairs: [Pair] = [
      Pair("mahony", axes: 9, log, try FilterKind.make("mahony"), reference: mahony9),
      Pair("madgwick", axes: 9, log, try FilterKind.make("madgwick"), reference: madgwick9),
      Pair("mahony", axes: 6, log, try FilterKind.make("mahony"), reference: mahony6),
      Pair("madgwick", axes: 6, log, try FilterKind.make("madgwick"), reference: madgwick6),
    ]
    print("\(log.rows.count) samples, \(turns) turns each; ns per sample, an attitude out after each")
    print("filter       axes   ours min median    C min median   ratio min median   max   apart (deg)")
    for pair in pairs { print(pair.measure(turns: turns)) }
  }
}

extension FilterKind {
  static func make(_ name: String) throws -> any AttitudeFilter {
    guard let kind = named(name) else { throw MissingFilter(name: name) }
    return try kind.make()
  }

  struct MissingFilter: Error { let name: String }
}

/// One filter of ours and its C rendering.
struct Pair {
  let name: String
  let axes: Int
  let log: NineAxisLog
  let singles: [SingleRow]
  let filter: any AttitudeFilter
  let reference: ([SingleRow], inout [reference_quaternion]) -> Void

  init(
    _ name: String, axes: Int, _ log: NineAxisLog, _ filter: any AttitudeFilter,
    reference: @escaping ([SingleRow], inout [reference_quaternion]) -> Void
  ) {
    (self.name, self.axes, self.log, self.filter, self.reference) = (name, axes, log, filter, reference)
    singles = log.rows.map(SingleRow.init)
  }

  func measure(turns: Int) -> String {
    var ours: [Double] = []
    var theirs: [Double] = []
    var attitudes = [Quaternion](repeating: .identity, count: singles.count)
    var references = [reference_quaternion](repeating: reference_quaternion(), count: singles.count)
    for _ in 0..<turns {
      var filter = filter
      ours.append(time { log.run(&filter, over: log.rows.indices, axes: axes, &attitudes) })
      theirs.append(time { reference(singles, &references) })
    }
    let ratios = zip(ours, theirs).map { $0 / $1 }.sorted()
    ours.sort()
    theirs.sort()
    let last = references[singles.count - 1]
    let single = Quaternion(x: Double(last.x), y: Double(last.y), z: Double(last.z), w: Double(last.w))
    let apart = attitudes[singles.count - 1].angle(to: single) * 180 / .pi
    return String(
      format: "%@ %4d %10.1f %6.1f %8.1f %6.1f %11.2f %6.2f %5.2f %13.4f",
      name.padding(toLength: 12, withPad: " ", startingAt: 0), axes, ours[0], ours[turns / 2], theirs[0],
      theirs[turns / 2], ratios[0], ratios[turns / 2], ratios[turns - 1], apart)
  }

  /// ns per row.
  private func time(_ body: () -> Void) -> Double {
    ContinuousClock().measure(body) / .nanoseconds(1) / Double(singles.count)
  }
}
