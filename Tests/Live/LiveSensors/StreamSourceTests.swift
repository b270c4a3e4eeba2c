import Testing

@Suite struct StreamSourceTests {
  private func feed(
    options: LogOptions = LogOptions(), horizon: Double = 0, maximumSilence: Double = 5
  ) throws -> (Pipe, StreamSource) {
    let pipe = Pipe()
    let stream = try SampleStream(
      descriptor: pipe.fileHandleForReading.fileDescriptor, name: "a pipe", options: options)
    return (pipe, StreamSource(stream, options: options, horizon: horizon, maximumSilence: maximumSilence))
  }

  private func write(_ pipe: Pipe, _ text: String) { pipe.fileHandleForWriting.write(Data(text.utf8)) }

  @Test(
    "lines become samples in the order of their channels; late samples are dropped, repeated ones merged, both counted")
  func judged() throws {
    let (pipe, source) = try feed()
    let (listener, attachment) = source.attachListener()
    write(
      pipe, "0,0,0,-1,1,1,1\n0.02,0,0,-1,1,1,1\n0.01,0,0,-1,1,1,1\n0.02,0,0,-1,1,1,1\nnonsense\n0.03,0,0,-1,1e9,1,1\n")
    try pipe.fileHandleForWriting.close()
    #expect(listener.wait { $0.contains { if case .end(nil) = $0 { true } else { false } } })
    attachment.cancel()
    #expect(listener.samples.map(\.time) == [0, 0, 0.02, 0.02, 0.03])
    #expect(
      listener.samples.map(\.channel) == [.gyroscope, .accelerometer, .gyroscope, .accelerometer, .accelerometer])
    let counts = source.counts
    #expect(source.droppedCount == 2 && counts.collapsedCount == 2 && counts.lines == 6)
    #expect(counts.channels[.gyroscope]?.invalid == 1)
  }

  @Test("a stream with implausible values ends with the error that fuse reports for such a log")
  func wrongUnit() throws {
    let (pipe, source) = try feed()
    let (listener, attachment) = source.attachListener()
    write(pipe, (0..<30).map { "\(Double($0) / 100),0,0,-9.8,0,0,0\n" }.joined())
    #expect(
      listener.wait { events in
        events.contains {
          if case .end(let error?) = $0 { error.remedy.contains("--acceleration-unit m/s2") } else { false }
        }
      })
    #expect(listener.samples.count == 2 * 20)
    attachment.cancel()
  }

  @Test("with a horizon, unsorted samples are sorted, and other channels wait with them")
  func horizon() throws {
    var options = LogOptions()
    options.auxiliary = [.barometer]
    let (pipe, source) = try feed(options: options, horizon: 0.1)
    let (listener, attachment) = source.attachListener()
    write(pipe, "time,accelerationX,accelerationY,accelerationZ,pressure\n")
    write(pipe, "0.00,0,0,-1,\n0.05,0,0,-1,101\n0.02,0,0,-1,102\n0.2,0,0,-1,\n")
    try pipe.fileHandleForWriting.close()
    #expect(listener.wait { $0.contains { if case .end = $0 { true } else { false } } })
    attachment.cancel()
    #expect(listener.samples.map(\.time) == [0, 0.02, 0.05, 0.2])
    #expect(listener.auxiliary.map { $0["pressure"] }.sorted() == [101, 102] && source.droppedCount == 0)
  }

  @Test("a silent sender is reported once, and its further samples are delivered")
  func silence() throws {
    let (pipe, source) = try feed(maximumSilence: 0.02)
    let (listener, attachment) = source.attachListener()
    write(pipe, "0,0,0,-1\n")
    #expect(listener.wait { $0.contains { if case .silence(let s) = $0 { s >= 0.02 } else { false } } })
    write(pipe, "1,0,0,-1\n")
    #expect(listener.waitForSamples(2))
    #expect(listener.silenceCount >= 1)
    attachment.cancel()
  }

  @Test("lines are not read without a receiver, and an error ends the stream with its reason")
  func attachment() throws {
    let (pipe, source) = try feed()
    let (first, attachment) = source.attachListener()
    write(pipe, "0,0,0,-1\n")
    #expect(first.waitForSamples(1))
    attachment.cancel()
    write(pipe, "1,0,0,-1\n")
    let (second, again) = source.attachListener()
    #expect(second.waitForSamples(1))
    #expect(second.samples.map(\.time) == [1] && first.samples.map(\.time) == [0])
    again.cancel()

    let (other, bad) = try feed()
    let (third, last) = bad.attachListener()
    write(other, "no,thing,known\n1,2,3\n")
    #expect(third.wait { $0.contains { if case .end(let error) = $0 { error != nil } else { false } } })
    last.cancel()
    // A receiver that attaches later gets the end as well.
    let (fourth, late) = bad.attachListener()
    #expect(fourth.wait { !$0.isEmpty })
    #expect(fourth.endCount == 1)
    late.cancel()
  }

  @Test("an unreferenced stream source is deallocated")
  func lifetime() throws {
    weak var weakSource: StreamSource?
    let pipe = Pipe()
    do {
      let stream = try SampleStream(descriptor: pipe.fileHandleForReading.fileDescriptor, name: "a pipe")
      let source = StreamSource(stream)
      weakSource = source
      let attachment = source.attach(Listener())
      withExtendedLifetime(attachment) {}
    }
    #expect(eventually { weakSource == nil })
  }
}
