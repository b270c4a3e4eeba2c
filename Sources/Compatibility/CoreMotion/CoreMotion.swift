// Apple's module name for `CoreMotionCompatibility`, so that the sources of an app need no other import on Linux. A package
// that also builds for Apple's platforms depends on it only on Linux: docs/how-to/share-a-package-with-ios.md.
@_exported public import CoreMotionCompatibility
