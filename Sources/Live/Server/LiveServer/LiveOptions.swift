package import InertialFigures
package import InertialJobs

/// What a live server does with what comes.
package struct LiveOptions: Sendable {
  /// How messages are read and fused, as for a dataset; recognisers and columns are the stream's own.
  package var fusion = FusionOptions()
  /// How the report of a recording is made.
  package var report: ReportOptions
  /// Where recordings go; a folder that is there.
  package var folder: String
  /// Seconds that a batch waits for those that were sent before it.
  package var patience = 1.0
  package var limits = WebLimits()

  package init(folder: String, report: ReportOptions) { (self.folder, self.report) = (folder, report) }

  /// Devices at a time.
  static let mostDevices = 16
  /// Seconds without a message after which a device makes room for another.
  static let longestSilence = 60.0
  /// Seconds between messages to readers, at least: what comes meanwhile goes together.
  static let pace = 0.005
  /// Characters of a name, a label or a mark.
  static let longestText = 200
}
