import Foundation
import Testing

/// Apps that wait for a recording on the main thread, each in a separate process, as tests have no main thread.
@Suite struct MainQueueTests {
  /// Returns the output of the app, which is terminated after a minute.
  private func output(_ handlers: String) throws -> String {
    let process = Process()
    process.executableURL = BuiltProduct.url("MainQueueApp")
    process.arguments = [handlers]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let hasEnded = eventually { !process.isRunning }
    if !hasEnded { process.terminate() }
    #expect(hasEnded, "\(handlers) does not end")
    return String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  }

  @Test(
    "handlers on the main queue are called while the main thread waits, and all have been called when the wait ends",
    arguments: ["operations", "realtime", "dispatch", "actor", "asynchronous"])
  func served(handlers: String) throws {
    #expect(try output(handlers) == "\(handlers): 100 of 100, end true\n")
  }

  @Test("within a block of the main queue the wait ends with its timeout, and outside it with all updates")
  func within() throws { #expect(try output("within") == "within: end false, then\nwithin: 100 of 100, end true\n") }
}
