public import InertialLogs

extension Figure {
  /// The file format of a figure.
  public enum Format: String, Sendable, CaseIterable {
    /// Vector graphics with text that can be edited.
    case svg
    /// A page of the figure's size with vector graphics and an embedded font.
    case pdf
    /// An image with the resolution of the style.
    case png

    /// Creates a format from the extension of a path, or returns `nil` for any other extension.
    public init?(path: String) {
      guard let format = Self.allCases.first(where: { path.lowercased().hasSuffix("." + $0.rawValue) }) else {
        return nil
      }
      self = format
    }
  }

  /// The drawing with the positions of all parts of the figure.
  package var drawing: Drawing { FigureLayout(self).drawing() }

  /// The figure as SVG.
  public var svg: String { SVGWriter.text(of: drawing) }

  /// The maximum number of pixels of a PNG, each of which takes 10 bytes of memory during drawing.
  package static let maximumPixelCount = 200_000_000.0

  /// Returns the bytes of a file with the figure. They are deterministic.
  ///
  /// - Throws: `OutputError` for a PNG of more than 200 million pixels.
  public func bytes(as format: Format) throws(OutputError) -> [UInt8] {
    switch format {
    case .svg: return Array(svg.utf8)
    case .pdf: return PDFWriter.bytes(of: drawing)
    case .png:
      let (drawing, dots) = (drawing, min(max(style.dotsPerInch, 10), 2400))
      let pixels = drawing.width * drawing.height * (dots / 72) * (dots / 72)
      guard pixels <= Self.maximumPixelCount else {
        throw OutputError(
          kind: .other, path: "the figure",
          problem: "a PNG of \(Int(pixels / 1e6)) million pixels is too large (the limit is 200 million)",
          remedy: "use fewer pixels per inch or a smaller page, or write SVG or PDF")
      }
      return PNGWriter.bytes(of: drawing, dotsPerInch: dots, isGreyscale: style.isGreyscale)
    }
  }

  /// Writes the figure to a file, which appears when it is complete.
  ///
  /// - Parameters:
  ///   - path: The path, which ends in .svg, .pdf or .png; "-" is standard output.
  ///   - format: The format, or `nil` for that of the path's extension.
  ///   - force: Whether to replace an existing file.
  /// - Throws: `OutputError` if the format is unknown, the image is too large, or the file cannot be written.
  public func write(to path: String, as format: Format? = nil, force: Bool = false) throws(OutputError) {
    guard let format = format ?? Format(path: path) else {
      throw OutputError(
        kind: .other, path: path, problem: "the name has no extension of a figure format",
        remedy: "use a name that ends in \(Format.allCases.map { "." + $0.rawValue }.joined(separator: ", "))")
    }
    let bytes = try bytes(as: format)
    let file = try AtomicFile(path: path, force: force)
    try bytes.withUnsafeBufferPointer { (bytes) throws(OutputError) in try file.write(UnsafeRawBufferPointer(bytes)) }
    try file.commit()
  }
}
