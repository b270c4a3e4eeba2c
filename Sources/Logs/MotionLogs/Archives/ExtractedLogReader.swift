internal import InertialSensors

/// A reader of an unpacked log. Its description and errors contain the path of the packed log, not of the unpacked
/// files.
struct ExtractedLogReader: LogReader {
  private(set) var description: LogDescription
  private var inner: any LogReader
  private let root: String
  private let describe: (inout LogDescription) -> Void
  private let rename: (inout LogError) -> Void

  /// Opens the log in a scratch folder and then removes the folder, as the reader has its files open.
  ///
  /// - Parameters:
  ///   - describe: Changes the unpacked log's description to the packed log's.
  ///   - rename: Changes the unpacked log's error to the packed log's.
  init(
    in scratch: ScratchFolder, open: () throws(LogError) -> any LogReader,
    describe: @escaping (inout LogDescription) -> Void, rename: @escaping (inout LogError) -> Void
  ) throws(LogError) {
    defer { scratch.remove() }
    root = scratch.path + "/"
    self.describe = describe
    self.rename = rename
    do throws(LogError) {
      inner = try open()
    } catch {
      var error = error
      rename(&error)
      throw error
    }
    description = inner.description
    complete()
  }

  var emptyCounts: [SensorChannel: Int] { inner.emptyCounts }
  var progress: Double { inner.progress }

  mutating func read(into batch: inout [SensorSample]) throws(LogError) -> Bool {
    do throws(LogError) {
      if try inner.read(into: &batch) { return true }
    } catch {
      var error = error
      rename(&error)
      throw error
    }
    description = inner.description
    complete()
    return false
  }

  mutating func takeAuxiliary(into batch: inout [AuxiliarySample]) { inner.takeAuxiliary(into: &batch) }

  /// Changes the unpacked log's description to the packed log's.
  private mutating func complete() {
    describe(&description)
    for index in description.notes.indices { description.notes[index].replace(root, with: "") }
    description.unreadable = description.unreadable.mapValues { cells in
      var cells = cells
      cells.path.replace(root, with: "")
      return cells
    }
  }
}
