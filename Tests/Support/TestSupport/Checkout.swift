public import Foundation

/// The files of this checkout, for tests that read samples, scripts and documents.
public enum Checkout {
  /// The folder of `Package.swift`.
  public static let folder: URL = {
    var folder = URL(fileURLWithPath: #filePath)
    while folder.path != "/",
      !FileManager.default.fileExists(atPath: folder.appendingPathComponent("Package.swift").path)
    {
      folder.deleteLastPathComponent()
    }
    return folder
  }()

  /// Returns a file or folder by its path from the root of the checkout.
  public static func url(_ path: String) -> URL { folder.appendingPathComponent(path) }
}
