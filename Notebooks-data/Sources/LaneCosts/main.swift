// What a sample costs a filter on its own, and filters in lockstep:
//
//   swift run --package-path Notebooks-data -c release LaneCosts [rows]
//
// and for the CPU of this machine with -Xswiftc -target-cpu -Xswiftc native -Xcc -march=native before the name. The
// ways are run by turns; printed are the least and the median time of a sample of one filter, of all rounds, the ratio
// of each round (median), and the largest difference of a quaternion's component from that of the filter on its own.
//
// On Linux with MALLOC_TRIM_THRESHOLD_=2000000000 MALLOC_MMAP_THRESHOLD_=2000000000 before it: the memory of results is
// kept from round to round then. To be given pages anew takes 20 to 30 ns a row, whoever writes to them.
import Foundation
import Inertial

let rowCount = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 12_000
let roundCount = 25

/// A device that is turned to and fro, 9 axes of one clock at 100 Hz.
func recording(_ number: Int) -> MotionColumns {
  var motion = MotionColumns()
  for row in 0..<rowCount {
    let (t, phase) = (Double(row) / 100, Double(number))
    motion.gyroscope.append(Vector3(0.5 * sin(1.3 * t + phase), 0.4 * cos(0.7 * t), 0.3 * sin(0.31 * t)), at: t)
    motion.accelerometer.append(Vector3(0.1 * sin(t + phase), 0.1 * cos(2 * t), -0.98), at: t)
    motion.magneticField.append(Vector3(20 + sin(t + phase), 3 * cos(0.3 * t), -40), at: t)
  }
  return motion
}

func largestDifference(_ some: [AttitudeColumns], _ others: [AttitudeColumns]) -> Double {
  var largest = 0.0
  for (a, b) in zip(some, others) {
    for row in b.firstKnownRow..<b.count {
      let (p, q) = (a.quaternions[row], b.quaternions[row])
      let difference = max(abs(p.x - q.x), abs(p.y - q.y), abs(p.z - q.z), abs(p.w - q.w))
      // Written so that NaN counts.
      if !(difference <= largest) { largest = difference }
    }
  }
  return largest
}

func measure<Filter: BankedFilter>(_ type: Filter.Type, _ motions: [MotionColumns]) throws {
  let defaults = Filter.Parameters()
  let ways: [(name: String, run: () throws -> [AttitudeColumns])] = [
    (
      "alone",
      {
        try motions.map {
          var filter = Filter(parameters: defaults)
          return try filter.estimates(of: $0)
        }
      }
    ),
    ("4 lanes", { try LaneBank<Filter>().estimates(of: motions, parameters: defaults) }),
    (
      "4 lanes, one recording",
      {
        try LaneBank<Filter>().estimates(
          of: motions[0], parameters: Array(repeating: defaults, count: motions.count))
      }
    ),
  ]
  var times = [[Double]](repeating: [], count: ways.count)
  var differences = [Double](repeating: 0, count: ways.count)
  let expected = try ways[0].run()
  for _ in 0..<roundCount {
    for (index, way) in ways.enumerated() {
      var result: [AttitudeColumns] = []
      let duration = try ContinuousClock().measure { result = try way.run() }
      times[index].append(duration / .nanoseconds(1) / Double(motions.count * rowCount))
      let isOne = index == 2
      differences[index] = max(
        differences[index],
        largestDifference(result, isOne ? Array(repeating: expected[0], count: motions.count) : expected))
    }
  }
  func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
  print("\(Filter.name):")
  for (index, way) in ways.enumerated() {
    let ratio = median(zip(times[0], times[index]).map { $0 / $1 })
    let figures = [times[index].min() ?? .nan, median(times[index]), ratio, differences[index]]
    let format = "%.1f ns at least, %.1f median, ratio %.2f, difference %.1e"
    print("  \(way.name): \(String(format: format, arguments: figures))")
  }
}

let motions = (0..<8).map(recording)
try measure(MahonyFilter.self, motions)
try measure(MadgwickFilter.self, motions)
try measure(ComplementaryFilter.self, motions)
try measure(VQF.self, motions)
