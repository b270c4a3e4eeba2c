internal import InertialSystem

/// The luminance for Exif's BrightnessValue.
///
/// The tag (9203 hexadecimal, an APEX value, usually −99.99 to 99.99) is 0 at one foot-lambert and increases by one
/// with each doubling (Exif 2.32, CIPA DC-008, section 4.6.5 and annex C). A foot-lambert is 1/π candela per square
/// foot. Cameras meter the scene with their own exposure, so the uncertainty is about a half.
enum SceneLuminance {
  /// The luminance of one foot-lambert, in cd/m².
  static let footLambert = 1 / (Double.pi * 0.3048 * 0.3048)

  static func candelaPerSquareMeter(brightnessValue: Double) -> Double { footLambert * exp2(brightnessValue) }
}
