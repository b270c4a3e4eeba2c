import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Reads a document as XML, and keeps its words and the elements' names.
final class XMLCheck: NSObject, XMLParserDelegate {
  private(set) var words: [String] = []
  private(set) var elements: [String] = []
  private(set) var problem: String?
  private var text = ""

  init(_ document: String) {
    super.init()
    let parser = XMLParser(data: Data(document.utf8))
    parser.delegate = self
    if !parser.parse() { problem = parser.parserError.map { "\($0)" } ?? "no XML" }
  }

  func parser(
    _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String] = [:]
  ) {
    elements.append(elementName)
    if elementName == "text" || elementName == "title" { text = "" }
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

  func parser(_ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?, qualifiedName: String?) {
    if elementName == "text" || elementName == "title" { words.append(text) }
  }
}
