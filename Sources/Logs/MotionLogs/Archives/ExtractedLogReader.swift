internal import InertialSensors

/// A reader of an unpacked log. Its description and errors contain the path of the packed log, not of the unpacked
/// files.
struct ExtractedLogReader: LogReader {
  private(set) var description: LogDescription
  private var inner: any LogReader
  private let root: String
  private let describe: (LogDescription) -> LogDescription
  private let rename: (LogError) -> LogError

  /// Opens the log in a scratch folder and then removes the folder, as the reader has its files open.
  ///
  /// - Parameters:
  ///   - describe: Returns the packed log's description, given the unpacked log's.
  ///   - rename: Returns the packed log's error, given the unpacked log's.
  init(
    in scratch: ScratchFolder, open: () throws(LogError) -> any LogReader,
    describe: @escaping (LogDescription) -> LogDescription, rename: @escaping (LogError) -> LogError
  ) throws(LogError) {
    defer { scratch.remove() }
    root = scratch.path + "/"
    self.describe = describe
    self.rename = rename
    do throws(LogError) {
      inner = try open()
    } catch {
      throw rename(error)
    }
    description = describe(inner.description)
    clean()
  }

  var emptyCounts: [SensorChannel: Int] { inner.emptyCounts }
  var progress: Double { inner.progress }

  mutating func read(into batch: inout [SensorSample]) throws(LogError) -> Bool {
    do throws(LogError) {
      if try inner.read(into: &batch) { return true }
    } catch {
      throw rename(error)
    }
    description = describe(inner.description)
    clean()
    return false
  }

  mutating func takeAuxiliary(into batch: inout [AuxiliarySample]) { inner.takeAuxiliary(into: &batch) }

  private mutating func clean() {
    for index in description.notes.indices { description.notes[index].replace(root, with: "") }
    description.unreadable = description.unreadable.mapValues { cells in
      var cells = cells
      cells.first.path.replace(root, with: "")
      return cells
    }
  }
}
