extension LogFormat {
  /// Recordings of BIDS-Motion.
  static var bidsMotion: LogFormat {
    LogFormat(
      id: "bids-motion", title: "BIDS-Motion recording",
      recognition: "*_motion.tsv with *_channels.tsv beside it, which has the columns name, component, type and units",
      units: "as channels.tsv says; acceleration is taken as specific force unless the options say otherwise; time by "
        + "the LATENCY channel, else by the rate in *_motion.json",
      isFolder: false,
      recognizes: { $0.folder == nil && BIDSMotionReader.recognizes($0.path) },
      open: { path, options throws(LogError) in try BIDSMotionReader(path: path, options: options) })
  }
}
