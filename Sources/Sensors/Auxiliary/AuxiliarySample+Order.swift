extension [AuxiliarySample] {
  /// In order of time; samples of one time keep their order.
  package func inTimeOrder() -> [AuxiliarySample] {
    indices.sorted { (self[$0].time, $0) < (self[$1].time, $1) }.map { self[$0] }
  }
}
