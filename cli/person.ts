import type { Command } from 'commander'

/** Whose personal data a command is about. */
export interface PersonOptions {
  event: string
  guest?: string
  uid?: string
  email?: string
}

interface NamedPerson {
  by: 'guest_id' | 'guest_uid' | 'email'
  value: string | null
}

/** Adds the options that name a person of an event. */
export function withPerson(command: Command): Command {
  return command
    .requiredOption('--event <id>', 'the event')
    .option('--guest <id>', 'a guest of the event')
    .option('--uid <uid>', 'a uid; the guest may have been deleted')
    .option('--email <address>', 'all guests and recipients with this address, and the contact')
}

/** The same as services read it; undefined if nobody is named. */
export function askedFor({ guest, uid, email }: PersonOptions): NamedPerson | undefined {
  const given: NamedPerson[] = [
    { by: 'guest_id', value: guest ?? null },
    { by: 'guest_uid', value: uid ?? null },
    { by: 'email', value: email ?? null },
  ]
  const [first, ...others] = given.filter(({ value }) => value !== null)
  if (others.length > 0) throw new Error('Give only one of --guest, --uid and --email')
  return first
}
