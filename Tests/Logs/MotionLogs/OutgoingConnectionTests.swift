import Foundation
import TestSupport
import Testing

@testable import InertialLogs

@Suite("Answers of a phone's own server") struct OutgoingConnectionTests {
  /// Returns the document or the error of a server that sends one string, and then another until the client ends.
  private func answer(_ first: String, _ more: String = "") throws -> String {
    let listener = try openListener(host: "127.0.0.1", port: 0)
    let thread = Thread {
      var taken: (descriptor: Int32, peer: [UInt8])?
      while taken == nil {
        taken = takeConnection(listener.descriptor)
        usleep(1000)
      }
      guard let descriptor = taken?.descriptor else { return }
      // A connection that is closed before its request was read is reset.
      var request = [UInt8](repeating: 0, count: 4096)
      while recv(descriptor, &request, request.count, 0) < 0, errno == EAGAIN { usleep(1000) }
      var (text, isOpen) = (Array(first.utf8), true)
      while isOpen, !text.isEmpty {
        var rest = text[...]
        while isOpen, !rest.isEmpty {
          let count = rest.withUnsafeBytes { sendBytes(descriptor, $0) }
          if count > 0 { rest = rest.dropFirst(count) } else if errno == EAGAIN { usleep(1000) } else { isOpen = false }
        }
        text = Array(more.utf8)
      }
      close(descriptor)
      close(listener.descriptor)
    }
    thread.start()
    do throws(WebError) {
      return String(
        decoding: try OutgoingConnection.get(host: "127.0.0.1", port: listener.port, path: "/"), as: UTF8.self)
    } catch { return error.description }
  }

  @Test("a document has its length, chunks, or ends with the connection")
  func documents() throws {
    let head = "HTTP/1.1 200 OK\r\n"
    #expect(try answer(head + "Content-Length: 3\r\n\r\nabcd") == "abc")
    #expect(try answer(head + "\r\nabc") == "abc")
    let chunks = (0..<3000).map { "1;more\r\n\($0 % 10)\r\n" }.joined()
    #expect(try answer(head + "Transfer-Encoding: chunked\r\n\r\n\(chunks)0\r\n\r\n").utf8.count == 3000)
  }

  @Test("an endless head, line or document is an error", arguments: ["A: b\r\n", "A: \u{62}", "A", "\r\n\r\nabc"])
  func endless(_ more: String) throws {
    let text = try answer("HTTP/1.1 200 OK\r\n", String(repeating: more, count: 1000))
    #expect(text.contains("sends an endless") || text.contains("sends too many bytes"), "\(text.prefix(200))")
  }
}
