internal import CInertialResources

/// The page's scripts and styles: the embedded files of `CInertialResources/Data/Page`.
///
/// Each has its SHA-256 hash, by which a page's content security policy permits it. `PageWriterTests` prints the new
/// hashes after a change of the files.
enum PageResources {
  /// The scripts of every page, in the order in which they run.
  private static var common: [embedded_file] {
    [
      embedded_page_dom(), embedded_page_format(), embedded_page_theme(), embedded_page_codec(), embedded_page_store(),
      embedded_page_view(), embedded_page_pointer(), embedded_page_walk(), embedded_page_timeplot(),
      embedded_page_lanes(),
      embedded_page_curves(),
      embedded_page_map(),
      embedded_page_scene(), embedded_page_device(), embedded_page_player(), embedded_page_save(),
      embedded_page_spectrum(),
      embedded_page_table(),
      embedded_page_keys(),
    ]
  }

  /// The script of a recording's page.
  static let recordingScript = script(common + [embedded_page_report()])
  static let recordingHash = "sha256-q1teiA2l74NVtX/bSBFYgQ9bCdKzbAVQbCAqMD5dT24="
  /// The script of an overview of recordings.
  static let overviewScript = script([
    embedded_page_dom(), embedded_page_format(), embedded_page_theme(), embedded_page_table(), embedded_page_overview(),
  ])
  static let overviewHash = "sha256-hg9r6plVrNiPJj7ronlGRwSy/azvpclXDFc1hRt/t/E="
  /// The script of a live stream's page.
  static let liveScript = script([
    embedded_page_dom(), embedded_page_format(), embedded_page_theme(), embedded_page_codec(), embedded_page_store(),
    embedded_page_view(), embedded_page_pointer(), embedded_page_walk(), embedded_page_timeplot(),
    embedded_page_scene(), embedded_page_device(),
    embedded_page_frames(), embedded_page_livestore(), embedded_page_coverage(), embedded_page_livedevice(),
    embedded_page_live(),
  ])
  static let liveHash = "sha256-ReWZRSQR5LtnfRttydLuWSaPdOQTCEepn5jplO9onvs="
  static let style = compact(text(embedded_page_style()))
  static let styleHash = "sha256-NEN2qaJoYI5T2WPKaHr4Ju+0dLIU/5QUI3PFjQdYmTM="
  /// The style of a live stream's page.
  static let liveStyle = style + compact(text(embedded_page_livestyle()))
  static let liveStyleHash = "sha256-BgH+77FR/h9j6hLkh8ZRprjR4v33TnLgiVvuamVtCoE="

  /// Returns concatenated files in a separate scope.
  private static func script(_ files: [embedded_file]) -> String {
    "\"use strict\";\n(() => {\n" + files.map { compact(text($0)) }.joined() + "})();\n"
  }

  /// Returns a file without indentation and lines of comments, which are a fifth of it.
  private static func compact(_ text: String) -> String {
    var isComment = false
    var result = ""
    for line in text.split(separator: "\n").map({ $0.drop { $0 == " " } }) {
      let isStart = line.hasPrefix("/*")
      if !isComment, !isStart, !line.isEmpty, !line.hasPrefix("//") { result += line + "\n" }
      isComment = (isComment || isStart) && !line.hasSuffix("*/")
    }
    return result
  }

  private static func text(_ file: embedded_file) -> String {
    String(decoding: UnsafeBufferPointer(start: file.bytes, count: file.count), as: UTF8.self)
  }
}
