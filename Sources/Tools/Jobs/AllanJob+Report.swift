package import InertialCalibration
internal import InertialSensors
internal import InertialSystem

extension AllanJob.Report {
  /// The deviations as CSV, with one row per point.
  package var csv: String {
    var text = "sensor,axis,deviation,unit,time,value,lower,upper,degreesOfFreedom,noise\n"
    for sensor in sensors {
      for axis in sensor.axes {
        for kind in StabilityDeviation.allCases {
          for point in axis.points(of: kind) ?? [] {
            text +=
              "\(sensor.name),\(axis.name),\(kind.rawValue),\(sensor.units.value.text),\(point.time),"
              + "\(point.deviation),\(point.lower),\(point.upper),\(point.degreesOfFreedom),\(point.noise.title)\n"
          }
        }
      }
    }
    return text
  }

  /// Returns the content of an output file by its extension: the noise as JSON for `--noise`, or as Kalibr's YAML, or
  /// every point of every deviation as CSV.
  ///
  /// - Throws: ``FusionError`` if the device moves, and a file other than CSV would state its noise.
  package func content(of path: String) throws(FusionError) -> String {
    let kind = path.pathEnding.lowercased()
    guard ["json", "yaml", "yml", "csv"].contains(kind) else {
      throw .usage("-o takes a name that ends in .json, .yaml or .csv, not '\(path)'")
    }
    guard kind == "csv" || isAtRest else {
      throw .badData(
        "\(input): the device is moving, so \(path) would not describe sensor noise; use a recording with at least one "
          + "minute at rest, or select the part at rest with --start and --end")
    }
    if kind == "csv" { return csv }
    return kind == "json" ? try fileText(profile) : profile.kalibr
  }
}

extension AllanJob {
  /// The results for a log, which are the JSON document of `inertial allan`.
  package struct Report: Sendable, Encodable {
    /// The results of one axis of a sensor.
    package struct Axis: Sendable {
      /// The name of the axis: x, y or z.
      package var name: String
      /// The curves in rad/s, m/s² or µT, one for each kind.
      package var curves: [StabilityCurve]
      /// The fitted noise, or `nil` if it cannot be determined.
      package var noise: NoiseFit?

      /// The minimum of the Allan deviation. It is only the bias instability if the curve does not decrease further.
      package var smallest: StabilityCurve.Point? { curves.first { $0.kind == .allan }?.minimum }
    }

    /// The results of one sensor.
    package struct Sensor: Sendable, Encodable {
      /// The sensor, with the units of its values and noise terms.
      package var units: NoiseUnits
      /// The sample rate within the log's segments, in Hz.
      package var rate: Double
      /// The duration from the first to the last sample, in seconds.
      package var duration: Double
      /// The number of missing samples on the regular grid, and the number of gaps that contain them.
      package var missingSamples, gaps: Int
      /// The number of outliers, which are excluded.
      package var outlyingSamples: Int
      /// The results of the axes.
      package var axes: [Axis]

      /// The name of the sensor.
      package var name: String { units.channel.name }

      /// Encodes the results. Each noise term is in SI units and in the customary units of data sheets.
      package func encode(to encoder: any Encoder) throws {
        try EncodedObject([
          "sensor": name, "unit": units.value.text, "rate": rate, "duration": duration,
          "missingSamples": missingSamples, "gaps": gaps, "outlyingSamples": outlyingSamples,
          "axes": axes.map(document),
        ]).encode(to: encoder)
      }

      private func document(_ axis: Axis) -> EncodedObject {
        let (noise, smallest) = (axis.noise, axis.smallest)
        return EncodedObject([
          "axis": axis.name, "terms": noise.map { noise in NoiseProcess.allCases.map { term($0, noise[$0]) } } ?? [],
          "fittedFrom": noise?.shortestTime, "fittedTo": noise?.longestTime,
          "chiSquarePerDegreeOfFreedom": noise?.misfit, "smallestDeviation": smallest?.deviation,
          "smallestAt": smallest?.time,
          "deviations": Dictionary(
            uniqueKeysWithValues: axis.curves.map { ($0.kind.rawValue, $0.points.map(Self.document)) }),
        ])
      }

      private func term(_ process: NoiseProcess, _ estimate: NoiseFit.TermEstimate) -> EncodedObject {
        let customary = units.customary(process)
        func converted(_ value: Double?) -> Double? { customary.flatMap { unit in value.map { $0 * unit.perOwn } } }
        return EncodedObject([
          "name": units.title(process), "unit": units.unit(process).text, "value": estimate.value,
          "sigma": estimate.sigma, "below": estimate.upperLimit, "customaryUnit": customary?.text,
          "customaryValue": converted(estimate.value), "customarySigma": converted(estimate.sigma),
          "customaryBelow": converted(estimate.upperLimit),
        ])
      }

      private static func document(_ point: StabilityCurve.Point) -> EncodedObject {
        EncodedObject([
          "time": point.time, "deviation": point.deviation, "lower": point.lower, "upper": point.upper,
          "degreesOfFreedom": point.degreesOfFreedom, "noise": point.noise.title,
        ])
      }
    }

    /// The path of the log, and its format.
    package var input, format: String
    /// Whether the device rests in the analysed interval. Otherwise the results describe motion, and are not valid as
    /// noise parameters of a filter.
    package var isAtRest: Bool
    /// The results of the sensors.
    package var sensors: [Sensor]
    /// The warnings about the log, and the notes about the results, one per line.
    package var warnings: [String]

    /// The noise profile that `--noise` writes.
    package var profile: NoiseProfile {
      NoiseProfile(
        source: input,
        sensors: sensors.map {
          .init(channel: $0.units.channel, rate: $0.rate, duration: $0.duration, axes: $0.axes.map(\.noise))
        })
    }
  }
}

extension AllanJob.Report.Axis {
  /// Returns the points of a deviation, or `nil` if it is not computed.
  package func points(of kind: StabilityDeviation) -> [StabilityCurve.Point]? {
    curves.first { $0.kind == kind }?.points
  }
}
