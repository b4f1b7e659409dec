import { clearScreenDown, moveCursor } from 'node:readline'
import type { Writable } from 'node:stream'
import { isScreen, say } from '../terminal.ts'
import type { ArrivalState } from './arrivals.ts'

/** Shows the arrivals. */
export interface Display {
  update(progress: ArrivalState): void
}

const LINE_EVERY_MS = 2_000

/** A table in a fixed place on a screen, otherwise a line every two seconds. */
export function showArrivals(stream: Writable): Display {
  return isScreen(stream) ? inPlace(stream) : asLines(stream)
}

function inPlace(stream: Writable): Display {
  let height = 0
  return {
    update: (progress) => {
      moveCursor(stream as NodeJS.WritableStream, 0, -height)
      clearScreenDown(stream as NodeJS.WritableStream)
      const lines = table(progress)
      height = lines.length
      for (const line of lines) say(stream, line)
    },
  }
}

function asLines(stream: Writable): Display {
  let next = 0
  return {
    update: (progress) => {
      if (performance.now() < next) return
      next = performance.now() + LINE_EVERY_MS
      const all = [...progress.doors].map(([door, { granted, refused }]) => `${door} ${granted} in, ${refused} refused`)
      say(stream, `${clockOf(progress)}  ${all.join('; ')}; ${rateLine(progress)}`)
    },
  }
}

/** The counts as a table, with the rate below. */
export function table(progress: ArrivalState): string[] {
  const rows = [...progress.doors].map(
    ([door, { granted, refused }]) => `${door.padEnd(16)}${cell(granted)}${cell(refused)}`,
  )
  return [`${clockOf(progress).padEnd(16)}${cell('granted')}${cell('refused')}`, ...rows, rateLine(progress)]
}

/** Scans a second and latencies, as a sentence. */
export function rateLine({ rate, latency }: ArrivalState): string {
  const ms = (percentile: number): string => (latency.percentile(percentile) / 1000).toFixed(1)
  return `${Math.round(rate)} scans/s, answered in ${ms(50)} ms (p50), ${ms(99)} ms (p99)`
}

function clockOf({ clock }: ArrivalState): string {
  const minutes = Math.floor(clock / 60)
  return `minute ${minutes}:${String(Math.floor(clock % 60)).padStart(2, '0')}`
}

function cell(content: number | string): string {
  return String(content).padStart(10)
}
