public import Foundation
internal import InertialRecognition
internal import InertialSensors

/// A change of altitude measured by air pressure.
open class CMAltitudeData: CMLogItem, @unchecked Sendable {
  /// The height above the first sample, in metres.
  open private(set) var relativeAltitude: NSNumber = 0
  /// The air pressure in kPa, or NaN if the source has altitudes only.
  open private(set) var pressure: NSNumber = 0

  public override init() { super.init() }

  init(_ data: AltitudeData) {
    relativeAltitude = NSNumber(value: data.relativeAltitude)
    pressure = NSNumber(value: data.pressure ?? .nan)
    super.init(timestamp: data.time)
  }

  /// Decodes an archived item, or returns `nil` if the archive is not valid.
  public required init?(coder: NSCoder) {
    relativeAltitude = NSNumber(value: coder.decodeDouble(forKey: "relativeAltitude"))
    pressure = NSNumber(value: coder.decodeDouble(forKey: "pressure"))
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(relativeAltitude.doubleValue, forKey: "relativeAltitude")
    coder.encode(pressure.doubleValue, forKey: "pressure")
  }

  /// A description in Apple's format, in metres and kPa.
  open override var description: String {
    String(format: "Altitude %f Pressure %f @ %f", relativeAltitude.doubleValue, pressure.doubleValue, timestamp)
  }
}

/// An altitude above mean sea level, as reported by the device.
open class CMAbsoluteAltitudeData: CMLogItem, @unchecked Sendable {
  /// The altitude above mean sea level, in metres.
  open private(set) var altitude = 0.0
  /// The accuracy in metres, or NaN if the source does not report it.
  open private(set) var accuracy = 0.0
  /// The precision in metres, or NaN if the source does not report it.
  open private(set) var precision = 0.0

  public override init() { super.init() }

  init(_ sample: AuxiliarySample) {
    altitude = sample["absoluteAltitude"]
    accuracy = sample["absoluteAltitudeAccuracy"]
    precision = sample["absoluteAltitudePrecision"]
    super.init(timestamp: sample.time)
  }

  /// Decodes an archived item, or returns `nil` if the archive is not valid.
  public required init?(coder: NSCoder) {
    altitude = coder.decodeDouble(forKey: "altitude")
    accuracy = coder.decodeDouble(forKey: "accuracy")
    precision = coder.decodeDouble(forKey: "precision")
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(altitude, forKey: "altitude")
    coder.encode(accuracy, forKey: "accuracy")
    coder.encode(precision, forKey: "precision")
  }

  /// A description in Apple's format, without Apple's status, which no log contains.
  open override var description: String {
    String(
      format: "AbsoluteAltitude: %f, Accuracy: %f, Precision %f, timestamp :%f", altitude, accuracy, precision,
      timestamp)
  }
}
