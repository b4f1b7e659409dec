import { useConsole } from '../../view/console.ts'
import { Problem } from '../../view/problem.tsx'
import { CSV, saveFile } from '../../view/save-file.ts'
import type { BulkRun } from './bulk-run.ts'

/** Guests that are shown; the file has all. */
const SHOWN = 100

interface Props {
  run: BulkRun
  goOn: () => void
  onClose: () => void
}

/** How far something is that is done to many guests, and with whom it failed. */
export function BulkReport({ run, goOn, onClose }: Props) {
  const { say } = useConsole()
  const { done, count, succeeded, failed, error, isRunning, isOver } = run
  const save = async (): Promise<void> => {
    const { csvOf } = await import('../guest-file.ts')
    const rows = failed.map(({ guest, problem }) => [guest.uid, guest.name, problem])
    saveFile('guests-failed.csv', ['\ufeff', csvOf([['uid', 'name', 'problem'], ...rows])], CSV)
  }
  return (
    <section class={`notice${failed.length > 0 ? ' bad' : ''}`} aria-label={say('bulk_report')}>
      {!isOver && <progress max={count} value={done} aria-label={say('bulk_progress', { done, count })} />}
      <output>{isOver ? say('bulk_done', { count: succeeded }) : say('bulk_progress', { done, count })}</output>
      {error && <Problem error={error} />}
      {failed.length > 0 && (
        <>
          <h2>{say('bulk_failed', { count: failed.length })}</h2>
          <ul class="rows">
            {failed.slice(0, SHOWN).map(({ guest, problem }) => (
              <li key={guest._id}>
                <strong>{guest.name}</strong>: {problem}
              </li>
            ))}
          </ul>
        </>
      )}
      <div class="buttons">
        {!isOver && (
          <button type="button" class="second" onClick={() => (isRunning ? run.stop() : goOn())}>
            {say(isRunning ? 'import_stop' : 'import_go_on')}
          </button>
        )}
        {failed.length > 0 && !isRunning && (
          <button type="button" class="second" onClick={() => void save()}>
            {say('bulk_save')}
          </button>
        )}
        {!isRunning && (
          <button type="button" class="second" onClick={onClose}>
            {say('close')}
          </button>
        )}
      </div>
    </section>
  )
}
