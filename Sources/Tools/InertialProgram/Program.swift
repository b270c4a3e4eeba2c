internal import InertialCommand

/// The program `inertial`. The module `InertialCommand` has the command, which the Python package runs as well;
/// `CInertialProgramStart` prepares the process before its libraries start, which only a program may do.
@main
struct Program {
  static func main() async {
    beginInertialProcess()
    await runInertialCommand()
  }
}
