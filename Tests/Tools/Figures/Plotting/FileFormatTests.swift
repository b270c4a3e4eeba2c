import CInertialCompression
import Foundation
import TestSupport
import Testing

@testable import InertialFigures

@Suite("Files of figures") struct FileFormatTests {
  @Test("a PNG has the requested size and resolution, and its pixels are ink on white")
  func png() throws {
    var figure = FigureTests.sample
    figure.style.dotsPerInch = 150
    for isGreyscale in [false, true] {
      figure.style.isGreyscale = isGreyscale
      let chunks = try Self.chunks(figure.bytes(as: .png))
      #expect(chunks.map(\.name) == ["IHDR", "pHYs", "IDAT", "IEND"])
      let head = chunks[0].data
      let (width, height) = (Self.long(head, 0), Self.long(head, 4))
      #expect(width == Int((89 / 25.4 * 150).rounded()) && head[8] == 8 && head[9] == (isGreyscale ? 0 : 2))
      #expect(Self.long(chunks[1].data, 0) == 5906)
      let channels = isGreyscale ? 1 : 3
      let rows = try Self.unpacked(chunks[2].data)
      #expect(rows.count == (width * channels + 1) * height)
      var pixels = [UInt8](repeating: 0, count: width * channels)
      var (white, dark) = (0, 0)
      for row in 0..<height {
        let start = row * (width * channels + 1)
        #expect(rows[start] == 2)
        for index in pixels.indices { pixels[index] &+= rows[start + 1 + index] }
        white += pixels.count { $0 == 255 }
        dark += pixels.count { $0 < 60 }
        // The page's edge is free.
        #expect(pixels[0] == 255 && pixels[pixels.count - 1] == 255)
      }
      let fraction = Double(white) / Double(width * height * channels)
      #expect(fraction > 0.5 && fraction < 0.97 && dark > 1000, "\(fraction) white, \(dark) dark")
    }
  }

  private static func long(_ bytes: [UInt8], _ position: Int) -> Int {
    bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  /// Decompresses a stream of at most 16 MiB.
  private static func unpacked(_ bytes: [UInt8]) throws -> [UInt8] {
    var (status, size) = (Z_OK, uLongf(1 << 24))
    let result = [UInt8](unsafeUninitializedCapacity: 1 << 24) { output, count in
      status = uncompress(output.baseAddress, &size, bytes, uLong(bytes.count))
      count = status == Z_OK ? Int(size) : 0
    }
    try #require(status == Z_OK)
    return result
  }

  private static func chunks(_ bytes: [UInt8]) throws -> [(name: String, data: [UInt8])] {
    #expect(Array(bytes[..<8]) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    var chunks: [(String, [UInt8])] = []
    var position = 8
    while position < bytes.count {
      let length = long(bytes, position)
      let name = String(decoding: bytes[position + 4..<position + 8], as: UTF8.self)
      chunks.append((name, Array(bytes[position + 8..<position + 8 + length])))
      let checksum = crc32(0, Array(bytes[position + 4..<position + 8 + length]), uInt(length + 4))
      #expect(long(bytes, position + 8 + length) == checksum, "\(name)")
      position += 12 + length
    }
    return chunks
  }

  @Test("a box is dark where it covers a pixel, grey where it covers a part, and cut off at its group's edge")
  func raster() {
    var drawing = Drawing(width: 10, height: 10)
    let square = [Point(2, 2), Point(5.5, 2), Point(5.5, 5), Point(2, 5)]
    drawing.groups = [
      Drawing.Group(clip: nil, shapes: [.areas([square], Drawing.Fill(colour: Colour(grey: 0)))], name: ""),
      Drawing.Group(
        clip: Box(left: 0, top: 8, right: 3, bottom: 10),
        shapes: [.lines([[Point(0, 9), Point(10, 9)]], Drawing.Stroke(width: 2, colour: Colour(1, 0, 0)))], name: ""),
    ]
    let raster = Rasterizer.raster(of: drawing, scale: 1)
    func pixel(_ x: Int, _ y: Int) -> [UInt8] {
      let pixel = raster.pixels[y * raster.width + x]
      return [pixel.red, pixel.green, pixel.blue]
    }
    #expect(pixel(3, 3) == [0, 0, 0] && pixel(1, 3) == [255, 255, 255] && pixel(3, 5) == [255, 255, 255])
    #expect(abs(Int(pixel(5, 3)[0]) - 128) <= 1)
    #expect(pixel(1, 8) == [255, 0, 0] && pixel(2, 9) == [255, 0, 0] && pixel(3, 8) == [255, 255, 255])
  }

  @Test("a PDF has its objects where its table says, its font, and its words as glyphs of it")
  func pdf() throws {
    let bytes = try FigureTests.sample.bytes(as: .pdf)
    let text = String(decoding: bytes.map { $0 == 10 || (32..<127).contains($0) ? $0 : 63 }, as: UTF8.self)
    #expect(text.hasPrefix("%PDF-1.4\n") && text.hasSuffix("%%EOF\n"))
    let lines = text.components(separatedBy: "\n")
    let start = try #require(Int(lines[lines.count - 3]))
    let table = String(text.dropFirst(start)).components(separatedBy: "\n")
    #expect(table[0] == "xref")
    let count = try #require(Int(table[1].split(separator: " ")[1]))
    for number in 1..<count {
      #expect(table[2 + number].count == 19)
      let position = try #require(Int(table[2 + number].prefix(10)))
      #expect(text.dropFirst(position).hasPrefix("\(number) 0 obj\n"), "object \(number)")
    }
    // Streams are as long as they say, and can be unpacked.
    var (streams, position) = ([[UInt8]](), 0)
    let mark = Array("stream\n".utf8)
    while let next = bytes[position...].firstRange(of: mark)?.lowerBound {
      let head = String(decoding: bytes[..<next].suffix(120), as: UTF8.self)
      position = next + mark.count
      guard !head.hasSuffix("end"), let at = head.range(of: "/Length ", options: .backwards) else { continue }
      let length = try #require(Int(head[at.upperBound...].prefix { $0.isNumber }))
      streams.append(try Self.unpacked(Array(bytes[position..<position + length])))
      #expect(Array(bytes[position + length..<position + length + 10]) == Array("\nendstream".utf8))
      position += length
    }
    #expect(streams.count == 3)
    let font = PlotFont.standard
    #expect(streams[1] == font.bytes)
    let glyphs = "kalman".unicodeScalars.map { PDFWriter.hex(font.glyph($0)) }.joined()
    #expect(String(decoding: streams[0], as: UTF8.self).contains("<\(glyphs)> Tj"))
    #expect(String(decoding: streams[2], as: UTF8.self).contains("<\(PDFWriter.hex(font.glyph("k")))> <006B>"))
  }

  @Test("a PDF reader extracts the text of a PDF", .needs(.pdf))
  func readByOthers() throws {
    let tool = try #require(Need.program(["pdftotext", "mutool"]))
    let folder = TemporaryFolder()
    let file = folder.path("figure.pdf")
    try FigureTests.sample.write(to: file)
    let read = try Program.run(tool, tool.hasSuffix("mutool") ? ["draw", "-F", "txt", file] : [file, "-"])
    #expect(read.status == 0)
    for word in ["kalman", "Heading (°)", "disturbance"] { #expect(read.output.contains(word), "\(read.output)") }
  }

  @Test("the font has the letters that figures are written in, and Helvetica's widths")
  func font() {
    let font = PlotFont.standard
    for character in "Time (s), ±°²µσαβ −·×…éß–“”".unicodeScalars { #expect(font.has(character), "\(character)") }
    // Adobe's metrics of Helvetica, in thousandths.
    for (character, width) in [("0", 556), ("A", 667), ("i", 222), ("m", 833), (" ", 278)] as [(Unicode.Scalar, Double)]
    { #expect(abs(font.advance(font.glyph(character)) / font.unitsPerEm * 1000 - width) < 1) }
    // An o has an outer and an inner contour, the dot of an i is one of its own, and an é is made of two glyphs.
    let counts = ["o", "i", " ", "é"].map { font.contours(of: font.glyph($0)).count }
    #expect(Array(counts[..<3]) == [2, 2, 0] && counts[3] >= 3, "\(counts)")
  }

  @Test("a file is refused if its name determines no format, or if it exists")
  func files() throws {
    let (folder, figure) = (TemporaryFolder(), FigureTests.sample)
    #expect(throws: (any Error).self) { try figure.write(to: folder.path("figure.jpg")) }
    let path = folder.path("figure.SVG")
    try figure.write(to: path)
    #expect(folder.text("figure.SVG") == figure.svg)
    #expect(throws: (any Error).self) { try figure.write(to: path) }
    try figure.write(to: path, as: .pdf, force: true)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)).starts(with: Data("%PDF".utf8)))
  }
}
