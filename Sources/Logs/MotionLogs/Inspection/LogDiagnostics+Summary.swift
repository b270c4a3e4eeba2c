extension LogSummary {
  /// Adds the certain faults to the findings from reading the log.
  ///
  /// - Throws: ``LogError`` for the first fault if `isStrict` is `true`.
  mutating func diagnose(isStrict: Bool) throws(LogError) {
    let doctor = LogDiagnostics(summary: self, inspection: inspection)
    faults = doctor.examine().findings.filter(\.isCertain).map(\.text)
    hints = [description.selectionNote, doctor.hemisphereHint].compactMap { $0 }
    if isStrict, let worst = faults.first ?? description.lineWarnings.first {
      throw LogError(
        path: description.path, problem: worst.hasSuffix(".") ? String(worst.dropLast()) : worst,
        remedy: "omit --strict to accept the log")
    }
    warnings += faults
  }
}
