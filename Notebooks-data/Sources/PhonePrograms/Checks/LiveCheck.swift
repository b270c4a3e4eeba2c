import CoreMotionCompatibility
import Foundation

/// The same programs on a live stream: `inertial serve` takes a phone's samples while they are made, and the programs read
/// them from its page's address. They must count what they count where the log is played.
@MainActor enum LiveCheck {
  /// Times the log's own speed at which it is sent.
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
    report.check(live.tilt.gravityDeviation < 1e-9, "\(log.name): gravity stays where it is in the first pose")
  }

  /// Programs that are started, on raw updates and on device motion.
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

/// Waits for a source's end, and for what is in the main queue then.
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

/// `inertial serve`, which takes lines of samples on its standard input and ends with them.
private final class ServeProcess {
  private let process = Process()
  private let input = Pipe()
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("live-\(UUID().uuidString)")
  /// Its page's address.
  let page: String

  init(program: String) throws {
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = ["serve", "--port", "0", "--from", "-", "--once", "--recordings", folder.path]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    var told = ""
    while !told.contains("recordings ") {
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else { break }
      told += String(decoding: data, as: UTF8.self)
    }
    guard let line = told.split(separator: "\n").first(where: { $0.hasPrefix("page") }),
      let address = line.split(separator: " ").last
    else { throw LiveError(text: "\(program) serve does not begin: \(told)") }
    page = String(address)
  }

  /// Sends a log's lines from now on, at the times that they begin with.
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
