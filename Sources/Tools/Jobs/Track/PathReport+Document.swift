internal import InertialLogs
package import InertialSystem

extension PathReport {
  /// Returns the document of the command `track --json`. Lengths are in metres, and null if there is no path.
  ///
  /// - Parameters:
  ///   - fusion: The fusion whose dataset has the path.
  ///   - map: The path of the map, or `nil` if no map was requested.
  package func document(of fusion: FusionJob.Report, map: String?) -> EncodedObject {
    let lack = missingInputReason
    func known(_ value: Double) -> any Encodable { lack == nil ? value : Double?.none }
    return EncodedObject([
      "input": fusion.job.input, "output": fusion.output, "map": map, "on": on, "reason": decision,
      "start": known(delay),
      "rows": fusion.rowCount, "length": known(length), "distance": known(distance), "height": known(height),
      "sigma": known(sigma), "heightSigma": known(heightSigma), "steps": steps, "openDistance": opening?.distance,
      "openSigma": opening?.sigma, "lack": lack, "notes": fusion.log.warnings,
    ])
  }
}
