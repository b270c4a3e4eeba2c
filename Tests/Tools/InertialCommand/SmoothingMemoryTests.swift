import Testing

#if os(Linux)
  /// The data of the backward pass is stored on disk.
  @Suite("Memory of --smooth") struct SmoothingMemoryTests {
    private let runner = try! CommandRunner()

    private func write(_ log: String, rows: Int) throws {
      let lines = (0..<rows).map { row in
        "\(Double(row) / 100),0.0123456,0.0234567,-1.0012345,0.0011111,\(Double(row % 97) * 1e-5),0.0022222\n"
      }
      try runner.write(CanonicalLog.motionHeader + lines.joined(), to: log)
    }

    /// The peak memory of a run until its last rows are written, in kB, and the bytes of the rows.
    private func run(_ log: String, folder: String) throws -> (peak: Int, rows: Data) {
      let output = Pipe()
      let process = try runner.start(
        ["fuse", log, "-o", "-", "--filter", "vqf", "--smooth", "--columns-out", "time,yaw,gyroscopeBiasX"],
        output: output, environment: ["TMPDIR": folder])
      var peak = 0
      var rows = Data()
      // The process exists while there is output to read.
      while let piece = try output.fileHandleForReading.read(upToCount: 1 << 16), !piece.isEmpty {
        rows += piece
        if let status = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8),
          let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
          let now = Int(line.filter(\.isNumber))
        {
          peak = now
        }
      }
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
      return (peak, rows)
    }

    @Test("memory does not grow with the log, and no file is left")
    func bounded() throws {
      let folder = runner.path("spill")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      try write("short.csv", rows: 140_000)
      try write("long.csv", rows: 320_000)
      let (short, long) = (try run("short.csv", folder: folder), try run("long.csv", folder: folder))
      #expect(short.peak > 0)
      // In memory, 180,000 additional rows took 80 MB.
      #expect(long.peak - short.peak < 8_000, "\(short.peak) kB for 140,000 rows, \(long.peak) kB for 320,000")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }

    @Test("without disk space the data stays in memory, and the rows are the same")
    func withoutRoom() throws {
      let folder = runner.path("spill")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      try write("short.csv", rows: 60_000)
      let spilled = try run("short.csv", folder: folder)
      let kept = try run("short.csv", folder: runner.path("nowhere"))
      #expect(spilled.rows == kept.rows && !kept.rows.isEmpty)
    }
  }
#endif
