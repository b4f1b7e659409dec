import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { Fault, invalid, notFound } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { type Handlers, required } from '@gatehouse/proto/declaring/resource.ts'
import { hashOfToken, newToken } from '@gatehouse/proto/storage/tokens.ts'
import { type IdentifyingDependencies, staffAt } from '../../console/identify.ts'
import { events } from '../../permissions.ts'
import * as topics from '../../topics.ts'
import type { AccountStore } from '../accounts/store.ts'
import { nameOf } from '../contacts/names.ts'
import type { DeviceStore, Holder } from '../devices/store.ts'
import { callerOf, scopeOfRole } from '../staff-members/callers.ts'
import type { StoredMember } from '../staff-members/store.ts'
import type { apiTokens } from './resource.ts'
import type { ApiToken, ApiTokenStore } from './store.ts'

/** What every device may do. */
const DEVICE_SCOPE = { scope: 'door' } as const
const NO_EVENT = { event_id: [messageOf('unknown_reference', { thing: 'an event', owner: 'account' })] }

/** Issues API tokens for the command line and HTTP. */
export class TokenIssuer {
  readonly #store: ApiTokenStore
  readonly #bus: Bus

  constructor(store: ApiTokenStore, bus: Bus) {
    this.#store = store
    this.#bus = bus
  }

  /** Makes a token of 256 random bits. Only the answer holds it. Throws `invalid` if the account has the maximum. */
  async issue(
    _id: string,
    account_id: string,
    fields: Pick<ApiToken, 'name' | 'scope' | 'event_id' | 'bootstrap'>,
  ): Promise<ApiToken & { token: string }> {
    const token = newToken('gh_')
    const stored = { _id, account_id, ...fields, hash: hashOfToken(token), created_at: new Date() }
    if (!(await this.#store.put(stored))) {
      throw invalid({ tokens: [messageOf('account_limit', { limit: this.#store.cap, act: 'revoke' })] })
    }
    return { ...stored, token }
  }

  /** Revokes all but the newest `count` tokens of `bootstrap`, and says how many there are then. */
  async keepNewest(account_id: string, count: number): Promise<number> {
    const tokens = (await this.#store.ofAccount(account_id)).filter(({ bootstrap }) => bootstrap)
    const old = tokens.slice(count).map(({ _id }) => _id)
    await this.revoking(this.#store.deleteMany(account_id, old))
    return tokens.length - old.length
  }

  /** Waits until tokens are revoked, and invalidates the gateways' caches before the caller is answered. */
  revoking<T>(write: Promise<T>): Promise<T> {
    return this.#bus.announcing(topics.tokens, 'revoked', write)
  }
}

/** The handlers of API tokens. */
export function apiTokenHandlers(
  store: ApiTokenStore,
  devices: DeviceStore,
  accounts: AccountStore,
  console: IdentifyingDependencies,
  issuer: TokenIssuer,
  bus: Bus,
): Handlers<typeof apiTokens> {
  const eventClient = clientOf(bus, events)

  async function staffHolder(account_id: string, { contact_id, role, event_id, created_at }: StoredMember) {
    const contact = await console.contacts.get(account_id, contact_id)
    const { email = null, first_name = null, last_name = null } = contact ?? {}
    return {
      email,
      first_name,
      last_name,
      name: contact && nameOf(contact),
      scope: scopeOfRole[role],
      role,
      event_id,
      created_at,
    }
  }

  return {
    async list({ caller }) {
      return store.ofAccount(required(caller).account_id)
    },

    async create({ body: { event_id = null }, accept, caller, newId }) {
      const { account_id } = required(caller)
      // An empty id is refused too: it must not make a token for all events.
      const owner = event_id === null ? { account_id } : await eventClient.owner({ body: { event_id } })
      const body = await accept(owner.account_id === account_id ? {} : NO_EVENT)
      return issuer.issue(newId(), account_id, body)
    },

    async revoke({ params, caller }) {
      const token = await issuer.revoking(store.delete(required(caller).account_id, params.id))
      if (!token) throw notFound()
      return token
    },

    async me({ caller }) {
      const { account_id, token_id } = required(caller)
      const [account, token, device, member] = await Promise.all([
        accounts.get(account_id),
        store.get(account_id, token_id),
        devices.get({ _id: token_id, account_id }),
        console.staff.get(account_id, token_id),
      ])
      const holder =
        token ?? (device && { ...device, ...DEVICE_SCOPE }) ?? (member && (await staffHolder(account_id, member)))
      if (!account || !holder) throw new Fault('forbidden')
      const person = { email: null, first_name: holder.name, last_name: null }
      return { ...person, ...holder, id: token_id, account_id, account: account.slug, token_id }
    },

    async resolve({ body }) {
      const [found, holders, signedIn] = await Promise.all([
        store.findByHashes(body.hashes),
        devices.findByHashes(body.hashes),
        staffAt(console, body.hashes, body.only_looks),
      ])
      const tokens = new Map(found.map((token) => [token.hash, token]))
      const accountIds = [...found, ...[...holders.values()].map(({ device }) => device)].map((each) => each.account_id)
      const answering = await accounts.answeringUpdates([...new Set(accountIds)])
      return body.hashes.map((hash) => {
        const holder = holders.get(hash)
        if (holder) return resolvedDevice(holder, answering.has(holder.device.account_id))
        const staff = signedIn.get(hash)
        if (staff) return callerOf(staff.session.account_id, staff.member, staff.contact)
        const token = tokens.get(hash)
        if (!token) return {}
        const { _id, account_id, scope, event_id, name } = token
        const answers_updates = answering.has(account_id)
        return { caller: { account_id, token_id: _id, scope, ...(event_id && { event_id }) }, name, answers_updates }
      })
    },
  }
}

function resolvedDevice({ device, isRevoked }: Holder, answers_updates: boolean) {
  if (isRevoked) return { is_revoked_device: true }
  const { _id: token_id, account_id, event_id, accesspoint_ids, name } = device
  const bounds = { event_id, ...(accesspoint_ids.length > 0 && { accesspoint_ids }) }
  return { caller: { account_id, token_id, ...DEVICE_SCOPE, ...bounds, is_device: true }, name, answers_updates }
}
