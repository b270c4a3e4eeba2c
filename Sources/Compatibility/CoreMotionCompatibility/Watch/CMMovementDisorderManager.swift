public import Foundation

/// The tremor of a person in an interval. The fractions add up to 1.
open class CMTremorResult: NSObject, @unchecked Sendable {
  /// The start of the interval.
  open private(set) var startDate = Date(timeIntervalSinceReferenceDate: 0)
  /// The end of the interval.
  open private(set) var endDate = Date(timeIntervalSinceReferenceDate: 0)
  /// The fraction of the time in which the tremor is unknown.
  open private(set) var percentUnknown: Float = 1
  /// The fraction of the time without a tremor.
  open private(set) var percentNone: Float = 0
  /// The fraction of the time with a slight tremor.
  open private(set) var percentSlight: Float = 0
  /// The fraction of the time with a mild tremor.
  open private(set) var percentMild: Float = 0
  /// The fraction of the time with a moderate tremor.
  open private(set) var percentModerate: Float = 0
  /// The fraction of the time with a strong tremor.
  open private(set) var percentStrong: Float = 0
}

/// The dyskinesia of a person in an interval. The fractions add up to 1.
open class CMDyskineticSymptomResult: NSObject, @unchecked Sendable {
  /// The start of the interval.
  open private(set) var startDate = Date(timeIntervalSinceReferenceDate: 0)
  /// The end of the interval.
  open private(set) var endDate = Date(timeIntervalSinceReferenceDate: 0)
  /// The fraction of the time in which dyskinesia was unlikely.
  open private(set) var percentUnlikely: Float = 1
  /// The fraction of the time in which dyskinesia was likely.
  open private(set) var percentLikely: Float = 0
}

/// A handler of tremors, or an error.
public typealias CMTremorResultHandler = ([CMTremorResult], (any Error)?) -> Void
/// A handler of dyskinesias, or an error.
public typealias CMDyskineticSymptomResultHandler = ([CMDyskineticSymptomResult], (any Error)?) -> Void

/// Symptoms of Parkinson's disease by a watch, for which the toolkit has no detector: unavailable, and queries return
/// `CMErrorNotAvailable`.
open class CMMovementDisorderManager: NSObject, @unchecked Sendable {
  private let queue = OperationQueue()

  /// Returns whether symptoms are available. Always false.
  open class func isAvailable() -> Bool { false }
  /// Returns the version of the detector. Always `nil`.
  open class func version() -> String? { nil }
  /// Returns whether the app may read motion data.
  open class func authorizationStatus() -> CMAuthorizationStatus { MotionPermission.current.authorizationStatus }
  /// Does nothing.
  open func monitorKinesias(forDuration duration: TimeInterval) {}
  /// Returns the end of the monitoring. Always `nil`.
  open func monitorKinesiasExpirationDate() -> Date? { nil }
  /// Returns the time of the last result. Always `nil`.
  open func lastProcessedDate() -> Date? { nil }

  /// Calls the handler with no result and `CMErrorNotAvailable`.
  @preconcurrency open func queryDyskineticSymptom(
    from fromDate: Date, to toDate: Date,
    withHandler handler: @escaping @Sendable ([CMDyskineticSymptomResult], (any Error)?) -> Void
  ) {
    queue.addOperation { handler([], CMErrorNotAvailable.nsError) }
  }

  /// Calls the handler with no result and `CMErrorNotAvailable`.
  @preconcurrency open func queryTremor(
    from fromDate: Date, to toDate: Date,
    withHandler handler: @escaping @Sendable ([CMTremorResult], (any Error)?) -> Void
  ) {
    queue.addOperation { handler([], CMErrorNotAvailable.nsError) }
  }
}
