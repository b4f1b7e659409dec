import { languageOf, speakerOf } from '@gatehouse/proto/pages/languages.ts'
import type { StoredAccount } from '../api/accounts/store.ts'
import { languages, type SignInLook } from './pages/languages.ts'

/** The person who gets a page. */
export interface PageVisitor {
  /** Network address. */
  address: string
  /** The account's look in the person's language. `asked` are the languages that the site requests, the most important first. */
  look(...asked: unknown[]): SignInLook
}

/** The look of an account's pages, in the requested language; `asked` goes before the query. */
export function lookOf(
  { account, query, headers }: { account: StoredAccount; query: URLSearchParams; headers: Record<string, string> },
  asked: unknown[] = [],
): SignInLook {
  const wishes = [...asked, query.get('locale'), query.get('ui_locales')]
  const tags = wishes.filter((wish) => typeof wish === 'string')
  const language = languageOf(tags, headers['accept-language'], account.locale)
  return {
    name: account.name || account.slug,
    colour: account.color ?? null,
    language,
    say: speakerOf(languages[language]),
  }
}
