internal import InertialLogs
internal import InertialSystem
internal import NIOSSL

/// The files of a certificate, in PEM format.
struct WebCertificate: Sendable, Equatable {
  /// The path of the certificate, followed by those of its issuers.
  var chain: String
  var key: String

  /// The certificate in use, for TLS 1.2 and later.
  ///
  /// - Throws: `WebError` if the files are not a certificate and its key.
  var context: NIOSSLContext {
    get throws(WebError) {
      let certificates: [NIOSSLCertificate]
      do {
        certificates = try NIOSSLCertificate.fromPEMFile(chain)
      } catch {
        throw WebError(
          description:
            "\(chain): no certificate can be read: \(Self.reason(chain)); use a chain of certificates in PEM")
      }
      do {
        var configuration = TLSConfiguration.makeServerConfiguration(
          certificateChain: certificates.map { .certificate($0) },
          privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem)))
        configuration.minimumTLSVersion = .tlsv12
        return try NIOSSLContext(configuration: configuration)
      } catch {
        throw WebError(
          description:
            "\(key): is not the certificate's key: \(Self.reason(key)); use its unencrypted key in PEM")
      }
    }
  }

  private static func reason(_ path: String) -> String {
    access(path, R_OK) == 0 ? "the file has other contents" : String(cString: strerror(errno))
  }
}
