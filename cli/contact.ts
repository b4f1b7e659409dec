import { text } from 'node:stream/consumers'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import type { Caller } from '@gatehouse/proto/declaring/resource.ts'
import { Command, InvalidArgumentError, Option } from 'commander'
import { type AccountOptions, callerOf, withAccount } from './account.ts'
import { contactFields, contacts } from './permissions.ts'
import { print } from './printing.ts'
import { inSystem } from './system.ts'
import type { Terminal } from './terminal.ts'

interface CreateContactOptions extends AccountOptions {
  email: string
  password?: string
  passwordStdin?: true
  firstName?: string
  lastName?: string
  /** Values by the key of the contact field. */
  field?: Record<string, string>
}

/** `gatehouse contact create`: a person who can sign in by single sign-on. */
export function contactCommand(terminal: Terminal): Command {
  const contact = new Command('contact').description('Create contacts of an account, who sign in by single sign-on')
  withAccount(contact.command('create').description('Create a contact'))
    .requiredOption('--email <email>')
    .option('--password <password>', 'at least 8 characters; other users of this machine may see it')
    .addOption(
      new Option('--password-stdin', 'read the password from standard input, which holds this one line').conflicts(
        'password',
      ),
    )
    .option('--first-name <name>')
    .option('--last-name <name>')
    .option('--field <key=value>', 'the value of a contact field; a field the account lacks is created', readField)
    .action(async ({ account, json = false, passwordStdin, ...options }: CreateContactOptions, command: Command) => {
      if (passwordStdin) options.password = oneLine(await text(terminal.in), command)
      const made = await inSystem(terminal, async ({ bus }) =>
        createContact(bus, await callerOf(bus, account), options),
      )
      print(terminal, { json }, made, `${made._id}  ${made.email}`)
    })
  return contact
}

/** Creates a contact, and first the contact fields that it needs. Returns it as the API shows it. */
async function createContact(
  bus: Bus,
  caller: Caller,
  options: Omit<CreateContactOptions, keyof AccountOptions | 'passwordStdin'>,
) {
  const { email, password = null, firstName = null, lastName = null, field = {} } = options
  const fields = Object.keys(field).map((key) => ({ key, label: null }))
  await makeFields(bus, caller, fields)
  const body = { email, first_name: firstName, last_name: lastName, is_blocked: false, password, ...field }
  return clientOf(bus, contacts).create({ caller, body })
}

/** Creates missing contact fields of an account. */
export async function makeFields(
  bus: Bus,
  caller: Caller,
  fields: { key: string; label: string | null }[],
): Promise<void> {
  const client = clientOf(bus, contactFields)
  const known = new Set((await client.list({ caller })).map(({ key }) => key))
  for (const { key, label } of fields.filter((each) => !known.has(each.key))) {
    try {
      await client.create({ caller, body: { key, label, type: 'text', available_values: [] } })
    } catch (error) {
      // Another request has just created it.
      const isTaken = error instanceof Fault && (await client.list({ caller })).some((each) => each.key === key)
      if (!isTaken) throw error
    }
  }
}

/** The only line of a text, without its end. Throws for several lines or none. */
function oneLine(input: string, command: Command): string {
  const [, line] = /^([^\r\n]+)(?:\r?\n)?$/.exec(input) ?? []
  return line ?? command.error('error: standard input must contain exactly one line, the password', { exitCode: 2 })
}

function readField(pair: string, before: Record<string, string> = {}): Record<string, string> {
  const at = pair.indexOf('=')
  if (at < 1) throw new InvalidArgumentError('It has to be KEY=VALUE.')
  return { ...before, [pair.slice(0, at)]: pair.slice(at + 1) }
}
