internal import InertialLogs
internal import InertialSystem

/// A guard that rejects outputs that would replace an input, even with `force`, as a recording cannot be repeated.
package struct InputGuard {
  private var identities: Set<FileIdentity> = []

  /// - Parameter inputs: The paths of logs and other input files; "-" is standard input.
  package init(_ inputs: [String]) {
    for input in inputs {
      // A file that is redirected to standard input is an input, too.
      let found =
        input == "-" ? [FileIdentity(descriptor: 0)] : ([input] + LogFeed.files(of: input)).map { FileIdentity($0) }
      identities.formUnion(found.compactMap { $0 })
    }
    // A device may be both read and written.
    if let null = FileIdentity("/dev/null") { identities.remove(null) }
  }

  /// - Throws: ``FusionError`` if the output is an input or part of one, by name or link, or a folder with an input.
  package func check(_ output: String) throws(FusionError) {
    if let descriptor = AtomicFile.streamDescriptor(of: output) {
      // A shell may append rows to the log from which they are computed.
      var status = stat()
      guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        let identity = FileIdentity(descriptor: descriptor), identities.contains(identity)
      else { return }
      throw .usage("\(output == "-" ? "standard output" : output): is the input; use another file")
    }
    guard let identity = FileIdentity(output), !AtomicFile.isStream(output) else { return }
    guard !identities.contains(identity) else {
      throw .usage("\(output): the output would replace the input; give another path")
    }
  }

  /// Same as `check`, for a folder that is replaced as a whole.
  package func checkFolder(_ output: String) throws(FusionError) {
    guard FileIdentity(output) != nil else { return }
    for path in LogFeed.files(of: output) {
      if let identity = FileIdentity(path), identities.contains(identity) {
        throw .usage("\(output): the output would replace the input \(path); give another path")
      }
    }
  }
}
