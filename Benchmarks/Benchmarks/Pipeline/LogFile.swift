import Foundation
import Inertial
import SimulatedLogs

/// A raw log with nine axes at every moment in one of the formats that are read, made by the simulator once and kept in
/// the temporary folder.
enum LogFile: String, CaseIterable {
  case canonicalCSV = "canonical CSV"
  case describedCSV = "CSV with units in its header"
  case broad = "BROAD HDF5"
  case sensorLogger = "Sensor Logger folder"
  case iPhoneText = "iOS data logger folder"
  case tyrex = "Tyrex folder"

  static let rowCount = 1_000_000

  /// The file or folder, made where it is not there yet.
  func url() throws -> URL {
    guard var log = FormatLog(format: format) else { preconditionFailure("no simulated log of \(format)") }
    log.rate = 100
    // The name changes with the content, so that no older file is taken for this one.
    let temporary = FileManager.default.temporaryDirectory
    let folder = temporary.appendingPathComponent("inertial-benchmark-5-\(Self.rowCount)-\(format)")
    if let path = log.path(in: folder) { return URL(fileURLWithPath: path) }
    // Under another name until it is complete.
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
