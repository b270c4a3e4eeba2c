internal import InertialCommand
internal import InertialServe

/// The program `inertial-serve`, which `inertial serve` starts.
@main
struct Program {
  static func main() async {
    beginInertialProcess()
    await ServerCommand.runProgram()
  }
}
