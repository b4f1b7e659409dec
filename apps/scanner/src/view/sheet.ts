import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import type { Scanner } from '../scanner.ts'
import { mayEnter } from '../scanning/outcome.ts'

/** How long the last scan can be undone at a tap, unless its outcome stays. After that it can from the list of the last scans. */
const UNDO_MS = 10_000

/** Whether the outcome of the last scan is shown, and can be undone at a tap. */
export interface Sheet {
  isShown: boolean
  /** Whether it is shown until it is closed, so that nothing else may be below it. */
  stays: boolean
  canUndo: boolean
  close: () => void
}

/**
 * Shows the outcome of each scan: one that lets the guest in for so many seconds, if that is not 0, others until `close`, and one after which the
 * area is full. An outcome that turns into its opposite is shown again.
 */
export function useSheet({ outcome, recent }: Scanner, seconds: number): Sheet {
  const [closed, setClosed] = useState<{ number: number | undefined; isIn: boolean }>()
  const [undoable, setUndoable] = useState<number>()
  const number = outcome?.number
  const isIn = outcome !== undefined && mayEnter(outcome)
  const isUndone = outcome?.scan != null && recent.undoOf(outcome.scan) !== undefined
  const leaves = isIn && seconds > 0 && !outcome?.scan?.area_full
  const isShown = outcome !== undefined && !isUndone && !(closed?.number === number && closed?.isIn === isIn)
  const close = () => setClosed({ number, isIn })
  useEffect(() => {
    if (!isShown || !leaves) return
    const timer = setTimeout(close, seconds * 1_000)
    return () => clearTimeout(timer)
  }, [number, isShown, leaves, seconds])
  useEffect(() => {
    setUndoable(number)
    const timer = setTimeout(() => setUndoable(undefined), UNDO_MS)
    return () => clearTimeout(timer)
  }, [number, isIn])
  const stays = isShown && !leaves
  return { isShown, stays, canUndo: isIn && (stays || undoable === number), close }
}

/** The height of the sheet that is shown, in pixels; undefined while none is that stays. */
export function useSheetHeight({ stays }: Sheet): number | undefined {
  const [height, setHeight] = useState<number>()
  useLayoutEffect(() => {
    const sheet = stays ? document.querySelector('.sheet') : null
    if (!sheet) return setHeight(undefined)
    const observer = new ResizeObserver(() => setHeight(sheet.getBoundingClientRect().height))
    observer.observe(sheet)
    return () => observer.disconnect()
  }, [stays])
  return height
}
