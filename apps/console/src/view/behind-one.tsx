import type { ComponentChildren } from 'preact'
import { useIsNarrow } from '../list/use-is-narrow.ts'
import type { TextKey } from '../texts/words.ts'
import { useConsole } from './console.ts'
import { Opening } from './opening.tsx'

/** Buttons that are behind one in a narrow window. */
export function BehindOne({ text, children }: { text: TextKey; children: ComponentChildren }) {
  const { say } = useConsole()
  if (!useIsNarrow() || !children) return <>{children}</>
  return (
    <Opening name="opening" button="button second" text={say(text)}>
      {children}
    </Opening>
  )
}
