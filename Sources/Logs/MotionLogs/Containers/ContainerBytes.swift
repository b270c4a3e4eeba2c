/// An error in a container of records.
enum ContainerError: Error {
  case damaged(String)
  case unsupported(String)

  /// Returns the error for a file.
  ///
  /// - Parameters:
  ///   - file: The kind of the file.
  ///   - recovery: The remedy for a damaged file.
  ///   - conversion: The remedy for an unsupported file.
  func logError(path: String, file: String, recovery: String, conversion: String) -> LogError {
    switch self {
    case .damaged(let fault):
      LogError(path: path, problem: "this \(file) is truncated or damaged: \(fault)", remedy: recovery)
    case .unsupported(let fault):
      LogError(path: path, problem: "this \(file) cannot be read: \(fault)", remedy: conversion)
    }
  }
}

/// Reads the fields of a record from its bytes in order.
struct ContainerFields {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  mutating func number<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) throws(ContainerError) -> Number {
    let size = MemoryLayout<Number>.size
    let bytes = try bytes(size)
    return bytes.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(as: Number.self)) }
  }

  /// Reads a string that follows its length, as in MCAP and ROS.
  mutating func text() throws(ContainerError) -> String {
    String(decoding: try bytes(Int(try number(UInt32.self))), as: UTF8.self)
  }

  mutating func bytes(_ count: Int) throws(ContainerError) -> ArraySlice<UInt8> {
    guard count <= rest.count else { throw .damaged("a record is shorter than its content") }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }
}

/// The bytes of a file in order, for readers of records. A read never exceeds the size of the file.
struct ContainerBytes {
  private let file: InputFile
  private var buffer: [UInt8] = []
  private var start = 0
  private(set) var readCount = 0

  init(_ file: InputFile) { self.file = file }

  var name: String { file.name }

  /// The fraction of the file that was read, 0...1.
  var progress: Double { file.size.map { $0 > 0 ? min(1, Double(readCount) / Double($0)) : 1 } ?? 0 }

  /// Whether all bytes were read.
  var isAtEnd: Bool {
    mutating get throws(ContainerError) { buffer.count == start ? try fill(atLeast: 1) == 0 : false }
  }

  /// Returns the next bytes.
  ///
  /// - Throws: ``ContainerError`` if the file ends first.
  mutating func take(_ count: Int) throws(ContainerError) -> ArraySlice<UInt8> {
    guard let bytes = try takeIfThere(count) else { throw .damaged("it ends too early") }
    return bytes
  }

  /// Returns the next bytes, or `nil` if the file ends first.
  mutating func takeIfThere(_ count: Int) throws(ContainerError) -> ArraySlice<UInt8>? {
    while buffer.count - start < count {
      guard try fill(atLeast: count) > 0 else { return nil }
    }
    defer { start += count }
    return buffer[start..<start + count]
  }

  /// Reads the next block and returns its number of bytes. The block's size is limited, as a length stated in a file
  /// may be wrong.
  private mutating func fill(atLeast count: Int) throws(ContainerError) -> Int {
    buffer.removeFirst(start)
    start = 0
    let wanted = max(1 << 16, min(count - buffer.count, 1 << 20))
    let old = buffer.count
    buffer.append(contentsOf: repeatElement(0, count: wanted))
    var got = 0
    do throws(LogError) {
      got = try buffer.withUnsafeMutableBufferPointer { bytes throws(LogError) in
        try file.read(into: UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: bytes[old...])))
      }
    } catch {
      throw .damaged(error.problem)
    }
    buffer.removeLast(wanted - got)
    readCount += got
    return got
  }
}
