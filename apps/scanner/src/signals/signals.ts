import type { Signal } from '../scanning/outcome.ts'

/** A tone: its frequency in Hz, and for how long it sounds, in ms. */
type Tone = readonly [frequency: number, ms: number]

/**
 * What each signal sounds like. No two begin alike or end alike: each first and each last tone is at least a minor third from those of the
 * others. Their lengths are what a steward feels who hears nothing: no two have the same rhythm of short and long ones.
 */
const TONES: Record<Signal, readonly Tone[]> = {
  granted: [
    [880, 100],
    [1320, 300],
  ],
  unconfirmed: [
    [660, 100],
    [660, 100],
    [660, 100],
  ],
  undecided: [
    [523, 100],
    [523, 100],
  ],
  too_many: [
    [415, 100],
    [415, 100],
    [330, 300],
  ],
  not_authorized: [
    [330, 300],
    [262, 300],
  ],
  unknown: [[220, 500]],
  party: [[1060, 100]],
  problem: [
    [165, 300],
    [165, 300],
    [165, 300],
  ],
}

const PAUSE_MS = 60
const VOLUME = 0.25

let audio: AudioContext | undefined
/** The tones of the last signal. */
let sounding: OscillatorNode[] = []

/** Lets a signal be felt, and heard unless the steward has muted that, in place of the one before: two at once would be neither. */
export function give(signal: Signal, isHeard = true): void {
  vibrate(signal)
  if (isHeard) play(signal)
}

/** Lets a signal be felt, where the device can. */
export function vibrate(signal: Signal): void {
  navigator.vibrate?.(TONES[signal].flatMap(([, ms]) => [ms, PAUSE_MS]))
}

/** Lets a signal be heard. */
export function play(signal: Signal): void {
  audio ??= new AudioContext()
  // A browser keeps it silent until the page was touched.
  void audio.resume()
  for (const before of sounding) before.stop()
  sounding = []
  let at = audio.currentTime
  for (const [frequency, ms] of TONES[signal]) {
    const oscillator = audio.createOscillator()
    const gain = audio.createGain()
    oscillator.frequency.value = frequency
    gain.gain.value = VOLUME
    oscillator.connect(gain).connect(audio.destination)
    oscillator.start(at)
    oscillator.stop(at + ms / 1_000)
    sounding.push(oscillator)
    at += (ms + PAUSE_MS) / 1_000
  }
}
