internal import InertialSystem

extension XsensExport {
  /// The number of values of SampleTimeFine, a 32-bit counter.
  private static let fineModulus: Int64 = 1 << 32
  /// The number of values of an MT's PacketCounter, a 16-bit counter. Increments stay correct for a DOT's wider
  /// counter.
  private static let packetModulus: Int64 = 1 << 16
  /// The minimum increment of SampleTimeFine per row that is in microseconds: a DOT at its highest rate, 120 Hz, has
  /// 8333, and an MT at 100 Hz has 100. An MT with a larger increment would send less than 1.25 rows per second.
  private static let minimumMicroseconds = 8000.0

  /// Returns the clock of a file: SampleTimeFine, or PacketCounter with a rate if SampleTimeFine is empty.
  ///
  /// - Throws: ``LogError`` if neither of them determines the time.
  func ticks(_ options: LogOptions, _ path: String) throws(LogError) -> CSVLayout.Ticks {
    if let column = table.column("SampleTimeFine"), table.numbers(column).contains(where: \.isFinite) {
      let (perSecond, why) = try unit(of: column, options, path)
      return CSVLayout.Ticks(
        column: table.names[column], perSecond: perSecond, modulus: Self.fineModulus,
        note:
          "time: SampleTimeFine in \(perSecond == 1e6 ? "microseconds" : "steps of 0.1 ms"), \(why); its "
          + "wraps at 2^32 were undone")
    }
    guard let column = table.names.firstIndex(where: { $0.lowercased() == "packetcounter" }),
      let rate = declaredRate ?? options.sampleRate, rate > 0, rate.isFinite
    else {
      throw LogError(
        path: path, problem: "SampleTimeFine is empty and the file declares no rate",
        remedy: "give --sample-rate HZ, the rate of PacketCounter")
    }
    return CSVLayout.Ticks(
      column: table.names[column], perSecond: rate, modulus: Self.packetModulus,
      note:
        "time: PacketCounter / \(rate) Hz, \(declaredRate == nil ? "by --sample-rate" : "as the file declares it"), "
        + "as SampleTimeFine is empty; the counter's wraps at 2^16 were undone")
  }

  private func unit(
    of column: Int, _ options: LogOptions, _ path: String
  ) throws(LogError) -> (perSecond: Double, why: String) {
    if let unit = options.timeUnit {
      guard unit == .microseconds else {
        throw LogError(
          path: path, problem: "SampleTimeFine cannot be in \(unit.rawValue)",
          remedy: "give --time-unit us, or omit --time-unit to detect the unit")
      }
      return (1e6, "by --time-unit")
    }
    let steps = steps(of: column)
    if !steps.isEmpty {
      let step = steps.sorted()[steps.count / 2]
      if let rate = declaredRate {
        // The unit whose rate is closer to the declared rate.
        let isMicroseconds = abs(log(step * rate / 1e6)) < abs(log(step * rate / 1e4))
        return (isMicroseconds ? 1e6 : 1e4, "as rows are \(Int(step)) apart and the file declares \(rate) Hz")
      }
      return (step >= Self.minimumMicroseconds ? 1e6 : 1e4, "as rows are \(Int(step)) apart")
    }
    guard let isDOT else {
      throw LogError(
        path: path, problem: "the unit of SampleTimeFine cannot be determined from so few rows",
        remedy: "give --time-unit us, or more rows")
    }
    return isDOT ? (1e6, "as a DOT writes it") : (1e4, "as an MT writes it")
  }

  /// Returns the positive increments of a column per row that PacketCounter counts.
  private func steps(of column: Int) -> [Double] {
    let times = table.numbers(column)
    let packets = table.names.firstIndex { $0.lowercased() == "packetcounter" }.map { table.numbers($0) } ?? []
    return (1..<max(1, times.count)).compactMap { row in
      let step = times[row] - times[row - 1]
      let count = row < packets.count ? packets[row] - packets[row - 1] : 1
      // Increments of more than a day are ignored.
      return step > 0 && step < 1e11 ? step / (count >= 1 ? count : 1) : nil
    }
  }
}
