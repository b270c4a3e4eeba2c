import ArgumentParser
import Inertial
import InertialSystem

/// Starts the server, which is a separate program: it is built with SwiftNIO and TLS, which no other command needs.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: ServeArguments.abstract, discussion: ServeArguments.discussion)
  static let program = "inertial-serve"

  @OptionGroup var arguments: ServeArguments

  func run() throws {
    guard let path = Self.path(of: Self.program) else {
      throw FusionError.badData(
        "inertial serve needs the program \(Self.program), which is neither beside inertial nor on the path; "
          + "run make install-serve in a checkout of Inertial")
    }
    // A thread of the system's pool may have blocked signals.
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
    let words = InertialCommand.arguments?.map { strdup($0) } ?? Self.ownArguments
    execv(path, [strdup(path)] + words.dropFirst() + [nil])
    throw FusionError.badData("\(path): cannot be started: \(String(cString: strerror(errno))); install it again")
  }

  /// The arguments after the program's name.
  private static var ownArguments: [UnsafeMutablePointer<CChar>?] {
    (1..<max(1, Int(CommandLine.argc))).map { CommandLine.unsafeArgv[$0] }
  }

  /// Returns the path of a program beside this one or in a folder of PATH.
  private static func path(of name: String) -> String? {
    var folders: [String] = []
    let own = CommandLine.arguments.first ?? ""
    if let slash = own.lastIndex(of: "/") { folders.append(String(own[...slash])) }
    if let places = getenv("PATH") { folders += String(cString: places).split(separator: ":").map { $0 + "/" } }
    return folders.map { $0 + name }.first { access($0, X_OK) == 0 }
  }
}
