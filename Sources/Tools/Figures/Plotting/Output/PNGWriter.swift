internal import InertialLogs

/// Writes a drawing as PNG (ISO 15948), with 8 bits per channel.
enum PNGWriter {
  static func bytes(of drawing: Drawing, dotsPerInch: Double, isGreyscale: Bool) -> [UInt8] {
    let raster = Rasterizer.raster(of: drawing, scale: dotsPerInch / 72)
    let channels = isGreyscale ? 1 : 3
    var rows: [UInt8] = []
    rows.reserveCapacity((raster.width * channels + 1) * raster.height)
    var above = [UInt8](repeating: 0, count: raster.width * channels)
    for y in 0..<raster.height {
      // The Up filter: most rows equal the row above, which becomes 0.
      rows.append(2)
      var position = 0
      for x in 0..<raster.width {
        let pixel = raster.pixels[y * raster.width + x]
        for channel in 0..<channels {
          let value = channel == 0 ? pixel.red : channel == 1 ? pixel.green : pixel.blue
          rows.append(value &- above[position])
          above[position] = value
          position += 1
        }
      }
    }
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    func long(_ number: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }
    func add(_ name: String, _ data: [UInt8]) {
      let content = Array(name.utf8) + data
      bytes += long(data.count) + content + long(Int(CyclicChecksum(content).value))
    }
    add("IHDR", long(raster.width) + long(raster.height) + [8, isGreyscale ? 0 : 2, 0, 0, 0])
    let perMetre = long(Int((dotsPerInch / 0.0254).rounded()))
    add("pHYs", perMetre + perMetre + [1])
    add("IDAT", ZlibStream.deflated(rows, .zlib))
    add("IEND", [])
    return bytes
  }
}
