package import InertialLogs

extension LogGuess {
  /// - Throws: ``FusionError`` if a request for a guess has a sound file or a calibration, which a guess does not use.
  package static func check(hasSound: Bool, hasCalibration: Bool) throws(FusionError) {
    if hasSound { throw .usage("--guess does not read a sound file; leave --sound out") }
    if hasCalibration {
      throw .usage("--guess uses only the log; leave --calibration out, and add it to the printed command")
    }
  }
}
