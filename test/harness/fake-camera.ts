import { writeFile } from 'node:fs/promises'
import { PNG } from 'pngjs'

const WIDTH = 640
const HEIGHT = 480
const WHITE = 235
const NO_COLOUR = 128

/** The arguments with which Chromium shows a video in place of a camera, and lets all pages use it, unless each has to be allowed to. */
export function fakeCamera(file: string, isAllowed = true): string[] {
  return [
    ...(isAllowed ? ['--use-fake-ui-for-media-stream'] : []),
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-video-capture=${file}`,
  ]
}

/** Makes a video (Y4M) of a picture which is held before a camera, or of nothing. */
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
  await writeFile(file, Buffer.concat([head, frame, frame]))
}
