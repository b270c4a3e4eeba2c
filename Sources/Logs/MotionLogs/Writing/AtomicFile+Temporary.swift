internal import InertialSystem

// The items on disk that must not outlive the process: outputs with a temporary name, and folders of unpacked files.
//
// There is one list per process, because a signal ends the whole process. Temporary names are created and removed only
// through `temporaryStep`, so that the list is always correct.
extension AtomicFile {
  private static let temporaries = SharedState<Set<String>>([])

  /// Performs a step on disk while no other step or removal runs.
  ///
  /// - Parameters:
  ///   - begun: A path that the step creates; evaluated after the step.
  ///   - ended: A path that the step removes or renames.
  ///   - act: The step; below 0 with `errno` on failure, which leaves the list unchanged.
  /// - Returns: The result of `act`, with its `errno`.
  @discardableResult
  static func temporaryStep(
    begins begun: @autoclosure () -> String? = nil, ends ended: String? = nil, _ act: () -> Int32
  ) -> Int32 {
    temporaries.withLock { paths in
      let result = act()
      let number = errno
      if result >= 0 {
        if let begun = begun() { paths.insert(begun) }
        if let ended { paths.remove(ended) }
      }
      errno = number
      return result
    }
  }

  /// Removes everything on the list and ends the process. Other threads stop at their next step.
  package static func removeTemporaries(then end: () -> Never) -> Never {
    temporaries.withLock { paths in
      for path in paths { removeForGood(path) }
      end()
    }
  }

  /// Returns immediately, or never if the process is ending. Prevents a thread from reporting an error that is only
  /// caused by the removal of its files.
  package static func waitIfEnding() { temporaryStep { 0 } }

  /// Removes a path, repeatedly, as another thread may still create files in a folder.
  private static func removeForGood(_ path: String) {
    var status = stat()
    for _ in 0..<100 {
      AtomicFolder.remove(path)
      if lstat(path, &status) != 0 { return }
    }
  }
}
