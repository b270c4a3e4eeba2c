#if os(Linux)
  import Testing

  /// Files that would exhaust the memory of a naive reader. The tests of the readers have more of them.
  @Suite("The command rejects hostile inputs with little memory", .serialized) struct HostileInputCommandTests {
    private let runner = try! CommandRunner()

    /// The data limit of the whole process, including libraries, in KiB.
    private static let limit = 200_000

    @Test("a small log, and a larger one that resembles an archive bomb, are read within the limit")
    func sound() throws {
      try runner.write(CanonicalLog.text(), to: "log.csv")
      #expect(try runner.run(["inspect", "log.csv"], memoryLimit: Self.limit).status == 0)
      // Sixty million line ends after the rows.
      var long = Data(CanonicalLog.text().utf8)
      long.append(Data(repeating: 0x0A, count: 60_000_000))
      try long.write(to: runner.folder.appendingPathComponent("long.csv"))
      #expect(try runner.run(["inspect", "long.csv"], memoryLimit: Self.limit).status == 0)
    }

    @Test(
      "a file without rows, without line ends or with a million levels gives a one-line error",
      arguments: [
        ("zeros", "", "\0"), ("line.csv", "", "1"), ("names.csv", "", "accelerationX,"),
        ("quotes.csv", CanonicalLog.header, "\""), ("deep.json", "", "["),
        ("records.json", "{\"motionRecords\":[{\"recordTimestamp\":1},", "{\"a\":"),
        ("string.json", "[{\"sensor\":\"Gyroscope\",\"seconds_elapsed\":\"", "9"),
      ])
    func refused(name: String, start: String, piece: String) throws {
      var data = Data(start.utf8)
      let block = Data(String(repeating: piece, count: 1 << 16).utf8)
      while data.count < 60_000_000 { data.append(block) }
      try data.write(to: runner.folder.appendingPathComponent(name))
      for subcommand in ["inspect", "fuse"] {
        let result = try runner.run([subcommand, name], memoryLimit: Self.limit)
        #expect(result.status == 1 && result.errorLines.count == 1 && result.output.isEmpty, "\(result.errors)")
      }
      #expect(try runner.files() == [name])
    }
  }
#endif
