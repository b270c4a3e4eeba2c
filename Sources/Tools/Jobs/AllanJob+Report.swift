package import InertialCalibration
package import InertialSensors

extension AllanJob {
  /// The results for a log, which are the JSON document of `inertial allan`.
  package struct Report: Sendable, Encodable {
    /// An averaging time of a deviation.
    package struct Point: Sendable, Encodable {
      /// The averaging time in seconds.
      package var time: Double
      /// The deviation, with its lower and upper bound, in the sensor's unit.
      package var deviation, lower, upper: Double
      /// The equivalent degrees of freedom.
      package var degreesOfFreedom: Double
      /// The type of noise.
      package var noise: String

      init(_ point: StabilityCurve.Point) {
        (time, deviation, lower, upper) = (point.time, point.deviation, point.lower, point.upper)
        (degreesOfFreedom, noise) = (point.degreesOfFreedom, point.noise.title)
      }
    }

    /// A noise term of an axis, in SI units and in customary units.
    package struct Term: Sendable, Encodable {
      /// The name of the term, and the SI unit of its coefficient.
      package var name, unit: String
      /// The coefficient with its standard deviation, or its upper limit at 95 % confidence, if it is not observable.
      package var value, sigma, below: Double?
      /// The unit used in data sheets, or `nil` if it is the same.
      package var customaryUnit: String?
      /// The coefficient, its standard deviation and its upper limit in this unit.
      package var customaryValue, customarySigma, customaryBelow: Double?

      init(_ process: NoiseProcess, _ estimate: NoiseFit.TermEstimate, _ units: NoiseUnits) {
        (name, unit) = (units.title(process), units.unit(process).text)
        (value, sigma, below) = (estimate.value, estimate.sigma, estimate.upperLimit)
        guard let other = units.customary(process) else { return }
        customaryUnit = other.text
        customaryValue = value.map { $0 * other.perOwn }
        customarySigma = sigma.map { $0 * other.perOwn }
        customaryBelow = below.map { $0 * other.perOwn }
      }
    }

    /// The results of one axis of a sensor.
    package struct Axis: Sendable, Encodable {
      /// The name of the axis: x, y or z.
      package var axis: String
      /// The terms in the order of IEEE Std 952; empty if the axis has no information.
      package var terms: [Term]
      /// The range of the averaging times that the terms describe, in seconds, and the misfit.
      package var fittedFrom, fittedTo, chiSquarePerDegreeOfFreedom: Double?
      /// The minimum of the Allan deviation and its averaging time. It is only the bias instability if the curve does
      /// not decrease further.
      package var smallestDeviation, smallestAt: Double?
      /// The points by name of the deviation.
      package var deviations: [String: [Point]]
      /// The curves in rad/s, m/s² or µT, one for each kind.
      package var curves: [StabilityCurve]
      /// The fitted noise, or `nil` if it cannot be determined.
      package var noise: NoiseFit?

      private enum CodingKeys: CodingKey {
        case axis, terms, fittedFrom, fittedTo, chiSquarePerDegreeOfFreedom, smallestDeviation, smallestAt, deviations
      }

      init(_ name: String, _ curves: [StabilityCurve], _ noise: NoiseFit?, _ units: NoiseUnits) {
        (axis, self.curves, self.noise) = (name, curves, noise)
        terms = noise.map { noise in NoiseProcess.allCases.map { Term($0, noise[$0], units) } } ?? []
        (fittedFrom, fittedTo) = (noise?.shortestTime, noise?.longestTime)
        chiSquarePerDegreeOfFreedom = noise?.misfit
        let smallest = curves.first { $0.kind == .allan }?.minimum
        (smallestDeviation, smallestAt) = (smallest?.deviation, smallest?.time)
        deviations = Dictionary(uniqueKeysWithValues: curves.map { ($0.kind.rawValue, $0.points.map(Point.init)) })
      }
    }

    /// The results of one sensor.
    package struct Sensor: Sendable, Encodable {
      /// The name of the sensor, and the unit of its values.
      package var sensor, unit: String
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
      /// The channel of the sensor.
      package var channel: SensorChannel

      private enum CodingKeys: CodingKey {
        case sensor, unit, rate, duration, missingSamples, gaps, outlyingSamples, axes
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
          NoiseProfile.Sensor(channel: $0.channel, rate: $0.rate, duration: $0.duration, axes: $0.axes.map(\.noise))
        })
    }
  }
}
