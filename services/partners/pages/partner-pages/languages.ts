import { textsOf } from '@gatehouse/proto/pages/languages.ts'
import type { PageBranding } from '@gatehouse/proto/pages/layout.ts'
import type en from './languages/en.json'

/** A key of the texts. */
export type PartnerPageText = keyof typeof en

/** The organizer and language of the pages of partners. */
export type PartnerPageContext = PageBranding<PartnerPageText>

/** The texts of the pages in each language. */
export const languages = await textsOf<PartnerPageText>(
  (tag) => import(`./languages/${tag}.json`, { with: { type: 'json' } }),
)
