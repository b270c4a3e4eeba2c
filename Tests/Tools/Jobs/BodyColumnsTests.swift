import Foundation
import Inertial
import Testing

@testable import InertialJobs

@Suite("Falls and posture beside the fusion")
struct BodyColumnsTests {
  /// A phone on the thigh at 100 Hz: walks, sits, gets up, walks, falls, lies.
  private final class Folder {
    let log = FileManager.default.temporaryDirectory.appendingPathComponent("body-\(UUID().uuidString).csv").path

    init() throws {
      var text = "time (s),accelerationX (g),accelerationY (g),accelerationZ (g),"
      text += "rotationRateX (rad/s),rotationRateY (rad/s),rotationRateZ (rad/s)\n"
      var generator = SeededGenerator(seed: 5)
      var angle = 0.0
      for index in 0..<4200 {
        let time = 0.01 * Double(index)
        let before = angle
        angle = Self.angle(time)
        let noise = Vector3(generator.normal(), generator.normal(), generator.normal())
        let acceleration = Self.norm(time) * Vector3(0, -cos(angle), -sin(angle)) + 0.005 * noise
        text += "\(time),\(acceleration.x),\(acceleration.y),\(acceleration.z),\((before - angle) / 0.01),0,0\n"
      }
      try text.write(toFile: log, atomically: true, encoding: .utf8)
    }

    deinit { try? FileManager.default.removeItem(atPath: log) }

    /// Of the thigh to the vertical, rad.
    private static func angle(_ time: Double) -> Double {
      func turn(_ start: Double, _ duration: Double) -> Double { max(0, min(1, (time - start) / duration)) }
      return 75 * .pi / 180 * (turn(15, 1) - turn(24, 1)) + .pi / 2 * turn(36, 0.6)
    }

    /// Of the acceleration, g.
    private static func norm(_ time: Double) -> Double {
      switch time {
      case 3..<15, 25..<34: 1 + 0.35 * sin(2 * .pi * 1.9 * time)
      case 36..<36.5: 0.55
      case 36.5..<36.62: 1 + 5 * sin(.pi * (time - 36.5) / 0.12)
      default: 1
      }
    }

    /// The fused motions.
    func motions() throws -> [DeviceMotion] {
      var configuration = DeviceMotionEstimator.Configuration()
      configuration.frame = .xArbitraryZVertical
      var estimator = try DeviceMotionEstimator(filter: FilterKind.named("vqf")!, configuration: configuration)
      var reader = try openLog(path: log)
      var samples: [SensorSample] = []
      while try reader.read(into: &samples) {}
      for sample in samples { estimator.append(sample) }
      estimator.finish()
      var motions: [DeviceMotion] = []
      while let motion = estimator.next() { motions.append(motion) }
      return motions
    }

    func fuse(_ change: (inout FusionOptions) -> Void) throws -> (FusedTable, FusionJob.Report) {
      var options = FusionOptions()
      options.recognitions = [.falls, .posture]
      options.motion.frame = .xArbitraryZVertical
      options.columns = try FusedColumn.named(["time", "fallCount", "fallScore", "posture"])
      change(&options)
      return try FusionJob(input: log, options: options).table { _ in }
    }
  }

  @Test("the columns tell the fall and the postures that 'inertial activity' tells, once they are known")
  func columns() throws {
    let folder = try Folder()
    let (table, _) = try folder.fuse { $0.placement = .thigh }
    var job = ActivityJob(input: folder.log)
    job.placement = .thigh
    let told = try job.run { _ in }
    let (times, posture) = (try #require(table["time"]), try #require(table["posture"]))

    let fall = try #require(told.falls.first)
    #expect(told.falls.count == 1 && abs(fall.impact - 36.55) < 0.1)
    let (counts, scores) = (try #require(table["fallCount"]), try #require(table["fallScore"]))
    let known = try #require(counts.firstIndex(of: 1))
    #expect(times[known] > fall.end && times[known] < fall.end + 1)
    #expect(counts[..<known].allSatisfy { $0 == 0 } && counts[known...].allSatisfy { $0 == 1 })
    #expect(scores[..<known].allSatisfy { $0.isNaN })
    #expect(scores[known...].allSatisfy { abs($0 - fall.score) < 0.02 })

    let segments = try #require(told.postures)
    #expect(
      segments.map(\.posture).filter { $0 != .unknown } == [.standing, .sittingOrLying, .standing, .sittingOrLying])
    for segment in segments where segment.end - segment.start > 3 {
      // A posture is told within two seconds.
      let code = Double(Posture.allCases.firstIndex(of: segment.posture)!)
      for (time, value) in zip(times, posture) where time > segment.start + 2.5 && time < segment.end - 0.1 {
        #expect(value == code, "\(segment.posture) at \(time) s")
      }
    }
  }

  @Test("what happened is told with its time, also anew behind a gap, and a posture that nobody knows is no event")
  func events() throws {
    let motions = try Folder().motions()
    #expect(motions.count > 4000)
    var stage = try #require(
      RecognitionStage([.falls, .posture], given: [.posture: PostureAnnotator(.thigh)], kept: .live))
    for turn in 1...2 {
      var events: [RecognisedEvent] = []
      for motion in motions {
        stage.update(motion)
        events += stage.takeEvents()
      }
      #expect(events.filter { $0.kind == .fall }.map(\.text) == ["fall"], "turn \(turn)")
      // The last posture is known when the log has ended.
      stage.restart()
      events += stage.takeEvents()
      let postures = events.filter { $0.kind == .posture }
      #expect(postures.map(\.text) == ["standing", "sittingOrLying", "standing", "sittingOrLying"], "turn \(turn)")
      #expect(zip(postures, postures.dropFirst()).allSatisfy { $0.end <= $1.start })
    }
    // Nobody has said where the device is worn.
    var unknown = PostureAnnotator()
    for motion in motions { unknown.update(motion) }
    #expect(unknown.values == [0])
  }

  @Test("where the device is worn has to be said")
  func placement() throws {
    let folder = try Folder()
    let error = #expect(throws: FusionError.self) { _ = try folder.fuse { _ in } }
    #expect("\(error as Any)".contains("--placement trunk or --placement thigh"))
  }
}
