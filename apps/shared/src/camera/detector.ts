import type { Detect } from './detect.ts'

/** What browsers have that read codes themselves. */
interface BarcodeDetector {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>
}
declare const BarcodeDetector: {
  new (options: { formats: string[] }): BarcodeDetector
  getSupportedFormats(): Promise<string[]>
}

const FORMAT = 'qr_code'

/** The reader of the browser, or the one that comes with the app. */
export async function findDetector(): Promise<Detect> {
  const formats = 'BarcodeDetector' in globalThis ? await BarcodeDetector.getSupportedFormats().catch(() => []) : []
  if (!formats.includes(FORMAT)) return (await import('./decoder.ts')).makeDecoder()
  const detector = new BarcodeDetector({ formats: [FORMAT] })
  // It throws while the video has no picture yet.
  return async (video) => (await detector.detect(video).catch(() => [])).map(({ rawValue }) => rawValue)
}
