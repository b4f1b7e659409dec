import { growingCache } from '@gatehouse/proto/storage/growing-cache.ts'
import type { StoredAccount } from '../api/accounts/store.ts'
import { AccountProvider } from './account-provider.ts'
import type { SsoDependencies } from './account-request.ts'
import type { KeyStore } from './keys.ts'

/** Providers that are kept. */
const MAX_PROVIDERS = 500
/** How often an account's keys are read again. New keys are announced for longer before they sign. */
const CHECK_MS = 60_000

/** An account, and the issuer at which a request came. */
export interface AccountAtIssuer {
  account: StoredAccount
  issuer: string
}

/** The providers of accounts, made on demand. All their state is in the store. */
export class ProviderCache {
  readonly #dependencies: SsoDependencies
  readonly #keys: KeyStore
  readonly #providers = growingCache<{ provider: AccountProvider; checked: number }>(MAX_PROVIDERS)
  readonly #making = new Map<string, Promise<AccountProvider>>()

  constructor(dependencies: SsoDependencies, keys: KeyStore) {
    this.#dependencies = dependencies
    this.#keys = keys
  }

  async get(target: AccountAtIssuer): Promise<AccountProvider> {
    const key = `${target.account._id} ${target.issuer}`
    const kept = this.#providers.get(key)
    if (kept && Date.now() - kept.checked < CHECK_MS) return kept.provider
    // Concurrent requests share it: making a key is expensive.
    const making = this.#making.get(key) ?? this.#make(key, target).finally(() => this.#making.delete(key))
    this.#making.set(key, making)
    return making
  }

  async #make(key: string, { account, issuer }: AccountAtIssuer): Promise<AccountProvider> {
    const keys = await this.#keys.of(account._id)
    const kept = this.#providers.get(key)?.provider
    const provider =
      kept?.version === keys.version ? kept : new AccountProvider(account, issuer, keys, this.#dependencies)
    this.#providers.set(key, { provider, checked: Date.now() })
    return provider
  }
}
