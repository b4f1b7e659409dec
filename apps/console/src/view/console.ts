import type { Language } from '@gatehouse/proto/pages/languages.ts'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Session } from '../session/session.ts'
import type { ConsoleSay } from '../texts/words.ts'

/** What each view knows. */
export interface Console {
  say: ConsoleSay
  language: Language
  /** How numbers and times are written: the language, with a region if there is one. */
  locale: string
  session: Session
  /** Speaks another language from now on. */
  speak: (tag: string) => void
}

/** The console, for all views within it. */
export const ConsoleContext = createContext<Console | undefined>(undefined)

/** The console of a view. */
export function useConsole(): Console {
  const found = useContext(ConsoleContext)
  if (!found) throw new Error('A view was rendered outside the console')
  return found
}
