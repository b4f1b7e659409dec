import { isDeepStrictEqual } from 'node:util'
import type { AdapterPayload } from 'oidc-provider'
import type { ArtifactStore, FoundSession } from './artifacts.ts'

/** What a session was when a request found it. The request carries it along and it is never stored. */
interface Loaded {
  revision: number
  was: AdapterPayload
}

type SessionPayload = AdapterPayload & { loaded?: Loaded }

/** The fields that the session model carries beyond oidc-provider's. */
export const sessionFields = ['version', 'loaded'] as const

/**
 * Sessions of one account. oidc-provider reads one, works on it and writes all of it at the end of a request, whatever others of the same
 * browser wrote meanwhile. So a request changes what it changed and no more, and never a session that has ended.
 */
export class Sessions {
  readonly #artifacts: ArtifactStore
  readonly #accountId: string

  constructor(artifacts: ArtifactStore, accountId: string) {
    this.#artifacts = artifacts
    this.#accountId = accountId
  }

  /** A found session as a request gets it. */
  static loaded({ payload, revision }: FoundSession): SessionPayload {
    return { ...payload, loaded: { revision, was: structuredClone(payload) } }
  }

  /** Stores a session for `seconds`: a new one as it is, one that was found by what changed of it. */
  async put(id: string, { loaded, ...payload }: SessionPayload, seconds: number): Promise<void> {
    const { uid = '', accountId: contact_id } = payload
    if (!loaded) return this.#artifacts.put(this.#accountId, 'Session', id, payload, seconds, { uid, contact_id })
    for (;;) {
      const at = await this.#artifacts.findSessionByUid(this.#accountId, uid)
      // Signed out meanwhile: what this request gave hangs on the session, and is void with it.
      if (!at) return
      const next = at.revision === loaded.revision ? payload : merged(loaded.was, payload, at.payload)
      if (!next) return
      const isSame = at.payload.accountId === next.accountId
      const options = { at, contact_id: next.accountId, isSame }
      if (await this.#artifacts.putSession(this.#accountId, uid, next.jti ?? id, next, seconds, options)) return
    }
  }
}

/**
 * What one request made of a session (`was` to `mine`), put on what others made of it meanwhile (`theirs`). Undefined where somebody has
 * signed in meanwhile and this request did not: it is a stranger's then.
 */
export function merged(was: AdapterPayload, mine: AdapterPayload, theirs: AdapterPayload): AdapterPayload | undefined {
  const isLogin = mine.accountId !== was.accountId
  if (theirs.accountId !== mine.accountId) return isLogin ? mine : undefined
  const authorizations = changed(was.authorizations ?? {}, mine.authorizations ?? {}, theirs.authorizations ?? {})
  return { ...(changed(was, mine, theirs) as AdapterPayload), authorizations }
}

/** Field by field: mine where I changed it, theirs otherwise. */
function changed<T extends object>(was: T, mine: T, theirs: T): T {
  const fields = new Set([...Object.keys(mine), ...Object.keys(theirs)]) as Set<keyof T>
  const next = [...fields].map((field) => [
    field,
    isDeepStrictEqual(was[field], mine[field]) ? theirs[field] : mine[field],
  ])
  return Object.fromEntries(next.filter(([, value]) => value !== undefined)) as T
}
