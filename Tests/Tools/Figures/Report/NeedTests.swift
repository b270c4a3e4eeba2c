import Testing

@testable import TestSupport

@Suite("What tests need") struct NeedTests {
  private let absent = Need("browser", "it is absent") { false }

  @Test("a test without what it needs is skipped, and fails when the environment requires that")
  func absence() throws {
    #expect(try !absent.check(in: [:]) && !absent.check(in: ["INERTIAL_REQUIRE": "python,data", "CI": "false"]))
    for environment in [["INERTIAL_REQUIRE": "python,browser"], ["CI": "true"]] {
      let error = #expect(throws: MissingNeed.self) { try absent.check(in: environment) }
      #expect(error?.description == "browser is required, and it is absent")
    }
    #expect(try !Need("pdf", "it is absent") { false }.check(in: ["CI": "true"]))
    #expect(try Need("browser", "it is here") { true }.check(in: ["INERTIAL_REQUIRE": "browser"]))
  }

  @Test("needs have the words by which the gate lists them")
  func kinds() {
    let needs: [Need] = [.browser, .python, .pdf, .data, .nonroot]
    #expect(needs.map(\.kind) == ["browser", "python", "pdf", "data", "nonroot"])
  }
}
