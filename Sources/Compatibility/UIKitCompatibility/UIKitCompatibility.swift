// What `import UIKit` brings with it.
@_exported public import Foundation
