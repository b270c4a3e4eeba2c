import Foundation

/// Checks the relative attitude: gravity rotated back to the first pose must stay constant for any rotation.
@MainActor enum TiltCheck {
  static func run(_ logs: [Log], _ report: inout Report) async throws {
    report.note("\nRelative attitude: attitude.multiply(byInverseOf: reference)")
    for log in logs { try await check(log, needsTurn: false, &report) }
    guard logs.isEmpty else { return }
    for log in ["walk.csv", "random-spline.csv", "shake.csv"] {
      try await check(PhonePrograms.simulated(log), needsTurn: true, &report)
    }
    if let log = PhonePrograms.recording("iphone-xs/rec_2019-06-21_arkit") {
      try await check(log, needsTurn: true, &report)
    }
  }

  private static func check(_ log: Log, needsTurn: Bool, _ report: inout Report) async throws {
    let playback = try Playback(log)
    let view = TiltView()
    view.start()
    await playback.play()
    view.stop()
    let (roll, pitch, yaw) = view.largest
    let angles = String(format: "roll %.0f°, pitch %.0f°, yaw %.0f°", roll, pitch, yaw)
    let text =
      "\(view.updates) updates, largest \(angles); gravity moves by \(String(format: "%.0e", view.gravityDeviation))"
    let isRight = view.gravityDeviation < 1e-9 && (!needsTurn || (view.updates > 1000 && max(roll, pitch, yaw) > 5))
    report.check(isRight, "\(log.name): \(text)")
  }
}
