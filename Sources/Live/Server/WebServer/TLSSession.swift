internal import InertialLogs
internal import InertialSystem

/// The files of a certificate, in PEM format.
package struct WebCertificate: Sendable, Equatable {
  /// The path of the certificate, followed by those of its issuers.
  package var chain: String
  package var key: String

  package init(chain: String, key: String) { (self.chain, self.key) = (chain, key) }
}

/// The OpenSSL functions that a server needs, from the system's own library.
///
/// The library is loaded when a certificate is used: neither a build nor an installed command needs it otherwise.
struct OpenSSL: @unchecked Sendable {
  typealias Object = OpaquePointer?
  typealias Make = @convention(c) () -> Object
  typealias From = @convention(c) (Object) -> Object
  typealias Leave = @convention(c) (Object) -> Void
  typealias Tell = @convention(c) (Object) -> Int32
  typealias Load = @convention(c) (Object, UnsafePointer<CChar>) -> Int32
  typealias LoadTyped = @convention(c) (Object, UnsafePointer<CChar>, Int32) -> Int32
  typealias Control = @convention(c) (Object, Int32, Int, UnsafeMutableRawPointer?) -> Int
  typealias Move = @convention(c) (Object, UnsafeMutableRawPointer?, Int32) -> Int32
  typealias Put = @convention(c) (Object, UnsafeRawPointer?, Int32) -> Int32

  let serverMethod: Make
  let newContext: From
  let freeContext: Leave
  let controlContext: Control
  let setOptions: @convention(c) (Object, UInt64) -> UInt64
  let useChain: Load
  let useKey: LoadTyped
  let checkKey: Tell
  let newSession: From
  let freeSession: Leave
  let setAccepting: Leave
  let setBuffers: @convention(c) (Object, Object, Object) -> Void
  let isEstablished: Tell
  let read: Move
  let write: Put
  let shutdown: Tell
  let errorOf: @convention(c) (Object, Int32) -> Int32
  let newBuffer: From
  let memoryMethod: Make
  let readBuffer: Move
  let writeBuffer: Put
  let lastError: @convention(c) () -> UInt
  let clearErrors: @convention(c) () -> Void
  let describe: @convention(c) (UInt, UnsafeMutablePointer<CChar>, Int) -> Void

  #if canImport(Darwin)
    static let names = ["/opt/homebrew/lib/libssl.3.dylib", "/usr/local/lib/libssl.3.dylib", "libssl.3.dylib"]
    private static let remedy = "brew install openssl@3"
  #else
    static let names = ["libssl.so.3", "libssl.so.1.1"]
    private static let remedy = "apt-get install libssl3"
  #endif

  /// Loads the library.
  ///
  /// - Parameter names: The library names, in order of preference.
  /// - Throws: `WebError` if the library is missing.
  init(_ names: [String]) throws(WebError) {
    let failure = WebError(
      description: "encryption needs the OpenSSL library, which is missing; run \(Self.remedy), or use a proxy")
    guard let library = names.lazy.compactMap({ dlopen($0, RTLD_NOW) }).first else { throw failure }
    func find<Function>(_ name: String, as type: Function.Type = Function.self) throws(WebError) -> Function {
      guard let address = dlsym(library, name) else { throw failure }
      return unsafeBitCast(address, to: type)
    }
    serverMethod = try find("TLS_server_method")
    newContext = try find("SSL_CTX_new")
    freeContext = try find("SSL_CTX_free")
    controlContext = try find("SSL_CTX_ctrl")
    setOptions = try find("SSL_CTX_set_options")
    useChain = try find("SSL_CTX_use_certificate_chain_file")
    useKey = try find("SSL_CTX_use_PrivateKey_file")
    checkKey = try find("SSL_CTX_check_private_key")
    newSession = try find("SSL_new")
    freeSession = try find("SSL_free")
    setAccepting = try find("SSL_set_accept_state")
    setBuffers = try find("SSL_set_bio")
    isEstablished = try find("SSL_is_init_finished")
    read = try find("SSL_read")
    write = try find("SSL_write")
    shutdown = try find("SSL_shutdown")
    errorOf = try find("SSL_get_error")
    newBuffer = try find("BIO_new")
    memoryMethod = try find("BIO_s_mem")
    readBuffer = try find("BIO_read")
    writeBuffer = try find("BIO_write")
    lastError = try find("ERR_get_error")
    clearErrors = try find("ERR_clear_error")
    describe = try find("ERR_error_string_n")
  }

  /// OpenSSL's description of the last error.
  var problem: String {
    var text = [CChar](repeating: 0, count: 256)
    describe(lastError(), &text, text.count)
    clearErrors()
    let words = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return words.split(separator: ":").last.map(String.init) ?? words
  }
}

/// A certificate in use, for encrypting connections.
final class TLSContext: @unchecked Sendable {
  fileprivate let library: OpenSSL
  fileprivate let context: OpenSSL.Object

  private enum Number {
    static let keyIsPEM: Int32 = 1
    static let setMode: Int32 = 33
    static let setCacheMode: Int32 = 44
    static let setOldestVersion: Int32 = 123
    static let version1_2 = 0x0303
    /// Releases the buffers of idle connections.
    static let releasesBuffers = 0x10
    static let noRenegotiation: UInt64 = 1 << 30
  }

  /// Creates a context.
  ///
  /// - Throws: `WebError` if OpenSSL is missing, or the files are not a certificate and its key.
  init(_ files: WebCertificate, libraries: [String] = OpenSSL.names) throws(WebError) {
    library = try OpenSSL(libraries)
    context = library.newContext(library.serverMethod())
    guard context != nil else { throw WebError(description: "OpenSSL cannot be used: \(library.problem)") }
    _ = library.controlContext(context, Number.setOldestVersion, Number.version1_2, nil)
    _ = library.controlContext(context, Number.setMode, Number.releasesBuffers, nil)
    _ = library.controlContext(context, Number.setCacheMode, 0, nil)
    _ = library.setOptions(context, Number.noRenegotiation)
    guard library.useChain(context, files.chain) == 1 else {
      throw WebError(
        description:
          "\(files.chain): no certificate can be read: \(library.problem); use a chain of certificates in PEM")
    }
    guard library.useKey(context, files.key, Number.keyIsPEM) == 1, library.checkKey(context) == 1 else {
      throw WebError(
        description:
          "\(files.key): is not the certificate's key: \(library.problem); use its unencrypted key in PEM")
    }
  }

  deinit { library.freeContext(context) }

  func session() -> TLSSession { TLSSession(self) }
}

/// An encrypted connection, which converts between encrypted and plain bytes.
///
/// It does not access a socket: the caller sends the outgoing bytes.
final class TLSSession {
  private let owner: TLSContext
  private let session: OpenSSL.Object
  // Owned by the session.
  private let incoming: OpenSSL.Object
  private let outgoing: OpenSSL.Object
  private var isBroken = false
  private static let wantsToRead: Int32 = 2

  fileprivate init(_ owner: TLSContext) {
    self.owner = owner
    let library = owner.library
    session = library.newSession(owner.context)
    incoming = library.newBuffer(library.memoryMethod())
    outgoing = library.newBuffer(library.memoryMethod())
    library.setBuffers(session, incoming, outgoing)
    library.setAccepting(session)
  }

  deinit { owner.library.freeSession(session) }

  /// Whether the handshake is complete.
  var isEstablished: Bool { !isBroken && owner.library.isEstablished(session) == 1 }

  /// Decrypts received bytes, and appends the plain bytes.
  ///
  /// - Returns: `false` if the peer has ended the connection or its data is invalid.
  func receive(_ bytes: UnsafeRawBufferPointer, into plain: inout [UInt8]) -> Bool {
    guard !isBroken else { return false }
    let library = owner.library
    _ = library.writeBuffer(incoming, bytes.baseAddress, Int32(bytes.count))
    var piece = [UInt8](repeating: 0, count: 1 << 14)
    while true {
      let count = library.read(session, &piece, Int32(piece.count))
      guard count > 0 else {
        isBroken = library.errorOf(session, count) != Self.wantsToRead
        library.clearErrors()
        return !isBroken
      }
      plain += piece[..<Int(count)]
    }
  }

  /// Returns the encrypted bytes, or an empty array before the handshake is complete.
  func encrypt(_ bytes: [UInt8]) -> [UInt8] {
    guard isEstablished, !bytes.isEmpty else { return [] }
    if owner.library.write(session, bytes, Int32(bytes.count)) <= 0 {
      isBroken = true
      owner.library.clearErrors()
    }
    return takeOutgoing()
  }

  /// Returns the bytes that announce the end of the connection.
  func close() -> [UInt8] {
    guard isEstablished else { return [] }
    _ = owner.library.shutdown(session)
    owner.library.clearErrors()
    return takeOutgoing()
  }

  /// Returns the bytes to be sent.
  func takeOutgoing() -> [UInt8] {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 14)
    while true {
      let count = owner.library.readBuffer(outgoing, &piece, Int32(piece.count))
      guard count > 0 else { return bytes }
      bytes += piece[..<Int(count)]
    }
  }
}
