internal import Foundation
public import Testing

/// A program, file or permission that a test needs and a machine may lack.
///
/// A test that needs it carries the trait `needs`, and is skipped without it, with the reason. When the environment variable
/// `INERTIAL_REQUIRE` lists the kind, as the gate does for all that it installs, the test fails instead. `CI=true` requires a
/// browser, Python, the recordings and Java. In scripts, `skip` of `.ci/gate/checks` is the
/// same.
public struct Need: Sendable {
  /// The word of `INERTIAL_REQUIRE`.
  public let kind: String
  /// The reason of a skip.
  public let absence: String
  private let isMet: @Sendable () -> Bool

  /// - Parameters:
  ///   - kind: the word of `INERTIAL_REQUIRE`.
  ///   - absence: the reason of a skip.
  ///   - isMet: whether this machine has it.
  public init(_ kind: String, _ absence: String, isMet: @escaping @Sendable () -> Bool) {
    (self.kind, self.absence, self.isMet) = (kind, absence, isMet)
  }

  /// Whether the test runs.
  ///
  /// - Throws: `MissingNeed` if it is absent and required.
  func check(in environment: [String: String] = ProcessInfo.processInfo.environment) throws -> Bool {
    if isMet() { return true }
    var required = environment["INERTIAL_REQUIRE"]?.split(separator: ",").map(String.init) ?? []
    if environment["CI"] == "true" { required += ["browser", "python", "data", "java"] }
    if required.contains(kind) { throw MissingNeed(description: "\(kind) is required, and \(absence)") }
    return false
  }
}

/// The error of a test whose need is required and absent.
public struct MissingNeed: Error, CustomStringConvertible {
  public let description: String
}

extension Trait where Self == ConditionTrait {
  /// Skips a test, or fails it, when what it needs is absent.
  public static func needs(_ need: Need) -> Self {
    .enabled(Comment(rawValue: "\(need.kind): \(need.absence)")) { try need.check() }
  }
}

extension Need {
  /// The real recordings.
  public static let data = Need("data", "INERTIAL_DATA is not set: the recordings are not on this machine") {
    TestData.folder != nil
  }
  /// Python 3 on the path.
  public static let python = Need("python", "there is no python3") { program(["python3"]) != nil }
  /// Chromium, which Python drives.
  public static let browser = Need("browser", "there is no Chromium or no python3") {
    let named = ProcessInfo.processInfo.environment["CHROMIUM"].map { [$0] }
    let names = named ?? ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
    return program(names) != nil && program(["python3"]) != nil
  }
  /// A program that reads the text of a PDF.
  public static let pdf = Need("pdf", "there is neither pdftotext nor mutool") {
    program(["pdftotext", "mutool"]) != nil
  }
  /// A user who is not root, to whom permissions apply. The names of such tests begin with `nonroot`: `.ci/gate/test-nonroot` runs
  /// them when the gate is root.
  public static let nonroot = Need("nonroot", "root may read and write everything") { geteuid() != 0 }
  /// The machine without other tests, for measurements of real time. The names of such tests begin with `alone`: `make test`
  /// runs them.
  public static let alone = Need("alone", "it measures real time, and other tests run beside it") {
    ProcessInfo.processInfo.environment["INERTIAL_TESTS_ALONE"] != nil
  }
  /// The device that is always full.
  public static let fullDevice = Need("dev", "there is no /dev/full") {
    FileManager.default.fileExists(atPath: "/dev/full")
  }
  /// Linux, whose interfaces the test uses.
  public static let linux = Need("linux", "only Linux has the interface") {
    #if os(Linux)
      true
    #else
      false
    #endif
  }

  /// The path of the first of some programs that is on the path, or that is a path itself.
  public static func program(_ names: [String]) -> String? {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":").map(String.init) ?? []
    return names.lazy.flatMap { name in name.contains("/") ? [name] : folders.map { "\($0)/\(name)" } }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
