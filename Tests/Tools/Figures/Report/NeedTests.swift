import Testing

@testable import TestSupport

@Suite("What tests need")
struct NeedTests {
  private let absent = Need("browser", "it is absent") { false }

  @Test("a test without what it needs is skipped, and fails when the environment requires that")
  func absence() throws {
    #expect(try !absent.check(in: [:]))
    #expect(try !absent.check(in: ["INERTIAL_REQUIRE": "python,data", "CI": "false"]))
    for environment in [["INERTIAL_REQUIRE": "python,browser"], ["CI": "true"]] {
      let error = #expect(throws: MissingNeed.self) { try absent.check(in: environment) }
      #expect(error?.description == "browser is required, and it is absent")
    }
    #expect(try !Need("pdf", "it is absent") { false }.check(in: ["CI": "true"]))
    #expect(try Need("browser", "it is here") { true }.check(in: ["INERTIAL_REQUIRE": "browser"]))
  }

  @Test(
    "every need that the gate lists fails its test when it is absent",
    arguments: [Need.browser, .python, .pdf, .data, .nonroot])
  func kinds(_ need: Need) {
    let missing = Need(need.kind, need.absence) { false }
    #expect(throws: MissingNeed.self) {
      try missing.check(in: ["INERTIAL_REQUIRE": "browser,python,pdf,java,pypi,data,nonroot"])
    }
  }
}
