import { type Handlers, handlersOf, required } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import * as topics from '../../topics.ts'
import type { Dependencies } from '../dependencies.ts'
import { create } from './create.ts'
import { exchange } from './exchange.ts'
import { heartbeat } from './heartbeat.ts'
import type { devices } from './resource.ts'
import { rollCode } from './roll-code.ts'
import { keyOf, shown } from './shown.ts'
import { update } from './update.ts'

/** Returns the handlers of devices. */
export function deviceHandlers(dependencies: Dependencies): Handlers<typeof devices> {
  return handlersOf<typeof devices, Dependencies>(
    {
      list: async (of, { params, caller }) =>
        (await of.devices.ofEvent(required(caller).account_id, params.event_id)).map(shown),
      read: async (of, call) => shown(found(await of.devices.get(keyOf(call)))),
      create,
      update,
      revoke: async (of, call) =>
        shown(found(await of.bus.announcing(topics.tokens, 'revoked', of.devices.revoke(keyOf(call))))),
      roll_code: rollCode,
      exchange,
      heartbeat,
    },
    dependencies,
  )
}
