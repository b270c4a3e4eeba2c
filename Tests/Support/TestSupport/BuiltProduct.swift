public import Foundation

/// Programs of this package that lie beside the tests.
public enum BuiltProduct {
  private static let folder: URL = {
    #if os(macOS)
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }!.bundleURL
    #else
      let bundle = Bundle.main.bundleURL
    #endif
    return bundle.pathExtension == "xctest" ? bundle.deletingLastPathComponent() : bundle
  }()

  /// A program by its name.
  public static func url(_ name: String) -> URL { folder.appendingPathComponent(name) }
}
