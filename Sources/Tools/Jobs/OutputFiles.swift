internal import InertialLogs
internal import InertialSystem

/// The additional output files of a command, opened before its work and renamed together or not at all.
package struct OutputFiles {
  private var files: [(path: String, file: AtomicFile)] = []

  /// - Parameters:
  ///   - paths: The paths of the files; "-" is standard output.
  ///   - inputs: The files that no output may replace.
  ///   - force: Whether existing files are replaced.
  /// - Throws: ``FusionError`` if a file may not be written, or two files have the same path.
  package init(_ paths: [String], sparing inputs: InputGuard, force: Bool) throws(FusionError) {
    for path in paths {
      try inputs.check(path)
      guard !files.contains(where: { $0.path == path }) else {
        throw .usage("\(path): is the path of two outputs; use a different path for each")
      }
      do throws(OutputError) {
        files.append((path, try AtomicFile(path: path, force: force)))
      } catch {
        throw FusionError(error)
      }
    }
  }

  /// Writes a string to the file with the given path.
  package func write(_ text: String, to path: String) throws(FusionError) { try write(Array(text.utf8), to: path) }

  /// Writes bytes to the file with the given path.
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

  /// Moves all files to their final names.
  package func commit() throws(FusionError) {
    do throws(OutputError) {
      for (_, file) in files { try file.prepare() }
      try Self.renameAllOrNone(files.map(\.path)) { () throws(OutputError) in
        for (_, file) in files { try file.commit() }
      }
    } catch {
      throw FusionError(error)
    }
  }

  /// Completes a dataset and the files beside it. All are on disk before the first is renamed. The dataset is renamed
  /// last, so that its existence implies the existence of all other files.
  ///
  /// - Parameter paths: The final paths of events, sidecars and dataset, in this order; "-" is standard output.
  static func complete(
    _ writer: any TableWriter, _ metadata: DatasetMetadata, sidecars: [AtomicFile] = [],
    events: EventTableWriter? = nil, paths: [String]
  ) throws(FusionError) {
    do throws(OutputError) {
      try events?.finish(time: metadata.time)
      for sidecar in sidecars {
        try sidecar.write(metadata.json())
        try sidecar.prepare()
      }
      try writer.finish()
      try renameAllOrNone(paths) { () throws(OutputError) in
        try events?.close()
        for sidecar in sidecars { try sidecar.commit() }
        try writer.close()
      }
    } catch {
      throw FusionError(error)
    }
  }

  /// Renames the outputs of a run. If one rename fails, none of the new names remains.
  ///
  /// - Parameters:
  ///   - paths: The final paths in the order of the renames; "-" is standard output.
  ///   - rename: Renames the outputs.
  private static func renameAllOrNone(
    _ paths: [String], _ rename: () throws(OutputError) -> Void
  ) throws(OutputError) {
    let isNew = paths.map { path in
      var status = stat()
      return AtomicFile.streamDescriptor(of: path) == nil && lstat(path, &status) != 0
    }
    do throws(OutputError) {
      try rename()
    } catch {
      // A file under a later name was not created by this run.
      let failed = paths.firstIndex { $0 == error.path || $0 == error.path + "/" } ?? paths.count
      for index in 0..<failed where isNew[index] { AtomicFolder.remove(paths[index]) }
      throw error
    }
  }
}
