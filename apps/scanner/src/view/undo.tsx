import { useState } from 'preact/hooks'
import { StorageFull } from '../../../shared/src/storage/quota.ts'
import type { StoredScan } from '../scanning/scan.ts'
import { problemWords } from '../server/problems.ts'
import type { ViewProps } from './props.ts'

/** Undoes a scan that let a guest in, while that is possible. `done` is called once it is. */
export function UndoButton({ scan, scanner, say, done }: ViewProps & { scan: StoredScan; done?: () => void }) {
  const [isFull, setFull] = useState(false)
  if (!scanner.recent.isUndoable(scan, scanner.now())) return null
  const undo = async () => {
    try {
      await scanner.undo(scan)
      done?.()
    } catch (error) {
      if (!(error instanceof StorageFull)) throw error
      setFull(true)
    }
  }
  return (
    <>
      <button type="button" class="second" onClick={() => void undo()}>
        {say('undo')}
      </button>
      {isFull && <p role="alert">{say('full_text')}</p>}
    </>
  )
}

/** How far it is with a scan that was undone; nothing of others. */
export function UndoState({ scan, scanner, say }: ViewProps & { scan: StoredScan }) {
  const undo = scanner.recent.undoOf(scan)
  if (undo === undefined) return null
  if (typeof undo === 'object')
    return (
      <p class="problem" role="alert">
        {say('undo_problem', { problem: problemWords(say, undo.problem) })}
      </p>
    )
  const name = scan.name || (scan.guest_uid ?? '')
  return (
    <p class="undone" role="status">
      {say(undo === 'done' ? 'undone' : 'undo_waiting', { name })}
    </p>
  )
}
