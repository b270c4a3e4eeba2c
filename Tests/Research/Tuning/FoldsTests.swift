import InertialResearch
import Testing

@Suite struct FoldsTests {
  private let alone = [String?](repeating: nil, count: 10)
  private let persons: [String?] = ["A", "A", "B", "C", "C", "C", "B", "D", "A", "E"]

  @Test("every recording is validated once and used for training in all other folds", arguments: [2, 3, 10])
  func partition(_ count: Int) throws {
    let folds = try Folds(groups: alone, division: .folds(count), seed: 3)
    #expect(folds.validation.count == count && folds.validation.flatMap { $0 }.sorted() == Array(0..<10))
    for fold in folds.validation.indices {
      #expect((folds.training(fold) + folds.validation[fold]).sorted() == Array(0..<10))
    }
    let sizes = folds.validation.map(\.count)
    #expect(sizes.max()! - sizes.min()! <= 1)
  }

  @Test("a group is never split, with folds and with leave-one-out")
  func groups() throws {
    for division in [Folds.Division.folds(2), .folds(5), .leaveOneOut] {
      let folds = try Folds(groups: persons, division: division, seed: 1)
      for fold in folds.validation.indices {
        let validated = Set(folds.validation[fold].map { persons[$0]! })
        #expect(validated.isDisjoint(with: folds.training(fold).map { persons[$0]! }))
      }
      #expect(folds.validation.flatMap { $0 }.sorted() == Array(0..<10))
    }
    #expect(try Folds(groups: persons, division: .leaveOneOut, seed: 1).validation.count == 5)
    #expect(try Folds(groups: alone, division: .leaveOneOut, seed: 1).validation.count == 10)
  }

  @Test("the division into folds depends only on the seed")
  func seeds() throws {
    let one = try Folds(groups: alone, division: .folds(3), seed: 1)
    #expect(try Folds(groups: alone, division: .folds(3), seed: 1) == one)
    #expect(try Folds(groups: alone, division: .folds(3), seed: 2) != one)
  }

  @Test("a division that would only yield a training error is rejected with the reason")
  func refusals() {
    #expect(throws: TuningError.tooFewUnits(1, isGrouped: false)) {
      try Folds(groups: [nil], division: .leaveOneOut, seed: 1)
    }
    #expect(throws: TuningError.tooFewUnits(1, isGrouped: true)) {
      try Folds(groups: ["A", "A", "A"], division: .folds(2), seed: 1)
    }
    #expect(throws: TuningError.tooFewFolds(1)) { try Folds(groups: alone, division: .folds(1), seed: 1) }
    #expect(throws: TuningError.tooManyFolds(6, units: 5, isGrouped: true)) {
      try Folds(groups: persons, division: .folds(6), seed: 1)
    }
    #expect("\(TuningError.tooFewUnits(1, isGrouped: true))".contains("at least 2 groups, and there is 1"))
    #expect("\(TuningError.tooFewUnits(0, isGrouped: false))".contains("there are 0"))
  }
}
