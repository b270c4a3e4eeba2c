extension LogFormat {
  /// The format of BIDS-Motion recordings.
  static var bidsMotion: LogFormat {
    LogFormat(
      id: "bids-motion", title: "BIDS-Motion recording",
      recognition: "*_motion.tsv next to a *_channels.tsv with the columns name, component, type and units",
      units: "from channels.tsv; acceleration is specific force unless specified otherwise; time from "
        + "the LATENCY channel, otherwise from the rate in *_motion.json",
      isFolder: false,
      recognizes: { $0.folder == nil && BIDSMotionReader.recognizes($0.path) },
      open: { path, options throws(LogError) in try BIDSMotionReader(path: path, options: options) })
  }
}
