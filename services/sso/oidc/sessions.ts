import { isDeepStrictEqual } from 'node:util'
import type { AdapterPayload } from 'oidc-provider'
import type { ArtifactStore } from './artifacts.ts'
import type { FoundSession } from './session-store.ts'

/** A session as a request found it. It stays with the request and is never stored. */
interface LoadedSession {
  revision: number
  was: AdapterPayload
}

type SessionPayload = AdapterPayload & { loaded?: LoadedSession }

/** The fields that the session model has beyond oidc-provider's. */
export const sessionFields = ['version', 'loaded'] as const

/**
 * Sessions of one account. oidc-provider reads a session, and writes all of it at the end of a request, regardless of concurrent requests
 * of the same browser. Here only the fields that the request changed are written, and never to a session that has ended.
 */
export class Sessions {
  readonly #artifacts: ArtifactStore
  readonly #accountId: string

  constructor(artifacts: ArtifactStore, accountId: string) {
    this.#artifacts = artifacts
    this.#accountId = accountId
  }

  /** A found session for a request. */
  static loaded({ payload, revision }: FoundSession): SessionPayload {
    return { ...payload, loaded: { revision, was: structuredClone(payload) } }
  }

  /** Stores a session for `seconds`: all of a new one, the changes of a found one. */
  async put(id: string, { loaded, ...payload }: SessionPayload, seconds: number): Promise<void> {
    const { uid = '', accountId: contact_id } = payload
    if (!loaded) return this.#artifacts.put(this.#accountId, 'Session', id, payload, seconds, { uid, contact_id })
    for (;;) {
      const at = await this.#artifacts.sessions.findByUid(this.#accountId, uid)
      // Signed out meanwhile: artifacts of this request depend on the session, and are void with it.
      if (!at) return
      const next = at.revision === loaded.revision ? payload : merged(loaded.was, payload, at.payload)
      if (!next) return
      const isSame = at.payload.accountId === next.accountId
      const options = { at, contact_id: next.accountId, isSame }
      if (await this.#artifacts.sessions.replace(this.#accountId, uid, next.jti ?? id, next, seconds, options)) return
    }
  }
}

/**
 * Applies a request's changes of a session (`was` to `mine`) to the current state (`theirs`). Undefined if another contact has signed in
 * meanwhile, unless this request signed one in too.
 */
export function merged(was: AdapterPayload, mine: AdapterPayload, theirs: AdapterPayload): AdapterPayload | undefined {
  const isLogin = mine.accountId !== was.accountId
  if (theirs.accountId !== mine.accountId) return isLogin ? mine : undefined
  const authorizations = changed(was.authorizations ?? {}, mine.authorizations ?? {}, theirs.authorizations ?? {})
  return { ...(changed(was, mine, theirs) as AdapterPayload), authorizations }
}

/** Each field of `mine` if it differs from `was`, otherwise that of `theirs`. */
function changed<T extends object>(was: T, mine: T, theirs: T): T {
  const fields = new Set([...Object.keys(mine), ...Object.keys(theirs)]) as Set<keyof T>
  const next = [...fields].map((field) => [
    field,
    isDeepStrictEqual(was[field], mine[field]) ? theirs[field] : mine[field],
  ])
  return Object.fromEntries(next.filter(([, value]) => value !== undefined)) as T
}
