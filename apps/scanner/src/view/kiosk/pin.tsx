import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { EnrolForm } from '../../../../shared/src/view/enrol-form.tsx'
import { useEscape } from '../escape.ts'
import type { ViewProps } from '../props.ts'
import { useKioskTexts } from './texts.ts'

/** As many digits as a PIN may have. */
const MOST_DIGITS = 8

interface FieldProps {
  id: string
  label: string
  value: string
  change: (value: string) => void
  problem?: string
}

/** Where a PIN is typed. It is no password field: a browser would offer to keep it, and fill it in for a guest. */
export function PinField({ id, label, value, change, problem = '' }: FieldProps) {
  return (
    <>
      <label for={id}>{label}</label>
      <input
        id={id}
        class="pin"
        value={value}
        onInput={({ currentTarget }) => change(currentTarget.value)}
        inputMode="numeric"
        maxLength={MOST_DIGITS}
        autocomplete="off"
        spellcheck={false}
        required
        aria-invalid={problem !== ''}
        aria-describedby={problem === '' ? undefined : 'pin-problem'}
      />
    </>
  )
}

interface Props extends ViewProps {
  /** Called once the PIN was right. */
  opened?: () => void
  /** Leaves without the PIN, where that leads anywhere. */
  close?: () => void
}

/** Asks for the PIN. Who has forgotten it needs a new code from the organizer. */
export function PinView({ scanner, say, opened, close }: Props) {
  const { lock } = scanner
  const kiosk = useKioskTexts()
  const [typed, setTyped] = useState('')
  const [isWrong, setWrong] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [, setWaited] = useState(0)
  const field = useRef<HTMLDivElement>(null)
  // An entry counts as wrong until it is known.
  const wait = isBusy ? 0 : lock.wait()
  useEscape(close)
  useEffect(() => field.current?.querySelector('input')?.focus(), [kiosk])
  useEffect(() => {
    if (wait === 0) return
    const timer = setTimeout(() => setWaited((times) => times + 1), wait)
    return () => clearTimeout(timer)
  }, [wait > 0])
  const enter = async () => {
    setBusy(true)
    setWrong(false)
    // What cannot be counted is not compared either.
    const isRight = await lock.enter(typed).catch(() => false)
    if (isRight) return opened?.()
    setBusy(false)
    setTyped('')
    setWrong(true)
    field.current?.querySelector('input')?.focus()
  }
  if (!kiosk) return <main />
  const problem = wait > 0 ? kiosk('pin_wait') : isWrong ? kiosk('pin_wrong') : ''
  return (
    <main>
      <h1>{kiosk('pin_title')}</h1>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!isBusy && wait === 0) void enter()
        }}
      >
        <div class="field" ref={field}>
          <PinField id="pin" label={kiosk('pin')} value={typed} change={setTyped} problem={problem} />
        </div>
        <p id="pin-problem" class="problem" role="alert">
          {problem}
        </p>
        <button type="submit" disabled={isBusy || wait > 0}>
          {kiosk('pin_enter')}
        </button>
      </form>
      {close && (
        <button type="button" class="second" onClick={close}>
          {say('sign_cancel')}
        </button>
      )}
      <details>
        <summary>{kiosk('pin_forgot')}</summary>
        <p class="hint">{kiosk('pin_forgot_text')}</p>
        <EnrolForm say={say} code="" isEnrolled enrol={(code, key) => scanner.enrol(code, key)} done={() => {}} />
      </details>
    </main>
  )
}

/** What the PIN locks. */
export function PinGate({ scanner, say, close, children }: Props & { children: ComponentChildren }) {
  if (!scanner.lock.isShut) return <>{children}</>
  return <PinView scanner={scanner} say={say} {...(close && { close })} />
}
