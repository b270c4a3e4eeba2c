#if HDF5
  import Foundation
  import Sensors
  import Testing

  @testable import MotionLogs

  @Suite struct HDF5FuzzTests {
    /// Reads a damaged file; every outcome but samples or a `LogError` ends the process.
    private func outcome(of bytes: [UInt8], at url: URL, limit: Int) -> Int {
      try! Data(bytes).write(to: url)
      do throws(LogError) {
        let samples = try readAll(BROADLogReader(path: url.path))
        #expect(samples.count <= limit)
        return samples.count
      } catch {
        #expect(!error.problem.isEmpty && !error.description.contains("\n"))
        return 0
      }
    }

    @Test(
      "whatever happens to an HDF5 file's bytes, it is read or refused",
      arguments: [HDF5TestFile.Storage.contiguous, .chunkedDeflate], [false, true])
    func mutations(storage: HDF5TestFile.Storage, isLatestFormat: Bool) throws {
      let folder = TemporaryFolder()
      let url = folder.url.appendingPathComponent("trial.hdf5")
      var file = HDF5TestFile.broad(rows: 10)
      file.storage = storage
      file.isLatestFormat = isLatestFormat
      file.write(to: url)
      let original = Array(try Data(contentsOf: url))
      print("SIZE", original.count)
      var mutator = LogMutator(seed: 1)
      var read = 0
      for i in 0..<10_000 {
        let bytes = mutator.mutate(original, isText: false)
        if ProcessInfo.processInfo.environment["FUZZTRACE"] != nil {
          try! Data(bytes).write(
            to: URL(fileURLWithPath: "/tmp/hdf5fuzz/last-\(storage)-\(isLatestFormat).h5"));
          try! "\(i)".write(
            toFile: "/tmp/hdf5fuzz/i-\(storage)-\(isLatestFormat)", atomically: false, encoding: .utf8)
        }
        if outcome(of: bytes, at: url, limit: original.count * 100) > 0 { read += 1 }
      }
      print("READ", read)
    }
  }
#endif
