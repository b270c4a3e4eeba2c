import CoreMotionCompatibility
import Foundation
import Inertial
import TestSupport
import Testing

@testable import InertialJobs
@testable import InertialRecognition

/// Of a phone's raw sensors and of its own motion, with a barometer and without.
private let playedRecordings: [String] = [
  "iphone-xs/rec_2019-06-21_arkit", "activity/phyphox/2023-06-09_12-44-05-round1-subj1",
  "sensor-logger/galaxys25-ski", "tyrex/personB_iPhone5_NoDist_FrontPocket",
]

/// Every recording is read in one way, and recognisers are given the same of it, by commands and by managers.
@Suite(
  "One way into real recordings", .serialized,
  .needs(.data))
struct OneWayRecordingsTests {
  private struct Log {
    var path: String
    var options = LogOptions()

    /// Within the folder of recordings.
    var name: String { String(path.dropFirst(TestData.url("").path.count)) }
  }

  /// Those that say everything themselves, and some that do not.
  private func logs() throws -> [Log] {
    var logs = try LogFinder.find(at: TestData.url("").path).logs.map { Log(path: $0) }
    var shakes = LogOptions()
    shakes.sampleRate = 25
    for name in ["u_03-shake-it-data.csv", "u_04-chop-it-data.csv"] {
      logs.append(Log(path: TestData.url("shake/" + name).path, options: shakes))
    }
    var walk = LogOptions()
    walk.columns = ["time", "accX", "accY", "accZ", "-", "-", "-"]
    (walk.accelerationUnit, walk.accelerationSign) = (.metersPerSecondSquared, .specificForce)
    walk.timeUnit = .nanoseconds
    logs.append(Log(path: TestData.url("steps/counted/user1_bag_1506423095164.csv").path, options: walk))
    return logs
  }

  // MARK: Samples

  private enum Reading {
    case read([SensorSample], [AuxiliarySample])
    case refused(String)
  }

  /// As `fuse` reads a log: block by block, on a thread of its own.
  private func streamed(_ log: Log, needing channels: [SensorChannel]) -> Reading {
    var feed = LogFeed(path: log.path, options: log.options)
    feed.options.auxiliary = AuxiliaryChannel.ofLogs
    feed.readsAhead = true
    feed.neededChannels = channels
    var (samples, others): ([SensorSample], [AuxiliarySample]) = ([], [])
    do throws(LogError) {
      _ = try feed.run(
        start: { (_) throws(LogError) in (samples, others) = ([], []) },
        auxiliary: { (block) throws(LogError) in others += block },
        consume: { (block) throws(LogError) in samples += block })
      return .read(samples, others.inTimeOrder())
    } catch {
      return .refused(error.description)
    }
  }

  private func played(_ log: Log) -> Reading {
    do throws(LogError) {
      let source = try RecordingSource(path: log.path, options: log.options, speed: .infinity)
      return .read(source.recordedSamples, source.recordedAuxiliary)
    } catch {
      return .refused(error.description)
    }
  }

  /// Whether two lists have the same samples one by one; values that are not known are the same, too.
  private func areSame(_ a: [SensorSample], _ b: [SensorSample]) -> Bool {
    a.count == b.count
      && zip(a, b).allSatisfy { p, q in
        p.time == q.time && p.channel == q.channel
          && zip([p.x, p.y, p.z, p.w], [q.x, q.y, q.z, q.w]).allSatisfy { $0 == $1 || ($0.isNaN && $1.isNaN) }
      }
  }

  @Test("a recording is played with the samples that fuse takes, one by one, or refused in the same words")
  func samples() throws {
    var (equal, refused, lacking) = (0, 0, 0)
    for log in try logs() {
      let needed: [SensorChannel] = [.accelerometer, .gyroscope]
      switch (streamed(log, needing: needed), played(log)) {
      case (.read(let a, let others), .read(let b, let otherwise)):
        #expect(areSame(a, b) && !a.isEmpty, "\(log.name): \(a.count) and \(b.count) samples")
        #expect(others == otherwise, "\(log.name): \(others.count) and \(otherwise.count) samples of other channels")
        equal += 1
      case (.refused(let reason), .refused(let other)):
        #expect(reason == other, "\(log.name)")
        refused += 1
      case (.refused(let reason), .read(let b, let otherwise)):
        // What a log lacks is no fault of what it has.
        #expect(needed.contains { reason.contains("the log has no \($0.name) samples") }, "\(log.name): \(reason)")
        guard case .read(let a, let others) = streamed(log, needing: []) else { fatalError("read before") }
        #expect(areSame(a, b) && others == otherwise, "\(log.name)")
        lacking += 1
      case (.read, .refused(let reason)): Issue.record("\(log.name): \(reason)")
      }
    }
    print("one way: \(equal) recordings equal, \(refused) refused alike, \(lacking) without a sensor")
    #expect(equal > 100)
  }

  // MARK: Recognisers

  /// What is told of an activity.
  private struct Told: Equatable {
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

  private func activities(_ source: RecordingSource) async -> [Told] {
    let manager = CMMotionActivityManager(source: source)
    return await withCheckedContinuation { continuation in
      manager.queryActivityStarting(from: .distantPast, to: .distantFuture, to: OperationQueue()) { items, _ in
        continuation.resume(returning: (items ?? []).map { Told($0) })
      }
    }
  }

  @Test("steps and activities of a recording are the same by command and by manager")
  func recognised() async throws {
    var counts = (steps: 0, activities: 0)
    var sources: [MotionSource: Int] = [:]
    for log in try logs() {
      guard case .read(let samples, _) = played(log), samples.contains(where: { $0.channel == .accelerometer }) else {
        continue
      }
      let source = try RecordingSource(path: log.path, options: log.options, speed: .infinity)
      var steps = StepsJob(input: log.path)
      steps.log = log.options
      let report = try steps.run()
      let expected = Walked(report.history.query(from: -.infinity, to: .infinity))
      #expect(await walked(source) == expected, "\(log.name)")
      if let kind = report.source { sources[kind, default: 0] += 1 }
      counts.steps += 1
      var activity = ActivityJob(input: log.path)
      activity.log = log.options
      let segments = try activity.run().segments.map { Told($0) }
      #expect(await activities(source) == segments, "\(log.name)")
      counts.activities += segments.count
    }
    print("steps of \(counts.steps) recordings and their \(counts.activities) activities are equal; \(sources)")
    #expect(counts.steps > 100 && sources.count == 3)
  }

  /// What recognisers are given by a source that is played.
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

  @Test(
    "a source that is played gives recognisers what the command gives them, one by one",
    arguments: playedRecordings)
  func inputs(name: String) throws {
    let path = TestData.url(name).path
    var expected: [String] = []
    let feed = MotionSampleFeed(path: path, auxiliary: ActivityPass.channels)
    _ = try feed.run(
      restart: { expected = [] }, auxiliary: { expected.append("\(RecognitionInput.other($0))") },
      consume: { expected.append("\(RecognitionInput.motion($0))") })
    let source = try RecordingSource(path: path, speed: .infinity, isPaused: true)
    let receiver = Recognisers(source)
    let attachment = source.attach(receiver)
    source.resume()
    #expect(source.waitForEnd(timeout: 300))
    attachment.cancel()
    let place = zip(receiver.inputs, expected).enumerated().first { $1.0 != $1.1 }
    #expect(
      receiver.inputs == expected, "\(receiver.inputs.count), \(expected.count): \(String(describing: place))")
  }

  @Test(
    "live, a manager of activities tells what the command tells as the log goes on",
    arguments: playedRecordings)
  func live(name: String) throws {
    let path = TestData.url(name).path
    let updates = try ActivityJob(input: path).run().updates
    // A change of any flag is told, of stairs, too.
    let expected = updates.enumerated().filter { place, activity in
      place == 0 || activity.flags != updates[place - 1].flags || activity.confidence != updates[place - 1].confidence
    }.map { Told($0.element) }
    let source = try RecordingSource(path: path, speed: .infinity, isPaused: true)
    let manager = CMMotionActivityManager(source: source)
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    nonisolated(unsafe) var told: [Told] = []
    manager.startActivityUpdates(to: queue) { item in if let item { told.append(Told(item)) } }
    source.resume()
    #expect(source.waitForEnd(timeout: 300))
    queue.waitUntilAllOperationsAreFinished()
    manager.stopActivityUpdates()
    let difference = zip(told, expected).first { $0 != $1 }
    #expect(
      told == expected && told.count > 1, "\(told.count) and \(expected.count): \(String(describing: difference))")
  }
}
