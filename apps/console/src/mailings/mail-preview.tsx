import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { fieldErrorWords } from '../form/error-words.ts'
import { useConsole } from '../view/console.ts'
import { Problem } from '../view/problem.tsx'
import { useRested } from '../view/rested.ts'
import { Bone } from '../view/skeleton.tsx'

/** The widths of mail programs. */
const WIDTHS = ['desktop', 'phone'] as const
/** What the API refuses, while it is still being typed. */
const INVALID = 422

/** What an e-mail says. */
interface Mail {
  subject: string
  html: string
  text: string
}

interface Props {
  /** Asks what the e-mail would say. */
  ask: (signal: AbortSignal) => Promise<Mail | undefined>
  /** What that depends on. */
  typed: unknown
  /** What else can be chosen besides the width. */
  children?: ComponentChildren
}

/** What an e-mail that is being typed says with example values: its HTML part as mail programs show it, and its text. */
export function MailPreview({ ask, typed, children }: Props) {
  const { say } = useConsole()
  const { found, error } = useRested(ask, typed)
  const [width, setWidth] = useState<(typeof WIDTHS)[number]>('desktop')
  return (
    <section class="panel mail-preview">
      <h2>{say('mailing_preview')}</h2>
      {error?.status === INVALID && (
        <p class="problem" role="status">
          {fieldErrorWords(say, error)}
        </p>
      )}
      {error && error.status !== INVALID && <Problem error={error} />}
      {!found && !error && <Bone />}
      {found && (
        <>
          <p>
            <strong>{found.subject}</strong>
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
            {children}
          </div>
          <Frame html={found.html} width={width} />
          <details>
            <summary>{say('preview_text')}</summary>
            <p class="letter">{found.text}</p>
          </details>
        </>
      )}
    </section>
  )
}

/**
 * The HTML of an e-mail in a page of its own, with the styles that the console's own policy forbids, and without the console's origin: nothing of
 * it gets at the console. Where it was scrolled to stays.
 */
function Frame({ html, width }: { html: string; width: string }) {
  const { say } = useConsole()
  const frame = useRef<HTMLIFrameElement>(null)
  // A page without an origin has none to be named; what else may be in the frame, the console's policy says.
  const show = (): void => frame.current?.contentWindow?.postMessage(html, '*')
  useEffect(show, [html])
  return (
    <iframe
      ref={frame}
      class={width}
      title={say('mailing_preview')}
      src="mail-frame.html"
      sandbox="allow-scripts"
      referrerpolicy="no-referrer"
      onLoad={show}
    />
  )
}
