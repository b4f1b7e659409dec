import { languageOf, speakerOf } from '@gatehouse/proto/pages/languages.ts'
import type { StoredAccount } from '../api/accounts/store.ts'
import { gatewayPathOf } from '../issuers.ts'
import { languages, type SignInBranding } from './pages/languages.ts'

/** The person who gets a page. */
export interface PageVisitor {
  /** Network address. */
  address: string
  /** The account's branding in the person's language. `asked` are the languages that the site requests, the most important first. */
  branding(...asked: unknown[]): SignInBranding
}

/** The branding of an account's pages, in the requested language; `asked` goes before the query. `issuer` is where the page is. */
export function brandingOf(
  { account, query, headers }: { account: StoredAccount; query: URLSearchParams; headers: Record<string, string> },
  issuer: string,
  asked: unknown[] = [],
): SignInBranding {
  const wishes = [...asked, query.get('locale'), query.get('ui_locales')]
  const tags = wishes.filter((wish) => typeof wish === 'string')
  const language = languageOf(tags, headers['accept-language'], account.locale)
  return {
    name: account.name || account.slug,
    colour: account.color ?? null,
    // At the host of the page, which may be the account's own.
    logo: account.logo ? `${gatewayPathOf(issuer)}/api/v1/logos/${account.logo}` : null,
    language,
    say: speakerOf(languages[language]),
  }
}
