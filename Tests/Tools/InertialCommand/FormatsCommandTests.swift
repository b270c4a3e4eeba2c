import Testing

@Suite("inertial formats") struct FormatsCommandTests {
  private let runner = try! CommandRunner()

  @Test("every format is listed with its recognition and units, as a page or as JSON")
  func list() throws {
    let page = try runner.check("formats")
    for format in LogFormat.all { #expect(page.output.contains("\(format.id): \(format.title)\n")) }
    #expect(page.output.split(separator: "\n").allSatisfy { $0.count <= 110 })
    let json = try runner.run("formats", "--json")
    let documents = try #require(JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: String]])
    #expect(documents.map { $0["name"] } == LogFormat.all.map(\.id))
    #expect(documents.allSatisfy { $0["recognition"]?.isEmpty == false && $0["units"]?.isEmpty == false })
    #expect(documents.first { $0["name"] == "euroc" }?["kind"] == "folder")
  }

  @Test("a format is shown by its name; an unknown name is a usage error")
  func one() throws {
    let page = try runner.run("formats", "xsens")
    #expect(page.output.hasPrefix("xsens: Xsens and Movella export") && !page.output.contains("euroc"))
    try runner.check(
      "formats", "none", status: 2, errors: "there is no format 'none'; there are inertial-hdf5, broad-hdf5, ")
  }

  @Test("inspect reports the format of a log and the reason; --columns can start with a dash")
  func inspect() throws {
    let rows = (0..<50).map { "\($0),0.01,0.02,-1\n" }.joined()
    try Data((",x,y,z\n" + rows).utf8).write(to: runner.folder.appendingPathComponent("sub_1.csv"))
    try runner.check("inspect", "sub_1.csv", status: 1, errors: "--columns=-,accelerationX,accelerationY,accelerationZ")
    try runner.check(
      "inspect", "sub_1.csv", "--sample-rate", "50", "--columns", "-,accelerationX,accelerationY,accelerationZ",
      output: "canonical-csv: recognised by a header with", "time: row number / 50.0 Hz, by --sample-rate")
  }
}
