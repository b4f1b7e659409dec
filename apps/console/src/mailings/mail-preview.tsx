import { useState } from 'preact/hooks'
import type { Item } from '../server/server.ts'
import { useConsole } from '../view/console.ts'
import { useLoaded } from '../view/loaded.ts'
import { Problem } from '../view/problem.tsx'

/** The widths of mail programs. */
const WIDTHS = ['desktop', 'phone'] as const

interface Props {
  /** Reads what the e-mail says. */
  read: () => Promise<Item>
  /** The address of its HTML part, below this origin. */
  page: string
  /** It is loaded again when this changes. */
  version: string
}

/**
 * What an e-mail says with example values, as it was saved last: its HTML part in a frame of its own, where nothing runs and links lead nowhere, and
 * its text.
 */
export function MailPreview({ read, page, version }: Props) {
  const { say } = useConsole()
  const { value, error, reload } = useLoaded(read, [page, version])
  const [width, setWidth] = useState<(typeof WIDTHS)[number]>('desktop')
  return (
    <section class="panel mail-preview">
      <h2>{say('mailing_preview')}</h2>
      {error && <Problem error={error} retry={reload} />}
      {value && (
        <>
          <p>
            <strong>{String(value.subject)}</strong>
          </p>
          <div class="buttons">
            {WIDTHS.map((each) => (
              <button
                key={each}
                type="button"
                class="second"
                aria-pressed={each === width}
                onClick={() => setWidth(each)}
              >
                {say(`preview_${each}`)}
              </button>
            ))}
          </div>
          <iframe
            key={version}
            class={width}
            title={say('mailing_preview')}
            src={page}
            sandbox=""
            referrerpolicy="no-referrer"
          />
          <details>
            <summary>{say('preview_text')}</summary>
            <p class="letter">{String(value.text)}</p>
          </details>
        </>
      )}
    </section>
  )
}
