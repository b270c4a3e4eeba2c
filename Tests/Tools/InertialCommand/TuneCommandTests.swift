import Testing

@Suite struct TuneCommandTests {
  private let runner = try! CommandRunner()

  private struct Document: Decodable {
    struct Parameter: Decodable {
      var name: String
      var value, defaultValue, least, largest: Double
    }
    var report: TuningReport
    var fitted: [Parameter]
    var fixed: [String: Double]
    var meanTrainingError, meanValidationError, meanStartError: Double
    var improvedRecordings, recordings: Int
    var arguments: String
  }

  /// A short search over the walks, with the same logs as `evaluate`.
  private static let arguments =
    ["tune", "persons"] + EvaluateCommandTests.reference
    + ["--filter", "complementary", "--parameters", "accelerationTimeConstant", "--budget", "6"]

  private func document(_ more: [String] = []) throws -> Document {
    try runner.check(Self.arguments + more + ["--json"]).decoded()
  }

  @Test("a parameter that is set under a classical name cannot be tuned, nor can a classical name")
  func namesOfOneParameter() throws {
    for index in 1...2 { try runner.simulate("walk", to: "\(index)", "--seed", "\(index)", "--duration", "6") }
    let common = ["tune", "1", "2", "--filter", "mahony", "--reference", "truth.csv", "--reference-frame", "nwu"]
    try runner.check(
      common + ["--parameters", "timeConstant", "--set", "kP=1"], status: 2,
      errors: "kP sets timeConstant, which is searched")
    try runner.check(common + ["--parameters", "kP"], status: 2, errors: "search timeConstant")
  }

  @Test("every recording is validated once, and the errors of the defaults match evaluate")
  func errors() throws {
    try EvaluateCommandTests.walks(runner, duration: "4")
    let document = try document(["--leave-one-out"])
    #expect(document.report.folds.count == 3 && document.recordings == 3)
    let csv = try runner.run(
      ["evaluate", "persons", "--filters", "complementary", "--no-cost", "--csv"] + EvaluateCommandTests.reference)
    let errors = Dictionary(
      uniqueKeysWithValues: csv.output.split(separator: "\n").dropFirst().map { line in
        let fields = line.split(separator: ",")
        return (String(fields[0]), Double(fields[2])!)
      })
    for recording in document.report.heldOut {
      let expected = try #require(errors[recording.recording])
      #expect(abs(recording.startError - expected) < 1e-9)
    }
    #expect(document.fitted.map(\.name) == ["accelerationTimeConstant"])
    #expect(document.fitted[0].least <= document.fitted[0].largest && document.fitted[0].defaultValue == 4)
    // The printed options give the training error of all recordings.
    let words = document.arguments.split(separator: " ").map(String.init)
    #expect(words[..<2] == ["--filter", "complementary"] && words[2] == "--set")
    let fitted = try runner.run(
      ["evaluate", "persons", "--filters", "complementary", "--no-cost", "--csv", "--summary"] + words[2...]
        + EvaluateCommandTests.reference)
    let fields = fitted.output.split(separator: "\n")[1].split(separator: ",")
    #expect(abs(Double(fields[2])! - document.report.trainingError) < 1e-3)
  }

  @Test("a clock offset is estimated once with the start parameters, and the start errors match evaluate")
  func clock() throws {
    try EvaluateCommandTests.walks(runner)
    for (index, name) in ["A/1", "A/2", "B/1"].enumerated() {
      try runner.shiftTimes(of: "persons/\(name)/truth.csv", by: 0.1 * Double(index + 1))
    }
    let start = ["--set", "startUpDuration=0.5"]
    let aligned = try document(["--leave-one-out", "--align-clock"] + start)
    let csv = try runner.run(
      ["evaluate", "persons", "--filters", "complementary", "--no-cost", "--csv", "--align-clock"] + start
        + EvaluateCommandTests.reference)
    let totals = csv.output.split(separator: "\n").dropFirst().map { Double($0.split(separator: ",")[2])! }
    #expect(totals.count == 3)
    for (recording, total) in zip(aligned.report.heldOut.sorted { $0.recording < $1.recording }, totals) {
      #expect(abs(recording.startError - total) < 1e-6)
    }
    #expect(try document(["--leave-one-out"] + start).meanStartError > aligned.meanStartError + 1)
    // The start of the search is reported.
    #expect(!aligned.report.startIsDefault && aligned.report.start == ["accelerationTimeConstant": 4])
    #expect(try document().report.startIsDefault)
  }

  @Test("the text output shows the validation, the result and the options to use")
  func table() throws {
    try EvaluateCommandTests.walks(runner, duration: "4")
    try runner.check(
      Self.arguments + ["--method", "cma-es", "--folds", "2", "-o", "out.json"], output: "2 folds over 3 recordings",
      "On unseen recordings", "no recording is left for validation",
      "--filter complementary --set accelerationTimeConstant=", "over the folds", lines: 0)
    let saved = try JSONDecoder().decode(Document.self, from: Data(try runner.read("out.json").utf8))
    #expect(saved.report.method == .covarianceMatrixAdaptation && saved.report.folds.count == 2)
    try runner.check(Self.arguments + ["-o", "out.json"], status: 2, errors: "out.json")
    try runner.check(Self.arguments + ["-o", "out.json", "--force"])
  }

  @Test("the same seed gives the same document")
  func reproducible() throws {
    try EvaluateCommandTests.walks(runner, duration: "3")
    let arguments = Self.arguments + ["--method", "cma-es", "--json", "--seed", "7"]
    #expect(try runner.run(arguments).output == runner.run(arguments).output)
  }

  @Test("groups are held out together, and given settings are kept")
  func groups() throws {
    try EvaluateCommandTests.walks(runner, duration: "3")
    try runner.write("*/A/*,Anna\n*,Bert\n", to: "groups.csv")
    let document = try document(["--groups", "groups.csv", "--set", "complementary.startUpDuration=0.5"])
    let groups = document.report.folds.map { Set($0.recordings.compactMap(\.group)) }
    #expect(groups.count == 2 && groups.allSatisfy { $0.count == 1 } && groups[0] != groups[1])
    #expect(document.fixed == ["startUpDuration": 0.5] && document.arguments.contains("--set startUpDuration=0.5"))
  }

  @Test("a search without validation on unseen recordings is rejected, with the reason")
  func refusals() throws {
    try EvaluateCommandTests.walks(runner, duration: "3")
    for (arguments, message) in [
      (["--validate", "none"], "a search needs validation"), (["--folds", "1"], "2 or more"),
      (["--folds", "2", "--leave-one-out"], "not both"), (["--folds", "9"], "9 folds need"),
      (["--parameters", "tauAcc"], "no parameter 'tauAcc'"), (["--budget", "0"], "above 0"),
      (["--budget", "2"], "too small"), (["--filter", "kalmann"], "no filter"),
      (["--align", "none", "--objective", "total"], "is undefined in xArbitrary"),
      (["--set", "tauAcc=1"], "no parameter 'tauAcc'"),
    ] {
      #expect(try runner.check(Self.arguments + arguments, status: 2, errors: message).output.isEmpty)
    }
    try runner.write("*,one\n", to: "groups.csv")
    try runner.check(
      Self.arguments + ["--groups", "groups.csv"], status: 2, errors: "at least 2 groups, and there is 1")
    try runner.check(
      ["tune", "persons/A/1/log.csv", "--filter", "mekf"] + EvaluateCommandTests.reference, status: 2,
      errors: "at least 2 recordings")
  }

  @Test("the inclination is tuned if X is arbitrary and no yaw is fitted")
  func inclination() throws {
    try EvaluateCommandTests.walks(runner, duration: "3")
    #expect(try document(["--align", "none"]).report.objective == .inclination)
  }

  @Test("filters are listed briefly, in detail, or as JSON, within 100 columns")
  func filters() throws {
    let (list, one) = (try runner.run("filters"), try runner.run("filters", "kalman"))
    let details = try runner.run("filters", "--details")
    for result in [list, one, details] {
      #expect(result.status == 0)
      #expect(result.output.split(separator: "\n").allSatisfy { $0.count <= 100 }, "\(result.output)")
    }
    for kind in FilterKind.all {
      #expect(list.output.contains(kind.name))
      for facts in kind.parameters { #expect(details.output.contains(facts.name)) }
    }
    #expect(list.output.contains("kalman (default)") && !list.output.contains("motionWeight"))
    #expect(one.output.contains("0 to 1000") && one.output.contains("source") && !one.output.contains("complementary"))
    let json = try runner.run("filters", "kalman", "--json")
    let document = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]])
    #expect(document.count == 1 && document[0]["isStandard"] as? Bool == true)
    let parameters = try #require(document[0]["parameters"] as? [[String: Any]])
    #expect(parameters.count == FilterKind.all["kalman"]?.parameters.count)
    #expect(
      parameters.allSatisfy {
        Set($0.keys).subtracting(["words"])
          == ["name", "unit", "defaultValue", "minimum", "maximum", "meaning"]
      })
    try runner.check("filters", "kalmann", status: 2, errors: "there is no filter 'kalmann'; use kalman")
  }
}
