// JSON, files, dates and bytes without the rest of Foundation, which on Linux adds 30 MB of tables for all languages.
// That is too much for a library in other programs.
#if canImport(FoundationEssentials)
  @_exported public import FoundationEssentials
#else
  @_exported public import Foundation
#endif
