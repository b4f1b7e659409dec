import { useEffect, useRef, useState } from 'preact/hooks'
import { hrefOf } from '../route/route.ts'
import { asRefusal, type GatehouseError } from '../server/server.ts'
import { useConsole } from '../view/console.ts'
import { useAskBeforeLeaving } from '../view/leaving.ts'
import { Problem } from '../view/problem.tsx'
import { saveFile } from '../view/save-file.ts'
import type { ArchiveProgress } from './archive.ts'
import { Running } from './running.tsx'

/** Saves everything of an event in one file, with its progress; it can be cancelled. */
export function TakeAway({ event }: { event: string }) {
  const { say } = useConsole()
  const [progress, setProgress] = useState<ArchiveProgress>()
  const [isDone, setDone] = useState(false)
  const [error, setError] = useState<GatehouseError>()
  const [isBroken, setBroken] = useState(false)
  const stopping = useRef(new AbortController())
  useEffect(() => () => stopping.current.abort(), [])
  useAskBeforeLeaving(progress !== undefined)
  const take = async (): Promise<void> => {
    stopping.current = new AbortController()
    const { signal } = stopping.current
    setError(undefined)
    setBroken(false)
    setDone(false)
    setProgress({ done: 0, count: 0 })
    const { download, ArchiveProblem } = await import('./archive.ts')
    try {
      saveFile(`event-${event}.tgz`, [await download(event, setProgress, signal)], 'application/gzip')
      setDone(true)
    } catch (problem) {
      if (signal.aborted) return setProgress(undefined)
      if (problem instanceof ArchiveProblem) setBroken(true)
      else setError(asRefusal(problem))
    }
    setProgress(undefined)
  }
  return (
    <>
      <p>{say('bring_away_text')}</p>
      <div class="buttons">
        <button type="button" disabled={progress !== undefined} onClick={() => void take()}>
          {say('bring_away_download')}
        </button>
        <output class="quiet">{isDone && say('bring_away_done')}</output>
      </div>
      {progress && <Running progress={progress} label="cancel" act={() => stopping.current.abort()} />}
      {isBroken && (
        <p class="problem" role="alert">
          {say('bring_away_broken')}
        </p>
      )}
      {error && <Problem error={error} retry={() => void take()} />}
      <p>
        {say('bring_away_lists')} <a href={hrefOf('events', event, 'guests')}>{say('page_guests')}</a> ·{' '}
        <a href={hrefOf('events', event, 'access_controls')}>{say('page_access_controls')}</a>
      </p>
    </>
  )
}
