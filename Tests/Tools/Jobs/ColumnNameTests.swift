import Testing

@testable import InertialJobs

@Suite("Names of a dataset's columns") struct ColumnNameTests {
  /// The attributes of a DataFrame in pandas 2. For example, `frame.flags` is not a column.
  private static let ofDataFrames = Set(
    """
    T abs add add_prefix add_suffix agg aggregate align all any apply applymap asfreq asof assign astype at
    at_time attrs axes backfill between_time bfill bool boxplot clip columns combine combine_first compare
    convert_dtypes copy corr corrwith count cov cummax cummin cumprod cumsum describe diff div divide dot drop
    drop_duplicates droplevel dropna dtypes duplicated empty eq equals eval ewm expanding explode ffill fillna
    filter first first_valid_index flags floordiv from_dict from_records ge get groupby gt head hist iat idxmax
    idxmin iloc index infer_objects info insert interpolate isetitem isin isna isnull items iterrows itertuples
    join keys kurt kurtosis last last_valid_index le loc lt map mask max mean median melt memory_usage merge min
    mod mode mul multiply ndim ne nlargest notna notnull nsmallest nunique pad pct_change pipe pivot pivot_table
    plot pop pow prod product quantile query radd rank rdiv reindex reindex_like rename rename_axis
    reorder_levels replace resample reset_index rfloordiv rmod rmul rolling round rpow rsub rtruediv sample
    select_dtypes sem set_axis set_flags set_index shape shift size skew sort_index sort_values sparse squeeze
    stack std style sub subtract sum swapaxes swaplevel tail take to_clipboard to_csv to_dict to_excel
    to_feather to_gbq to_hdf to_html to_json to_latex to_markdown to_numpy to_orc to_parquet to_period to_pickle
    to_records to_sql to_stata to_string to_timestamp to_xarray to_xml transform transpose truediv truncate
    tz_convert tz_localize unstack update value_counts values var where xs
    """.split(whereSeparator: \.isWhitespace).map(String.init))

  @Test("columns have unique names, and no column has the name of an attribute of a pandas DataFrame")
  func pandas() {
    #expect(Self.ofDataFrames.count > 200 && Self.ofDataFrames.contains("flags"))
    let channels = AuxiliaryChannel.allCases
    let own = FusedColumn.all + FusedColumn.recognised
    let columns = own + FusedColumn.innovations + FusedColumn.carried(channels)
    let names = columns.map(\.name) + SensorChannel.allCases.flatMap(\.columnNames)
    #expect(names.count > 100 && names.contains("status") && names.filter(Self.ofDataFrames.contains).isEmpty)
    #expect(Set(columns.map(\.name)).count == columns.count && own.map(\.index) == Array(own.indices))
    let fields = channels.flatMap { $0.fields.map(\.name) + [$0.ageName] + $0.textFields }
    #expect(Set(own.map(\.name) + fields).count == own.count + Set(fields).count)
  }

  @Test("the column's name before 0.8.0 results in an error with the new name")
  func formerName() {
    let error = #expect(throws: FusionError.self) { try FusedColumn.named(["time", "flags"]) }
    #expect(error?.exitCode == 2 && error?.description.contains("is now 'status'") == true)
  }

  @Test("every column has a unit, and the unit of the heading differs from that of the other angles")
  func units() throws {
    let columns = FusedColumn.all + FusedColumn.recognised + FusedColumn.innovations
    #expect(columns.allSatisfy { !$0.unit.isEmpty && !$0.meaning.isEmpty })
    for recognition in Recognition.allCases {
      #expect(!recognition.columns.isEmpty && !recognition.meaning.isEmpty)
      #expect(recognition.annotator.init().values.count == recognition.columns.count)
    }
    let heading = try #require(try FusedColumn.named(["heading"]).first)
    #expect(heading.unit == "deg" && heading.meaning.contains("in degrees, unlike roll, pitch and yaw"))
    #expect(try FusedColumn.named(["roll", "pitch", "yaw"]).allSatisfy { $0.unit == "rad" })
  }
}
