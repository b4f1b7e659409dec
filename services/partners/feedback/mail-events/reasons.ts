/** What a mail server says is cut here. */
const LONGEST_REASON = 250
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be stored
const CONTROL = /[\u0000-\u001f\u007f]+/g
/** How a diagnostic code begins (RFC 3464): by the protocol whose answer it is. */
const PROTOCOL = /^(smtp|x-[\w-]+) *; */i

/** A reason as it is kept: one line, and not too long. */
export function reasonOf(given: string | null | undefined): string | null {
  const reason = (given ?? '').replaceAll(CONTROL, ' ').trim().replace(PROTOCOL, '')
  return reason === '' ? null : reason.slice(0, LONGEST_REASON)
}

/** When something happened: not in the future, whatever the clock of the sender says; now if it says no valid time. */
export function occurredAt(given: Date | null | undefined): Date {
  const now = new Date()
  return given && given < now ? given : now
}
