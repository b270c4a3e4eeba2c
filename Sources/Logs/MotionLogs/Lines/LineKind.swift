internal import InertialSensors

/// The meaning of a field of a line.
enum LineField {
  case skipped
  /// A timestamp, by its index among the line's timestamps; exact if it is a whole number.
  case stamp(Int)
  /// A number, by its index among the line's values; the line has no sample without it.
  case value(Int)
  /// A number that may be missing, also because the line ends before it: NaN.
  case optionalValue(Int)
  /// A number that must have this value, such as a sensor's number; other lines are skipped.
  case only(Double)
  /// A value or text of an auxiliary sample.
  case cell(AuxiliaryCell)
  /// Same as `cell`, but a cell that is not a number is appended to the sample's text.
  case cellOrText(AuxiliaryCell, Int)
  /// A cell that is appended to the sample's text, after a blank.
  case moreText(Int)
}

/// The output of a kind of line. The indices of its values are in braces.
enum LineOutput {
  /// Acceleration, angular rate or raw field {0, 1, 2}, to be multiplied by a scale.
  case vector(SensorChannel, scale: Double)
  /// Acceleration {0, 1, 2}, angular rate {3, 4, 5} and, if it has a scale, raw field {6, 7, 8}, each times its scale.
  case inertial(acceleration: Double, rotation: Double, field: Double?)
  /// An uncalibrated value {0, 1, 2} and the bias estimated by the device {3, 4, 5}.
  ///
  /// `corrected` receives the difference, except if the bias is missing or 0, as the device then has no bias estimate.
  case biased(SensorChannel, corrected: SensorChannel?, scale: Double)
  /// Calibrated field {0, 1, 2} and Android's accuracy {3}.
  case calibratedField(scale: Double)
  /// Android's rotation vector {0, 1, 2} and, if present, the quaternion's scalar part {3}; device to ENU.
  case rotationVector
  /// Android's orientation angles in degrees: azimuth, pitch and roll {0, 1, 2}.
  case orientation
  case auxiliary(AuxiliaryChannel)
}

/// A kind of line of a mixed log: its tag and the meaning of its fields.
struct LineKind {
  /// The tag in the log.
  let tag: String
  /// The fields in the order of the line, including tag and timestamps.
  let fields: [LineField]
  let output: LineOutput
  /// The maximum number of fields; a longer line is two joined lines. `nil` if the number is unlimited.
  let largestCount: Int?
  let bytes: [UInt8]

  init(_ tag: String, _ fields: [LineField], _ output: LineOutput, largestCount: Int? = nil) {
    self.tag = tag
    self.fields = fields
    self.output = output
    self.largestCount = largestCount
    bytes = Array(tag.utf8)
  }

  /// The auxiliary channel of the lines, or `nil` for motion lines.
  var auxiliary: AuxiliaryChannel? { if case .auxiliary(let channel) = output { channel } else { nil } }

  /// The motion channels that the lines have samples of.
  var channels: [SensorChannel] {
    switch output {
    case .vector(let channel, _): [channel]
    case .inertial(_, _, let field): [.accelerometer, .gyroscope] + (field == nil ? [] : [.magnetometer])
    case .biased(let channel, let corrected, _): [channel] + (corrected.map { [$0] } ?? [])
    case .calibratedField: [.calibratedMagneticField]
    case .rotationVector, .orientation: [.deviceAttitude]
    case .auxiliary: []
    }
  }
}

extension LineField {
  /// Returns the field for a column of an auxiliary channel; it is skipped if the channel has no such field.
  static func cell(_ column: AuxiliaryColumn, in channel: AuxiliaryChannel) -> Self {
    column.cell(in: channel).map { .cell($0) } ?? .skipped
  }
}
