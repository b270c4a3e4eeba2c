// For types with a `read` or a `write` of their own, in which the C library's cannot be named without its module.

/// `read(2)`: at most `count` bytes into a buffer; 0 at the end, below 0 with `errno` where it fails.
package func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, buffer, count)
}

/// `write(2)`: the bytes that were written, below 0 with `errno` where it fails.
package func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, buffer, count)
}
