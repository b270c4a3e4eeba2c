import Foundation
import InertialFilters
import Testing

@testable import InertialResearch

/// Parameter searches with known errors instead of a filter's errors.
@Suite struct ParameterSearchTests {
  private static let names = ["accelerationTimeConstant", "magneticTimeConstant"]

  private func search(_ change: (inout ParameterSearch) -> Void = { _ in }) throws -> ParameterSearch {
    let kind = try #require(FilterKind.all["complementary"])
    var search = try ParameterSearch(kind, parameters: Self.names)
    (search.budget, search.division) = (150, .folds(3))
    change(&search)
    return search
  }

  private let units = (0..<6).map { ParameterSearch.Unit(name: "log \($0)", group: nil) }

  /// A bowl whose minimum differs slightly between recordings: 2 octaves above the defaults, and 1 below.
  private let bowl = ParallelObjective { point, index in
    let shift = 0.1 * Double(index - 2)
    return 1 + (point[0] - 2 - shift) * (point[0] - 2 - shift) + (point[1] + 1) * (point[1] + 1)
  }

  @Test(
    "both methods find the minimum and report it in the parameters' own units",
    arguments: ParameterSearch.Method.allCases)
  func finds(_ method: ParameterSearch.Method) async throws {
    let report = try await search {
      $0.method = method
      $0.budget = 400
    }.run(units, bowl) { _ in }
    // The mean of the six minima is at 2.05 and −1: 4 s · 2^2.05, 20 s / 2.
    #expect(abs(report.settings["accelerationTimeConstant"]! / (4 * pow(2, 2.05)) - 1) < 1e-3)
    #expect(abs(report.settings["magneticTimeConstant"]! / 10 - 1) < 1e-3)
    #expect(report.meanValidationError < report.meanStartError && report.improvedCount == 6)
  }

  @Test("every recording is reported once, evaluated with parameters that were fitted without it")
  func heldOut() async throws {
    let report = try await search().run(units, bowl) { _ in }
    #expect(report.folds.count == 3 && report.heldOut.map(\.recording).sorted() == units.map(\.name))
    let scales = try Self.names.map { name in
      SearchScale(try #require(FilterKind.all["complementary"]!.parameters.first { $0.name == name }))
    }
    for fold in report.folds {
      let point = zip(Self.names, scales).map { $1.coordinate(of: fold.settings[$0]!) }
      for recording in fold.recordings {
        let index = try #require(units.firstIndex { $0.name == recording.recording })
        #expect(abs(recording.error - bowl.error(point, index)) < 1e-9)
        #expect(recording.startError == bowl.error([0, 0], index))
      }
      // The minimum of the training recordings, not of all.
      let training = (0..<6).filter { index in !fold.recordings.contains { $0.recording == "log \(index)" } }
      let bottom = training.reduce(0) { $0 + 2 + 0.1 * Double($1 - 2) } / Double(training.count)
      #expect(abs(point[0] - bottom) < 1e-3)
    }
    #expect(report.meanValidationError > report.meanTrainingError)
  }

  @Test("overfitting shows in the validation error, but not in the training error")
  func overfitting() async throws {
    // Each recording has a separate minimum, far from the others': parameters that fit one do not fit another.
    let pits = ParallelObjective { point, index in
      let centre = index.isMultiple(of: 2) ? 1.0 : -1.0
      return 2 - exp(-8 * (point[0] - centre) * (point[0] - centre)) + 0.001 * point[1] * point[1]
    }
    let odd = ["A", "B", "A", "B", "A", "B"]
    let grouped = zip(units, odd).map { ParameterSearch.Unit(name: $0.name, group: $1) }
    let report = try await search { $0.division = .leaveOneOut }.run(grouped, pits) { _ in }
    #expect(report.meanTrainingError < 1.01 && report.meanValidationError > 1.99)
  }

  @Test("the same seed yields the same report, regardless of the order in which the cores finish")
  func reproducible() async throws {
    for method in ParameterSearch.Method.allCases {
      let search = try search { $0.method = method }
      let first = try await search.run(units, bowl) { _ in }
      // The later recordings finish first.
      let delayed = ParallelObjective { point, index in
        usleep(UInt32(300 * (6 - index)))
        return bowl.error(point, index)
      }
      #expect(try await search.run(units, delayed) { _ in } == first)
    }
    let one = try await search { $0.method = .covarianceMatrixAdaptation }.run(units, bowl) { _ in }
    let other = try await search {
      $0.method = .covarianceMatrixAdaptation
      $0.seed = 2
    }.run(units, bowl) { _ in }
    #expect(one.folds != other.folds)
  }

  @Test("a search never ends with a larger error than at its start")
  func neverWorse() async throws {
    let cliff = ParallelObjective { point, _ in distance(point, [0, 0]) < 1e-12 ? 1 : .nan }
    for method in ParameterSearch.Method.allCases {
      let report = try await search { $0.method = method }.run(units, cliff) { _ in }
      #expect(report.trainingError == 1 && report.meanValidationError == 1 && report.improvedCount == 0)
      #expect(abs(report.settings["magneticTimeConstant"]! - 20) < 1e-9)
    }
  }

  @Test("parameters that are set are kept, and a searched one starts at its setting")
  func fixedSettings() async throws {
    let report = try await search {
      $0.settings = ["biasBound": 0.1, "accelerationTimeConstant": 16]
    }.run(units, bowl) { _ in }
    #expect(report.settings["biasBound"] == 0.1 && report.heldOut.allSatisfy { $0.startError < 2.2 })
  }

  @Test("progress increases from one search to the next and ends at 1")
  func progress() async throws {
    var fractions: [Double] = []
    _ = try await search { $0.budget = 30 }.run(units, bowl) { fractions.append($0.fraction) }
    #expect(fractions == fractions.sorted() && fractions.last == 1 && fractions.count > 40)
  }

  @Test("an invalid search is rejected with the reason")
  func refusals() async throws {
    let kind = try #require(FilterKind.all["mekf"])
    #expect(throws: TuningError.self) { try ParameterSearch(kind, parameters: ["timeConstant"]) }
    #expect(throws: TuningError.repeatedParameter("fieldMemory")) {
      try ParameterSearch(kind, parameters: ["fieldMemory", "fieldMemory"])
    }
    #expect(throws: TuningError.noParameter(filter: "mekf")) { try ParameterSearch(kind, parameters: []) }
    await #expect(throws: TuningError.budgetTooSmall(3, minimum: 4)) {
      try await search { $0.budget = 3 }.run(units, bowl) { _ in }
    }
    await #expect(throws: TuningError.tooFewUnits(1, isGrouped: false)) {
      try await search().run(Array(units[..<1]), bowl) { _ in }
    }
    let broken = ParallelObjective { _, index in index == 4 ? .infinity : 1 }
    await #expect(throws: TuningError.noError(recording: "log 4")) { try await search().run(units, broken) { _ in } }
  }
}
