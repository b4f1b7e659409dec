import { type FieldErrors, invalid } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { type Call, type Output, required } from '@gatehouse/proto/declaring/resource.ts'
import * as topics from '../../topics.ts'
import type { Dependencies } from '../dependencies.ts'
import type { accounts } from './resource.ts'
import { shown } from './shown.ts'
import { isAllowedHost } from './sso-hosts.ts'

type Update = (typeof accounts)['actions']['update']

const HOST_TAKEN = { sso_host: [messageOf('taken')] }

/** Updates the caller's account. */
export async function update(
  dependencies: Dependencies,
  { body: given, accept, caller }: Call<Update>,
): Promise<Output<Update>> {
  const { accounts, bus } = dependencies
  const { account_id } = required(caller)
  const sso_host = given.sso_host?.toLowerCase()
  const body = await accept(hostErrors(dependencies, sso_host), async () => {
    const holder = sso_host === undefined ? null : await accounts.findByHost(sso_host)
    return holder && holder._id !== account_id ? HOST_TAKEN : {}
  })
  const changes = { ...body, ...(sso_host !== undefined && { sso_host }) }
  const updating = bus.announcing(topics.accounts, account_id, accounts.update(account_id, changes))
  // Gateways keep what their callers' accounts want.
  const account = await (body.answers_updates === undefined
    ? updating
    : bus.announcing(topics.tokens, 'answers_updates', updating))
  if (account === undefined) throw invalid(HOST_TAKEN)
  return shown(account, dependencies.issuers)
}

function hostErrors({ issuers, sso_hosts }: Dependencies, sso_host: string | undefined): FieldErrors {
  const mayHave = sso_host === undefined || (sso_host !== issuers.hostname && isAllowedHost(sso_hosts, sso_host))
  return mayHave ? {} : { sso_host: [messageOf('invalid_host')] }
}
