import { useEffect, useState } from 'preact/hooks'
import { SearchField } from '../../../shared/src/view/search-field.tsx'
import { plain } from '../offline/name-index.ts'
import type { Point } from '../server/server.ts'
import type { ViewProps } from './props.ts'

/** More of them get a field that finds one. */
const FEW = 8

/** Where the steward says at which check-in point this device is; where there is one only, it is that. */
export function PointView({ scanner, say }: ViewProps) {
  const [points, setPoints] = useState<Point[]>()
  const [tries, setTries] = useState(0)
  const [words, setWords] = useState('')
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

  const found = points?.filter(({ name }) => plain(name).includes(plain(words)))
  return (
    <main>
      <h1>{say('point_title')}</h1>
      {!points && <p>{say(tries === 0 ? 'opening' : 'enrol_away')}</p>}
      {points?.length === 0 && <p>{say('point_none')}</p>}
      {points && points.length > FEW && <SearchField label={say('point_find')} words={words} setWords={setWords} />}
      {found?.map((point) => (
        <button
          type="button"
          class={points && points.length > FEW ? 'second' : ''}
          key={point._id}
          onClick={() => void scanner.moveTo(point)}
        >
          {point.name}
        </button>
      ))}
    </main>
  )
}
