internal import InertialEssentials
package import InertialLogs
package import InertialSensors
internal import InertialSystem

/// The inputs and options of the datasets in a folder, stored as `inertial-manifest.json` in the folder.
package struct FusionManifest: Sendable, Codable {
  package static let fileName = "inertial-manifest.json"

  /// Returns the file's name. In a folder of partitions, readers of such folders ignore the name.
  static func fileName(isPartitioned: Bool) -> String { isPartitioned ? "_" + fileName : fileName }

  /// A recording and its result.
  package struct Entry: Sendable, Codable {
    /// The path of the file or folder, as given.
    package var input: String
    /// The input files with their states at the time of reading.
    package var inputFiles: [InputFingerprint]
    /// The path of the dataset, relative to the folder.
    package var output: String
    /// The index of the recipe.
    package var recipe: Int
    /// The size of the dataset in bytes, or `nil` without a dataset.
    package var outputBytes: Int?
    /// The sizes in bytes of the recording's further formats, by path relative to the folder.
    package var furtherOutputs: [String: Int]?
    /// The CRC-32 of each output, by path relative to the folder: of a file, or of the list of a folder's files. `nil`
    /// if the build has no zlib.
    package var outputChecksums: [String: String]?
    package var rows: Int?
    /// The detected format of the log.
    package var format: String?
    /// The UNIX time of time 0, if the log specifies it.
    package var epoch: Double?
    /// The time offsets of the sensors, and whether they were compensated, or `nil` if the option was not set.
    package var alignment: [ChannelAlignment]?
    /// The automatic decisions, or `nil` without any.
    package var decisions: [AutomaticDecision]?
    package var warnings: [String]
    /// The reason for a missing dataset.
    package var failure: String?
  }

  var recipes: [JSONValue] = []
  /// The recordings, sorted by output.
  package var recordings: [Entry] = []

  /// Adds an entry and replaces the entry with the same output.
  mutating func set(_ entry: Entry, recipe: JSONValue) {
    var entry = entry
    if let known = recipes.firstIndex(where: { $0.differences(from: recipe).isEmpty }) {
      entry.recipe = known
    } else {
      entry.recipe = recipes.count
      recipes.append(recipe)
    }
    recordings.removeAll { $0.output == entry.output }
    recordings.append(entry)
  }

  /// Sorts the recordings and removes recipes without datasets.
  mutating func tidy() {
    recordings.sort { $0.output < $1.output }
    let used = Set(recordings.map(\.recipe)).sorted()
    let places = Dictionary(uniqueKeysWithValues: used.enumerated().map { ($1, $0) })
    recipes = used.map { recipes[$0] }
    for index in recordings.indices { recordings[index].recipe = places[recordings[index].recipe] ?? 0 }
  }

  // MARK: File

  /// Reads the manifest at a path, or returns an empty one if the file does not exist.
  static func read(at path: String) throws(FusionError) -> FusionManifest {
    guard let data = FileManager.default.contents(atPath: path) else { return FusionManifest() }
    guard let manifest = try? decoder.decode(FusionManifest.self, from: data),
      manifest.recordings.allSatisfy({ manifest.recipes.indices.contains($0.recipe) })
    else {
      throw .badData("\(path): is not a manifest of 'inertial fuse'; move it away, or use another folder")
    }
    return manifest
  }

  func write(at path: String) throws(FusionError) {
    let encoder = Self.encoder
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else {
      throw .badData("\(path): the manifest cannot be written as JSON")
    }
    do throws(OutputError) {
      let file = try AtomicFile(path: path, force: true)
      try file.write(String(decoding: data, as: UTF8.self) + "\n")
      try file.commit()
    } catch {
      throw FusionError(error)
    }
  }

  static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
    return encoder
  }

  static var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
    return decoder
  }
}
