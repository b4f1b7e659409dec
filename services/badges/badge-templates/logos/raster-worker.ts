import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import { imageSize } from 'image-size'
import { PNG } from 'pngjs'
import { unpacked } from '../../badges/font-file.ts'
import type { Raster, RasterOrder } from './rasterizer.ts'

// The thread in which one logo is drawn (rasterizer.ts).

/** Pixels of the longer side as it is printed: 300 dpi on the width of A6, and more than a badge is wide. */
const LARGEST = 1_200
/** Pixels of a side that is taken. A file of a few kilobytes may have a side of 65,000. */
const LARGEST_TAKEN = 4_096
/** Pictures in an SVG. */
const EMBEDDED = /data:image\/[a-z]+;base64,([^"')]+)/gi
const FONTS = ['400', '700'].map((weight) => `@fontsource/noto-sans/files/noto-sans-latin-${weight}-normal.woff`)

const require = createRequire(import.meta.url)

await initWasm(readFileSync(require.resolve('@resvg/resvg-wasm/index_bg.wasm')))
parentPort?.postMessage(rasterOf(workerData as RasterOrder))

function rasterOf({ bytes, media }: RasterOrder): Raster {
  const svg = media === 'image/svg+xml' ? Buffer.from(bytes).toString() : framed(bytes, media)
  for (const [, data = ''] of svg.matchAll(EMBEDDED)) sizeOf(Buffer.from(data, 'base64'))
  const options = {
    background: '#ffffff',
    font: {
      fontBuffers: FONTS.map((file) => unpacked(readFileSync(require.resolve(file)))),
      defaultFontFamily: 'Noto Sans',
    },
  }
  const { width, height } = new Resvg(svg)
  const fitTo = { mode: width > height ? 'width' : 'height', value: LARGEST } as const
  const { width: wide, height: high, pixels } = new Resvg(svg, { ...options, fitTo }).render()
  const png = new PNG({ width: wide, height: high })
  png.data = Buffer.from(pixels)
  return {
    png: PNG.sync.write(png, { colorType: 2, bgColor: { red: 255, green: 255, blue: 255 } }),
    width: wide,
    height: high,
  }
}

/** A picture of pixels as an SVG. */
function framed(bytes: Uint8Array, media: string): string {
  const { width, height } = sizeOf(bytes)
  const data = `data:${media};base64,${Buffer.from(bytes).toString('base64')}`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><image width="${width}" height="${height}" href="${data}"/></svg>`
}

/** The size of a picture. Throws if it is too large, or no picture. */
function sizeOf(bytes: Uint8Array): { width: number; height: number } {
  const { width, height } = imageSize(bytes)
  if (Math.max(width, height) > LARGEST_TAKEN) throw new Error('a picture has too many pixels')
  return { width, height }
}
