import type { Client } from '@gatehouse/proto/bus/client.ts'
import { type Caller, type Role, roles } from '@gatehouse/proto/declaring/resource.ts'
import { Command, Option } from 'commander'
import { type AccountOptions, asAccount, withAccount } from './account.ts'
import { staffMembers } from './permissions.ts'
import { columns, print } from './printing.ts'
import type { Terminal } from './terminal.ts'

interface InviteOptions extends AccountOptions {
  role: Role
  name?: string
  event?: string
}

/** `gatehouse staff list|invite|link|remove`. */
export function staffCommand(terminal: Terminal): Command {
  const staff = new Command('staff').description(
    'Invite, list and remove staff members of an account: people who use the console',
  )

  withAccount(staff.command('list').description('List the staff members of an account')).action(
    async (options: AccountOptions) => {
      const list = await asAccount(terminal, options, staffMembers, (client, caller) => client.list({ caller }))
      const lines = list.map(({ email, role, name, event_id, last_signed_in_at }) => {
        const seen = last_signed_in_at ? `signed in ${last_signed_in_at.toISOString()}` : 'never signed in'
        return columns(email, role, event_id ?? 'any event', seen, name ?? '')
      })
      print(terminal, options, list, ...lines)
    },
  )

  withAccount(
    staff.command('invite').description('Invite a staff member; the link is shown only once').argument('<email>'),
  )
    .addOption(new Option('--role <role>', 'what the person may do').choices([...roles]).makeOptionMandatory())
    .option('--name <name>', 'the name of the person')
    .option('--event <id>', 'the only event a door manager or viewer may see')
    .action(async (email: string, { role, name, event, ...options }: InviteOptions) => {
      const body = { email, role, name: name ?? null, event_id: event ?? null }
      printLink(
        terminal,
        await asAccount(terminal, options, staffMembers, (client, caller) => client.create({ caller, body })),
        options,
      )
    })

  withAccount(
    staff
      .command('link')
      .description(
        'Create a new link for a staff member, such as after a lost password; the previous one stops working',
      )
      .argument('<email>'),
  ).action(async (email: string, options: AccountOptions) => {
    const rolled = await asAccount(terminal, options, staffMembers, async (client, caller) =>
      client.roll_link({ caller, params: { id: await idOf(client, caller, email) } }),
    )
    printLink(terminal, rolled, options)
  })

  withAccount(
    staff.command('remove').description('Remove a staff member and end their sessions immediately').argument('<email>'),
  ).action(async (email: string, options: AccountOptions) => {
    const removed = await asAccount(terminal, options, staffMembers, async (client, caller) =>
      client.delete({ caller, params: { id: await idOf(client, caller, email) } }),
    )
    print(terminal, options, { _id: removed._id }, `removed ${removed.email}`)
  })
  return staff
}

/** The id of the staff member with this address. Throws one sentence if there is none. */
async function idOf(client: Client<typeof staffMembers>, caller: Caller, email: string): Promise<string> {
  const wanted = email.trim().toLowerCase()
  const member = (await client.list({ caller })).find((each) => each.email.toLowerCase() === wanted)
  if (!member) throw new Error(`${email} is not a staff member. See: gatehouse staff list`)
  return member._id
}

function printLink(
  terminal: Terminal,
  { sign_in_url, ...member }: { sign_in_url: string },
  options: AccountOptions,
): void {
  print(terminal, options, { ...member, sign_in_url }, sign_in_url)
}
