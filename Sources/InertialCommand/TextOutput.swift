import Inertial

/// Writes a text to a file that appears under its name when it is whole.
func writeText(_ text: String, to path: String, force: Bool) throws(FusionError) {
  do throws(OutputError) {
    let file = try AtomicFile(path: path, force: force)
    try file.write(text)
    try file.commit()
  } catch {
    throw FusionError(error)
  }
}
