import TestSupport
import Testing

@testable import InertialLogs

@Suite("Checksums of inputs") struct InputChecksumTests {
  private let folder = TemporaryFolder()

  @Test("the checksums of a file and of a folder's files match those of gzip and zip")
  func checksum() {
    // The check value of the CRC-32 of ISO 3309.
    folder.write("123456789", to: "b.txt")
    folder.write("", to: "a.txt")
    #expect(CyclicChecksum.ofFile(folder.path("b.txt")) == "cbf43926")
    #expect(CyclicChecksum.lines(of: folder.path("b.txt")) == ["b.txt cbf43926"])
    #expect(CyclicChecksum.lines(of: folder.path) == ["a.txt 00000000", "b.txt cbf43926"])
    #expect(CyclicChecksum.lines(of: folder.path("none")) == [])
  }
}
