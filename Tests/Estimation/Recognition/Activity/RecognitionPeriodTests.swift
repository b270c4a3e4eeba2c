import InertialRecognition
import Testing

@Suite("The beat of recognition")
struct RecognitionPeriodTests {
  @Test("holds a power of two of samples at 50 Hz, for its spectra")
  func holdsAPowerOfTwo() {
    #expect(RecognitionPeriod.standard * 50 == 128)
  }
}
