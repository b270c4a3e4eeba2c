extension Array {
  /// The first index whose element, and with it all that follow, have the property.
  package func partitioningIndex(where property: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if property(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
