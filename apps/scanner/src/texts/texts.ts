import { languageOf, speakerOf } from '@gatehouse/proto/pages/languages.ts'
import type { GuideSay, KioskSay, ScannerKey, ScannerSay } from './say.ts'

/** The texts in the language of the browser, which the page has from then on. */
export async function loadTexts(): Promise<ScannerSay> {
  const tag = languageOf([], navigator.languages.join(','))
  const { default: texts } = await import(`./languages/${tag}.json`, { with: { type: 'json' } })
  document.documentElement.lang = tag
  return speakerOf<ScannerKey>(texts)
}

/** The texts of the stewards' guide in a language of the pages. */
export async function loadGuide(tag: string): Promise<GuideSay> {
  const { default: texts } = await import(`./guide/${tag}.json`, { with: { type: 'json' } })
  return speakerOf(texts)
}

/** The texts of kiosk mode and of the PIN in a language of the pages. */
export async function loadKiosk(tag: string): Promise<KioskSay> {
  const { default: texts } = await import(`./kiosk/${tag}.json`, { with: { type: 'json' } })
  return speakerOf(texts)
}
