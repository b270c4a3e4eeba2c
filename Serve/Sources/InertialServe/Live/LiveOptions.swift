internal import InertialFigures
internal import InertialJobs

/// The options of a live server.
struct LiveOptions: Sendable {
  /// The options for reading and fusing messages, as for a dataset; the live stream sets its own recognisers and
  /// columns.
  var fusion = FusionOptions()
  /// The options for the report of a recording.
  var report: ReportOptions
  /// The folder for recordings, which has to exist.
  var folder: String
  /// The maximum time that a batch waits for earlier batches, in seconds.
  var patience = 1.0
  var limits = WebLimits()

  init(folder: String, report: ReportOptions) { (self.folder, self.report) = (folder, report) }

  /// The maximum number of simultaneous devices, of all addresses and of one address.
  static let maximumDeviceCount = 64
  static let maximumDeviceCountPerAddress = 16
  /// The maximum number of devices of a connection that keep their places if another sender needs one.
  static let maximumDeviceCountPerConnection = 4
  /// The maximum number of simultaneous sessions of a device.
  static let maximumSessionCount = 4
  /// The number of sessions that an address may begin at once, and the number per second after that.
  static let newSessions = (burst: 64.0, rate: 1.0)
  /// The duration without a message after which a device may be replaced by another, in seconds.
  static let maximumSilence = 60.0
  /// The minimum interval between messages to readers, in seconds: rows within an interval are sent together.
  static let pace = 0.005
  /// The maximum number of characters of a name, a label or a mark.
  static let maximumTextLength = 200
}
