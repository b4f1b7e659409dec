import { type KeyPress, type Reaction, TypedCode } from './typed-code.ts'

/**
 * Calls `found` with what a reader types, as the texts that it may be, wherever the focus is. A field gets what is typed there, but for a code
 * that the layout of the host has made unreadable, or a whole MeCard: nobody types those by hand. Returns what ends that.
 */
export function listenToKeys(found: (readings: string[]) => void): () => void {
  const onPage = new TypedCode()
  const inFields = new TypedCode()
  let timer: ReturnType<typeof setTimeout> | undefined
  const read = (reaction: Reaction): void => {
    if (reaction.kind === 'read') found(reaction.readings)
  }
  const listen = (event: KeyboardEvent): void => {
    const { target } = event
    if (event.repeat) return
    clearTimeout(timer)
    if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) return listenInField(event, target)
    const reaction = onPage.press(pressOf(event))
    // Otherwise Enter would press the button that has the focus, and Tab move it.
    if (reaction.kind !== 'ignored') event.preventDefault()
    read(reaction)
    const { patienceMs } = onPage
    if (patienceMs !== undefined) timer = setTimeout(() => read(onPage.silence(performance.now())), patienceMs)
  }
  const listenInField = (event: KeyboardEvent, field: HTMLInputElement | HTMLTextAreaElement): void => {
    const reaction = inFields.press(pressOf(event))
    if (reaction.kind !== 'read') return
    const { readings, typed } = reaction
    const [reading = ''] = readings
    // The last semicolon is not in the field yet.
    const isAllTyped = field.value === typed || field.value === typed.slice(0, -1)
    const isMisread = readings.length > 1 || reading !== typed
    const isCode = reading.endsWith(';;') || (field.form !== null && isMisread)
    if (!isAllTyped || !isCode) return
    event.preventDefault()
    event.stopPropagation()
    field.value = ''
    field.dispatchEvent(new Event('input', { bubbles: true }))
    found(readings)
  }
  const events = ['keydown', 'keyup'] as const
  for (const each of events) document.addEventListener(each, listen, { capture: true })
  return () => {
    clearTimeout(timer)
    for (const each of events) document.removeEventListener(each, listen, { capture: true })
  }
}

function pressOf(event: KeyboardEvent): KeyPress {
  const { key, code, shiftKey, ctrlKey, altKey, metaKey, type, timeStamp } = event
  return {
    key,
    code,
    shift: shiftKey,
    ctrl: ctrlKey,
    alt: altKey,
    altGraph: event.getModifierState('AltGraph'),
    meta: metaKey,
    capsLock: event.getModifierState('CapsLock'),
    isUp: type === 'keyup',
    at: timeStamp,
  }
}
