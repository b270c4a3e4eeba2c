import CoreMotionCompatibility
import Foundation
import UIKitCompatibility

/// Checks the programs when the app leaves and enters the foreground at times of the recording, and the haptics.
@MainActor enum StateCheck {
  static func run(_ report: inout Report) async throws {
    report.note("\nStates of the app: shake.csv has bouts from 4 to 7, 11 to 14 and 18 to 21 s")
    let playback = try Playback(PhonePrograms.simulated("shake.csv"))
    let recorder = FeedbackRecorder()
    DeviceFeedback.setHandler { recorder.append($0) }
    let (player, screen, window) = (ShakePlayer(detector: .threshold(2.3)), ShakeScreen(), UIWindow())
    player.viewDidAppear()
    window.rootViewController = screen
    window.makeKeyAndVisible()

    await playback.play(upTo: 9)
    player.finish()
    let (first, shakes) = (player.skippedTitles, screen.ended)
    report.check(first > 0 && shakes == 1, "up to 9 s: \(first) titles skipped, \(shakes) shake")
    UIApplication.shared.setApplicationState(.background)
    report.check(!player.isListening, "in the background the player does not listen")
    await playback.play(upTo: 16)
    player.finish()
    report.check(
      player.skippedTitles == first && screen.ended == shakes, "up to 16 s, in the background: nothing is counted")
    UIApplication.shared.setApplicationState(.active)
    report.check(player.isListening, "in front the player listens again")
    await playback.play()
    player.finish()
    report.check(
      player.skippedTitles > first && screen.ended == 2 && screen.begun == 2 && screen.cancelled == 0,
      "to the end: \(player.skippedTitles - first) titles more, \(screen.ended - shakes) shake more")
    let felt: [DeviceFeedback] = [.impact(.medium, intensity: 1), .systemSound(1520)]
    report.check(recorder.all == [.preparation] + felt + felt, "felt and heard: \(recorder.all)")
    player.viewDidDisappear()
    window.rootViewController = nil
    DeviceFeedback.setHandler(nil)

    let again = try Playback(PhonePrograms.simulated("shake.csv"))
    let once = ShakePlayer(detector: .threshold(2.3), stopsAtFirstShake: true)
    once.viewDidAppear()
    await again.play()
    once.finish()
    report.check(once.skippedTitles == 1 && !once.isListening, "a player that stops at the first shake stops there")
    once.viewDidDisappear()
  }
}

private final class FeedbackRecorder: @unchecked Sendable {
  private let lock = NSLock()
  private var kept: [DeviceFeedback] = []

  var all: [DeviceFeedback] {
    lock.lock()
    defer { lock.unlock() }
    return kept
  }

  func append(_ feedback: DeviceFeedback) {
    lock.lock()
    kept.append(feedback)
    lock.unlock()
  }
}
