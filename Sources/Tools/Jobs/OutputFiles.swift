internal import InertialLogs
internal import InertialSystem

/// The files that a command writes beside its answer: opened before its work, and in their places together or not at all.
package struct OutputFiles {
  private var files: [(path: String, file: AtomicFile)] = []

  /// - Parameters:
  ///   - paths: "-" is standard output.
  ///   - inputs: what none of them may replace.
  ///   - force: whether existing files are replaced.
  /// - Throws: if one may not be written, or two have the same path.
  package init(_ paths: [String], sparing inputs: InputGuard, force: Bool) throws(FusionError) {
    for path in paths {
      try inputs.check(path)
      guard !files.contains(where: { $0.path == path }) else {
        throw .usage("\(path): is the path of two outputs; give each its own")
      }
      do throws(OutputError) {
        files.append((path, try AtomicFile(path: path, force: force)))
      } catch {
        throw FusionError(error)
      }
    }
  }

  /// Writes a text to the file of a path.
  package func write(_ text: String, to path: String) throws(FusionError) { try write(Array(text.utf8), to: path) }

  /// Writes bytes to the file of a path.
  package func write(_ bytes: [UInt8], to path: String) throws(FusionError) {
    for (_, file) in files.filter({ $0.path == path }) {
      do throws(OutputError) {
        try bytes.withUnsafeBufferPointer { (bytes) throws(OutputError) in
          try file.write(UnsafeRawBufferPointer(bytes))
        }
      } catch {
        throw FusionError(error)
      }
    }
  }

  /// Puts all files in their places.
  package func commit() throws(FusionError) {
    do throws(OutputError) {
      for (_, file) in files { try file.prepare() }
      try NewNames(files.map(\.path)).allOrNone { () throws(OutputError) in
        for (_, file) in files { try file.commit() }
      }
    } catch {
      throw FusionError(error)
    }
  }
}

/// Names that several outputs of one run take, of which none remains if one of them cannot be taken.
struct NewNames {
  /// In the order in which they are taken; whether each is new.
  private let paths: [(path: String, isNew: Bool)]

  /// - Parameter paths: of the outputs, in the order in which they get their names; "-" is standard output.
  init(_ paths: [String]) {
    self.paths = paths.map { path in
      var status = stat()
      return (path, OutputStreams.descriptor(of: path) == nil && lstat(path, &status) != 0)
    }
  }

  /// Puts the outputs in their places; after an error those that were put there before it are removed.
  func allOrNone(_ place: () throws(OutputError) -> Void) throws(OutputError) {
    do throws(OutputError) {
      try place()
    } catch {
      // What stands under a later name is another's.
      let failed = paths.firstIndex { $0.path == error.path || $0.path == error.path + "/" } ?? paths.count
      for (path, isNew) in paths[..<failed] where isNew { PartialName.remove(path) }
      throw error
    }
  }
}
