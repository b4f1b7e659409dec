import { useEffect, useState } from 'preact/hooks'
import type { Point } from '../server/server.ts'
import type { ViewProps } from './props.ts'

/** Where the steward says at which check-in point this device is; where there is one only, it is that. */
export function PointView({ scanner, say }: ViewProps) {
  const [points, setPoints] = useState<Point[]>()
  const [tries, setTries] = useState(0)
  useEffect(() => {
    scanner.points().then(
      (found) => {
        const [only] = found
        if (found.length === 1 && only) void scanner.moveTo(only)
        setPoints(found)
      },
      () => setTimeout(() => setTries(tries + 1), 2_000),
    )
  }, [tries])

  return (
    <main>
      <h1>{say('point_title')}</h1>
      {!points && <p>{say(tries === 0 ? 'opening' : 'enrol_away')}</p>}
      {points?.length === 0 && <p>{say('point_none')}</p>}
      {points?.map((point) => (
        <button type="button" key={point._id} onClick={() => void scanner.moveTo(point)}>
          {point.name}
        </button>
      ))}
    </main>
  )
}
