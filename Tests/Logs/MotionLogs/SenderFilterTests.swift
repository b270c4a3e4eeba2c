import Foundation
import Testing

@testable import InertialLogs

@Suite("Admission of datagrams") struct SenderFilterTests {
  private func sender(_ last: UInt8, port: UInt16 = 5000) -> StreamSender {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("10.0.0.\(last)")
    var storage = sockaddr_storage()
    withUnsafeMutableBytes(of: &storage) { bytes in withUnsafeBytes(of: address) { bytes.copyMemory(from: $0) } }
    return StreamSender(storage)!
  }

  /// Returns the number of bytes to skip, followed by "new" for another sender, or `nil` for a refused datagram.
  private func accept(_ filter: inout SenderFilter, _ text: String, _ sender: StreamSender, at time: Double) -> String?
  {
    Array(text.utf8).withUnsafeBytes { filter.accept($0, of: sender, at: time) }
      .map { "\($0.skipping)\($0.isNew ? " new" : "")" }
  }

  @Test("one sender is heard at a time; another takes over if the first had no readable line or is silent")
  func oneSender() throws {
    var filter = try SenderFilter(SenderPolicy())
    #expect(accept(&filter, "stray", sender(1), at: 0) == "0 new")
    #expect(accept(&filter, "row", sender(2), at: 0.1) == "0 new")
    filter.hear()
    #expect(accept(&filter, "row", sender(1), at: 0.2) == nil)
    #expect(accept(&filter, "row", sender(2, port: 5001), at: 0.3) == nil)
    #expect(accept(&filter, "row", sender(2), at: 2) == "0")
    #expect(accept(&filter, "row", sender(1), at: 3.9) == nil)
    #expect(accept(&filter, "row", sender(1), at: 4) == "0 new")
    #expect(filter.refusedCount == 3 && filter.lastRefused?.description == "10.0.0.1:5000")
  }

  @Test("the first line must be the secret, and the sender the named machine")
  func secretsAndMachines() throws {
    var filter = try SenderFilter(SenderPolicy(from: "10.0.0.7", secret: "open sesame"))
    #expect(accept(&filter, "open sesame\nrow", sender(7), at: 0) == "12 new")
    #expect(accept(&filter, "open sesame\r\nrow", sender(7), at: 0) == "13")
    #expect(accept(&filter, "open sesame", sender(7), at: 0) == "11")
    for text in ["row", "", "open sesamerow", "open sesamf\nrow", "open sesam"] {
      #expect(accept(&filter, text, sender(7), at: 0) == nil, "\(text)")
    }
    #expect(accept(&filter, "open sesame\nrow", sender(8), at: 9) == nil)
    #expect(throws: LogError.self) { try SenderFilter(SenderPolicy(from: "no.such.host.invalid")) }
  }
}
