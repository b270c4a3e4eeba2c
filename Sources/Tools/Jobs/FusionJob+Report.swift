internal import InertialFilters
internal import InertialFusion
internal import InertialLogs
internal import InertialNumerics
internal import InertialRotations
internal import InertialSensors
internal import InertialSystem

extension FusionJob.Report: Encodable {
  /// The motion sensors of the log.
  package var sensors: [ChannelSummary] {
    SensorChannel.allCases.compactMap { channel in
      log.reports[channel].map {
        ChannelSummary(name: channel.name, samples: $0.count, used: $0.used, rate: $0.meanRate)
      }
    }
  }

  /// The requested channels in addition to the motion sensors.
  package var auxiliary: [ChannelSummary] {
    AuxiliaryChannel.allCases.compactMap { channel in
      log.auxiliary[channel].map {
        ChannelSummary(name: channel.name, samples: $0.count, used: $0.used, rate: $0.meanRate)
      }
    }
  }

  /// The duration of the job in seconds.
  package var seconds: Double { elapsed / .seconds(1) }

  /// Encodes the result, as the command `fuse --json` prints it. Angles are in radians, the declination and the heading
  /// in degrees.
  public func encode(to encoder: any Encoder) throws {
    let (options, description) = (job.options, log.description)
    let names = recognised.map { ($0.column, $0.value) }
    let declination = declination.map {
      EncodedObject([
        "degrees": $0.degrees, "latitude": $0.place.latitude, "longitude": $0.place.longitude,
        "altitude": $0.place.altitude, "place": $0.placeOrigin, "decimalYear": $0.year, "date": $0.yearOrigin,
        "model": $0.model,
      ])
    }
    let attitude = lastRow.map {
      let q = $0.attitude.quaternion
      return EncodedObject([
        "time": $0.time, "quaternion": [q.x, q.y, q.z, q.w], "roll": $0.attitude.roll, "pitch": $0.attitude.pitch,
        "yaw": $0.attitude.yaw, "heading": $0.heading,
      ])
    }
    let object = EncodedObject([
      "input": job.input, "output": output, "outputs": outputs.count > 1 ? outputs.map(\.path) : nil,
      "format": description.format, "formatDescription": description.summary, "notes": description.notes,
      "epoch": epoch, "timeOrigin": timeOrigin, "filter": options.filter, "parameters": options.parameters,
      "frame": options.motion.frame.name, "declination": declination,
      "decisions": decisions.isEmpty ? nil : decisions, "rows": rowCount, "rowsLeftOut": rowsLeftOut,
      "gaps": options.gaps, "gap": options.gap, "segments": segmentCount, "columns": columns, "channels": sensors,
      "auxiliary": auxiliary.isEmpty ? nil : auxiliary,
      "recognised": names.isEmpty ? nil : Dictionary(uniqueKeysWithValues: names),
      "eventsOutput": eventCount.map { _ in job.eventsOutput }, "events": eventCount,
      "alignment": alignment, "warnings": log.warnings, "finalAttitude": attitude,
      "seconds": seconds,
    ])
    try object.encode(to: encoder)
  }
}
