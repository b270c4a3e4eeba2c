internal import InertialLogs
internal import InertialSystem

/// Refuses outputs that would take the place of something that is read: a recording cannot be made again, so that not even
/// force does it.
package struct InputGuard {
  private var identities: Set<FileIdentity> = []

  /// - Parameter inputs: logs and other files that are read; "-" is standard input.
  package init(_ inputs: [String]) {
    for input in inputs {
      // What comes from a file through standard input is one of the inputs as well.
      let found =
        input == "-" ? [FileIdentity(descriptor: 0)] : ([input] + LogFiles.paths(of: input)).map { FileIdentity($0) }
      identities.formUnion(found.compactMap { $0 })
    }
    // A device may be read and written.
    if let null = FileIdentity("/dev/null") { identities.remove(null) }
  }

  /// - Throws: where the output is one of the inputs or a part of it, by its name or by a link, or is a folder that holds
  ///   one.
  package func check(_ output: String) throws(FusionError) {
    if let descriptor = OutputStreams.descriptor(of: output) {
      // Rows that a shell appends to the log that they are made of.
      var status = stat()
      guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        let identity = FileIdentity(descriptor: descriptor), identities.contains(identity)
      else { return }
      throw .usage("\(output == "-" ? "standard output" : output): is the input; give another file")
    }
    guard let identity = FileIdentity(output), !OutputStreams.isStream(output) else { return }
    guard !identities.contains(identity) else {
      throw .usage("\(output): the output would replace the input; give another path")
    }
  }

  /// As `check`, of a folder that is replaced as a whole.
  package func checkFolder(_ output: String) throws(FusionError) {
    guard FileIdentity(output) != nil else { return }
    for path in LogFiles.paths(of: output) {
      if let identity = FileIdentity(path), identities.contains(identity) {
        throw .usage("\(output): the output would replace the input \(path); give another path")
      }
    }
  }
}
