import { dotted } from '@gatehouse/proto/pages/direction.ts'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useConsole } from '../view/console.ts'

interface Props {
  /** What is in it, in a few words each. */
  topics: readonly string[]
  /** Whether something in it is other than a new item has it. */
  isUsed: boolean
  hasErrors: boolean
  children: ComponentChildren
}

/** What few need of a form: closed unless it is used or wrong. */
export function MoreSettings({ topics, isUsed, hasErrors, children }: Props) {
  const { say } = useConsole()
  const [isOpen, setOpen] = useState(isUsed)
  return (
    <details
      class="more-settings wide"
      open={isOpen || hasErrors}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      // Browsers show nothing of a field that is wrong as long as it is closed away.
      onInvalidCapture={({ currentTarget }) => {
        currentTarget.open = true
      }}
    >
      <summary>
        <strong>{say('more_settings')}</strong> <span class="quiet">{dotted(topics)}</span>
      </summary>
      <div class="fields">{children}</div>
    </details>
  )
}
