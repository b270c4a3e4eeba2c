public import Foundation
internal import InertialRecognition
internal import InertialSensors

/// A change of altitude measured by air pressure.
open class CMAltitudeData: CMLogItem, @unchecked Sendable {
  private let climb: NSNumber
  private let air: NSNumber

  /// The height above the first sample, in metres.
  open var relativeAltitude: NSNumber { climb }
  /// The air pressure in kPa, or NaN if the source has altitudes only.
  open var pressure: NSNumber { air }

  public override init() {
    (climb, air) = (0, 0)
    super.init()
  }

  init(_ data: AltitudeData) {
    climb = NSNumber(value: data.relativeAltitude)
    air = NSNumber(value: data.pressure ?? .nan)
    super.init(timestamp: data.time)
  }

  /// Decodes an archived item, or returns `nil` if the archive is not valid.
  public required init?(coder: NSCoder) {
    climb = NSNumber(value: coder.decodeDouble(forKey: "relativeAltitude"))
    air = NSNumber(value: coder.decodeDouble(forKey: "pressure"))
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
  private let reported: (altitude: Double, accuracy: Double, precision: Double)

  /// The altitude above mean sea level, in metres.
  open var altitude: Double { reported.altitude }
  /// The accuracy in metres, or NaN if the source does not report it.
  open var accuracy: Double { reported.accuracy }
  /// The precision in metres, or NaN if the source does not report it.
  open var precision: Double { reported.precision }

  public override init() {
    reported = (0, 0, 0)
    super.init()
  }

  init(_ sample: AuxiliarySample) {
    reported = (
      sample["absoluteAltitude"], sample["absoluteAltitudeAccuracy"], sample["absoluteAltitudePrecision"]
    )
    super.init(timestamp: sample.time)
  }

  /// Decodes an archived item, or returns `nil` if the archive is not valid.
  public required init?(coder: NSCoder) {
    reported = (
      coder.decodeDouble(forKey: "altitude"), coder.decodeDouble(forKey: "accuracy"),
      coder.decodeDouble(forKey: "precision")
    )
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
