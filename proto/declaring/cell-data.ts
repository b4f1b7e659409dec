import { documents, MAX_PAGE } from './event-data.ts'
import { choice, flag, identifier, integer, list, maybe, record, text } from './fields.ts'
import { asking } from './permissions/permissions.ts'
import { LONGEST_MS } from './personal-data.ts'
import { resource } from './resource.ts'

/**
 * Where an account is, as the services of a cell see it (docs/adr/0022): they answer its requests if it is at home, and otherwise have callers ask
 * again, since it is being copied here, is about to leave, or has left.
 */
export const fenceStates = ['home', 'arriving', 'leaving', 'left'] as const

/** Where an account is. */
export type FenceState = (typeof fenceStates)[number]

const account = { account_id: identifier(), event_ids: list(identifier(), 'event_id') }
const ids = list(text({ verbatim: true, minLength: 0, pattern: '', maxLength: 2_000 }), 'id')

/** How each service gives what it holds of an account to another cell, and takes it from one. */
export function cellDataOf(service: string) {
  return resource(`${service}.cell_data`, 'cell_data', {
    fence: {
      summary:
        'Has a process refuse the requests of an account unless it is at `home`; `is_done` when those that it had before are answered and its background work rests. An epoch that is not newer changes nothing; 0 only asks. Asked of all processes: `.again`',
      // Of each process, whether or not another one has answered.
      recognisesRequests: true,
      longestMs: LONGEST_MS,
      body: record({
        ...account,
        state: choice(fenceStates),
        epoch: integer({ minimum: 0 }),
        lease_ms: maybe(
          integer({
            minimum: 1,
            description: 'How long it may be `leaving`: then sso opens it again, in the next epoch',
          }),
        ),
        heir: maybe(
          record(
            { cell: text(), epoch: integer() },
            { description: 'The cell to which it has `left`, where sso opens it in this epoch' },
          ),
        ),
      }),
      reply: record({ process: text(), state: choice(fenceStates), epoch: integer(), is_done: flag() }),
    },
    where: {
      summary: 'Where an account is, as the process sees it',
      reads: true,
      body: record({ account_id: identifier() }),
      reply: record({ state: choice(fenceStates), epoch: integer() }),
    },
    hashes: {
      summary:
        'Which documents of an account the service has: a line for each, with collection, hash and `_id`, in the order in which collections are copied. At home those are missing that travel last',
      reads: true,
      longestMs: LONGEST_MS,
      body: record(account),
      reply: record({ lines: documents }),
    },
    read: {
      summary: 'Documents of a collection',
      reads: true,
      longestMs: LONGEST_MS,
      body: record({ ...account, collection: text(), ids }),
      reply: record({ documents }),
    },
    put: {
      summary:
        'Removes documents of an account that is not at home, then stores others. What a unique index refuses may be taken the next time',
      longestMs: LONGEST_MS,
      maxBytes: MAX_PAGE,
      body: record({ ...account, collection: text(), ids, documents }),
      reply: record({ stored: integer(), removed: integer() }),
    },
  })
}

/** The service that decides where an account is: that of its tokens. */
export const DECIDER = 'sso'

/** By this the others learn it. */
export const deciding = asking(cellDataOf(DECIDER), 'where')

/** By this an account that has left is opened in the other cell. */
export const opening = asking(cellDataOf(DECIDER), 'fence')
