import CoreMotionCompatibility
import Testing

@testable import InertialJobs
@testable import InertialRecognition

/// Recordings of raw sensors and of a phone's own motion, with and without a barometer.
private let playedRecordings: [String] = [
  "iphone-xs/rec_2019-06-21_arkit", "activity/phyphox/2023-06-09_12-44-05-round1-subj1",
  "sensor-logger/galaxys25-ski", "tyrex/personB_iPhone5_NoDist_FrontPocket",
]

/// Tests that commands and managers read every recording in the same way, with the same input for recognisers.
@Suite("Consistent reading of real recordings", .serialized, .needs(.data)) struct LogFeedParityRecordingsTests {
  private struct Log {
    var path: String
    var options = LogOptions()

    /// The path relative to the folder of recordings.
    var name: String { String(path.dropFirst(TestData.url("").path.count)) }
  }

  /// Returns logs that need no options, and some that do.
  private func logs() throws -> [Log] {
    var logs = try LogFeed.find(at: TestData.url("").path).logs.map { Log(path: $0) }
    for name in ["u_03-shake-it-data.csv", "u_04-chop-it-data.csv"] {
      logs.append(Log(path: TestData.url("shake/" + name).path, options: with(LogOptions()) { $0.sampleRate = 25 }))
    }
    var walk = LogOptions()
    walk.columns = ["time", "accX", "accY", "accZ", "-", "-", "-"]
    (walk.accelerationUnit, walk.accelerationSign) = (.metersPerSecondSquared, .specificForce)
    walk.timeUnit = .nanoseconds
    logs.append(Log(path: TestData.url("steps/counted/user1_bag_1506423095164.csv").path, options: walk))
    return logs
  }

  // MARK: Samples

  private typealias Reading = Result<(samples: [SensorSample], others: [AuxiliarySample]), LogError>

  /// Reads a log as `fuse` does, in blocks on a separate thread.
  private func streamed(_ log: Log, needing channels: [SensorChannel]) -> Reading {
    var feed = LogFeed(path: log.path, options: log.options)
    feed.options.auxiliary = AuxiliaryChannel.ofLogs
    feed.readsAhead = true
    feed.neededChannels = channels
    var (samples, others): ([SensorSample], [AuxiliarySample]) = ([], [])
    return Result { () throws(LogError) in
      _ = try feed.run(
        start: { (_) throws(LogError) in (samples, others) = ([], []) },
        auxiliary: { (block) throws(LogError) in others += block },
        consume: { (block) throws(LogError) in samples += block })
      return (samples, others.inTimeOrder())
    }
  }

  private func played(_ log: Log) -> Reading {
    Result { () throws(LogError) in
      let source = try RecordingSource(path: log.path, options: log.options, speed: .infinity)
      return (source.recordedSamples, source.recordedAuxiliary)
    }
  }

  /// Returns whether two lists contain the same samples, with NaN equal to NaN.
  private func areSame(_ a: [SensorSample], _ b: [SensorSample]) -> Bool {
    a.count == b.count
      && zip(a, b).allSatisfy { p, q in
        p.time == q.time && p.channel == q.channel
          && zip([p.x, p.y, p.z, p.w], [q.x, q.y, q.z, q.w]).allSatisfy { $0 == $1 || ($0.isNaN && $1.isNaN) }
      }
  }

  @Test("a recording source has exactly the samples of fuse, or fails with the same message")
  func samples() throws {
    var (equal, refused, lacking) = (0, 0, 0)
    for log in try logs() {
      let needed: [SensorChannel] = [.accelerometer, .gyroscope]
      switch (streamed(log, needing: needed), played(log)) {
      case (.success(let a), .success(let b)):
        #expect(areSame(a.samples, b.samples), "\(log.name): \(a.samples.count) and \(b.samples.count) samples")
        #expect(!a.samples.isEmpty, "\(log.name)")
        #expect(a.others == b.others, "\(log.name): \(a.others.count) and \(b.others.count) samples of other channels")
        equal += 1
      case (.failure(let reason), .failure(let other)):
        #expect(reason.description == other.description, "\(log.name)")
        refused += 1
      case (.failure(let reason), .success(let b)):
        // A missing sensor does not affect the available samples.
        let words = needed.map { "the log has no \($0.name) samples" }
        #expect(words.contains { reason.description.contains($0) }, "\(log.name): \(reason)")
        let a = try streamed(log, needing: []).get()
        #expect(areSame(a.samples, b.samples) && a.others == b.others, "\(log.name)")
        lacking += 1
      case (.success, .failure(let reason)): Issue.record("\(log.name): \(reason)")
      }
    }
    print("one way: \(equal) recordings equal, \(refused) refused alike, \(lacking) without a sensor")
    #expect(equal > 100)
  }

  // MARK: Recognisers

  /// The reported properties of an activity.
  private struct ReportedActivity: Equatable {
    var start: Double
    var flags: [Bool]
    var confidence: Int

    init(_ activity: MotionActivity) {
      start = activity.start
      flags = [.unknown, .stationary, .walking, .running, .automotive, .cycling].map { activity.flags.contains($0) }
      confidence = MotionActivity.Confidence.allCases.firstIndex(of: activity.confidence)!
    }

    init(_ item: CMMotionActivity) {
      start = item.timestamp
      flags = [item.unknown, item.stationary, item.walking, item.running, item.automotive, item.cycling]
      confidence = item.confidence.rawValue
    }
  }

  private struct Walked: Equatable {
    var steps: Int
    var distance: Double?
    var floors: [Int?]

    init(_ data: PedometerData) {
      (steps, distance) = (data.numberOfSteps, data.distance)
      floors = [data.floorsAscended, data.floorsDescended]
    }

    init(_ data: CMPedometerData) {
      (steps, distance) = (data.numberOfSteps.intValue, data.distance?.doubleValue)
      floors = [data.floorsAscended?.intValue, data.floorsDescended?.intValue]
    }
  }

  private func walked(_ source: RecordingSource) async -> Walked? {
    let pedometer = CMPedometer(source: source)
    return await withCheckedContinuation { continuation in
      pedometer.queryPedometerData(from: .distantPast, to: .distantFuture) { data, _ in
        continuation.resume(returning: data.map { Walked($0) })
      }
    }
  }

  private func activities(_ source: RecordingSource) async -> [ReportedActivity] {
    let manager = CMMotionActivityManager(source: source)
    return await withCheckedContinuation { continuation in
      manager.queryActivityStarting(from: .distantPast, to: .distantFuture, to: OperationQueue()) { items, _ in
        continuation.resume(returning: (items ?? []).map { ReportedActivity($0) })
      }
    }
  }

  @Test("the steps and activities of a recording are the same from commands and managers")
  func recognised() async throws {
    var counts = (steps: 0, activities: 0)
    var sources: [MotionSource: Int] = [:]
    for log in try logs() {
      guard case .success(let read) = played(log), read.samples.contains(where: { $0.channel == .accelerometer }) else {
        continue
      }
      let source = try RecordingSource(path: log.path, options: log.options, speed: .infinity)
      let report = try with(StepsJob(input: log.path)) { $0.log = log.options }.run()
      let expected = Walked(report.history.query(from: -.infinity, to: .infinity))
      #expect(await walked(source) == expected, "\(log.name)")
      if let kind = report.source { sources[kind, default: 0] += 1 }
      counts.steps += 1
      let activity = with(ActivityJob(input: log.path)) { $0.log = log.options }
      let segments = try activity.run().segments.map { ReportedActivity($0) }
      #expect(await activities(source) == segments, "\(log.name)")
      counts.activities += segments.count
    }
    print("steps of \(counts.steps) recordings and their \(counts.activities) activities are equal; \(sources)")
    #expect(counts.steps > 100 && sources.count == 3)
  }

  /// A receiver that records the recognisers' input from a recording source.
  private final class Recognisers: SensorReceiver, @unchecked Sendable {
    private var feed: RecognitionFeed
    private(set) var inputs: [String] = []

    init(_ source: RecordingSource) { feed = RecognitionFeed(source) }

    func receive(_ event: SensorEvent) {
      switch event {
      case .samples(let samples): for sample in samples { feed.append(sample, note) }
      case .auxiliary(let samples): feed.add(samples.filter { ActivityPass.channels.contains($0.channel) })
      case .end: feed.finish(note)
      case .silence, .discontinuity: break
      }
    }

    private func note(_ input: RecognitionInput) { inputs.append("\(input)") }
  }

  @Test("a recording source and the command pass exactly the same input to recognisers", arguments: playedRecordings)
  func inputs(name: String) throws {
    let path = TestData.url(name).path
    var expected: [String] = []
    let feed = LogFeed(motionOf: path, auxiliary: ActivityPass.channels)
    _ = try feed.runMotion(
      restart: { expected = [] }, auxiliary: { expected.append("\(RecognitionInput.other($0))") },
      consume: { expected.append("\(RecognitionInput.motion($0))") })
    let source = try RecordingSource(path: path, speed: .infinity, isPaused: true)
    let receiver = Recognisers(source)
    let attachment = source.attach(receiver)
    source.resume()
    #expect(source.waitForEnd(timeout: 300))
    attachment.cancel()
    let index = zip(receiver.inputs, expected).enumerated().first { $1.0 != $1.1 }
    #expect(receiver.inputs == expected, "\(receiver.inputs.count), \(expected.count): \(String(describing: index))")
  }

  @Test("an activity manager in real time reports the updates of the command", arguments: playedRecordings)
  func live(name: String) throws {
    let path = TestData.url(name).path
    let updates = try ActivityJob(input: path).run().updates
    // A change of any flag is reported, including stairs.
    let expected = updates.enumerated().filter { index, activity in
      index == 0 || activity.flags != updates[index - 1].flags || activity.confidence != updates[index - 1].confidence
    }.map { ReportedActivity($0.element) }
    let source = try RecordingSource(path: path, speed: .infinity, isPaused: true)
    let (manager, queue) = (CMMotionActivityManager(source: source), OperationQueue())
    queue.maxConcurrentOperationCount = 1
    nonisolated(unsafe) var reported: [ReportedActivity] = []
    manager.startActivityUpdates(to: queue) { item in if let item { reported.append(ReportedActivity(item)) } }
    source.resume()
    #expect(source.waitForEnd(timeout: 300))
    queue.waitUntilAllOperationsAreFinished()
    manager.stopActivityUpdates()
    let difference = "\(zip(reported, expected).first { $0 != $1 } as Any)"
    #expect(reported == expected && reported.count > 1, "\(reported.count) and \(expected.count): \(difference)")
  }
}
