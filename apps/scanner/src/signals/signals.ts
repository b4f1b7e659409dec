import type { Signal } from '../scanning/outcome.ts'

/** A tone: its frequency in Hz, and for how long it sounds, in ms. */
type Tone = readonly [frequency: number, ms: number]

/** What each signal sounds like: no two begin or end alike. */
const TONES: Record<Signal, readonly Tone[]> = {
  granted: [
    [880, 90],
    [1320, 160],
  ],
  unconfirmed: [
    [880, 90],
    [880, 90],
    [880, 90],
  ],
  unknown: [[220, 500]],
  not_authorized: [
    [220, 200],
    [220, 300],
  ],
  too_many: [
    [440, 150],
    [330, 150],
    [220, 300],
  ],
  undecided: [
    [440, 150],
    [440, 150],
  ],
  problem: [[165, 700]],
}

const PAUSE_MS = 60
const VOLUME = 0.25

let audio: AudioContext | undefined

/** Lets a signal be heard and felt, where the device can. */
export function give(signal: Signal): void {
  const tones = TONES[signal]
  navigator.vibrate?.(tones.flatMap(([, ms]) => [ms, PAUSE_MS]))
  audio ??= new AudioContext()
  // A browser keeps it silent until the page was touched.
  void audio.resume()
  let at = audio.currentTime
  for (const [frequency, ms] of tones) {
    const oscillator = audio.createOscillator()
    const gain = audio.createGain()
    oscillator.frequency.value = frequency
    gain.gain.value = VOLUME
    oscillator.connect(gain).connect(audio.destination)
    oscillator.start(at)
    oscillator.stop(at + ms / 1_000)
    at += (ms + PAUSE_MS) / 1_000
  }
}
