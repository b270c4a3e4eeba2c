import InertialRecognition
import Testing

@Suite("The period of recognition")
struct RecognitionPeriodTests {
  @Test("the period contains a power of two of samples at 50 Hz, for spectra")
  func holdsAPowerOfTwo() {
    #expect(RecognitionPeriod.standard * 50 == 128)
  }
}
