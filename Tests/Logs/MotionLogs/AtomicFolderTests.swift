import Foundation
import TestSupport
import Testing

@testable import InertialLogs

@Suite("Folders that are created completely") struct AtomicFolderTests {
  private let folder = TemporaryFolder()

  private func make(_ files: [String: String], _ name: String = "data", force: Bool = false) throws(OutputError) {
    let new = try AtomicFolder(path: folder.path(name), force: force)
    for (file, text) in files {
      if let slash = file.lastIndex(of: "/") { _ = try new.makeFolder(String(file[..<slash])) }
      try new.write(text, to: file)
    }
    try new.commit()
  }

  @Test("a folder appears with all its files, and is replaced as a unit")
  func replaced() throws {
    let new = try AtomicFolder(path: folder.path("data"))
    _ = try new.makeFolder("a/b")
    try new.write("1", to: "a/b/c.txt")
    #expect(!folder.contents.contains("data"))
    try new.commit()
    #expect(folder.contents == ["data"] && folder.text("data/a/b/c.txt") == "1")
    #expect(AtomicFolder.bytes(of: folder.path("data")) == 1)

    #expect(outputError { () throws(OutputError) in try make(["a/b/c.txt": "2"]) }?.kind == .exists)
    #expect(folder.text("data/a/b/c.txt") == "1")
    try make(["a/b/c.txt": "22", "d.txt": "3"], force: true)
    #expect(folder.text("data/a/b/c.txt") == "22" && folder.text("data/d.txt") == "3" && folder.contents == ["data"])
    #expect(AtomicFolder.bytes(of: folder.path("data")) == 3 && AtomicFolder.bytes(of: folder.path("none")) == nil)
  }

  @Test("files of other origin in a folder are never removed, not even with force")
  func foreign() throws {
    try make(["a.txt": "1"])
    folder.write("mine", to: "data/b.txt")
    let error = outputError { () throws(OutputError) in try make(["a.txt": "2"], force: true) }
    #expect(error?.problem == "has b.txt, which is not a file of the new folder")
    #expect(folder.text("data/a.txt") == "1" && folder.text("data/b.txt") == "mine" && folder.contents == ["data"])
  }

  @Test("an empty folder is used, a file is refused, and an abandoned folder leaves no files")
  func others() throws {
    try FileManager.default.createDirectory(atPath: folder.path("data"), withIntermediateDirectories: false)
    try make(["a.txt": "1"], "data/")
    #expect(folder.text("data/a.txt") == "1")
    folder.write("mine", to: "file")
    #expect(
      outputError { () throws(OutputError) in try make([:], "file", force: true) }?.problem.contains("is a file")
        == true)
    var dropped: AtomicFolder? = try AtomicFolder(path: folder.path("dropped"))
    _ = try dropped?.makeFolder("a/b")
    try dropped?.write("1", to: "a/b/c.txt")
    #expect(folder.contents.count == 3)
    dropped = nil
    #expect(folder.contents == ["data", "file"])
    #expect(outputError { () throws(OutputError) in try make([:], "none/x") }?.kind == .noFolder)
  }

  @Test("leftovers of an ended process are removed, those of a running process are not")
  func leftovers() throws {
    for process in [Int32.max, getpid()] {
      let path = folder.path(".data.partial-\(process)/a")
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      folder.write("1", to: ".data.partial-\(process)/a/b.txt")
    }
    AtomicFolder.removeLeftovers(of: folder.path("data"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [".data.partial-\(getpid())"])
  }
}

@Suite("Tables in styles other than CSV") struct TableStyleTests {
  private let folder = TemporaryFolder()

  @Test("a style has its separator and its representation of NaN, and plain columns have no exponents")
  func styles() throws {
    let rows: [[Double]] = [[0.00001, 1e-7, .nan], [-1.5e-8, -1.5e-8, 1e20], [1e-12, 0, -2], [2.5, 0.1 + 0.2, 3]]
    let bids = try NumberTableWriter(
      path: folder.path("t.tsv"), columns: ["a", "b", "c"], style: .bids, header: "", plainColumns: [0])
    for row in rows { try bids.append(row) }
    try bids.close()
    #expect(
      folder.text("t.tsv") == """
        0.00001\t1e-07\tn/a
        -0.000000015\t-1.5e-08\t1e+20
        0\t0\t-2
        2.5\t0.30000000000000004\t3

        """)
    let spaced = try NumberTableWriter(
      path: folder.path("t.txt"), columns: ["a", "b", "c"], digits: 3, style: .spaced, header: "# a b c\n")
    for row in rows { try spaced.append(row) }
    try spaced.close()
    #expect(folder.text("t.txt") == "# a b c\n1e-05 1e-07 nan\n-1.5e-08 -1.5e-08 1e+20\n1e-12 0 -2\n2.5 0.3 3\n")
  }

  @Test("the longest numbers without exponents fit, and read back exactly")
  func maximumLength() throws {
    let values = [-1.234567890123456e-9, 9.999999999999999e-9, -1.2345678901234567e-5, 0.9999999999999999, 1e-9]
    let table = try NumberTableWriter(path: folder.path("t"), columns: ["a"], header: "", plainColumns: [0])
    try table.append(values)
    try table.close()
    let lines = folder.text("t").split(separator: "\n")
    #expect(lines.allSatisfy { !$0.contains("e") } && lines.map { Double($0) } == values)
  }

  @Test("timestamps are whole nanoseconds of UNIX time, or of the log's clock")
  func nanoseconds() throws {
    for (epoch, lines) in [
      (1_700_000_000.25, "1700000000260000001,1,-0\n1700000000250000000,2,0.5\n"), (nil, "10000001,1,-0\n0,2,0.5\n"),
    ] as [(Double?, String)] {
      let table = try NumberTableWriter(
        nanoseconds: folder.path("n"), columns: ["a", "b"], epoch: epoch, force: true)
      try table.append([0.010000001, 1, -0.0])
      try table.append([0, 2, 0.5])
      try table.close()
      #expect(folder.text("n") == "#timestamp [ns],a,b\n" + lines)
    }
    let table = try NumberTableWriter(nanoseconds: folder.path("n"), columns: ["a"], epoch: nil, force: true)
    #expect(
      outputError { () throws(OutputError) in try table.append([1e12, 1]) }?.problem.contains("nanoseconds")
        == true)
  }

  @Test("noise is read from a file like Kalibr's, and a missing number is reported")
  func noise() throws {
    let noise = InertialNoise(
      gyroscopeNoiseDensity: 1e-3, gyroscopeRandomWalk: 2e-5, accelerometerNoiseDensity: 0.01,
      accelerometerRandomWalk: 3e-4)
    let path = folder.write("rostopic: /imu0\nupdate_rate: 200.0\n" + noise.lines, to: "imu.yaml")
    #expect(try InertialNoise(path: path) == noise)
    folder.write("gyroscope_noise_density: 1\naccelerometer_random_walk: -1\n", to: "imu.yaml")
    let error = logError { () throws(LogError) in try InertialNoise(path: path) }
    #expect(error?.problem == "there is no number gyroscope_random_walk")
  }
}
