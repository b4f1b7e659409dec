import { useEffect, useRef, useState } from 'preact/hooks'
import { asRefusal, type GatehouseError, tellChanged } from '../server/server.ts'
import type { ConsoleSay } from '../texts/words.ts'
import { useConsole } from '../view/console.ts'
import { Problem } from '../view/problem.tsx'
import { saveFile } from '../view/save-file.ts'
import { type Progress, readBadges } from './read-badges.ts'

type Sizes = readonly (readonly [size: string, count: number])[]

interface Props {
  event_id: string
  /** Whose badges: the filters of the list of guests that hold for badges too. */
  query: Readonly<Record<string, string>>
  /** How many badges of which size that is, as soon as it is known. */
  sizes: Sizes | undefined
}

/** A button that saves all badges in one PDF, with its progress; it can be cancelled. */
export function PrintBadges({ event_id, query, sizes }: Props) {
  const { say, locale } = useConsole()
  const [progress, setProgress] = useState<Progress>()
  const [made, setMade] = useState<number>()
  const [error, setError] = useState<GatehouseError>()
  const running = useRef<AbortController | undefined>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const print = async (): Promise<void> => {
    const stop = new AbortController()
    running.current = stop
    setError(undefined)
    setMade(undefined)
    setProgress({ made: 0, total: 0 })
    try {
      const { pieces, count } = await readBadges(event_id, query, setProgress, stop.signal)
      saveFile('badges.pdf', pieces, 'application/pdf')
      setMade(count)
      tellChanged()
    } catch (problem) {
      if (!stop.signal.aborted) setError(asRefusal(problem))
    }
    setProgress(undefined)
  }
  return (
    <>
      <div class="buttons">
        <button type="button" disabled={progress !== undefined} onClick={() => void print()}>
          {sizes ? say('print_badges_save', { count: sum(sizes) }) : say('print_badges_save_all')}
        </button>
        {progress && (
          <button type="button" class="second" onClick={() => running.current?.abort()}>
            {say('cancel')}
          </button>
        )}
        <output class="quiet">
          {progress && progress.total > 0 && say('print_badges_progress', { ...progress })}
          {made !== undefined && say('print_badges_done', { count: made })}
        </output>
        {progress && progress.total > 0 && <progress max={progress.total} value={progress.made} aria-hidden="true" />}
      </div>
      {sizes && sizes.length > 0 && <p class="quiet">{sizeWords(say, locale, sizes)}</p>}
      {error && <Problem error={error} retry={() => void print()} />}
    </>
  )
}

/** The sizes of paper in words; how many badges are of each where there are several. */
function sizeWords(say: ConsoleSay, locale: string, sizes: Sizes): string {
  const [[first = ''] = [], ...others] = sizes
  if (others.length === 0) return say('print_badges_size', { size: first })
  const counted = sizes.map(([size, count]) => `${size} (${count.toLocaleString(locale)})`)
  return say('print_badges_sizes', { sizes: new Intl.ListFormat(locale).format(counted) })
}

function sum(sizes: Sizes): number {
  return sizes.reduce((all, [, count]) => all + count, 0)
}
