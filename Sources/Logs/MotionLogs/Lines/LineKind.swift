internal import InertialSensors

/// What becomes of a field of a line.
enum LineField {
  case skipped
  /// A time stamp, by its place among the line's stamps, exact where it is a whole number.
  case stamp(Int)
  /// A number, by its place among the line's values; without it there is no sample.
  case value(Int)
  /// A number that may be missing, also where the line ends before it: NaN.
  case optionalValue(Int)
  /// A number that must be so, as the number of a sensor: lines of others are passed over.
  case only(Double)
  /// A value or text of an auxiliary sample.
  case cell(AuxiliaryCell)
  /// As `cell`, and where it is no number, more of a text.
  case cellOrText(AuxiliaryCell, Int)
  /// More of a text, after a blank.
  case moreText(Int)
}

/// What a line of a kind tells. The values' places are in braces.
enum LineOutput {
  /// Acceleration, angular rate or raw field {0, 1, 2}, to be multiplied by a scale.
  case vector(SensorChannel, scale: Double)
  /// Acceleration {0, 1, 2}, angular rate {3, 4, 5} and, if it has a scale, raw field {6, 7, 8}, each times its scale.
  case inertial(acceleration: Double, rotation: Double, field: Double?)
  /// As measured {0, 1, 2} and the bias that the device takes off it {3, 4, 5}.
  ///
  /// `corrected` gets the difference, but where no bias is told, which is one of 0, as there the device has none.
  case biased(SensorChannel, corrected: SensorChannel?, scale: Double)
  /// Calibrated field {0, 1, 2} and Android's accuracy {3}.
  case calibratedField(scale: Double)
  /// Android's rotation vector {0, 1, 2} and, where it is told, the quaternion's scalar part {3}; device to ENU.
  case rotationVector
  /// Android's orientation angles in degrees: azimuth, pitch and roll {0, 1, 2}.
  case orientation
  case auxiliary(AuxiliaryChannel)
}

/// A kind of line of a mixed log: the word that tells it, and what its fields are.
struct LineKind {
  /// The word in the log.
  let tag: String
  /// In the order of the line, word and stamps included.
  let fields: [LineField]
  let output: LineOutput
  /// A line of more fields is two that ran together; nil where lines may have more.
  let largestCount: Int?
  let bytes: [UInt8]

  init(_ tag: String, _ fields: [LineField], _ output: LineOutput, largestCount: Int? = nil) {
    self.tag = tag
    self.fields = fields
    self.output = output
    self.largestCount = largestCount
    bytes = Array(tag.utf8)
  }

  /// The auxiliary channel of its lines; nil where they are of motion.
  var auxiliary: AuxiliaryChannel? { if case .auxiliary(let channel) = output { channel } else { nil } }

  /// The motion channels that its lines have samples of.
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
  /// The field of an auxiliary channel that a column is; passed over where the channel has none.
  static func cell(_ column: AuxiliaryColumn, in channel: AuxiliaryChannel) -> Self {
    column.cell(in: channel).map { .cell($0) } ?? .skipped
  }
}

/// Factors from an Android log's units to ours: the format's own, unless the options say otherwise.
struct MotionScales {
  /// Android tells specific force in m/s² (SensorEvent).
  let acceleration: Double
  let rotation: Double
  let field: Double
  let notes: [String]

  init(_ options: LogOptions) {
    let unit = options.accelerationUnit ?? .metersPerSecondSquared
    let sign = options.accelerationSign ?? .specificForce
    acceleration = (sign == .gravity ? 1 : -1) * unit.scale
    rotation = options.rotationScale
    field =
      switch options.fieldUnit ?? .microtesla {
      case .microtesla: 1
      case .nanotesla: 1e-3
      case .millitesla: 1e3
      case .gauss: 100
      }
    let source = options.accelerationUnit == nil && options.accelerationSign == nil ? "" : ", by option"
    notes = [
      "acceleration: \(unit.title) of "
        + (sign == .gravity ? "Core Motion's sign to g" : "specific force to g, sign turned") + source
    ]
  }
}
