import type { StoredAccount } from './api/accounts/store.ts'

/** The addresses of single sign-on from outside. Issuers, redirects, cookie paths and links are derived from them. */
export class Issuers {
  /** `PUBLIC_URL`, without a slash at its end. */
  readonly base: string
  readonly #url: URL

  constructor(public_url: string) {
    this.base = public_url.replace(/\/+$/, '')
    this.#url = new URL(this.base)
  }

  /** Whether browsers use HTTPS. */
  get isSecure(): boolean {
    return this.#url.protocol === 'https:'
  }

  /** Name of the gateway's own host. */
  get hostname(): string {
    return this.#url.hostname
  }

  /** The console's address, without a slash at its end. */
  get console(): string {
    return `${this.base}/console`
  }

  /** An account's issuer at the gateway's own address. */
  below({ slug }: Pick<StoredAccount, 'slug'>): string {
    return `${this.base}/sso/${slug}`
  }

  /** The issuer at an account's own host, by the protocol and port of `PUBLIC_URL`. */
  at(sso_host: string): string {
    const { protocol, port } = this.#url
    return `${protocol}//${sso_host}${port && `:${port}`}`
  }

  /** The issuer at which links for an account's contacts begin. */
  of(account: Pick<StoredAccount, 'slug' | 'sso_host'>): string {
    return account.sso_host ? this.at(account.sso_host) : this.below(account)
  }
}

/** The path of an issuer; empty for a host's root. */
export function mountOf(issuer: string): string {
  return new URL(issuer).pathname.replace(/\/$/, '')
}

/** The path of the gateway where an issuer is; empty for a host's root. */
export function gatewayPathOf(issuer: string): string {
  return mountOf(issuer).replace(/\/sso\/[^/]+$/, '')
}
