import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { Fault, type FieldErrors, invalid } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { type Caller, type Handlers, required } from '@gatehouse/proto/declaring/resource.ts'
import { found, newTimes } from '@gatehouse/proto/storage/documents.ts'
import { hashOfToken, newToken } from '@gatehouse/proto/storage/tokens.ts'
import { accesspoints } from '../../permissions.ts'
import * as topics from '../../topics.ts'
import type { ApiTokenStore } from '../api-tokens/store.ts'
import type { StaffStore } from '../staff-members/store.ts'
import type { DeviceCodes } from './codes.ts'
import { CODE_MINUTES, type Device, type devices } from './resource.ts'
import { codeEnd, type DeviceStore, type StoredDevice } from './store.ts'

const FOREIGN_POINTS = { accesspoint_ids: [messageOf('unknown_accesspoints')] }
/** One answer to all of these, which does not say what was wrong. */
const WRONG_CODE = `The code is not valid: it is wrong, used or older than ${CODE_MINUTES} minutes`

/** The handlers of devices. */
export function deviceHandlers(
  store: DeviceStore,
  tokens: ApiTokenStore,
  staff: StaffStore,
  codes: DeviceCodes,
  bus: Bus,
): Handlers<typeof devices> {
  const points = clientOf(bus, accesspoints)

  async function errorsOf(event_id: string, { accesspoint_ids = [] }: Partial<Device>): Promise<FieldErrors> {
    const ids = [...new Set(accesspoint_ids)]
    const known = ids.length === 0 ? ids : (await points.known({ body: { event_id, ids } })).ids
    return known.length === ids.length ? {} : FOREIGN_POINTS
  }

  const withCode = async (device: StoredDevice, code: string) => ({
    ...shown(device),
    code,
    url: codes.addressOf(code),
    qr_code: await codes.qrCodeOf(code),
  })

  return {
    list: async ({ params, caller }) =>
      (await store.ofEvent(required(caller).account_id, params.event_id)).map((device) => shown(device)),

    read: async ({ params, caller }) => shown(found(await store.get(which(params, caller)))),

    async create({ params: { event_id }, body: given, accept, caller, newId }) {
      const { account_id } = required(caller)
      const body = await accept(await errorsOf(event_id, given))
      const code = codes.create()
      const device = await store.insert({
        _id: newId(),
        account_id,
        event_id,
        ...body,
        code_hash: codes.hashOf(code),
        code_expires_at: codeEnd(),
        enrolled_at: null,
        last_seen_at: null,
        battery_level: null,
        queue_length: null,
        app_version: null,
        ...newTimes(),
      })
      if (!device) throw invalid({ devices: [messageOf('account_limit', { limit: store.cap, act: 'revoke' })] })
      return withCode(device, code)
    },

    async update({ params, body: given, accept, caller }) {
      const body = await accept(await errorsOf(params.event_id, given))
      // Gateways know the check-in points of a token.
      return shown(found(await bus.announcing(topics.tokens, 'changed', store.update(which(params, caller), body))))
    },

    revoke: async ({ params, caller }) =>
      shown(found(await bus.announcing(topics.tokens, 'revoked', store.revoke(which(params, caller))))),

    async roll_code({ params, caller }) {
      const code = codes.create()
      return withCode(found(await store.roll(which(params, caller), codes.hashOf(code))), code)
    },

    async exchange({ params, newId }) {
      // The same for each try under an Idempotency-Key: one whose answer was lost gets a token of its own.
      const exchange_id = newId()
      const device = await store.findByCode(codes.hashOf(params.code))
      const isFree = device && (device.exchange_id ?? exchange_id) === exchange_id
      if (!isFree) throw new Fault('unauthorized', WRONG_CODE)
      const token = newToken('gh_device_')
      const enrolled = store.enrol(device, exchange_id, hashOfToken(token))
      // Only where a token ends: guesses and first tokens must not make gateways forget those that they know.
      const stored = await (device.token_hash ? bus.announcing(topics.tokens, 'exchanged', enrolled) : enrolled)
      if (!stored) throw new Fault('unauthorized', WRONG_CODE)
      return { ...stored, token, server_time: new Date() }
    },

    async heartbeat({ body, caller }) {
      const { account_id, token_id } = required(caller)
      const device = await store.get({ _id: token_id, account_id })
      if (device) await store.report(device, body)
      const other = async () => (await tokens.get(account_id, token_id)) ?? (await staff.get(account_id, token_id))
      const holder = device ?? (await other())
      // It was revoked within the last moments.
      if (!holder) throw new Fault('forbidden')
      return { name: null, accesspoint_ids: [], ...holder, server_time: new Date() }
    },
  }
}

function which(params: { event_id: string; id: string }, caller: Caller | undefined) {
  return { _id: params.id, event_id: params.event_id, account_id: required(caller).account_id }
}

/** A device with the time of its code only while the code waits. */
function shown(device: StoredDevice): Device {
  const { code_hash, exchange_id, code_expires_at } = device
  const waits = code_hash !== undefined && exchange_id === undefined && code_expires_at !== null
  return { ...device, code_expires_at: waits && code_expires_at > new Date() ? code_expires_at : null }
}
