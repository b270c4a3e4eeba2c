import CLibFuzzer
import Foundation

// usage: FuzzReaders READER --seed FILE     writes a valid log as the first input
//        FuzzReaders READER FILE...         reads each input once, such as an input kept by libFuzzer
//        FuzzReaders READER --fuzz ...      libFuzzer with its own arguments, in a build by `make stress WHAT=fuzz`

func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data((message + "\n").utf8))
  exit(2)
}

let arguments = CommandLine.arguments
guard arguments.count >= 3 else { fail("usage: FuzzReaders READER --seed FILE | FILE... | --fuzz ...") }
guard let made = try ReaderTarget(reader: arguments[1]) else {
  fail("no reader \(arguments[1]); there are \(ReaderTarget.readers.joined(separator: ", "))")
}
/// The target, which is set once, before the first read.
let target = made
atexit { target.remove() }

switch arguments[2] {
case "--seed":
  guard arguments.count == 4 else { fail("usage: FuzzReaders READER --seed FILE") }
  try target.seed().write(to: URL(fileURLWithPath: arguments[3]))
case "--fuzz":
  #if FUZZING
    var count = Int32(CommandLine.argc - 2)
    var values: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv + 2
    values![0] = CommandLine.unsafeArgv[0]
    exit(
      LLVMFuzzerRunDriver(&count, &values) { bytes, count in
        target.run(UnsafeBufferPointer(start: bytes, count: count))
        return 0
      })
  #else
    fail("built without libFuzzer: make stress WHAT=fuzz READER=\(arguments[1])")
  #endif
default:
  for file in arguments[2...] {
    try Data(contentsOf: URL(fileURLWithPath: file)).withUnsafeBytes {
      target.run($0.bindMemory(to: UInt8.self))
    }
  }
}
