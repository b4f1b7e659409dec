import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import { staffAt } from '../../console/identify.ts'
import type { Dependencies } from '../dependencies.ts'
import type { Holder } from '../devices/store.ts'
import { callerOf } from '../staff-members/callers.ts'
import type { apiTokens } from './resource.ts'

type Resolve = (typeof apiTokens)['actions']['resolve']

/** Returns the callers whose tokens have these hashes. */
export async function resolve(
  dependencies: Dependencies,
  { body: { hashes, only_looks } }: Call<Resolve>,
): Promise<Output<Resolve>> {
  const [found, holders, signedIn] = await Promise.all([
    dependencies.tokens.findByHashes(hashes),
    dependencies.devices.findByHashes(hashes),
    staffAt(dependencies, hashes, only_looks),
  ])
  const tokens = new Map(found.map((token) => [token.hash, token]))
  const accountIds = [...found, ...[...holders.values()].map(({ device }) => device)].map((each) => each.account_id)
  const answering = await dependencies.accounts.answeringUpdates([...new Set(accountIds)])
  const resolved = hashes.map((hash) => {
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
  return resolved.map((each) =>
    'caller' in each && each.caller && dependencies.fence.isAway(each.caller.account_id) ? { is_away: true } : each,
  )
}

function resolvedDevice({ device, isRevoked }: Holder, answers_updates: boolean) {
  if (isRevoked) return { is_revoked_device: true }
  const { _id: token_id, account_id, event_id, accesspoint_ids, name } = device
  const bounds = { event_id, ...(accesspoint_ids.length > 0 && { accesspoint_ids }) }
  return { caller: { account_id, token_id, scope: 'door' as const, ...bounds, is_device: true }, name, answers_updates }
}
