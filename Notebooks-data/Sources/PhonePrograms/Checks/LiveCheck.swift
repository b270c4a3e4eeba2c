import CoreMotionCompatibility
import Foundation

/// Checks the programs on a live stream: `inertial serve` receives a phone's samples in real time, and the programs read
/// them from its page's address. Their counts must match the counts of a played log.
@MainActor enum LiveCheck {
  /// The factor of the log's speed at which it is sent.
  private static let speed = 10.0

  static func run(_ report: inout Report) async throws {
    report.note("\nLive: the samples of inertial serve, beside the same log played")
    guard let folder = ProcessInfo.processInfo.environment["INERTIAL_BIN"], !folder.isEmpty else {
      return report.note("left out: INERTIAL_BIN does not name the folder of the command inertial")
    }
    let log = PhonePrograms.simulated("shake.csv")
    let playback = try Playback(log)
    let played = Programs()
    await playback.play()
    played.stop()

    let server = try ServeProcess(program: folder + "/inertial")
    let source = try MotionSensors.source(server.page)
    MotionSensors.setDefault(source)
    let listener = EndListener()
    let hold = source.attach(listener)
    let live = Programs()
    try server.send(log.path, speed: speed)
    await listener.waitForEnd()
    hold.cancel()
    live.stop()
    server.end()
    let text = "\(live.counts) as \(played.counts): titles skipped, shakes of the user acceleration, attitudes"
    report.check(live.counts == played.counts && live.counts[0] == 9, "\(log.name): \(text)")
    report.check(live.tilt.gravityDeviation < 1e-9, "\(log.name): gravity stays constant in the first pose")
  }

  /// Running programs, on raw updates and on device motion.
  @MainActor private final class Programs {
    let player = ShakePlayer(detector: .threshold(2.3))
    let push = ShakePush(threshold: 1)
    let tilt = TiltView()

    init() {
      player.viewDidAppear()
      push.start()
      tilt.start()
    }

    var counts: [Int] { [player.skippedTitles, push.count, tilt.updates] }

    func stop() {
      player.finish()
      player.viewDidDisappear()
      push.stop()
      tilt.stop()
    }
  }
}

/// Waits for a source's end, and for the pending operations of the main queue.
private final class EndListener: SensorReceiver, @unchecked Sendable {
  private let condition = NSCondition()
  private var hasEnded = false

  func receive(_ event: SensorEvent) {
    guard case .end = event else { return }
    condition.withLock {
      hasEnded = true
      condition.broadcast()
    }
  }

  func waitForEnd() async {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { [self] in
        condition.withLock { while !hasEnded { condition.wait() } }
        OperationQueue.main.addOperation { continuation.resume() }
      }
    }
  }
}

/// A process of `inertial serve`, which reads lines of samples from standard input and ends with them.
private final class ServeProcess {
  private let process = Process()
  private let input = Pipe()
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("live-\(UUID().uuidString)")
  /// The address of the page.
  let page: String

  init(program: String) throws {
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = ["serve", "--port", "0", "--from", "-", "--once", "--recordings", folder.path]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    var reported = ""
    while !reported.contains("recordings ") {
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else { break }
      reported += String(decoding: data, as: UTF8.self)
    }
    guard let line = reported.split(separator: "\n").first(where: { $0.hasPrefix("page") }),
      let address = line.split(separator: " ").last
    else { throw LiveError(text: "\(program) serve does not begin: \(reported)") }
    page = String(address)
  }

  /// Sends a log's lines at the times in their first column, relative to the call.
  func send(_ path: String, speed: Double) throws {
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    let handle = input.fileHandleForWriting
    Thread.detachNewThread {
      let begun = Date()
      for line in lines {
        let time = line.prefix { $0 != "," }
        if let seconds = Double(time) { Thread.sleep(until: begun.addingTimeInterval(seconds / speed)) }
        handle.write(Data((line + "\n").utf8))
      }
      try? handle.close()
    }
  }

  func end() {
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }
}

private struct LiveError: Error {
  var text: String
}
