import { useEffect, useRef, useState } from 'preact/hooks'
import { hrefOf } from '../route/route.ts'
import { asRefusal, type GatehouseError } from '../server/server.ts'
import { useConsole } from '../view/console.ts'
import { useAskBeforeLeaving } from '../view/leaving.ts'
import { Problem } from '../view/problem.tsx'
import type { ArchiveProgress } from './archive.ts'
import { BegunImports } from './begun-imports.tsx'
import { Running } from './running.tsx'

type Result = Awaited<ReturnType<typeof import('./archive.ts')['upload']>>

interface State {
  progress?: ArchiveProgress | undefined
  isRunning: boolean
  /** Why the file cannot be read. */
  problem?: string | undefined
  error?: GatehouseError | undefined
  done?: Result | undefined
}

/** Makes an event again of its archive. It can be stopped and go on, and the same archive again changes nothing. */
export function BringArchive() {
  const { say } = useConsole()
  const [file, setFile] = useState<File>()
  const [state, setState] = useState<State>({ isRunning: false })
  const stopping = useRef(new AbortController())
  useEffect(() => () => stopping.current.abort(), [])
  const { progress, isRunning, problem, error, done } = state
  useAskBeforeLeaving(isRunning)
  const bring = async (given: File): Promise<void> => {
    stopping.current = new AbortController()
    const { signal } = stopping.current
    const onProgress = (progress: ArchiveProgress): void => setState({ isRunning: true, progress })
    onProgress({ done: 0, count: 0 })
    const { upload, ArchiveProblem } = await import('./archive.ts')
    try {
      const result = await upload(given, onProgress, signal)
      if (result.isStopped) setState(({ progress }) => ({ isRunning: false, progress }))
      else setState({ isRunning: false, done: result })
    } catch (caught) {
      if (signal.aborted) setState(({ progress }) => ({ isRunning: false, progress }))
      else if (caught instanceof ArchiveProblem)
        setState({ isRunning: false, problem: say(`archive_${caught.fault}`, caught.params) })
      else if (asRefusal(caught).errors?.seal) setState({ isRunning: false, problem: say('error_not_sealed') })
      else setState(({ progress }) => ({ isRunning: false, progress, error: asRefusal(caught) }))
    }
  }
  const hints = problem ? 'archive-problem archive-hint' : 'archive-hint'
  return (
    <>
      <div class="form">
        <div class="field">
          <label for="archive">{say('bring_archive_file')}</label>
          <input
            id="archive"
            type="file"
            accept=".tgz,.gz,application/gzip"
            disabled={isRunning}
            aria-describedby={hints}
            aria-invalid={problem !== undefined}
            onChange={({ currentTarget: { files } }) => {
              setFile(files?.[0])
              setState({ isRunning: false })
            }}
          />
          <small id="archive-hint" class="hint">
            {say('bring_archive_file_hint')}
          </small>
          {problem && (
            <p class="problem" id="archive-problem" role="alert">
              {problem}
            </p>
          )}
        </div>
        {file && !progress && !done && !problem && (
          <div class="buttons">
            <button type="button" onClick={() => void bring(file)}>
              {say('bring_start')}
            </button>
          </div>
        )}
      </div>
      {error && <Problem error={error} />}
      {file && progress && (
        <Running
          progress={progress}
          label={isRunning ? 'import_stop' : 'import_go_on'}
          act={() => (isRunning ? stopping.current.abort() : void bring(file))}
        />
      )}
      {done && (
        <section class="notice" aria-label={say('bring_done')}>
          <output>{say('bring_archive_done', { title: done.manifest.title, count: done.records })}</output>
          <div class="buttons">
            <a class="button second" href={hrefOf('events', done.manifest.event_id)}>
              {say('bring_archive_open')}
            </a>
          </div>
        </section>
      )}
      {!isRunning && <BegunImports key={String(done !== undefined)} />}
    </>
  )
}
