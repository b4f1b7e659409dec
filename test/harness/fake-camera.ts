import { constants } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { PNG } from 'pngjs'

const WIDTH = 640
const HEIGHT = 480
const WHITE = 235
const NO_COLOUR = 128

/** The arguments with which Chromium shows a video in place of a camera, and lets a page use it when the page asks. */
export function fakeCamera(file: string): string[] {
  return [
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-video-capture=${file}`,
  ]
}

/** Makes a video (Y4M) of a picture that is held before a camera, or of nothing: in place, so that a browser that is showing the file goes on. */
export async function writeVideo(file: string, picture?: Buffer): Promise<void> {
  const luma = Buffer.alloc(WIDTH * HEIGHT, WHITE)
  if (picture) {
    const { data, width, height } = PNG.sync.read(picture)
    const [left, top] = [(WIDTH - width) >> 1, (HEIGHT - height) >> 1]
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) luma[(top + y) * WIDTH + left + x] = data[(y * width + x) * 4] as number
  }
  const chroma = Buffer.alloc(luma.length / 2, NO_COLOUR)
  const frame = Buffer.concat([Buffer.from('FRAME\n'), luma, chroma])
  const head = Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420jpeg\n`)
  await writeFile(file, Buffer.concat([head, frame, frame]), { flag: constants.O_CREAT | constants.O_WRONLY })
}

/** Pixels of one module of a QR code in a picture of it. */
const MODULE = 8
/** The upper and the lower module of each sign by which a terminal draws a QR code. */
const SIGNS: { [sign: string]: [boolean, boolean] } = {
  ' ': [false, false],
  '▀': [true, false],
  '▄': [false, true],
  '█': [true, true],
}

/** The picture that someone takes of a QR code in a terminal, as PNG. */
export function drawnPicture(drawn: string): Buffer {
  const rows = drawn.split('\n').filter((line) => line !== '')
  const modules = rows.flatMap((row) =>
    [0, 1].map((half) => [...row].map((sign) => SIGNS[sign]?.[half as 0 | 1] ?? false)),
  )
  const width = Math.max(...modules.map(({ length }) => length))
  const picture = new PNG({ width: width * MODULE, height: modules.length * MODULE })
  picture.data.fill(255)
  for (const [row, line] of modules.entries())
    for (const [column, isDark] of line.entries())
      if (isDark)
        for (let y = row * MODULE; y < (row + 1) * MODULE; y++)
          picture.data.fill(
            0,
            (y * picture.width + column * MODULE) * 4,
            (y * picture.width + (column + 1) * MODULE) * 4,
          )
  return PNG.sync.write(picture)
}
