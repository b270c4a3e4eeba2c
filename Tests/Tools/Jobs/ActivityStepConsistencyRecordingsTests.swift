import Testing

@testable import InertialJobs

/// Tests that `inertial activity` and `inertial steps` agree on recordings from every set, sampled with a seed. `make
/// study NAME=recognisers` evaluates all recordings.
@Suite("Consistency of activities and steps on real recordings", .serialized, .needs(.data))
struct ActivityStepConsistencyRecordingsTests {
  private typealias Job = (input: String, log: LogOptions)

  /// The number of recordings per folder.
  private static let sample = 5

  private static func jobs() throws -> [Job] {
    var jobs: [Job] = []
    var generator = SeededGenerator(seed: 26)
    func add(
      _ folder: String, _ log: LogOptions = LogOptions(), where isWanted: (String) -> Bool = { _ in true }
    ) throws {
      let names = try TestData.names(in: folder) { $0 != "labels.csv" && isWanted($0) }
      for name in names.shuffled(using: &generator).prefix(sample) { jobs.append(("\(folder)/\(name)", log)) }
    }
    try add("rides", .raw("rides"))
    try add("tyrex", where: { $0.hasPrefix("person") })
    try add("activity/phyphox", where: { $0.contains("subj") })
    try add("evaluation-only/cycling")
    try add("evaluation-only", where: { $0 == "driving" })
    for kind in ["climb", "descend", "elevator_up", "elevator_down", "stay"] {
      try add("evaluation-only/floors/\(kind)")
    }
    try add("broad", where: { $0.hasSuffix(".hdf5") })
    try add("iphone-xs", where: { $0.hasPrefix("rec_2019-06-1") })
    try add("sensor-logger", where: { $0.contains("-") })
    try add("indoor-walks", where: { $0.hasSuffix(".txt") })
    try add("steps/counted", .raw("steps/counted"), where: { $0.hasSuffix(".csv") })
    for folder in try TestData.names(in: "steps/footswitch").shuffled(using: &generator).prefix(sample) {
      try add("steps/footswitch/\(folder)", .raw("steps/footswitch"), where: { $0 == "accelerometer.csv" })
    }
    return jobs
  }

  /// Returns the maximum difference of consecutive times.
  private func maximumGap(_ times: [Double]) -> Double {
    zip(times, times.dropFirst()).map { $1 - $0 }.max() ?? 0
  }

  @Test("in 90 % of the recordings walks have no ten seconds without steps, rides no steps, and runs no walk's cadence")
  func contradictions() throws {
    var (count, found) = (0, [String]())
    for job in try Self.jobs() {
      let path = TestData.url(job.input).path
      var (activity, pedometer) = (ActivityJob(input: path), StepsJob(input: path))
      (activity.log, pedometer.log) = (job.log, job.log)
      let (segments, steps) = (try activity.run().segments, try pedometer.run().history.steps.map(\.time))
      count += 1
      var walk: (start: Double, end: Double)?
      func close() {
        guard let (start, end) = walk else { return }
        let gap = maximumGap([start] + steps.filter { $0 > start && $0 < end } + [end])
        if gap > 10 { found.append("\(job.input): walks without steps for \(gap) s from \(start) s") }
        walk = nil
      }
      for segment in segments {
        let inside = steps.filter { $0 >= segment.start && $0 <= segment.end }
        if !segment.flags.isDisjoint(with: [.walking, .running]) {
          if let last = walk?.end, segment.start - last > 0.01 { close() }
          walk = (walk?.start ?? segment.start, segment.end)
        } else {
          close()
        }
        if segment.flags.isRide, !inside.isEmpty { found.append("\(job.input): \(inside.count) steps in a ride") }
        let intervals = zip(inside, inside.dropFirst()).map { $1 - $0 }.sorted()
        if segment.flags.contains(.running), intervals.count >= 10, intervals[intervals.count / 2] > 0.5 {
          found.append("\(job.input): runs with \(1 / intervals[intervals.count / 2]) steps per second")
        }
      }
      close()
    }
    print("\(count) recordings, \(found.count) contradictions")
    for line in found { print(line) }
    // What the model classifies as gait with certainty remains a walk for which the pedometer finds no steps.
    #expect(count > 50 && 10 * found.count <= count, "\(found)")
  }
}
