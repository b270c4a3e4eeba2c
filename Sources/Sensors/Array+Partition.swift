extension Array {
  /// Returns the index of the first element that has a property, if all later elements have it, too.
  package func partitioningIndex(where property: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if property(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
