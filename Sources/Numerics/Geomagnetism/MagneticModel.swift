internal import CInertialResources

/// A model of the earth's main magnetic field: spherical harmonic coefficients of one epoch and their rates of change.
/// The World Magnetic Models of 2015 (version 2), 2020 and 2025 are built in.
///
/// The main field originates in the core. Local iron, rocks and magnetic storms are not included: expect a declination
/// error of about half a degree outdoors in middle latitudes, and far more near the magnetic poles.
public struct MagneticModel: Sendable, Equatable {
  /// The name in the coefficient file, such as `WMM-2025`.
  public let name: String
  /// The decimal year of the coefficients.
  public let epoch: Double
  /// The highest degree and order.
  public let degree: Int
  /// The Gauss coefficients, triangular.
  let coefficients: GaussCoefficients

  /// The decimal years for which the model is valid: five from its epoch.
  public var validity: ClosedRange<Double> { epoch...(epoch + 5) }

  /// Reads a coefficient file in the format of the World Magnetic Model (`.COF`): a line with epoch, name and date,
  /// then lines of n, m, g, h, ġ and ḣ (nT and nT per year), ended by a line of nines.
  /// - Throws: `malformedCoefficients` with the line's number, from 1.
  public init(coefficientFile text: some StringProtocol) throws(GeomagnetismError) {
    let lines = text.split(whereSeparator: \.isNewline).map { $0.split(whereSeparator: \.isWhitespace) }
    guard let header = lines.first, header.count >= 2, let epoch = Double(header[0]), epoch.isFinite else {
      throw .malformedCoefficients(line: 1)
    }
    var coefficients = GaussCoefficients()
    for (index, fields) in lines.enumerated().dropFirst() {
      if let first = fields.first, first.count > 8, first.allSatisfy({ $0 == "9" }) { break }
      let numbers = fields.compactMap { Double($0) }
      guard fields.count == 6, numbers.count == 6, let n = Int(fields[0]), let m = Int(fields[1]),
        coefficients.isNext(n, m), numbers.allSatisfy(\.isFinite)
      else { throw .malformedCoefficients(line: index + 1) }
      coefficients.append(g: numbers[2], h: numbers[3], gRate: numbers[4], hRate: numbers[5])
    }
    guard let degree = coefficients.completeDegree else {
      throw .malformedCoefficients(line: lines.count)
    }
    self.name = String(header[1])
    self.epoch = epoch
    self.degree = degree
    self.coefficients = coefficients
  }

  /// The built-in models, oldest first; their years follow each other without a gap.
  public static let builtIn: [MagneticModel] = [
    embedded_wmm_2015v2(), embedded_wmm_2020(), embedded_wmm_2025(),
  ].map { file in
    let bytes = UnsafeBufferPointer(start: file.bytes, count: file.count)
    // The files are part of the program, and a test reads all of them.
    return try! MagneticModel(coefficientFile: String(decoding: bytes, as: UTF8.self))
  }

  /// The decimal years covered by the built-in models.
  public static var builtInYears: ClosedRange<Double> {
    builtIn[0].validity.lowerBound...builtIn[builtIn.count - 1].validity.upperBound
  }

  /// Returns the built-in model for a date; the newer one at the boundary of two models.
  /// - Throws: `dateOutOfRange` with the years that are covered.
  public static func model(for decimalYear: Double) throws(GeomagnetismError) -> MagneticModel {
    guard let model = builtIn.last(where: { $0.validity.contains(decimalYear) }) else {
      throw .dateOutOfRange(decimalYear: decimalYear, years: builtInYears)
    }
    return model
  }

  /// Returns the field of the built-in model for the date.
  /// - Parameters:
  ///   - latitude: The geodetic latitude (WGS 84) in degrees north, −90 to 90.
  ///   - longitude: The longitude in degrees east; any finite value.
  ///   - height: The height above the WGS 84 ellipsoid in metres, −1 km to 850 km. The difference from the height above
  ///     sea level, up to 100 m, does not matter.
  ///   - decimalYear: The date; see `DecimalYear`.
  /// - Throws: `dateOutOfRange`, `invalidLatitude`, `invalidLongitude` or `invalidHeight`.
  public static func elements(
    latitude: Double, longitude: Double, height: Double = 0, decimalYear: Double
  ) throws(GeomagnetismError) -> MagneticElements {
    try model(for: decimalYear).elements(
      latitude: latitude, longitude: longitude, height: height, decimalYear: decimalYear)
  }
}

/// The reason that a field cannot be computed.
public enum GeomagnetismError: Error, Equatable, CustomStringConvertible {
  /// The date is outside the years of the model or of all built-in models.
  case dateOutOfRange(decimalYear: Double, years: ClosedRange<Double>)
  /// The latitude is not a number of degrees from −90 to 90.
  case invalidLatitude(Double)
  /// The longitude is not a finite number of degrees.
  case invalidLongitude(Double)
  /// The height is outside the model's range, −1000 m to 850,000 m.
  case invalidHeight(Double)
  /// A coefficient file ends early or cannot be read at this line.
  case malformedCoefficients(line: Int)

  public var description: String {
    switch self {
    case .dateOutOfRange(let year, let years):
      "no magnetic model for the year \(year): the models cover \(years.lowerBound) to \(years.upperBound)"
    case .invalidLatitude(let value): "latitude \(value) is not between -90 and 90 degrees"
    case .invalidLongitude(let value): "longitude \(value) is not a finite number of degrees"
    case .invalidHeight(let value): "height \(value) m is not between -1000 and 850000 m"
    case .malformedCoefficients(let line): "line \(line) of the magnetic coefficients cannot be read"
    }
  }
}
