extension LogSummary {
  /// Adds what is certainly wrong to what was found while the log was read.
  ///
  /// - Throws: the first of it, where the log is to be without fault.
  mutating func diagnose(isStrict: Bool) throws(LogError) {
    let doctor = Doctor(summary: self, inspection: inspection)
    faults = doctor.examine().findings.filter(\.isCertain).map(\.text)
    hints = [description.selectionNote, doctor.hemisphereHint].compactMap { $0 }
    if isStrict, let worst = faults.first ?? description.lineWarnings.first {
      throw LogError(
        path: description.path, problem: worst.hasSuffix(".") ? String(worst.dropLast()) : worst,
        remedy: "leave --strict out to take the log as it is")
    }
    warnings += faults
  }
}
