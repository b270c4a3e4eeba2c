internal import InertialSensors
internal import InertialSystem

/// A command for a log, as far as the log's own data determine its parts.
package struct LogGuess: Sendable, Encodable {
  /// The certainty of a part of the command.
  package enum Certainty: String, Sendable {
    /// A test determines the value, and no other value is close.
    case certain
    /// A test prefers the value, or the size of the numbers fits only this value.
    case likely
    /// The usual value, which no test determines.
    case open
  }

  /// An option with the test that determines it.
  package struct Part: Sendable, Equatable, Encodable {
    package var answer: LogAnswer
    package var certainty: Certainty
    /// The test and its result.
    package var test: String

    /// Encodes the option as it is written in the command.
    package func encode(to encoder: any Encoder) throws {
      try ["option": answer.text, "certainty": certainty.rawValue, "test": test].encode(to: encoder)
    }
  }

  package let path: String
  package private(set) var parts: [Part] = []
  /// The options that were given.
  private let given: [LogAnswer]
  /// The options that were given and those that were determined.
  private(set) var options: LogOptions

  /// The maximum number of questions about one log: its columns, units and rate, and again for each file of a folder.
  private static let maximumQuestionCount = 6

  /// Determines the options that a log requires, and then those that its data contradict.
  ///
  /// - Returns: The report on the log with the command's options, and the guess in it.
  /// - Throws: ``LogError`` if the log cannot be read, or if its data do not determine a required option.
  package static func decide(path: String, options: LogOptions) throws(LogError) -> InspectionReport {
    guard !InputFile.isStream(path) else {
      throw LogError(
        path: path, problem: "a stream can be read only once", remedy: "give --guess a file or a folder")
    }
    var guess = LogGuess(path, options)
    if let error = guess.answerQuestions() { throw error }
    var report = try guess.answerFindings()
    report.guess = guess
    return report
  }

  private init(_ path: String, _ options: LogOptions) {
    self.path = path
    self.options = options
    given = options.answers
  }

  /// The complete command, including the options that were given.
  package var command: String {
    let aligns = parts.contains { $0.answer == .alignment }
    return LogAnswer.command(path, options.answers + (aligns ? [.alignment] : []))
  }

  /// Encodes the command and its parts.
  package func encode(to encoder: any Encoder) throws {
    try EncodedObject(["command": command, "parts": parts]).encode(to: encoder)
  }

  /// Adds the command that a log's data suggest to an error about an unspecified property. Returns any other error
  /// unchanged.
  static func completed(_ error: LogError, path: String, options: LogOptions) -> LogError {
    guard let question = error.question, !InputFile.isStream(path), options.held == nil,
      let guess = try? decide(path: path, options: options).guess, let first = guess.parts.first
    else { return error }
    // Columns that no test determines are not suggested.
    if case .columns = first.answer, first.certainty == .open { return error }
    var error = error
    let tests = guess.parts.map(\.test).joined(separator: "; ")
    var other = error.remedy
    if case .units(let units) = question, let unit = units.first {
      other =
        "write the units into the header, as in \"\(unit.column) \(UnspecifiedUnit.option(unit.dimension).example)\""
    }
    error.remedy = "the numbers suggest: \(guess.command) (\(tests)); or \(other)"
    return error
  }

  // MARK: Questions

  /// Answers the questions that arise when the log is opened.
  ///
  /// - Returns: The log's first error, with the reason, if its data do not answer all questions.
  private mutating func answerQuestions() -> LogError? {
    var first: LogError?
    for _ in 0..<Self.maximumQuestionCount {
      do throws(LogError) {
        _ = try openUnguessed(path: path, options: options)
        return nil
      } catch {
        first = first ?? error
        guard let question = error.question else { return error }
        do throws(Undetermined) {
          for part in try answers(to: question) { take(part) }
        } catch let obstacle {
          first?.remedy += " (no guess: \(obstacle.reason))"
          return first
        }
      }
    }
    return first
  }

  /// The reason for which the data do not determine an option.
  struct Undetermined: Error {
    var reason: String
    init(_ reason: String) { self.reason = reason }
  }

  private func answers(to question: LogQuestion) throws(Undetermined) -> [Part] {
    switch question {
    case .columns: try columns()
    case .units(let units): try self.units(units)
    case .sampleRate: try sampleRate()
    }
  }

  private mutating func take(_ part: Part) {
    part.answer.apply(to: &options)
    parts.removeAll { $0.answer.replaces(part.answer) }
    parts.append(part)
  }

  // MARK: Findings

  /// Answers the findings that an option corrects, in order of decreasing severity.
  private mutating func answerFindings() throws(LogError) -> InspectionReport {
    var report = try InspectionReport(path: path, options: options)
    var corrected: [LogAnswer] = []
    for _ in 0..<Self.maximumQuestionCount {
      let open = report.findings.first { finding in
        finding.answer.map { answer in !(given + corrected).contains { $0.replaces(answer) } } ?? false
      }
      guard let open, let answer = open.answer else { break }
      corrected.append(answer)
      take(Part(answer: answer, certainty: open.isCertain ? .certain : .likely, test: open.text))
      report = try InspectionReport(path: path, options: options)
    }
    // A finding that an option corrects is resolved; the offsets are subtracted later.
    report.findings.removeAll { $0.answer.map(corrected.contains) ?? false }
    if report.findings.contains(where: \.isCertain) {
      for index in parts.indices where parts[index].certainty == .certain { parts[index].certainty = .likely }
    }
    return report
  }
}
