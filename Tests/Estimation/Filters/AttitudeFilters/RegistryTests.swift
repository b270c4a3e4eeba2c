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
    let kind = FilterKind(Still.self)
    #expect(kind.name == "still" && kind.summary.isEmpty && kind.source.isEmpty && !kind.canSmooth)
    var filter = try kind.make(["angle": 2])
    filter.update(gyroscope: .zero, accelerometer: .unitZ, magneticField: nil, at: 0)
    #expect(isNear(try #require(filter.estimate).earthFromDevice.angle, 2, within: 1e-12))
    #expect(throws: SettingError.self) { try kind.make(["angle": 4]) }
  }

  @Test("a registry with an added filter has it under its name, and a second one of the name replaces it")
  func adding() throws {
    let registry = FilterKind.all.adding(Still.self)
    #expect(registry.count == FilterKind.all.count + 1 && FilterKind.all["still"] == nil)
    #expect(try registry.known("still").parameters.map(\.name) == ["angle"])
    #expect(registry.adding(Still.self).count == registry.count && registry.last?.name == "still")
    let filter = AnyAttitudeFilter(try registry.known("still").make(["angle": 2]))
    let (data, decoder) = (try JSONEncoder().encode(filter), JSONDecoder())
    #expect(throws: DecodingError.self) { try decoder.decode(AnyAttitudeFilter.self, from: data) }
    decoder.userInfo[.filterRegistry] = registry
    let read = try #require(try decoder.decode(AnyAttitudeFilter.self, from: data).base as? Still)
    #expect(read.parameters.angle == 2)
  }

  @Test("an unknown name is an error with the nearest known name, or with all of them if none is near")
  func unknownName() throws {
    for (name, remedy) in [
      ("kalmann", "use kalman"), ("Kalman", "use kalman"), ("mdagwick", "use madgwick"), ("compl", "use complementary"),
      ("nothing", "use one of angular-rate, complementary"), ("", "use one of angular-rate"),
    ] {
      let error = #expect(throws: SettingError.self) { try FilterKind.all.known(name) }
      #expect(try #require(error).description.hasPrefix("there is no filter '\(name)'; \(remedy)"))
    }
  }

  @Test("saved parameters are read by name: a missing one has its default, and an unknown one is an error")
  func savedParameters() throws {
    let decoder = JSONDecoder()
    func read(_ text: String) throws -> Mahony.Parameters {
      try decoder.decode(Mahony.Parameters.self, from: Data(text.utf8))
    }
    let parameters = try read(#"{"timeConstant": 3, "gapThreshold": 1, "headingReference": "initialHeading"}"#)
    #expect(parameters.timeConstant == 3 && parameters.handling.gapThreshold == 1)
    #expect(parameters.headingReference == .initialHeading && parameters.magneticWeight == 0.5)
    #expect(throws: DecodingError.self) { try read(#"{"timeConstnat": 3}"#) }
    let text = #"{"gains": "steadyState"}"#
    let complementary = try decoder.decode(ComplementaryFilter.Parameters.self, from: Data(text.utf8))
    #expect(complementary.gains == .steadyState)
    #expect(throws: DecodingError.self) {
      try decoder.decode(ComplementaryFilter.Parameters.self, from: Data(#"{"gains": "none"}"#.utf8))
    }
  }

  @Test("names are unique, and each finds its filter; the standard filter is among them")
  func names() throws {
    let names = FilterKind.all.map(\.name)
    #expect(Set(names).count == names.count && Set(names).isSuperset(of: ["complementary", "mekf"]))
    for name in names { #expect(FilterKind.all[name]?.name == name) }
    #expect(FilterKind.standard.name == "kalman" && FilterKind.all["kalman"] != nil && FilterKind.all["Mekf"] == nil)
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
      return try JSONDecoder().decode(Saved.self, from: data).parameters.compactMapValues {
        if case .number(let number) = $0 { number } else { nil }
      }
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
    let (filters, complementary) = (FilterKind.all, try #require(FilterKind.all["complementary"]))
    let gains = try #require(complementary.parameters.first { $0.name == "gains" })
    let words = ["timeConstants", "steadyState"]
    #expect(gains.words == words && gains.text(1) { "\($0)" } == "steadyState")
    #expect(filters.value(of: "steadyState", in: "gains") == 1 && filters.value(of: "fast", in: "gains") == nil)
    #expect(filters.value(of: "steadyState", in: "motionWeight") == nil)
    #expect(filters.words(of: "gains") == words && filters.words(of: "motionWeight") == nil)
    for (index, word) in words.enumerated() {
      let filter = try #require(try complementary.make(["gains": Double(index)]) as? ComplementaryFilter)
      #expect(filter.parameters.gains.rawValue == word)
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
    let mahony = try #require(FilterKind.all["mahony"])
    let error = #expect(throws: SettingError.self) { try mahony.make(["kP": 1, "timeConstant": 3]) }
    #expect(try #require(error).description == "kP and timeConstant both set timeConstant; use one of them")
    let madgwick = try #require(FilterKind.all["madgwick"])
    #expect(throws: SettingError.self) { try madgwick.make(["beta": 0.1, "gain": 0.1]) }
    let values = try mahony.values(["kP": 0.5, "kI": 0.01])
    #expect(values["timeConstant"] == 2 && values["biasTimeConstant"] == 50)
    #expect(throws: SettingError.self) { try mahony.values(["none": 1]) }
    #expect(mahony.parameter(setBy: "kI") == "biasTimeConstant" && mahony.parameter(setBy: "none") == nil)
    // Only proportional action.
    #expect(try mahony.make(["kI": 0]).estimate == nil)
  }

  @Test("a classical name changes only the parameter that has the name", arguments: FilterKind.all)
  func classicalTargets(kind: FilterKind) throws {
    let defaults = try kind.values()
    for facts in kind.classicalNames {
      let changed = try kind.values([facts.name: facts.minimum + 0.7 * (facts.defaultValue - facts.minimum)])
      let names = changed.filter { $0.value != defaults[$0.key] }.keys
      #expect(names.map { $0 } == [kind.parameter(setBy: facts.name)], "\(facts.name)")
    }
  }

  @Test("an unknown parameter is an error that lists the known ones", arguments: FilterKind.all)
  func unknownParameter(kind: FilterKind) throws {
    let error = #expect(throws: SettingError.self) { try kind.make(["no such": 1]) }
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
        let error = #expect(throws: SettingError.self) { try kind.make([facts.name: value]) }
        guard case .outOfRange(facts, _)? = error else {
          Issue.record("\(facts.name) = \(value): \(String(describing: error))")
          continue
        }
        let range = facts.words?.joined(separator: " or ") ?? "\(facts.minimum) to \(facts.maximum)"
        #expect(error!.description.contains(range))
      }
      guard facts.words != nil else { continue }
      #expect(throws: SettingError.outOfRange(facts, 0.5)) { try kind.make([facts.name: 0.5]) }
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

/// A value of a saved parameter: a number or a word.
private enum SavedValue: Decodable {
  case number(Double)
  case word

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else {
      _ = try container.decode(String.self)
      self = .word
    }
  }
}

/// A filter whose estimate is constant.
private struct Still: AttitudeFilter {
  struct Parameters: FilterParameters {
    var angle = 1.0
    var headingReference = HeadingReference.magneticNorth
    static var descriptions: [ParameterDescription<Self>] {
      [.init("angle", \.angle, "rad", 0...3, "The angle of every estimate.")]
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
