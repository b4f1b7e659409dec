import { useState } from 'preact/hooks'
import type { ConsoleResource } from '../resources/resource.ts'
import type { Item } from '../server/server.ts'
import { useConsole } from './console.ts'

/** What an answer says this once: a secret, or what the resource makes of a code. */
export function Once({ resource, answer }: { resource: ConsoleResource; answer: Item }) {
  if (resource.Once && answer.code !== undefined) return <resource.Once answer={answer} />
  const secret = resource.once === undefined ? undefined : answer[resource.once]
  return secret === undefined ? null : <Secret text={String(secret)} />
}

/** A secret that is shown this once, to be copied. */
function Secret({ text }: { text: string }) {
  const { say } = useConsole()
  const [isCopied, setCopied] = useState(false)
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
  }
  return (
    <section class="notice" aria-label={say('shown_once')}>
      <p>{say('shown_once')}</p>
      <code class="secret">{text}</code>
      <div class="buttons">
        {/* Browsers give the clipboard to pages with https only. */}
        {isSecureContext && (
          <button type="button" onClick={() => void copy()}>
            {say(isCopied ? 'copied' : 'copy')}
          </button>
        )}
      </div>
    </section>
  )
}
