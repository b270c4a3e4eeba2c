import Foundation
import Gestures
import LinearAlgebra
import Sensors
import Testing

@Suite("The registry of shake detectors")
struct ShakeRegistryTests {
  @Test("every detector has a name of its own and says what it is, and the standard one is the first")
  func names() {
    let all = ShakeDetectorKind.all
    #expect(Set(all.map(\.name)).count == all.count)
    #expect(all.allSatisfy { !$0.summary.isEmpty && !$0.source.isEmpty && ShakeDetectorKind.named($0.name) != nil })
    #expect(all[0].name == ShakeDetectorKind.standard)
    #expect(ShakeDetectorKind.named("none") == nil)
  }

  @Test(
    "every default lies in its range, and a made detector carries the kind's name", arguments: ShakeDetectorKind.all)
  func defaults(kind: ShakeDetectorKind) throws {
    for facts in kind.parameters {
      #expect(facts.minimum <= facts.defaultValue && facts.defaultValue <= facts.maximum, "\(facts.name)")
      #expect(!facts.unit.isEmpty && !facts.meaning.isEmpty)
    }
    #expect(try kind.make().name == kind.name)
    #expect(kind.parameters.first?.name == "updateInterval")
  }

  @Test("a setting changes what it names; an unknown one, one out of range and NaN are refused")
  func settings() throws {
    let axis = try #require(ShakeDetectorKind.named("axis"))
    var sensitive = try axis.make(["threshold": 0.5, "minimumInterval": 0])
    var ordinary = try axis.make(["minimumInterval": 0])
    let sample = MotionSample(time: 0, acceleration: Vector3(0, 0, -1))
    #expect(sensitive.update(sample)?.phase == .began)
    #expect(ordinary.update(sample) == nil)
    #expect(throws: ShakeSettingError.self) { try axis.make(["sensitivity": 0.5]) }
    #expect(throws: ShakeSettingError.self) { try axis.make(["threshold": -1]) }
    #expect(throws: ShakeSettingError.self) { try axis.make(["threshold": .nan]) }
  }

  @Test("only the reference detector has a sensitivity, and only the two magnitude rules stop themselves")
  func traits() {
    #expect(ShakeDetectorKind.all.filter(\.hasSensitivity).map(\.name) == ["reference"])
    #expect(ShakeDetectorKind.all.filter(\.isOneShot).map(\.name) == ["magnitude", "magnitude-fast"])
  }
}
