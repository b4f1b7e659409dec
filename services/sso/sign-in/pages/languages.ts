import { textsOf } from '@gatehouse/proto/pages/languages.ts'
import type { PageBranding } from '@gatehouse/proto/pages/layout.ts'
import type en from './languages/en.json'

/** A key of the texts. */
export type SignInText = keyof typeof en

/** The account and language of the pages of single sign-on. */
export type SignInBranding = PageBranding<SignInText>

/** The texts of the pages in each language. */
export const languages = await textsOf<SignInText>(
  (tag) => import(`./languages/${tag}.json`, { with: { type: 'json' } }),
)
