internal import InertialCommand

/// The command `inertial`. What it does is in the library `InertialCommand`, which other programs can hold as well; what
/// only a program may do before its libraries begin is in `CProgramStart`.
@main
struct Program {
  static func main() async {
    beginInertialProcess()
    await runInertialCommand()
  }
}
