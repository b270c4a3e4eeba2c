import Foundation
import InertialFilters
import InertialNumerics
import InertialRotations
import InertialSensors
import TestSupport
import Testing

@Suite("Filter registry")
struct RegistryTests {
  @Test("a user-defined filter is a kind like any other, with or without a description")
  func ownKind() throws {
    struct Still: AttitudeFilter {
      struct Parameters: FilterParameters {
        var angle = 1.0
        var headingReference = HeadingReference.magneticNorth
        static var descriptions: [ParameterDescription<Self>] {
          [.init("angle", \.angle, unit: "rad", range: 0...3, "What it always says.")]
        }
      }
      struct State: Sendable, Codable, Equatable {}

      static let name = "still"
      static let traits: FilterTraits = []
      let parameters: Parameters
      let state = State()
      init(parameters: Parameters) { self.parameters = parameters }
      init(parameters: Parameters, state: State) { self.parameters = parameters }
      func update(gyroscope: Vector3, at time: Double) {}
      func update(accelerometer: Vector3, at time: Double) {}
      func update(magneticField: Vector3, at time: Double) {}
      var estimate: AttitudeEstimate? {
        AttitudeEstimate(
          earthFromDevice: Quaternion(angle: parameters.angle, axis: .unitZ), gyroscopeBias: .zero, flags: [])
      }
    }
    let kind = FilterKind(Still.self)
    #expect(kind.name == "still" && kind.summary.isEmpty && kind.source.isEmpty && !kind.canSmooth)
    var filter = try kind.make(["angle": 2])
    filter.update(gyroscope: .zero, accelerometer: .unitZ, magneticField: nil, at: 0)
    #expect(isNear(try #require(filter.estimate).earthFromDevice.angle, 2, within: 1e-12))
    #expect(throws: FilterSettingError.self) { try kind.make(["angle": 4]) }
  }

  @Test("names are unique, and each finds its filter; the standard filter is among them")
  func names() throws {
    let names = FilterKind.all.map(\.name)
    #expect(Set(names).count == names.count && Set(names).isSuperset(of: ["complementary", "mekf"]))
    for name in names { #expect(FilterKind.named(name)?.name == name) }
    #expect(FilterKind.standard == "kalman" && FilterKind.named(FilterKind.standard) != nil)
    #expect(FilterKind.named("Mekf") == nil)
    #expect(FilterKind.all.allSatisfy { !$0.summary.isEmpty && !$0.source.isEmpty })
  }

  @Test(
    "every parameter has a unique name, a unit, a meaning and a default inside its range", arguments: FilterKind.all)
  func parameters(kind: FilterKind) {
    #expect(Set(kind.parameters.map(\.name)).count == kind.parameters.count)
    for facts in kind.parameters {
      #expect(facts.minimum <= facts.defaultValue && facts.defaultValue <= facts.maximum, "\(facts.name)")
      #expect(!facts.unit.isEmpty && facts.meaning.hasSuffix("."), "\(facts.name)")
    }
  }

  @Test(
    "every stored number of the parameters can be set by name, and each name sets its own number",
    arguments: FilterKind.all)
  func everyParameterIsNamed(kind: FilterKind) throws {
    func numbers(_ filter: any AttitudeFilter) throws -> [String: Double] {
      // `JSONSerialization` is not used: it reads some numbers with small errors.
      struct Saved: Decodable { let parameters: [String: SavedValue] }
      let data = try JSONEncoder().encode(AnyAttitudeFilter(filter))
      return try JSONDecoder().decode(Saved.self, from: data).parameters.numbers
    }
    let defaults = try numbers(kind.standard())
    let parameters = kind.parameters.filter { $0.words == nil }
    #expect(Set(defaults.keys) == Set(parameters.map(\.name)))
    for facts in parameters {
      #expect(defaults[facts.name] == facts.defaultValue)
      let value = facts.defaultValue == facts.minimum ? facts.maximum : facts.minimum
      let changed = try numbers(try kind.make([facts.name: value]))
      #expect(changed.filter { $0.value != defaults[$0.key] } == [facts.name: value])
    }
  }

  @Test("a choice is set by its words, in commands by name for one filter or for all that have it")
  func choices() throws {
    let mekf = try #require(FilterKind.named("mekf"))
    let core = try #require(mekf.parameters.first { $0.name == "core" })
    #expect(core.words == ["blas", "fixed"] && core.text(1) { "\($0)" } == "fixed")
    #expect(FilterKind.value(of: "fixed", in: "core") == 1 && FilterKind.value(of: "fast", in: "core") == nil)
    #expect(FilterKind.value(of: "fixed", in: "motionWeight") == nil)
    #expect(FilterKind.words(of: "core") == ["blas", "fixed"] && FilterKind.words(of: "motionWeight") == nil)
    for (index, word) in ["blas", "fixed"].enumerated() {
      let filter = try #require(try mekf.make(["core": Double(index)]) as? MEKFFilter)
      #expect(filter.parameters.core.rawValue == word)
    }
  }

  @Test(
    "a classical name sets a parameter, reads back as set, and is not the name of a parameter",
    arguments: FilterKind.all)
  func classicalNames(kind: FilterKind) throws {
    #expect(Set(kind.classicalNames.map(\.name)).isDisjoint(with: kind.parameters.map(\.name)))
    for facts in kind.classicalNames {
      #expect(facts.minimum <= facts.defaultValue && facts.defaultValue <= facts.maximum, "\(facts.name)")
      #expect(!facts.unit.isEmpty && facts.meaning.hasSuffix("."), "\(facts.name)")
      let value = (1.25 * facts.defaultValue <= facts.maximum ? 1.25 : 0.75) * facts.defaultValue
      let (changed, standard) = (try kind.make([facts.name: value]), kind.standard())
      #expect(!haveSameState(changed, standard), "\(facts.name)")
      func readBack<Filter: AttitudeFilter>(_ filter: Filter) -> Double? {
        Filter.Parameters.classicalNames.first { $0.name == facts.name }?.value(in: filter.parameters)
      }
      let read = readBack(changed) ?? .nan
      #expect(abs(read - value) <= 1e-12 * abs(value), "\(facts.name)")
    }
  }

  @Test("a parameter set under two names is an error that names both; values match the created filter")
  func twoNames() throws {
    let mahony = try #require(FilterKind.named("mahony"))
    let error = #expect(throws: FilterSettingError.self) { try mahony.make(["kP": 1, "timeConstant": 3]) }
    #expect(try #require(error).description == "kP and timeConstant both set timeConstant; use one of them")
    let madgwick = try #require(FilterKind.named("madgwick"))
    #expect(throws: FilterSettingError.self) { try madgwick.make(["beta": 0.1, "gain": 0.1]) }
    let values = mahony.values(["kP": 0.5, "kI": 0.01])
    #expect(values["timeConstant"] == 2 && values["biasTimeConstant"] == 50)
    #expect(mahony.parameters(setBy: "kI") == ["biasTimeConstant"] && mahony.parameters(setBy: "none").isEmpty)
    // Only proportional action.
    #expect(try mahony.make(["kI": 0]).estimate == nil)
  }

  @Test("an unknown parameter is an error that lists the known ones", arguments: FilterKind.all)
  func unknownParameter(kind: FilterKind) throws {
    let error = #expect(throws: FilterSettingError.self) { try kind.make(["no such": 1]) }
    let text = try #require(error).description
    #expect(text.contains("the filter \(kind.name) has no parameter 'no such'"))
    #expect(text.contains(kind.parameters[0].name))
  }

  @Test(
    "the ends of a range are accepted; values beyond them, and NaN, are errors that name the range",
    arguments: FilterKind.all)
  func range(kind: FilterKind) throws {
    for facts in kind.parameters {
      for value in [facts.minimum, facts.maximum] { _ = try kind.make([facts.name: value]) }
      for value in [facts.minimum.nextDown, facts.maximum.nextUp, .nan, .infinity, -.infinity] {
        let error = #expect(throws: FilterSettingError.self) { try kind.make([facts.name: value]) }
        guard case .outOfRange(facts, _)? = error else {
          Issue.record("\(facts.name) = \(value): \(String(describing: error))")
          continue
        }
        let range = facts.words?.joined(separator: " or ") ?? "\(facts.minimum) to \(facts.maximum)"
        #expect(error!.description.contains(range))
      }
      guard facts.words != nil else { continue }
      #expect(throws: FilterSettingError.outOfRange(facts, 0.5)) { try kind.make([facts.name: 0.5]) }
    }
  }

  @Test(
    "at the ends of every parameter's range the filter still gives finite unit quaternions", arguments: FilterKind.all)
  func extremes(kind: FilterKind) throws {
    for facts in kind.parameters {
      for value in [facts.minimum, facts.maximum] {
        var filter = try kind.make([facts.name: value])
        var generator = SeededGenerator(seed: 1)
        for index in 0..<150 {
          let time = Double(index) * 0.02
          let noise = generator.vector()
          filter.update(gyroscope: noise, at: time)
          filter.update(accelerometer: Vector3(0, 0, -1) + 0.1 * noise, at: time)
          filter.update(magneticField: Vector3(20, 0, -40) + noise, at: time)
        }
        let estimate = try #require(filter.estimate)
        #expect(abs(estimate.earthFromDevice.norm - 1) < 1e-12, "\(facts.name) = \(value)")
        #expect(estimate.gyroscopeBias.isFinite, "\(facts.name) = \(value)")
        if let sigma = estimate.attitudeSigma { #expect(sigma.isFinite, "\(facts.name) = \(value)") }
      }
    }
  }
}

/// A value of a saved parameter: a number, a string, or a group of parameters that filters share.
private enum SavedValue: Decodable {
  case number(Double)
  case text
  case group([String: SavedValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let group = try? container.decode([String: SavedValue].self) {
      self = .group(group)
    } else {
      _ = try container.decode(String.self)
      self = .text
    }
  }
}

extension [String: SavedValue] {
  /// The numbers by name, including those of groups.
  fileprivate var numbers: [String: Double] {
    reduce(into: [:]) { result, entry in
      switch entry.value {
      case .number(let number): result[entry.key] = number
      case .text: break
      case .group(let group): result.merge(group.numbers) { a, _ in a }
      }
    }
  }
}
