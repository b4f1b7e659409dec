import { useConsole } from '../view/console.ts'
import { useTimes } from '../view/times.ts'
import type { Minute } from './minutes.ts'

/** The plot in its own units; it is as wide as its place. */
const WIDTH = 600
const HEIGHT = 160
const GAP = 1
/** Minutes between two marks of the time. */
const MARK_EVERY = 15

/** Scans per minute as bars, the refused ones on top. */
export function ScansPlot({ minutes }: { minutes: readonly Minute[] }) {
  const { say } = useConsole()
  const clock = useTimes().clock({ hour: '2-digit', minute: '2-digit' })
  const most = Math.max(0, ...minutes.map(({ granted, refused }) => granted + refused))
  const width = WIDTH / minutes.length
  const high = (count: number): number => (count / Math.max(1, most)) * HEIGHT
  const sumOf = (kind: 'granted' | 'refused'): number => minutes.reduce((sum, minute) => sum + minute[kind], 0)
  return (
    <figure class="plot">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={say('live_plot', {
          ...{ minutes: minutes.length, count: sumOf('granted') },
          ...{ refused: sumOf('refused'), most },
        })}
      >
        {minutes.map(({ at, granted, refused }, index) => (
          <g key={at} transform={`translate(${index * width} 0)`}>
            <rect class="granted" width={width - GAP} y={HEIGHT - high(granted)} height={high(granted)} />
            <rect
              class="refused"
              width={width - GAP}
              y={HEIGHT - high(granted) - high(refused)}
              height={high(refused)}
            />
          </g>
        ))}
      </svg>
      <figcaption aria-hidden="true">
        {minutes
          .filter((_, index) => index % MARK_EVERY === 0)
          .map(({ at }) => (
            <span key={at}>{clock.format(at)}</span>
          ))}
        <span>{clock.format(minutes.at(-1)?.at)}</span>
      </figcaption>
      {most > 0 && (
        <span class="most" aria-hidden="true">
          {say('live_most', { count: most })}
        </span>
      )}
    </figure>
  )
}
