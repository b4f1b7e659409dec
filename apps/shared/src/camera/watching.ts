import { Sightings } from './sightings.ts'

/** Between two looks: fast enough for a queue, and slow enough for the battery. */
const PAUSE_MS = 80

/** Looks for codes in what a video shows until `signal` ends it, and calls `found` with each that comes into view. */
export async function watch(video: HTMLVideoElement, found: (content: string) => void, signal: AbortSignal) {
  const { findDetector } = await import('./detector.ts')
  const detect = await findDetector()
  const sightings = new Sightings()
  while (!signal.aborted) {
    const contents = await detect(video)
    if (!signal.aborted) for (const content of sightings.newIn(contents, performance.now())) found(content)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}
