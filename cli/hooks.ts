import { InvalidArgumentError, numberFrom } from '@gatehouse/proto/process/command.ts'
import { Command } from 'commander'
import { type AccountOptions, asAccount, withAccount } from './account.ts'
import { ownerOf } from './event-caller.ts'
import { deliveries, webhooks } from './permissions.ts'
import { columns, print } from './printing.ts'
import { republish } from './republish.ts'
import { inSystem } from './system.ts'
import { say, type Terminal } from './terminal.ts'

interface OfWebhook extends AccountOptions {
  webhook: string
}

/** `gatehouse hooks list|deliveries|replay|republish`. */
export function hooksCommand(terminal: Terminal): Command {
  const hooks = new Command('hooks').description("Inspect an account's webhooks and their deliveries")

  withAccount(hooks.command('list').description('List the webhooks of an account')).action(
    async (options: AccountOptions) => {
      const list = await asAccount(terminal, options, webhooks, (client, caller) => client.list({ caller }))
      const lines = list.map(({ _id, is_enabled, url }) => columns(_id, is_enabled ? 'enabled' : 'disabled', url))
      print(terminal, options, list, ...lines)
    },
  )

  ofWebhook(hooks.command('deliveries').description('List deliveries of the last 30 days, newest first'))
    .option('--page <number>', 'which page', numberFrom(1), 1)
    .option('--per-page <number>', 'deliveries per page', numberFrom(1, 500), 50)
    .action(
      async ({ webhook: webhook_id, page, perPage, ...options }: OfWebhook & Record<'page' | 'perPage', number>) => {
        const query = { page, per_page: perPage }
        const list = await asAccount(terminal, options, deliveries, (client, caller) =>
          client.list({ caller, params: { webhook_id }, query }),
        )
        const lines = list.map(({ _id, event_type, state, attempt_count, response_status, error }) =>
          columns(_id, event_type, state, attempt_count, response_status ?? error ?? ''),
        )
        print(terminal, options, list, ...lines)
      },
    )

  ofWebhook(hooks.command('replay').description('Send a delivery again immediately').argument('<id>')).action(
    async (delivery_id: string, { webhook: webhook_id, ...options }: OfWebhook) => {
      const delivery = await asAccount(terminal, options, deliveries, (client, caller) =>
        client.replay({ caller, params: { webhook_id, delivery_id } }),
      )
      print(terminal, options, delivery, `${delivery._id} is sent again`)
    },
  )
  hooks
    .command('republish')
    .description(
      'Publish check-ins, new guests and leads again after a restore; webhooks that already got them get nothing. Changes and deletions of guests are not published again, because their events are not stored',
    )
    .requiredOption('--event <id>')
    .requiredOption('--since <time>', 'the earliest time they were stored, in ISO 8601', timeFrom)
    .requiredOption('--until <time>', 'the latest, at most an hour later', timeFrom)
    .action(({ event: event_id, since, until }: { event: string; since: Date; until: Date }) =>
      inSystem(terminal, async ({ bus }) => {
        await ownerOf(bus, event_id, 'cli')
        await republish(bus, { event_id, since, until })
        say(terminal.out, 'The check-ins, new guests and leads of that time have been published again')
      }),
    )
  return hooks
}

function ofWebhook(command: Command): Command {
  return withAccount(command).requiredOption(
    '--webhook <id>',
    'the webhook, or an event for its badge_complete_hook_url',
  )
}

function timeFrom(text: string): Date {
  const time = new Date(text)
  if (Number.isNaN(time.getTime())) throw new InvalidArgumentError('It takes a time like 2026-05-01T08:30:00Z.')
  return time
}
