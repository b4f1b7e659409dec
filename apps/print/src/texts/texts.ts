import { languageOf, speakerOf } from '@gatehouse/proto/pages/languages.ts'
import type { PrintSay } from './say.ts'

/** The texts in the language of the browser, which the page has from then on. */
export async function loadTexts(): Promise<PrintSay> {
  const tag = languageOf([], navigator.languages.join(','))
  const { default: texts } = await import(`./languages/${tag}.json`, { with: { type: 'json' } })
  document.documentElement.lang = tag
  return speakerOf(texts)
}
