import CoreMotionCompatibility
import Foundation
import UIKitCompatibility

/// Runs every shake detector over a log at once.
@MainActor enum ShakeCounts {
  static let names = [
    "> 2 g", "> 2.3 g", "> 3 g", "low-pass", "reversals", userAcceleration, "old", "UIKit", "cancelled",
  ]
  /// The detector on fused data. A slight change of the filter may add or remove one shake in a hundred.
  private static let userAcceleration = "user > 1"

  /// The expected counts for simulated logs: three bouts of 3 s each; a walk; a smooth rotation through all attitudes.
  private static let expected: [(name: String, counts: [Int])] = [
    ("shake.csv", [9, 9, 9, 9, 12, 18, 3, 3, 0]),
    ("walk.csv", [0, 0, 0, 0, 0, 0, 0, 0, 0]),
    ("random-spline.csv", [0, 0, 0, 0, 0, 0, 0, 0, 0]),
  ]
  /// The expected counts for device motion at 25 Hz of shaking or steering people, and for a carried phone.
  private static let recorded: [(path: String, rate: Double?, counts: [Int])] = [
    ("shake/u_03-shake-it-data.csv", 25, [93, 89, 69, 92, 101, 152, 100, 7, 0]),
    ("shake/u_04-shake-it-data.csv", 25, [96, 91, 85, 101, 102, 174, 65, 4, 0]),
    ("shake/u_03-drive-it-data.csv", 25, [1, 0, 0, 65, 0, 1, 0, 0, 0]),
    ("iphone-xs/rec_2019-06-21_arkit", nil, [0, 0, 0, 0, 0, 0, 0, 0, 0]),
  ]

  static func run(_ logs: [Log], _ report: inout Report) async throws {
    report.note("Shakes: threshold of |a|, low-pass and reversals of raw acceleration on a separate queue; user")
    report.note("acceleration; the old accelerometer; UIKit's motionEnded and motionCancelled")
    report.note("         " + Report.row("", names))
    for log in logs { report.note("         " + Report.row(log.name, try await count(log).map(String.init))) }
    guard logs.isEmpty else { return }
    for (name, counts) in expected { try await check(PhonePrograms.simulated(name), counts, &report) }
    for (path, rate, counts) in recorded {
      guard let log = PhonePrograms.recording(path, sampleRate: rate) else {
        return report.note("recordings are left out: INERTIAL_DATA does not name their folder")
      }
      try await check(log, counts, tolerance: 0.02, &report)
    }
  }

  private static func check(
    _ log: Log, _ expected: [Int], tolerance: Double = 0, _ report: inout Report
  ) async throws {
    let counts = try await count(log)
    let isRight = zip(names, zip(counts, expected)).allSatisfy { name, pair in
      let allowed = name == userAcceleration ? tolerance * Double(pair.1) : 0
      return Double(abs(pair.0 - pair.1)) <= allowed
    }
    report.check(isRight, Report.row(log.name, counts.map(String.init)))
    if !isRight { report.note("         " + Report.row("should be", expected.map(String.init))) }
  }

  static func count(_ log: Log) async throws -> [Int] {
    let playback = try Playback(log)
    let players = [
      ShakePlayer(detector: .threshold(2)), ShakePlayer(detector: .threshold(2.3)),
      ShakePlayer(detector: .threshold(3)),
      ShakePlayer(detector: .lowPass(0.3)), ShakePlayer(detector: .reversals(0.5)),
    ]
    let (push, old, screen, window) = (ShakePush(threshold: 1), OldShakeCounter(), ShakeScreen(), UIWindow())
    for player in players { player.viewDidAppear() }
    push.start()
    old.start()
    window.rootViewController = screen
    window.makeKeyAndVisible()
    await playback.play()
    for player in players {
      player.finish()
      player.viewDidDisappear()
    }
    push.stop()
    old.stop()
    window.rootViewController = nil
    return players.map(\.skippedTitles) + [push.count, old.count, screen.ended, screen.cancelled]
  }
}
