import { documents, MAX_PAGE } from './event-data.ts'
import { choice, flag, identifier, integer, list, record, text } from './fields.ts'
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
        'Has a process refuse the requests of an account unless it is at `home`; `is_done` when those that it had before are answered. An epoch that is not newer changes nothing; 0 only asks. Asked of all processes: `.again`',
      // Of each process, whether or not another one has answered.
      recognisesRequests: true,
      longestMs: LONGEST_MS,
      body: record({ ...account, state: choice(fenceStates), epoch: integer({ minimum: 0 }) }),
      reply: record({ process: text(), state: choice(fenceStates), epoch: integer(), is_done: flag() }),
    },
    hashes: {
      summary:
        'Which documents of an account the service has: a line for each, with collection, hash and `_id`, in the order in which collections are copied',
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
