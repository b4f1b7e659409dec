import { useState } from 'preact/hooks'
import type { ConsoleResource } from '../resources/resource.ts'
import type { Item } from '../server/server.ts'
import { useConsole } from './console.ts'

/** An answer, and the resource of which it is. */
interface AnswerProps {
  resource: ConsoleResource
  answer: Item
}

/** What an answer says this once: a secret, or what the resource makes of a code. */
export function Once({ resource, answer }: AnswerProps) {
  if (resource.Once && answer.code !== undefined) return <resource.Once answer={answer} />
  const secret = resource.once === undefined ? undefined : answer[resource.once]
  return secret === undefined ? null : <Secret text={String(secret)} />
}

/** A secret that is shown this once, to be copied. */
export function Secret({ text }: { text: string }) {
  const { say } = useConsole()
  return (
    <section class="notice" aria-label={say('shown_once')}>
      <p>{say('shown_once')}</p>
      <code class="secret">{text}</code>
      <div class="buttons">
        <CopyButton text={text} label={say('copy')} />
      </div>
    </section>
  )
}

/** A button that copies a text, and says so. Browsers give the clipboard to pages with https only. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const { say } = useConsole()
  const [copied, setCopied] = useState<string>()
  if (!isSecureContext) return null
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text)
    setCopied(text)
  }
  return (
    <button type="button" onClick={() => void copy()}>
      {copied === text ? say('copied') : label}
    </button>
  )
}
