import { textsOf } from '@gatehouse/proto/pages/languages.ts'
import type { PageBranding } from '@gatehouse/proto/pages/layout.ts'
import type en from './languages/en.json'

/** A key of the texts. */
export type InvitationPageText = keyof typeof en

/** The organizer and language of the pages of invitations. */
export type InvitationPageContext = PageBranding<InvitationPageText>

/** The texts of the pages in each language. */
export const languages = await textsOf<InvitationPageText>(
  (tag) => import(`./languages/${tag}.json`, { with: { type: 'json' } }),
)
