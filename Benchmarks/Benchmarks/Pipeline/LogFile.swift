import Foundation
import Inertial
import SimulatedLogs

/// A raw log with nine axes per sample in one of the readable formats, simulated once and kept in the temporary folder.
enum LogFile: String, CaseIterable {
  case canonicalCSV = "canonical CSV"
  case describedCSV = "CSV with units in its header"
  case broad = "BROAD HDF5"
  case sensorLogger = "Sensor Logger folder"
  case iPhoneText = "iOS data logger folder"
  case tyrex = "Tyrex folder"

  static let rowCount = 1_000_000

  /// The path of the file or folder, which is created if missing.
  func url() throws -> URL {
    guard var log = FormatLog(format: format) else { preconditionFailure("no simulated log of \(format)") }
    log.rate = 100
    // The name depends on the content, so that an older file is not reused.
    let temporary = FileManager.default.temporaryDirectory
    let folder = temporary.appendingPathComponent("inertial-benchmark-5-\(Self.rowCount)-\(format)")
    if let path = log.path(in: folder) { return URL(fileURLWithPath: path) }
    // The log has another name until it is complete.
    let unfinished = temporary.appendingPathComponent("inertial-benchmark-unfinished-\(format)")
    try? FileManager.default.removeItem(at: unfinished)
    _ = try log.write(rows: Self.rowCount, to: unfinished)
    try FileManager.default.moveItem(at: unfinished, to: folder)
    guard let path = log.path(in: folder) else { throw CocoaError(.fileNoSuchFile) }
    return URL(fileURLWithPath: path)
  }

  private var format: String {
    switch self {
    case .canonicalCSV: "canonical-csv"
    case .describedCSV: "header-csv"
    case .broad: "broad-hdf5"
    case .sensorLogger: "sensor-logger"
    case .iPhoneText: "iphone-text"
    case .tyrex: "tyrex"
    }
  }
}
