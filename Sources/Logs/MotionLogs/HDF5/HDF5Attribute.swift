/// A named attribute of an HDF5 file, group or dataset.
package struct HDF5Attribute: Sendable, Equatable {
  /// A number or a string.
  package enum Value: Sendable, Equatable {
    case number(Double)
    case text(String)
    /// A list of strings.
    case texts([String])
  }

  package var name: String
  package var value: Value

  package init(_ name: String, _ value: Value) {
    self.name = name
    self.value = value
  }

  package init(_ name: String, _ number: Double) { self.init(name, .number(number)) }
  package init(_ name: String, _ text: String) { self.init(name, .text(text)) }
}

#if HDF5
  internal import CInertialHDF5

  extension HDF5Attribute {
    /// Writes the attribute to an object. Returns `false` if the library fails. Use only inside
    /// `withHDF5`.
    func write(to object: hid_t) -> Bool {
      switch value {
      case .number(var number):
        guard let space = HDF5Handle(H5Screate(H5S_SCALAR), close: H5Sclose) else { return false }
        return write(to: object, type: chdf5_float64(), space: space) {
          H5Awrite($0, chdf5_native_double(), &number)
        }
      case .text(let text):
        guard let space = HDF5Handle(H5Screate(H5S_SCALAR), close: H5Sclose) else { return false }
        return write(texts: [text], to: object, space: space)
      case .texts(let texts):
        // An empty list cannot be stored. A missing attribute has the same meaning.
        guard !texts.isEmpty else { return true }
        guard let space = HDF5Handle(H5Screate_simple(1, [hsize_t(texts.count)], nil), close: H5Sclose) else {
          return false
        }
        return write(texts: texts, to: object, space: space)
      }
    }

    private func write(texts: [String], to object: hid_t, space: HDF5Handle) -> Bool {
      guard let type = HDF5Handle(H5Tcopy(chdf5_c_string()), close: H5Tclose),
        H5Tset_size(type.id, chdf5_variable_length()) >= 0, H5Tset_cset(type.id, H5T_CSET_UTF8) >= 0
      else { return false }
      // One buffer contains all zero-terminated strings. `starts` contains their offsets.
      var bytes: [CChar] = []
      var starts: [Int] = []
      for text in texts {
        starts.append(bytes.count)
        bytes += text.utf8CString
      }
      return bytes.withUnsafeBufferPointer { bytes in
        let pointers = starts.map { start in bytes.baseAddress.map { $0 + start } }
        return write(to: object, type: type.id, space: space) { H5Awrite($0, type.id, pointers) }
      }
    }

    private func write(to object: hid_t, type: hid_t, space: HDF5Handle, _ body: (hid_t) -> herr_t) -> Bool {
      guard
        let attribute = HDF5Handle(
          H5Acreate2(object, name, type, space.id, chdf5_default(), chdf5_default()), close: H5Aclose)
      else { return false }
      return body(attribute.id) >= 0
    }
  }
#endif
