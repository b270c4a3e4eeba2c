internal import InertialSystem

/// What this process has on the disk that must not outlive it: outputs under a temporary name, and folders for what is
/// unpacked.
///
/// There is one list for the process, because a signal ends the process as a whole. Everything that begins or ends a
/// temporary name does so through `step`, so that the list is right at each moment.
package enum Unfinished {
  private static let paths = SharedState<Set<String>>([])

  /// Takes one step on the disk while nothing else is begun, ended or removed.
  ///
  /// - Parameters:
  ///   - begun: a path that the step makes; asked for after it.
  ///   - ended: a path that the step removes, or gives another name.
  ///   - act: the step; below 0 with `errno` where it fails, and the list stays as it is.
  /// - Returns: what `act` returns, with its `errno`.
  @discardableResult
  static func step(
    begins begun: @autoclosure () -> String? = nil, ends ended: String? = nil, _ act: () -> Int32
  ) -> Int32 {
    paths.withLock { paths in
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
  package static func removeAll(then end: () -> Never) -> Never {
    paths.withLock { paths in
      for path in paths { removeForGood(path) }
      end()
    }
  }

  /// Returns at once; where the process is being ended, never. For a thread that would tell of an error which is only
  /// that its files have been removed.
  package static func waitIfEnding() { step { 0 } }

  /// Another thread may be at work in a folder: what it makes while the folder is removed is removed as well.
  private static func removeForGood(_ path: String) {
    var status = stat()
    for _ in 0..<100 {
      PartialName.remove(path)
      if lstat(path, &status) != 0 { return }
    }
  }
}
