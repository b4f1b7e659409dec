import { useState } from 'preact/hooks'
import { asRefusal, type GatehouseError } from '../server/server.ts'
import type { TextKey } from '../texts/words.ts'
import { useConsole } from './console.ts'
import { Problem } from './problem.tsx'
import { CSV, saveFile } from './save-file.ts'

interface Props {
  /** Of the file. */
  name: string
  /** Reads the list as the parts of a CSV file, and says how many items it has read. */
  read: (onProgress: (count: number) => void) => Promise<string[]>
  /** Says how many items were read. */
  progress: TextKey
}

/** A button that saves a list as a CSV file. */
export function SaveList({ name, read, progress }: Props) {
  const { say } = useConsole()
  const [count, setCount] = useState<number>()
  const [error, setError] = useState<GatehouseError>()
  const save = async (): Promise<void> => {
    setError(undefined)
    setCount(0)
    try {
      saveFile(name, await read(setCount), CSV)
    } catch (problem) {
      setError(asRefusal(problem))
    }
    setCount(undefined)
  }
  return (
    <>
      <button type="button" class="second" disabled={count !== undefined} onClick={() => void save()}>
        {say('export')}
      </button>
      <output>{count !== undefined && say(progress, { count })}</output>
      {error && <Problem error={error} retry={() => void save()} />}
    </>
  )
}
