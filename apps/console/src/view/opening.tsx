import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

interface Props {
  /** Its class, and that of its button. */
  name: string
  button?: string
  /** What the button is called, where its text does not say it. */
  label?: string
  text: ComponentChildren
  /** Closes it when it changes. */
  place?: string
  children: ComponentChildren
}

/** A button that opens a card over the page, as long as the card is used. */
export function Opening({ name, button = '', label, text, place = '', children }: Props) {
  const details = useRef<HTMLDetailsElement>(null)
  const close = (): void => details.current?.removeAttribute('open')
  useEffect(close, [place])
  const closeByKey = ({ key }: KeyboardEvent): void => {
    if (key !== 'Escape') return
    close()
    details.current?.querySelector('summary')?.focus()
  }
  const closeBehind = ({ relatedTarget }: FocusEvent): void => {
    if (!details.current?.contains(relatedTarget as Node | null)) close()
  }
  return (
    <details class={name} ref={details} onKeyDown={closeByKey} onFocusOut={closeBehind}>
      <summary class={button} aria-label={label}>
        {text}
      </summary>
      {/* What is clicked in it takes the focus, so that the card stays. */}
      <div class="card" tabIndex={-1}>
        {children}
      </div>
    </details>
  )
}
