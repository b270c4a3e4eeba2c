internal import InertialSystem

/// The samples of a sound file, read in blocks.
protocol SoundFrames {
  /// The name of the file in messages.
  var name: String { get }
  /// The number of frames per second.
  var sampleRate: Double { get }
  var channelCount: Int { get }
  /// The fraction of the file read so far, 0 to 1, or 0 if its length is unknown.
  var progress: Double { get }
  /// Replaces `frames` by the next ones: the channels of a frame one after another, full scale ±1; false at the end.
  mutating func read(into frames: inout [Double]) throws(LogError) -> Bool
}

/// A kind of sound file, determined by its first bytes, not by its name.
enum SoundKind: String, CaseIterable {
  case wav = "WAV"
  case flac = "FLAC"
  case ogg = "Ogg (Vorbis, Opus)"
  case mp3 = "MP3"
  case aiff = "AIFF"
  case caf = "CAF"
  case mpeg4 = "MPEG-4 sound (m4a)"
  case aac = "AAC"

  /// Creates a kind from the first bytes of a file, or returns `nil` if they match no known kind.
  init?(head: [UInt8]) {
    func has(_ text: String, at position: Int = 0) -> Bool {
      head.count >= position + text.utf8.count && head[position...].starts(with: text.utf8)
    }
    if has("RIFF") || has("RF64") {
      self = .wav
    } else if has("fLaC") {
      self = .flac
    } else if has("OggS") {
      self = .ogg
    } else if has("FORM") {
      self = .aiff
    } else if has("caff") {
      self = .caf
    } else if has("ftyp", at: 4) {
      self = .mpeg4
    } else if has("ID3") {
      self = .mp3
    } else if head.count >= 2, head[0] == 0xFF, head[1] & 0xE0 == 0xE0 {
      // The layer bits of an MPEG frame's header (ISO 11172-3): they are 0 for ADTS.
      self = head[1] & 0x06 == 0 ? .aac : .mp3
    } else {
      return nil
    }
  }

  /// Whether libsndfile decodes it.
  var isCompressed: Bool {
    switch self {
    case .flac, .ogg, .mp3, .aiff, .caf: true
    case .wav, .mpeg4, .aac: false
    }
  }
}

/// Opens a sound file of any known kind. Standard input ("-") and pipes must contain WAV.
func openSound(path: String) throws(LogError) -> any SoundFrames {
  var status = stat()
  // Bytes read from a pipe cannot be read again.
  guard path != "-", stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
    let kind = SoundKind(head: try InputFile(path: path).readBytes(upTo: 12)), kind != .wav
  else { return try WAVFile(path: path) }
  guard kind.isCompressed else {
    throw LogError(
      path: path, problem: "is \(kind.rawValue), for which there is no decoder",
      remedy: "convert it: ffmpeg -i \(path) sound.wav")
  }
  return try CompressedSound(path: path, kind: kind)
}
