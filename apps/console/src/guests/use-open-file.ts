import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import { useState } from 'preact/hooks'
import { errorWords } from '../form/error-words.ts'
import { asRefusal } from '../server/server.ts'
import type { ConsoleSay } from '../texts/words.ts'
import { useConsole } from '../view/console.ts'
import type { GuestFile, Meaning } from './guest-file.ts'

/** The code that reads files, and a file that it has read. */
export interface OpenFile {
  reader: typeof import('./guest-file.ts')
  file: File
  read: GuestFile
}

/** How a file is read, where somebody chose that. */
export interface Choice {
  encoding?: string
  sheet?: string
}

/** The file that somebody has opened, the meanings of its columns, or why it cannot be read. */
export function useOpenFile() {
  const { say, language } = useConsole()
  const [opened, setOpened] = useState<OpenFile>()
  const [problem, setProblem] = useState('')
  const [meanings, setMeanings] = useState<Meaning[]>([])
  const open = async (file: File | undefined, choice: Choice = {}): Promise<void> => {
    if (!file) return
    setProblem('')
    try {
      const reader = await import('./guest-file.ts')
      const read = await reader.readGuestFile(new Uint8Array(await file.arrayBuffer()), choice, language)
      setOpened({ reader, file, read })
      setMeanings(read.meanings)
    } catch (error) {
      setOpened(undefined)
      setProblem(fileProblem(say, error))
    }
  }
  return { opened, problem, meanings, setMeanings, open }
}

/** Why a file cannot be read. */
function fileProblem(say: ConsoleSay, error: unknown): string {
  const [problem] = (error instanceof Fault && error.errors?.file) || []
  return problem ? errorWords(say, problem) : asRefusal(error).message
}
