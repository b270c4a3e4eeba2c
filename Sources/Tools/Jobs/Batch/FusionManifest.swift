internal import InertialEssentials
package import InertialLogs
internal import InertialSystem

/// What the datasets of a folder were made from, and how: the file `inertial-manifest.json` in it.
package struct FusionManifest: Sendable, Codable {
  package static let fileName = "inertial-manifest.json"

  /// Its name in a folder; where the folder's datasets are partitions, one that readers of such folders pass over.
  static func fileName(isPartitioned: Bool) -> String { isPartitioned ? "_" + fileName : fileName }

  /// A recording and what became of it.
  package struct Entry: Sendable, Codable {
    /// File or folder, as it was given.
    package var input: String
    /// The files that it was read from, with what they were then.
    package var inputFiles: [InputStamp]
    /// The dataset, below the folder.
    package var output: String
    /// Which of the recipes it was made by.
    package var recipe: Int
    /// Bytes of the dataset; nil where there is none.
    package var outputBytes: Int?
    /// The same recording in further formats: the bytes of each, by its place below the folder.
    package var furtherOutputs: [String: Int]?
    /// CRC-32 of each output, by its place below the folder: of a file, or of the list of a folder's files. nil where the
    /// build has no zlib.
    package var outputChecksums: [String: String]?
    package var rows: Int?
    /// What the log was recognised as.
    package var format: String?
    /// UNIX time of time 0, where the log says.
    package var epoch: Double?
    /// Time offsets of the sensors, and whether they were taken off; nil where that was not asked for.
    package var alignment: [LogAlignment.Entry]?
    package var warnings: [String]
    /// Why there is no dataset.
    package var failure: String?
  }

  package var recipes: [FusionRecipe] = []
  /// In the order of the outputs' names.
  package var recordings: [Entry] = []

  /// Puts an entry in the place of one of the same output.
  mutating func set(_ entry: Entry, recipe: FusionRecipe) {
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

  /// Sorted, and without recipes that no dataset was made by.
  mutating func tidy() {
    recordings.sort { $0.output < $1.output }
    let used = Set(recordings.map(\.recipe)).sorted()
    let places = Dictionary(uniqueKeysWithValues: used.enumerated().map { ($1, $0) })
    recipes = used.map { recipes[$0] }
    for index in recordings.indices { recordings[index].recipe = places[recordings[index].recipe] ?? 0 }
  }

  // MARK: File

  /// The manifest at a path; empty where there is none yet.
  static func read(at path: String) throws(FusionError) -> FusionManifest {
    guard let data = FileManager.default.contents(atPath: path) else { return FusionManifest() }
    guard let manifest = try? decoder.decode(FusionManifest.self, from: data),
      manifest.recordings.allSatisfy({ manifest.recipes.indices.contains($0.recipe) })
    else {
      throw .badData("\(path): is no manifest of ours; move it away, or give another folder")
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
