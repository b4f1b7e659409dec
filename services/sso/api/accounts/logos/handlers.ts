import { notFound } from '@gatehouse/proto/declaring/faults.ts'
import { type Call, type Download, type Output, required } from '@gatehouse/proto/declaring/resource.ts'
import { isHarmless, logoTypeOf, types } from '@gatehouse/proto/formats/logos/types.ts'
import * as topics from '../../../topics.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { accounts } from '../resource.ts'
import { shown } from '../shown.ts'

type Actions = (typeof accounts)['actions']

/** What is under an address never changes. */
const MAX_AGE = 365 * 86_400

/** Stores the logo of the caller's account: first the file, then the account that names it. */
export async function upload_logo(
  { accounts, logos, issuers, bus }: Dependencies,
  { upload, caller }: Call<Actions['upload_logo']>,
): Promise<Output<Actions['upload_logo']>> {
  const { account_id } = required(caller)
  const bytes = Buffer.from(upload.bytes)
  const type = logoTypeOf(upload.content_type, bytes)
  const _id = await logos.put(account_id, bytes)
  const logo = `${_id}.${type.suffix}`
  const account = await bus.announcing(topics.accounts, account_id, accounts.update(account_id, { logo }))
  await logos.deleteOthers(account_id, _id)
  return shown(account ?? null, issuers)
}

/** Deletes the logo of the caller's account. */
export async function delete_logo(
  { accounts, logos, issuers, bus }: Dependencies,
  { caller }: Call<Actions['delete_logo']>,
): Promise<Output<Actions['delete_logo']>> {
  const { account_id } = required(caller)
  const account = await bus.announcing(topics.accounts, account_id, accounts.update(account_id, { logo: null }))
  await logos.deleteAll(account_id)
  return shown(account ?? null, issuers)
}

/** Returns a logo to anybody. */
export async function logo({ logos }: Dependencies, { params, format }: Call<Actions['logo']>): Promise<Download> {
  const bytes = await logos.get(params.logo_id)
  const type = types.find(({ suffix }) => suffix === format)
  if (!bytes || !type?.begins(bytes) || !isHarmless(type, bytes)) throw notFound()
  return { bytes, max_age: MAX_AGE, is_public: true }
}
