/// A file of another program or device that is not supported, detected by its first bytes, with the program to export
/// it.
struct ForeignFile {
  /// The kind of file with its article: "a video (MP4)".
  let kind: String
  /// The programs that export the samples to CSV.
  let exporter: String
  /// Whether files of this kind contain recordings of motion, so that a folder of them was probably meant as logs.
  let isRecording: Bool
  private let marks: [Mark]

  /// Whether the first bytes of a file have a property of the kind.
  private typealias Mark = @Sendable (_ head: [UInt8]) -> Bool

  /// Detects the kind from a file's first bytes, or returns `nil` if it is unknown.
  init?(head: [UInt8]) {
    guard let kind = Self.all.first(where: { $0.marks.allSatisfy { $0(head) } }) else { return nil }
    self = kind
  }

  private init(_ kind: String, _ exporter: String, isRecording: Bool = false, _ marks: Mark...) {
    (self.kind, self.exporter, self.isRecording, self.marks) = (kind, exporter, isRecording, marks)
  }

  func error(path: String) -> LogError {
    LogError(path: path, problem: "is \(kind), which is not read", remedy: exporter)
  }

  // MARK: Marks

  /// The bytes at an offset in the file.
  private static func at(_ index: Int, _ bytes: [UInt8]) -> Mark {
    { $0.count >= index + bytes.count && $0[index...].starts(with: bytes) }
  }

  private static func text(_ text: String, at index: Int = 0) -> Mark { at(index, Array(text.utf8)) }

  /// A string anywhere in the first bytes.
  private static func anywhere(_ text: String) -> Mark { { $0.firstRange(of: Array(text.utf8)) != nil } }

  /// A string that does not occur in the first bytes.
  private static func absent(_ text: String) -> Mark { { $0.firstRange(of: Array(text.utf8)) == nil } }

  /// The first word of an NMEA 0183 sentence: $, four to six capitals, a comma.
  private static let sentence: Mark = { head in
    guard head.first == 0x24, let comma = head.prefix(8).firstIndex(of: 0x2C), comma > 4 else { return false }
    return head[1..<comma].allSatisfy { (0x41...0x5A).contains($0) }
  }

  /// The possible names of a zip archive's first entry.
  private static func firstEntry(_ names: String...) -> Mark {
    { head in
      // A local file header has the name's length at offset 26 and the name at offset 30 (APPNOTE 4.3.7).
      guard head.count > 30, head.starts(with: [0x50, 0x4B, 0x03, 0x04]) else { return false }
      let length = Int(head[26]) + Int(head[27]) << 8
      return names.contains { $0.utf8.count == length && head[30...].starts(with: $0.utf8) }
    }
  }

  // MARK: Kinds

  private static let video =
    "extract its telemetry to CSV with gpmf-parser, gopro-telemetry or exiftool -ee (GoPro), or with Gyroflow's "
    + "telemetry-parser (Sony, Insta360, DJI), and give that"

  /// The kinds in order of precedence: more specific kinds come first.
  private static let all: [ForeignFile] = [
    ForeignFile(
      "ActiGraph's own file (.gt3x)",
      "export it to a raw CSV with ActiLife or CentrePoint, or convert it with pygt3x (Python) or read.gt3x (R)",
      isRecording: true, firstEntry("info.txt", "log.bin", "activity.bin", "lux.bin")),
    ForeignFile(
      "a spreadsheet (.xlsx)", "save the sheet as CSV, in Excel or LibreOffice",
      firstEntry("[Content_Types].xml", "_rels/.rels", "docProps/app.xml", "docProps/core.xml")),
    ForeignFile(
      "a spreadsheet (.ods)", "save the sheet as CSV, in LibreOffice", firstEntry("mimetype"),
      anywhere("opendocument.spreadsheet")),
    ForeignFile(
      "a spreadsheet (.xls)", "save the sheet as CSV, in Excel or LibreOffice",
      at(0, [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1])),
    ForeignFile(
      "Axivity's own file (.cwa)",
      "export it to CSV with OmGui, cwa-convert or omconvert (Open Movement), or read it with actipy or skdh (Python)",
      isRecording: true, at(0, [0x4D, 0x44, 0xFC, 0x03])),
    ForeignFile(
      "GENEActiv's own file (.bin)",
      "export it to a raw CSV with the GENEActiv software, or convert it with GENEAread (R) or skdh (Python)",
      isRecording: true, text("Device Identity")),
    ForeignFile(
      "a watch's FIT file (Garmin and others)",
      "convert it to CSV with FitCSVTool of the FIT SDK, or with fitparse or fitdecode (Python)",
      isRecording: true, text(".FIT", at: 8)),
    ForeignFile("a GoPro video (MP4)", video, text("ftyp", at: 4), anywhere("GoPro")),
    ForeignFile("a GoPro video (MP4)", video, text("ftyp", at: 4), anywhere("gpmd")),
    ForeignFile("a video (MP4, of a GoPro or another camera or phone)", video, text("ftyp", at: 4)),
    ForeignFile(
      "ArduPilot's binary log (DataFlash, .bin)",
      """
      convert it to text in Mission Planner (Convert .Bin to .Log), which is read, or with pymavlink: \
      mavlogdump.py --format csv --types IMU FILE
      """,
      isRecording: true, at(0, [0xA3, 0x95, 0x80])),
    ForeignFile(
      "a Betaflight or iNav log (Blackbox)",
      "convert it to CSV with blackbox_decode, or export the CSV of Blackbox Explorer",
      isRecording: true, text("H Product:Blackbox")),
    ForeignFile(
      "a DJI flight log (.DAT)", "convert it to CSV with DatCon or CsvView", isRecording: true, text("BUILD", at: 16)),
    ForeignFile(
      "an Xsens recording (.mvnx)", "export tables of it in MVN Analyze, or convert it to CSV with mvnx (Python)",
      isRecording: true, text("<"), anywhere("<mvnx")),
    ForeignFile(
      "an Xsens recording (.mtb)", "export it to text or CSV with MT Manager", isRecording: true, at(0, [0xFA, 0xFF])),
    ForeignFile(
      "a bag of ROS 1 of a version that is not 2.0",
      "convert it: rosbag fix OLD.bag new.bag, in an installation of ROS 1",
      isRecording: true, text("#ROS"), absent("#ROSBAG V2.0")),
    ForeignFile(
      "an SQLite database",
      "export the tables of the sensors to CSV: sqlite3 -header -csv FILE \"select * from TABLE\"",
      text("SQLite format 3\0"), absent("serialization_format")),
    ForeignFile(
      "a NumPy array (.npy)",
      """
      save it as CSV with names and units: numpy.savetxt("log.csv", a, delimiter=",", comments="", \
      header="...")
      """,
      text("NUMPY", at: 1)),
    ForeignFile(
      "a measurement of LabVIEW (.tdms)",
      "convert it to CSV with npTDMS (Python): tdmsinfo, tdms_file.as_dataframe().to_csv",
      isRecording: true, text("TDSm")),
    ForeignFile(
      "an ASAM measurement (.mf4)", "export it to CSV with asammdf", isRecording: true, text("MDF     ")),
    ForeignFile(
      "an EDF or EDF+ recording", "export it to CSV with EDFbrowser or pyedflib (Python)", isRecording: true,
      text("0       ")),
    ForeignFile(
      "a BDF recording", "export it to CSV with EDFbrowser or pyedflib (Python)", isRecording: true,
      text("BIOSEMI", at: 1)),
    ForeignFile(
      "an Avro file (Empatica and others)", "convert it to CSV with fastavro or avro (Python)", text("Obj\u{1}")),
    ForeignFile(
      "an Arrow or Feather file", "save it as Parquet or CSV: pyarrow.feather.read_table(FILE).to_pandas().to_csv(...)",
      text("ARROW1")),
    ForeignFile("compressed by gzip", "decompress it first: gunzip -k FILE", at(0, [0x1F, 0x8B, 0x08])),
    ForeignFile("compressed by xz", "decompress it first: unxz -k FILE", at(0, [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00])),
    ForeignFile("compressed by zstd", "decompress it first: unzstd -k FILE", at(0, [0x28, 0xB5, 0x2F, 0xFD])),
    ForeignFile(
      "compressed by bzip2", "decompress it first: bunzip2 -k FILE", text("BZh"),
      at(4, [0x31, 0x41, 0x59, 0x26, 0x53, 0x59])),
    ForeignFile("compressed by LZ4", "decompress it first: unlz4 -k FILE", at(0, [0x04, 0x22, 0x4D, 0x18])),
    ForeignFile("a 7z archive", "unpack it first: 7z x FILE", at(0, [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C])),
    ForeignFile("a RAR archive", "unpack it first: unrar x FILE", text("Rar!")),
    ForeignFile("a tar archive", "unpack it first: tar -xf FILE", text("ustar", at: 257)),
    ForeignFile(
      "sentences of a serial line (apparently NMEA 0183)",
      """
      save the sensors' numbers as a CSV with names and units; of such sentences VectorNav's are read \
      ($VNIMU, $VNYMR)
      """,
      sentence, absent("$VN")),
    ForeignFile("a PDF document", "give the log itself; a PDF is not a log", text("%PDF-")),
  ]
}
