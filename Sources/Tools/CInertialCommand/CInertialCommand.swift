internal import InertialCommand
internal import InertialSystem

/// Runs the command `inertial` with the given words as its arguments: prints its output, and ends the process with its
/// status. Returns 2 if a word is not UTF-8, or in a child that was forked after its parent used the library.
@c(inertial_command)
public func command(words: UnsafePointer<UnsafePointer<CChar>?>?, wordCount: Int) -> Int32 {
  guard wordCount >= 0, words != nil || wordCount == 0 else { return 2 }
  let arguments = UnsafeBufferPointer(start: words, count: wordCount).map { word in
    word.flatMap { String(validatingCString: $0) }
  }
  guard !arguments.contains(nil) else { return 2 }
  guard BackgroundThreads.areAvailable else {
    let line = "error: this process was forked after the library was used; run the command in a new process\n"
    _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
    return 2
  }
  beginInertialProcess()
  Task.detached { await runInertialCommand(arguments.compactMap(\.self)) }
  // The task ends the process.
  while true { _ = pause() }
}
