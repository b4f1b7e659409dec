import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import wasm from 'zxing-wasm/reader/zxing_reader.wasm?url'
import type { Detect } from './detect.ts'

/** Width of the pictures that are read: a larger one takes longer and finds no more of what is held before a camera. */
const WIDTH = 640

/** A reader of QR codes for browsers that have none. */
export async function makeDecoder(): Promise<Detect> {
  // Otherwise it would be loaded from another site.
  await prepareZXingModule({ overrides: { locateFile: () => wasm }, fireImmediately: true })
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D
  return async (video) => {
    const { videoWidth, videoHeight } = video
    if (videoWidth === 0) return []
    canvas.width = WIDTH
    canvas.height = Math.round((WIDTH * videoHeight) / videoWidth)
    context.drawImage(video, 0, 0, canvas.width, canvas.height)
    const picture = context.getImageData(0, 0, canvas.width, canvas.height)
    const found = await readBarcodes(picture, { formats: ['QRCode'], maxNumberOfSymbols: 1 })
    return found.filter(({ isValid }) => isValid).map(({ text }) => text)
  }
}
