// The modules that `import UIKit` includes.
@_exported public import Foundation
