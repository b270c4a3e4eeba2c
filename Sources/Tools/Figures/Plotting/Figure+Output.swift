public import InertialLogs

extension Figure {
  /// What a figure is written as.
  public enum Format: String, Sendable, CaseIterable {
    /// Lines and words that an editor can change.
    case svg
    /// Lines and words on a page of the figure's size, with the font in it.
    case pdf
    /// Pixels, as many to the inch as the style says.
    case png

    /// The format that the end of a path stands for; nil for any other.
    public init?(path: String) {
      guard let format = Self.allCases.first(where: { path.lowercased().hasSuffix("." + $0.rawValue) }) else {
        return nil
      }
      self = format
    }
  }

  /// Every part of the figure with its place on paper.
  package var drawing: Drawing { FigureLayout(self).drawing() }

  /// The figure as SVG.
  public var svg: String { SVGWriter.text(of: drawing) }

  /// The most pixels of a PNG: they take 10 bytes each while they are drawn.
  package static let mostPixels = 200_000_000.0

  /// The bytes of a file with the figure. They are the same each time.
  ///
  /// - Throws: for a PNG of more than 200 million pixels.
  public func bytes(as format: Format) throws(OutputError) -> [UInt8] {
    switch format {
    case .svg: return Array(svg.utf8)
    case .pdf: return PDFWriter.bytes(of: drawing)
    case .png:
      let (drawing, dots) = (drawing, min(max(style.dotsPerInch, 10), 2400))
      let pixels = drawing.width * drawing.height * (dots / 72) * (dots / 72)
      guard pixels <= Self.mostPixels else {
        throw OutputError(
          kind: .other, path: "the figure",
          problem: "a PNG of \(Int(pixels / 1e6)) million pixels is too large (the limit is 200 million)",
          remedy: "give fewer pixels to the inch or a smaller page, or write SVG or PDF, which have no pixels")
      }
      return PNGWriter.bytes(of: drawing, dotsPerInch: dots, isGreyscale: style.isGreyscale)
    }
  }

  /// Writes the figure to a file, which appears when it is whole. The end of its name says the format.
  ///
  /// - Parameters:
  ///   - path: ends in .svg, .pdf or .png; "-" is standard output.
  ///   - format: nil = as the path says.
  ///   - force: whether a file that is there is replaced.
  /// - Throws: where the path says no format, the picture is too large, or the file cannot be written.
  public func write(to path: String, as format: Format? = nil, force: Bool = false) throws(OutputError) {
    guard let format = format ?? Format(path: path) else {
      throw OutputError(
        kind: .other, path: path, problem: "the name does not say what a figure is written as",
        remedy: "let it end in \(Format.allCases.map { "." + $0.rawValue }.joined(separator: ", "))")
    }
    let bytes = try bytes(as: format)
    let file = try AtomicFile(path: path, force: force)
    try bytes.withUnsafeBufferPointer { (bytes) throws(OutputError) in try file.write(UnsafeRawBufferPointer(bytes)) }
    try file.commit()
  }
}
