internal import SystemLibrary

/// Whether two paths name one existing file, be it by another spelling or by a link.
func isSameFile(_ one: String, _ other: String) -> Bool {
  var (first, second) = (stat(), stat())
  guard stat(one, &first) == 0, stat(other, &second) == 0 else { return false }
  return first.st_dev == second.st_dev && first.st_ino == second.st_ino
}

/// Whether what is written to a path goes to a stream: standard output, or a pipe or device that is there.
func isStream(_ path: String) -> Bool {
  var status = stat()
  return path == "-" || (stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG)
}
