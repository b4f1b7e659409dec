import type { Output } from '@gatehouse/proto/declaring/resource.ts'
import { type Language, languageOf, speakerOf } from '@gatehouse/proto/pages/languages.ts'
import type { PageBranding } from '@gatehouse/proto/pages/layout.ts'
import type { Dependencies } from '../dependencies.ts'
import type { events } from '../permissions.ts'

/** What pages show of an event. */
export type EventTerms = Output<(typeof events)['actions']['campaign_terms']>

type Texts<Key extends string> = Record<Language, Record<Key, string>>

/** Returns organizer, colour and language of an event's pages. The colour is the default one while the sso service does not answer. */
export async function pageContextOf<Key extends string>(
  { accountClient }: Dependencies,
  { organizer, title, account_id }: EventTerms,
  language: Language,
  texts: Texts<Key>,
): Promise<PageBranding<Key>> {
  const { color } = await accountClient.look({ body: { account_id } }).catch(() => ({ color: null }))
  return { name: organizer || title, colour: color, language, say: speakerOf(texts[language]) } as PageBranding<Key>
}

/** Returns the context of pages that belong to no event. */
export function neutralContext<Key extends string>(
  asked: readonly (string | undefined)[],
  acceptLanguage: string | undefined,
  texts: Texts<Key>,
): PageBranding<Key> {
  const language = languageOf(asked, acceptLanguage)
  return { name: 'Gatehouse', colour: null, language, say: speakerOf(texts[language]) } as PageBranding<Key>
}
