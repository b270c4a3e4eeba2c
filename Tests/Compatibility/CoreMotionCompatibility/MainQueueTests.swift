import Foundation
import TestSupport
import Testing

/// Apps that wait for a recording on the main thread, each a process of its own, as tests have no main thread.
@Suite struct MainQueueTests {
  /// What the app prints; it is ended after a minute.
  private func output(_ handlers: String) throws -> String {
    let process = Process()
    process.executableURL = BuiltProduct.url("MainQueueApp")
    process.arguments = [handlers]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let hasEnded = eventually { !process.isRunning }
    if !hasEnded { process.terminate() }
    #expect(hasEnded, "\(handlers) waits for ever")
    return String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  }

  @Test(
    "handlers on the main queue are called while the main thread waits, and all have been when it returns",
    arguments: ["operations", "realtime", "dispatch", "actor", "asynchronous"])
  func served(handlers: String) throws {
    #expect(try output(handlers) == "\(handlers): 100 of 100, end true\n")
  }

  @Test("within a block of the main queue the wait ends with its timeout, and outside everything comes")
  func within() throws {
    #expect(try output("within") == "within: end false, then\nwithin: 100 of 100, end true\n")
  }
}
