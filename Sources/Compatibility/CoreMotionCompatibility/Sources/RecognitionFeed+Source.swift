internal import InertialFilters
internal import InertialFusion
package import InertialLive
package import InertialRecognition

extension RecognitionFeed {
  /// Creates a feed for a live source, fused by the standard filter as a log is.
  package init(_ source: any SensorSource) {
    let estimator = DeviceMotionEstimator(
      defaultsOf: FilterKind.standard, configuration: Self.configuration)
    self.init(estimator: estimator, channels: source.channels)
  }
}
