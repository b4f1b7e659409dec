import { hashOfToken, newToken } from '@gatehouse/proto/storage/tokens.ts'
import type { Issuers } from '../../issuers.ts'
import { LINK_HOURS } from './resource.ts'
import type { StaffLink } from './store.ts'

/** A new link with its stored form. */
export interface NewLink {
  url: string
  link: StaffLink
}

/** Returns a new link of 256 random bits below the console. */
export function newLink(issuers: Issuers): NewLink {
  const token = newToken()
  const expires_at = new Date(Date.now() + LINK_HOURS * 3_600_000)
  return { url: `${issuers.console}/welcome/${token}`, link: { hash: hashOfToken(token), expires_at } }
}
