import Testing

@testable import InertialJobs

@Suite("The results of several logs") struct LogEvaluationsTests {
  private typealias Outcome = Result<(scores: [Int], failures: [EvaluationJob.Failure]), FusionError>

  private let failure = EvaluationJob.Failure(recording: "b.csv", filter: "vqf", reason: "no estimate")
  private let broken = Outcome.failure(.badData("c.csv: broken"))

  @Test("a log that cannot be evaluated fails for every filter, and the other logs keep their scores")
  func severalLogs() throws {
    var found = LogEvaluations<Int>(logCount: 3, filters: ["vqf", "mahony"], messages: ["d.csv: unreadable"])
    #expect(try found.add(.success(([1, 2], [])), of: "a.csv").isEmpty)
    #expect(try found.add(.success(([3], [failure])), of: "b.csv") == ["vqf: no estimate"])
    #expect(try found.add(broken, of: "c.csv") == ["c.csv: broken"])
    #expect(found.scores == [1, 2, 3])
    #expect(found.unjudged.map(\.filter) == ["vqf", "vqf", "mahony"])
    #expect(found.unjudged.map(\.recording) == ["b.csv", "c.csv", "c.csv"])
    #expect(found.messages == ["d.csv: unreadable", "vqf: no estimate", "c.csv: broken"])
  }

  @Test("the error of the only log, and an error that concerns every log, is thrown")
  func thrown() {
    var one = LogEvaluations<Int>(logCount: 1, filters: ["vqf"])
    #expect(throws: FusionError.badData("c.csv: broken")) { try one.add(broken, of: "c.csv") }
    var several = LogEvaluations<Int>(logCount: 2, filters: ["vqf"])
    #expect(throws: FusionError.usage("wrong")) { try several.add(.failure(.usage("wrong")), of: "a.csv") }
  }
}
