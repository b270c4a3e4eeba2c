import Inertial
import InertialSimulation

/// The options of the command line.
struct Options {
  var filters: [ConfiguredFilter] = []
  var scenes = BenchmarkScene.all
  var seedCount: UInt64 = 5
  var setsNoiseParameters = false
  var showsSigma = false
  var isJSON = false
  var recordings: String?
  var latency = 0.0
  var aligns = false
  var skip = 0.0
  /// The name of the reference files of recordings, or `nil` if the logs contain the reference.
  var reference: String?
  /// The units of recordings whose logs do not state them.
  var log = LogOptions()
  var hasExactField = false
  var isWithoutField = false

  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  init(_ words: [String]) throws {
    var names: [String]?
    var settings: [String] = []
    var words = words[...]
    func value(of option: String) throws -> String {
      guard let value = words.popFirst() else { throw Failure(description: "\(option) takes a value") }
      return value
    }
    func seconds(of option: String) throws -> Double {
      guard let seconds = Double(try value(of: option)) else { throw Failure(description: "\(option) takes seconds") }
      return seconds
    }
    while let word = words.popFirst() {
      switch word {
      case "--filters": names = try value(of: word).split(separator: ",").map(String.init)
      case "--scenes": scenes = try value(of: word).split(separator: ",").map { try Self.scene(String($0)) }
      case "--seeds":
        guard let count = UInt64(try value(of: word)), count > 0 else {
          throw Failure(description: "--seeds takes a number from 1 on")
        }
        seedCount = count
      case "--set": settings.append(try value(of: word))
      case "--told": setsNoiseParameters = true
      case "--sigma": showsSigma = true
      case "--json": isJSON = true
      case "--exact-field": hasExactField = true
      case "--recordings": recordings = try value(of: word)
      case "--latency": latency = try seconds(of: word)
      case "--align": aligns = true
      case "--without-field": isWithoutField = true
      case "--skip": skip = try seconds(of: word)
      case "--reference": reference = try value(of: word)
      case "--si-units":
        (log.accelerationUnit, log.rotationUnit) = (.metersPerSecondSquared, .radiansPerSecond)
        log.fieldUnit = .microtesla
      default: throw Failure(description: "there is no option \(word); the file's head lists them")
      }
    }
    let standard = showsSigma || recordings != nil ? ["kalman", "ekf", "ukf", "mekf"] : ["kalman", "vqf"]
    var evaluation = EvaluationJob.Options()
    evaluation.filters = names ?? standard
    evaluation.settings = try ParameterSettings(words: settings)
    filters = try EvaluationJob(options: evaluation).filters()
    if hasExactField {
      for index in scenes.indices {
        scenes[index].devices.fieldBias = 0
        scenes[index].devices.fieldScale = 0
      }
    }
  }

  /// Returns the forms of a filter: online, and offline if it exists.
  func states(of kind: FilterKind) -> [Bool] { kind.canSmooth ? [false, true] : [false] }

  private static func scene(_ name: String) throws -> BenchmarkScene {
    guard let scene = BenchmarkScene.named(name) else {
      throw Failure(description: "there is no scene \(name); there are \(BenchmarkScene.all.map(\.name))")
    }
    return scene
  }
}
