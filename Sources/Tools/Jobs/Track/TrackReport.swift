internal import InertialLogs
internal import InertialSystem

/// The result of a path estimation: the dataset with the columns of the path, and the map.
package struct TrackReport: Sendable, Encodable {
  /// The result of the fusion, which contains the path.
  package var fusion: FusionJob.Report
  /// The path of the map, or `nil` if no map was requested.
  package var map: String?

  /// The summary of the path.
  package var path: PathReport { fusion.path! }

  /// Encodes the result, as the command `track --json` prints it. Lengths are in metres, and null if there is no path.
  package func encode(to encoder: any Encoder) throws {
    let lack = path.missingInputReason
    func known(_ value: Double) -> any Encodable { lack == nil ? value : Double?.none }
    let object = EncodedObject([
      "input": fusion.job.input, "output": fusion.output, "map": map, "on": path.on, "reason": path.reason,
      "rows": fusion.rowCount, "length": known(path.length), "distance": known(path.distance),
      "height": known(path.height), "sigma": known(path.sigma), "heightSigma": known(path.heightSigma),
      "steps": path.steps, "openDistance": path.opening?.distance, "openSigma": path.opening?.sigma, "lack": lack,
      "notes": fusion.log.warnings,
    ])
    try object.encode(to: encoder)
  }
}
