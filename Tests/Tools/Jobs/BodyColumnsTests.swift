internal import InertialRecognition
import Testing

@testable import InertialJobs

@Suite("Falls and posture in fused datasets") struct BodyColumnsTests {
  private let folder = Folder()
  /// A log of a phone on the thigh at 100 Hz: walking, sitting, getting up, walking, falling, lying.
  private struct Folder {
    private let folder = TemporaryFolder()
    let log: String

    init() {
      var text = "time (s),accelerationX (g),accelerationY (g),accelerationZ (g),"
      text += "rotationRateX (rad/s),rotationRateY (rad/s),rotationRateZ (rad/s)\n"
      var (generator, angle) = (SeededGenerator(seed: 5), 0.0)
      for index in 0..<4200 {
        let (time, before) = (0.01 * Double(index), angle)
        angle = Self.angle(time)
        let acceleration = Self.norm(time) * Vector3(0, -cos(angle), -sin(angle)) + generator.vector(0.005)
        text += "\(time),\(acceleration.x),\(acceleration.y),\(acceleration.z),\((before - angle) / 0.01),0,0\n"
      }
      log = folder.write(text, to: "log.csv")
    }

    /// Returns the angle between the thigh and the vertical, in radians.
    private static func angle(_ time: Double) -> Double {
      func turn(_ start: Double, _ duration: Double) -> Double { max(0, min(1, (time - start) / duration)) }
      return 75 * .pi / 180 * (turn(15, 1) - turn(24, 1)) + .pi / 2 * turn(36, 0.6)
    }

    /// Returns the magnitude of the acceleration, in g.
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
      let configuration = with(DeviceMotionEstimator.Configuration()) { $0.frame = .xArbitraryZVertical }
      var estimator = try DeviceMotionEstimator(filter: FilterKind.all["vqf"]!, configuration: configuration)
      var reader = try openLog(path: log)
      var samples: [SensorSample] = []
      while try reader.read(into: &samples) {}
      return estimator.motions(of: samples)
    }

    func fuse(_ change: (inout FusionOptions) -> Void) throws -> (FusedTable, FusionJob.Report) {
      var options = FusionOptions()
      (options.recognitions, options.motion.frame) = ([.falls, .posture], .xArbitraryZVertical)
      options.columns = try FusedColumn.named(["time", "fallCount", "fallScore", "posture"])
      change(&options)
      return try FusionJob(input: log, options: options).table { _ in }
    }
  }

  @Test("the columns contain the fall and the postures of 'inertial activity' as soon as they are known")
  func columns() throws {
    let (table, _) = try folder.fuse { $0.placement = .thigh }
    let reported = try with(ActivityJob(input: folder.log)) { $0.placement = .thigh }.run { _ in }
    let (times, posture) = (try #require(table["time"]), try #require(table["posture"]))

    let fall = try #require(reported.falls.first)
    #expect(reported.falls.count == 1 && abs(fall.impact - 36.55) < 0.1)
    let (counts, scores) = (try #require(table["fallCount"]), try #require(table["fallScore"]))
    let known = try #require(counts.firstIndex(of: 1))
    #expect(times[known] > fall.end && times[known] < fall.end + 1)
    #expect(counts[..<known].allSatisfy { $0 == 0 } && counts[known...].allSatisfy { $0 == 1 })
    #expect(scores[..<known].allSatisfy { $0.isNaN } && scores[known...].allSatisfy { abs($0 - fall.score) < 0.02 })

    let segments = try #require(reported.postures)
    #expect(
      segments.map(\.posture).filter { $0 != .unknown } == [.standing, .sittingOrLying, .standing, .sittingOrLying])
    for segment in segments where segment.end - segment.start > 3 {
      // A posture is detected within two seconds.
      let code = Double(Posture.allCases.firstIndex(of: segment.posture)!)
      for (time, value) in zip(times, posture) where time > segment.start + 2.5 && time < segment.end - 0.1 {
        #expect(value == code, "\(segment.posture) at \(time) s")
      }
    }
  }

  @Test("events have their times, are detected again after a restart, and do not include unknown postures")
  func events() throws {
    let motions = try folder.motions()
    #expect(motions.count > 4000)
    var stage = try #require(
      RecognitionStage([.falls, .posture], given: [.posture: PostureAnnotator(.thigh)], kept: [.falls, .posture]))
    for turn in 1...2 {
      var events: [RecognisedEvent] = []
      for motion in motions {
        stage.update(motion)
        events += stage.takeEvents()
      }
      #expect(events.filter { $0.kind == .fall }.map(\.text) == ["fall"], "turn \(turn)")
      // The last posture is known at the end of the log.
      stage.restart()
      events += stage.takeEvents()
      let postures = events.filter { $0.kind == .posture }
      #expect(postures.map(\.text) == ["standing", "sittingOrLying", "standing", "sittingOrLying"], "turn \(turn)")
      #expect(zip(postures, postures.dropFirst()).allSatisfy { $0.end <= $1.start })
    }
    // The placement of the device is unknown.
    var unknown = PostureAnnotator()
    var shake: GestureEvent?
    for motion in motions { unknown.update(MotionSample(motion), &shake) }
    #expect(unknown.values == [0])
  }

  @Test("the posture requires the placement of the device")
  func placement() throws {
    let error = #expect(throws: FusionError.self) { _ = try folder.fuse { _ in } }
    #expect("\(error as Any)".contains("--placement trunk or --placement thigh"))
  }
}
