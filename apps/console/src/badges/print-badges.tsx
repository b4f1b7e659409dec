import { useEffect, useRef, useState } from 'preact/hooks'
import { asRefusal, type GatehouseError, tellChanged } from '../server/server.ts'
import { useConsole } from '../view/console.ts'
import { Problem } from '../view/problem.tsx'
import { saveFile } from '../view/save-file.ts'
import { type Progress, readBadges } from './read-badges.ts'

interface Props {
  event_id: string
  /** Whose badges: the filters of the list of guests that hold for badges too. */
  query: Readonly<Record<string, string>>
}

/** A button that saves all badges in one PDF, with its progress; it can be cancelled. */
export function PrintBadges({ event_id, query }: Props) {
  const { say } = useConsole()
  const [progress, setProgress] = useState<Progress>()
  const [isDone, setDone] = useState(false)
  const [error, setError] = useState<GatehouseError>()
  const running = useRef<AbortController | undefined>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const print = async (): Promise<void> => {
    const stop = new AbortController()
    running.current = stop
    setError(undefined)
    setDone(false)
    setProgress({ made: 0, total: 0 })
    try {
      saveFile('badges.pdf', await readBadges(event_id, query, setProgress, stop.signal), 'application/pdf')
      setDone(true)
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
          {say('print_badges')}
        </button>
        {progress && (
          <button type="button" class="second" onClick={() => running.current?.abort()}>
            {say('cancel')}
          </button>
        )}
        <output class="quiet">
          {progress && progress.total > 0 && say('print_badges_progress', { ...progress })}
          {isDone && say('print_badges_done')}
        </output>
        {progress && progress.total > 0 && <progress max={progress.total} value={progress.made} aria-hidden="true" />}
      </div>
      {error && <Problem error={error} retry={() => void print()} />}
    </>
  )
}
