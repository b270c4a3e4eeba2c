// JSON, files, dates and bytes, without the rest of Foundation: on Linux that brings 30 MB of tables of all languages, which
// a library for other programs cannot carry.
#if canImport(FoundationEssentials)
  @_exported public import FoundationEssentials
#else
  @_exported public import Foundation
#endif
