import InertialFilters
import InertialNumerics
import InertialRecognition
import InertialSensors
import Testing

@Suite("The registry of shake detectors")
struct ShakeRegistryTests {
  @Test("every detector has a unique name, a summary and a source, and the standard one is the first")
  func names() {
    let all = ShakeDetectorKind.all
    #expect(Set(all.map(\.name)).count == all.count)
    #expect(all.allSatisfy { !$0.summary.isEmpty && !$0.source.isEmpty && ShakeDetectorKind.all[$0.name] != nil })
    #expect(all[0].name == ShakeDetectorKind.standard.name)
    #expect(ShakeDetectorKind.all["none"] == nil)
  }

  @Test(
    "every default is within its range, and a new detector has the name of its kind", arguments: ShakeDetectorKind.all)
  func defaults(kind: ShakeDetectorKind) throws {
    for facts in kind.parameters {
      #expect(facts.minimum <= facts.defaultValue && facts.defaultValue <= facts.maximum, "\(facts.name)")
      #expect(!facts.unit.isEmpty && !facts.meaning.isEmpty)
    }
    #expect(try kind.make().name == kind.name)
    #expect(kind.parameters.first?.name == "updateInterval")
  }

  @Test("a setting changes its parameter; unknown settings, values out of range and NaN are rejected")
  func settings() throws {
    let axis = try #require(ShakeDetectorKind.all["axis"])
    var sensitive = try axis.make(["threshold": 0.5, "interval": 0])
    var ordinary = try axis.make(["interval": 0])
    let sample = MotionSample(time: 0, acceleration: Vector3(0, 0, -1))
    #expect(sensitive.update(sample)?.phase == .began)
    #expect(ordinary.update(sample) == nil)
    for wrong in [["sensitivity": 0.5], ["threshold": -1], ["threshold": .nan]] {
      #expect(throws: SettingError.self) { try axis.make(wrong) }
    }
  }

  @Test("every detector has an interval: that of its rule, or the time from a shake's end to the next")
  func intervals() throws {
    for kind in ShakeDetectorKind.all {
      #expect(kind.parameters.count { $0.name == "interval" } == 1, "\(kind.name)")
      #expect(throws: SettingError.self) { try kind.make(["interval": -1]) }
    }
    // The acceleration is strong for a tenth of a second, every second.
    func count(_ name: String, interval: Double?) throws -> Int {
      let settings = interval.map { ["interval": $0] } ?? [:]
      var detector = try #require(ShakeDetectorKind.all[name]).make(settings)
      for step in 0..<600 {
        let push = Vector3(step % 60 < 6 ? 4 : 0, 0, 0)
        _ = detector.update(
          MotionSample(time: Double(step) / 60, acceleration: push + Vector3(0, 0, -1), userAcceleration: push))
      }
      _ = detector.finish()
      return detector.count
    }
    #expect(try count("user-axis", interval: nil) == 10)
    #expect(try count("user-axis", interval: 2.5) == 4)
    // The rule's own interval counts from the first sample.
    #expect(try count("axis", interval: nil) == 9)
    #expect(try count("axis", interval: 2.5) == 3)
  }

  @Test("customary values are within the range and include the default")
  func customary() throws {
    var found: [String: ClosedRange<Double>] = [:]
    for kind in ShakeDetectorKind.all {
      for facts in kind.parameters {
        guard let low = facts.customaryMinimum, let high = facts.customaryMaximum else { continue }
        #expect(facts.minimum <= low && high <= facts.maximum)
        #expect(low <= facts.defaultValue && facts.defaultValue <= high, "\(kind.name)")
        found["\(kind.name).\(facts.name)"] = low...high
      }
    }
    #expect(found["axis.threshold"] == 0.5...3 && found["legacy.threshold"] == 0.5...3)
    #expect(found["low-pass.threshold"] == 0.33...0.88 && found["axis.interval"] == nil)
  }

  @Test("only the reference detector has a sensitivity, and only the two magnitude rules stop themselves")
  func traits() {
    #expect(ShakeDetectorKind.all.filter(\.hasSensitivity).map(\.name) == ["reference"])
    #expect(ShakeDetectorKind.all.filter(\.isOneShot).map(\.name) == ["magnitude", "magnitude-fast"])
  }
}
