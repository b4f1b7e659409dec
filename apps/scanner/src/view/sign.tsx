import type { Signal } from '../scanning/outcome.ts'

const RING = 'M24 4a20 20 0 1 1 0 40a20 20 0 1 1 0-40z'
const TICK = 'M14 25l7 7l14-16'

/** The signs, which differ without colours, too: lines of 48 units a side. */
const LINES: Record<Signal, readonly string[]> = {
  granted: [RING, TICK],
  // Waits: a tick over three dots.
  unconfirmed: ['M12 18l9 9l16-18', 'M10 40h1', 'M24 40h1', 'M38 40h1'],
  unknown: ['M16 17a8 8 0 1 1 12 7q-4 2-4 7', 'M24 39v1'],
  not_authorized: [RING, 'M13 24h22'],
  // Twice.
  too_many: ['M8 14l14 20', 'M22 14l-14 20', 'M29 19a6 6 0 1 1 11 4l-11 11h12'],
  undecided: ['M15 6h18', 'M15 42h18', 'M17 6c0 10 14 26 14 36', 'M31 6c0 10-14 26-14 36'],
  // Several heads.
  party: ['M18 8a8 8 0 1 1 0 16a8 8 0 1 1 0-16z', 'M4 42c0-18 28-18 28 0', 'M34 10a7 7 0 1 1 0 14', 'M36 28q9 3 9 14'],
  problem: ['M24 6l20 36h-40z', 'M24 19v11', 'M24 36v1'],
}

/** The sign of a signal. */
export function Sign({ signal }: { signal: Signal }) {
  return (
    <svg class="sign" viewBox="0 0 48 48" aria-hidden="true">
      {LINES[signal].map((line) => (
        <path key={line} d={line} />
      ))}
    </svg>
  )
}
