extension [AuxiliarySample] {
  /// Returns the samples sorted by time; samples with equal times keep their order.
  package func inTimeOrder() -> [AuxiliarySample] {
    indices.sorted { (self[$0].time, $0) < (self[$1].time, $1) }.map { self[$0] }
  }
}
