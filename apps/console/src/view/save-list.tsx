import { useEffect, useRef, useState } from 'preact/hooks'
import { asRefusal, type GatehouseError } from '../server/server.ts'
import type { TextKey } from '../texts/words.ts'
import { useConsole } from './console.ts'
import { Problem } from './problem.tsx'
import { CSV, saveFile } from './save-file.ts'

interface Props {
  /** Of the file. */
  name: string
  /** Reads the list as the parts of a CSV file, and says how many items it has read, which ends it once it is stopped. */
  read: (onProgress: (count: number) => void, signal: AbortSignal) => Promise<string[]>
  /** Says how many items were read. */
  progress: TextKey
}

/** A button that saves a list as a CSV file, and one that stops it. */
export function SaveList({ name, read, progress }: Props) {
  const { say } = useConsole()
  const [count, setCount] = useState<number>()
  const [error, setError] = useState<GatehouseError>()
  const stopping = useRef(new AbortController())
  useEffect(() => () => stopping.current.abort(), [])
  const save = async (): Promise<void> => {
    stopping.current = new AbortController()
    const { signal } = stopping.current
    setError(undefined)
    setCount(0)
    try {
      const onProgress = (count: number): void => {
        signal.throwIfAborted()
        setCount(count)
      }
      const parts = await read(onProgress, signal)
      if (!signal.aborted) saveFile(name, parts, CSV)
    } catch (problem) {
      if (!signal.aborted) setError(asRefusal(problem))
    }
    if (stopping.current.signal === signal) setCount(undefined)
  }
  const stop = (): void => {
    stopping.current.abort()
    setCount(undefined)
  }
  return (
    <>
      <button type="button" class="second" disabled={count !== undefined} onClick={() => void save()}>
        {say('export')}
      </button>
      {count !== undefined && (
        <button type="button" class="second" onClick={stop}>
          {say('import_stop')}
        </button>
      )}
      <output>{count !== undefined && say(progress, { count })}</output>
      {error && <Problem error={error} retry={() => void save()} />}
    </>
  )
}
