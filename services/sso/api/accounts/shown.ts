import type { Output } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Issuers } from '../../issuers.ts'
import type { accounts } from './resource.ts'
import type { StoredAccount } from './store.ts'

/** Returns an account for answers. Throws `not_found` without one. */
export function shown(
  account: StoredAccount | null,
  { base }: Pick<Issuers, 'base'>,
): Output<(typeof accounts)['actions']['read']> {
  const { _id, slug, name = null, color = null, locale = null, ...rest } = found(account)
  const { reply_to_email = null, sso_host = null, answers_updates = false, logo, created_at } = rest
  const logo_url = logo ? `${base}/api/v1/logos/${logo}` : null
  return { _id, slug, name, color, locale, reply_to_email, sso_host, answers_updates, logo_url, created_at }
}
