import TestSupport

extension CommandRunner {
  /// Runs the command with a terminal of the given width for both outputs, and returns its output.
  ///
  /// - Parameter environment: Replaces the variables that describe the terminal.
  func runOnTerminal(
    _ arguments: [String], columns: UInt16 = 100, environment: [String: String] = [:]
  ) throws -> (status: Int32, shown: String) {
    let (master, slave) = try Self.terminal()
    defer { close(master) }
    var size = winsize(ws_row: 40, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(slave, UInt(TIOCSWINSZ), &size)
    let terminal = FileHandle(fileDescriptor: slave, closeOnDealloc: false)
    let process = Process()
    process.executableURL = Self.executable
    process.arguments = arguments
    process.currentDirectoryURL = folder
    var variables = ProcessInfo.processInfo.environment
    for name in ["NO_COLOR", "COLUMNS", "TERM"] { variables[name] = nil }
    process.environment = variables.merging(["TERM": "xterm"].merging(environment) { $1 }) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = terminal
    process.standardError = terminal
    try process.run()
    close(slave)
    // Ends with a terminal error when the command has closed its side.
    var shown: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while case let count = readOnce(master, &buffer), count > 0 { shown += buffer[..<count] }
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: shown, as: UTF8.self).replacing("\r\n", with: "\n"))
  }

  /// Both sides of a new terminal: the test's side and the command's side.
  private static func terminal() throws -> (master: Int32, slave: Int32) {
    #if os(Linux)
      // Same as posix_openpt and related functions, which the C library's module omits (pty(7), ioctl_tty(2)).
      let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
      var (isLocked, number): (Int32, Int32) = (0, 0)
      guard master >= 0, ioctl(master, 0x4004_5431, &isLocked) == 0, ioctl(master, 0x8004_5430, &number) == 0 else {
        throw CocoaError(.fileNoSuchFile)
      }
      let name = "/dev/pts/\(number)"
    #else
      let master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)
      guard master >= 0, grantpt(master) == 0, unlockpt(master) == 0, let name = ptsname(master) else {
        throw CocoaError(.fileNoSuchFile)
      }
    #endif
    let slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard slave >= 0 else { throw CocoaError(.fileNoSuchFile) }
    return (master, slave)
  }
}

/// Reads the available bytes, at least one; returns 0 or less at the end.
private func readOnce(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int { read(descriptor, &buffer, buffer.count) }
