import CInertialShims
import Inertial
import InertialEssentials
import InertialSystem

/// Writes messages and progress to standard error; standard output is for results.
///
/// All messages are written here: failed writes do not trap, and the status of `exit` reveals lost output.
package enum Console {
  /// The maximum length of a message in bytes; a longer one contains the contents of a file that is not text.
  private static let maximumMessageLength = 4000

  static func line(_ text: String) { show(Page.oneLine(plain(text)) + "\n") }

  /// Writes a string of several lines.
  static func text(_ text: String) { show(plain(text) + "\n") }

  /// Writes a string without a line break, such as a progress bar.
  static func show(_ text: String) {
    AtomicFile.waitIfEnding()
    var text = text
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { _ = process_say($0.baseAddress!, $0.count) }
    }
  }

  /// Returns a string that is safe for a terminal: names and cells of files may contain control characters, and have
  /// any length.
  static func plain(_ text: String) -> String {
    let plain = text.withoutControls()
    guard plain.utf8.count > maximumMessageLength else { return plain }
    return plain.prefix(maximumMessageLength / 2) + " ... " + plain.suffix(maximumMessageLength / 4)
  }

  /// Ends the process. If any output was not written, the status is not 0.
  static func exit(_ status: Int32) -> Never {
    AtomicFile.waitIfEnding()
    var status = status
    let failure = process_output_failure()
    if failure != 0 {
      // If the reader has closed the pipe, no message is needed.
      if failure != EPIPE {
        error(
          "standard output: not all output could be written (\(String(cString: strerror(failure)).lowercased())); "
            + "free some space, or redirect the output to another file or program")
      }
      if status == 0 { status = 1 }
    }
    if process_messages_failed() != 0, status == 0 { status = 1 }
    // All output has been flushed. A thread that reads ahead may still be running, and an ordinary exit would destroy
    // the objects that it uses.
    _exit(status)
  }

  /// Prepares the process: a reader that closes the pipe early causes a write error instead of terminating the process,
  /// and the limit of open files is raised.
  static func begin() {
    signal(SIGPIPE, SIG_IGN)
    let count = process_raise_file_limit(4096)
    if let line = lackOfMemory() {
      error(line)
      exit(1)
    }
    guard count < minimumFileCount else { return }
    error("the limit of open files is \(count); allow \(minimumFileCount) or more: ulimit -n 256")
    exit(1)
  }

  /// Returns a message if the process may map less memory than the numerical library needs: it allocates 128 MB per
  /// computing thread, and retries indefinitely on failure.
  private static func lackOfMemory() -> String? {
    let limit = process_memory_limit()
    guard limit >= 0 else { return nil }
    let threads = min(ProcessInfo.processInfo.activeProcessorCount, 7) + 1
    let size = (threads << 27) + (256 << 20)
    let probe = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard probe == MAP_FAILED else {
      munmap(probe, size)
      return nil
    }
    return "the memory limit of the process is too low (\(limit >> 20) MB); allow \((size >> 20) + 256) MB or more: "
      + "ulimit -v \((size >> 10) + (256 << 10))"
  }

  /// The number of open files for a folder of sensors, outputs in several formats, and the system libraries.
  private static let minimumFileCount = 24

  /// Writes the reason why the command ends.
  package static func error(_ text: String) { line("error: " + text) }

  /// Writes a problem that does not end the command.
  package static func warning(_ text: String) { line("warning: " + text) }

  /// Writes a note that does not indicate a problem.
  package static func note(_ text: String) { line("note: " + text) }

  /// Whether a line can be overwritten, which TERM=dumb excludes.
  static let isTerminal = isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"

  /// The number of characters per line of the terminal.
  static var width: Int { Page.columns(of: STDERR_FILENO) ?? 80 }
}
