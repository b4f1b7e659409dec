const ENOUGH = 3
const LOOK_EVERY_MS = 100
const PATIENCE_MS = 10_000

/** Whether a video shows pictures that follow each other, as a camera's does. */
export async function showsFrames(video: HTMLVideoElement, signal: AbortSignal): Promise<boolean> {
  const first = framesOf(video)
  for (let ms = 0; ms < PATIENCE_MS && !signal.aborted; ms += LOOK_EVERY_MS) {
    if (framesOf(video) - first >= ENOUGH) return true
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
  return false
}

function framesOf(video: HTMLVideoElement): number {
  return video.getVideoPlaybackQuality().totalVideoFrames
}
