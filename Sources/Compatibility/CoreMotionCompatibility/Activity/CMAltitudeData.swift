public import Foundation
internal import InertialRecognition
internal import InertialSensors

/// A change of altitude by air pressure.
open class CMAltitudeData: CMLogItem, @unchecked Sendable {
  private let climb: NSNumber
  private let air: NSNumber

  /// Metres above the first sample, whose own is 0.
  open var relativeAltitude: NSNumber { climb }
  /// kPa; NaN where the source tells altitudes only.
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

  /// Reads an archived item; nil where it is none.
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

  /// As Apple prints it: metres and kPa.
  open override var description: String {
    String(format: "Altitude %f Pressure %f @ %f", relativeAltitude.doubleValue, pressure.doubleValue, timestamp)
  }
}

/// An altitude above mean sea level, as the device has told it.
open class CMAbsoluteAltitudeData: CMLogItem, @unchecked Sendable {
  private let told: (altitude: Double, accuracy: Double, precision: Double)

  /// Metres above mean sea level.
  open var altitude: Double { told.altitude }
  /// Metres; NaN where the source does not tell.
  open var accuracy: Double { told.accuracy }
  /// Metres; NaN where the source does not tell.
  open var precision: Double { told.precision }

  public override init() {
    told = (0, 0, 0)
    super.init()
  }

  init(_ sample: AuxiliarySample) {
    told = (
      sample["absoluteAltitude"], sample["absoluteAltitudeAccuracy"], sample["absoluteAltitudePrecision"]
    )
    super.init(timestamp: sample.time)
  }

  /// Reads an archived item; nil where it is none.
  public required init?(coder: NSCoder) {
    told = (
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

  /// As Apple prints it, without a status of Apple's own that no log has.
  open override var description: String {
    String(
      format: "AbsoluteAltitude: %f, Accuracy: %f, Precision %f, timestamp :%f", altitude, accuracy, precision,
      timestamp)
  }
}
