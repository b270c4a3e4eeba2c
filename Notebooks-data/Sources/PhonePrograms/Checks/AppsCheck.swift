import CoreMotionCompatibility
import Foundation
import PhoneProgramsSwift5
import UIKitCompatibility

/// Checks the programs in the manner of public apps: a shake screen, a dashboard, a composable wrapper, a pedometer, a
/// sampler of workouts and a model on the main actor.
@MainActor enum AppsCheck {
  static func run(_ report: inout Report) async throws {
    report.note("\nPrograms in the manner of public apps, in the Swift 5 and in the Swift 6 language mode")
    try await checkShakes(&report)
    try await checkDashboard(&report)
    try await checkClient(&report)
    try await checkSteps(&report)
    try await checkSampler(&report)
    try await checkLevel(&report)
  }

  private static func checkShakes(_ report: inout Report) async throws {
    let playback = try Playback(PhonePrograms.simulated("shake.csv"))
    let (screen, window) = (ShakeViewController(), UIWindow())
    window.rootViewController = screen
    window.makeKeyAndVisible()
    runTimers()
    await playback.play()
    let isDone = await eventually { screen.vibrations == screen.shakes && screen.ticks > 0 }
    report.check(screen.shakes == 3 && isDone, "shake screen: \(screen.shakes) shakes, as many vibrations, a timer")
    let wasOn = UIApplication.shared.isIdleTimerDisabled
    UIApplication.shared.setApplicationState(.inactive)
    report.check(wasOn && screen.pauses == 1, "shake screen: the old name of a notification stops it")
    UIApplication.shared.setApplicationState(.active)
    window.rootViewController = nil
  }

  /// Runs the next timer of this thread: an asynchronous main function serves the main queue, but no timers.
  private static func runTimers() { _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 1)) }

  private static func checkDashboard(_ report: inout Report) async throws {
    let playback = try Playback(PhonePrograms.simulated("outing.csv"))
    let (screen, window) = (DashboardViewController(), UIWindow())
    window.rootViewController = screen
    window.makeKeyAndVisible()
    await playback.play()
    screen.finish()
    let names: Set = [
      "accelerometer", "gyroscope", "magnetometer", "motion", "altitude", "activity", "pedometer", "headphones",
      "connected", "disconnected",
    ]
    let isDone = await eventually { names.isSubset(of: screen.counts.keys) }
    let text = screen.counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    report.check(isDone, "dashboard: \(text)")
    report.check(
      screen.proximities == [true, false] && !screen.orientations.isEmpty && screen.charge > 0,
      "dashboard: proximity \(screen.proximities), \(screen.orientations.count) orientations, charge \(screen.charge)")
    screen.stop()
    window.rootViewController = nil
  }

  private static func checkClient(_ report: inout Report) async throws {
    let playback = try Playback(PhonePrograms.simulated("walk.csv"))
    let client = MotionClient.live
    let stub = MotionClient.stub([MotionValue(timestamp: 1, roll: 2, gravity: [0, 0, -1])])
    // Within the buffer of the stream, which is unlimited, as the recording is played as fast as possible.
    let stream = client.updates(0)
    await playback.play()
    var count = 0
    for try await motion in stream where motion.gravity.count == 3 {
      count += 1
      if count == 2400 { break }
    }
    var stubbed: [MotionValue] = []
    for try await motion in stub.updates(0) { stubbed.append(motion) }
    report.check(
      client.isAvailable() && count == 2400 && stubbed.count == 1, "composable wrapper: \(count) values, and a stub's")
    MotionSensors.setDefault(RecordingSource(samples: []))
    var failure: (any Error)?
    do { for try await _ in MotionClient.live.updates(0) {} } catch { failure = error }
    report.check(failure as? MotionClient.Failure == .notAvailable, "composable wrapper: fails without sensors")
  }

  private static func checkSteps(_ report: inout Report) async throws {
    let playback = try Playback(PhonePrograms.simulated("walk.csv"))
    let model = StepsModel()
    model.start()
    // The log has just been opened and has no date: the day so far contains it.
    model.loadToday()
    await playback.play()
    let isDone = await eventually { model.today > 0 && model.live >= 43 && model.counted >= 43 }
    let text = "\(model.today) steps of the day, \(model.live) live, \(model.counted) counted, \(model.activities)"
    report.check(
      isDone && (43...47).contains(model.today) && (43...47).contains(model.live)
        && model.activities.contains("walking") && model.lastError == nil && model.distance ?? 0 > 10,
      "pedometer: \(text)")
    model.stop()
  }

  private static func checkSampler(_ report: inout Report) async throws {
    let playback = try Playback(PhonePrograms.simulated("walk.csv"))
    let sampler = WorkoutSampler()
    let start = Date()
    sampler.start(duration: 10)
    async let accelerations = sampler.accelerationBatches()
    async let peaks = sampler.motionBatches()
    let isActive = await eventually { sampler.isActive }
    await playback.play()
    let (counts, rates) = try await (accelerations, peaks)
    report.check(
      isActive && counts == [100, 100, 100] && rates.count == 3, "batched sensors: \(counts), \(rates.count) of motion")
    let norms = sampler.recorded(from: start.addingTimeInterval(-1), to: Date().addingTimeInterval(60))
    let mean = norms.reduce(0, +) / Double(max(1, norms.count))
    report.check(
      (495...505).contains(norms.count) && abs(mean - 1) < 0.1, "recorder: \(norms.count) samples, mean \(mean) g")
    report.check(sampler.fallDates.isEmpty, "fall detection: no fall in a walk")
    sampler.stop()
  }

  private static func checkLevel(_ report: inout Report) async throws {
    let playback = try Playback(PhonePrograms.simulated("walk.csv"))
    let model = LevelModel()
    model.start()
    await playback.play()
    model.finish()
    let isDone = await eventually { model.updates == 2400 && model.activities > 0 }
    report.check(isDone, "model on the main actor, handlers on a queue: \(model.updates) motions, no trap")
    model.stop()
  }
}
