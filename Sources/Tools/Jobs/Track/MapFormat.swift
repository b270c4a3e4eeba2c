internal import InertialSystem

/// A file format for a path on a map.
package enum MapFormat: String, Sendable, CaseIterable {
  /// A Feature with a LineString (RFC 7946).
  case geojson
  /// A track of GPX 1.1.
  case gpx
  /// A LineString of KML 2.2 (OGC 07-147r2).
  case kml

  /// Creates the format of a file name's extension, or returns `nil` if it is unknown.
  package init?(path: String) {
    guard let format = Self.allCases.first(where: { path.lowercased().hasSuffix("." + $0.rawValue) }) else {
      return nil
    }
    self = format
  }

  /// Returns the file of a path for programs that show maps.
  ///
  /// - Parameters:
  ///   - places: The positions of the path in chronological order.
  ///   - epoch: The UNIX time of the log's time 0, or `nil` if unknown.
  ///   - name: The name of the path.
  func text(_ places: [PathReport.Place], epoch: Double?, name: String) -> String {
    let escapedName = name.xmlEscaped
    switch self {
    case .geojson:
      let feature = JSONValue.object([
        "type": .text("Feature"),
        "properties": .object([
          "name": .text(name), "time": .list(places.map { .number($0.time) }),
          "sigma": .list(places.map { .number($0.sigma) }),
        ]),
        "geometry": .object([
          "type": .text("LineString"),
          "coordinates": .list(
            places.map { .list([.number($0.longitude), .number($0.latitude), .number($0.height)]) }),
        ]),
      ])
      return feature.text + "\n"
    case .gpx:
      let points = places.map { place in
        let time = epoch.map { "<time>\(BIDSTableWriter.dateTime($0 + place.time))</time>" } ?? ""
        return "<trkpt lat=\"\(degrees(place.latitude))\" lon=\"\(degrees(place.longitude))\">\(time)</trkpt>"
      }
      return """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="\(DatasetMetadata.generator.xmlEscaped)" xmlns="http://www.topografix.com/GPX/1/1">
        <trk><name>\(escapedName)</name><trkseg>
        \(points.joined(separator: "\n"))
        </trkseg></trk>
        </gpx>

        """
    case .kml:
      let points = places.map { "\(degrees($0.longitude)),\(degrees($0.latitude)),\(metres($0.height))" }
      return """
        <?xml version="1.0" encoding="UTF-8"?>
        <kml xmlns="http://www.opengis.net/kml/2.2">
        <Placemark><name>\(escapedName)</name><LineString><altitudeMode>relativeToGround</altitudeMode><coordinates>
        \(points.joined(separator: "\n"))
        </coordinates></LineString></Placemark>
        </kml>

        """
    }
  }

  private func degrees(_ value: Double) -> String { String(cFormat: "%.8f", value) }
  private func metres(_ value: Double) -> String { String(cFormat: "%.2f", value) }
}
