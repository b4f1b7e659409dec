import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { languageOf, localeOf, textsOf } from './languages.ts'

const ROOT = join(import.meta.dirname, '../..')
const ENGLISH = '/en.json'
const PLACEHOLDERS = /\{\w+\}/g
/** Texts as long as this are the same in no two languages. */
const TRANSLATED = 26
const catalogues = await Array.fromAsync(
  glob(`{apps,gateway,services}/**/languages${ENGLISH}`, { cwd: ROOT, exclude: ['**/node_modules'] }),
)

test.each(catalogues)('each language has the keys and placeholders of %s, and texts of its own', async (english) => {
  const folder = english.slice(0, -ENGLISH.length)
  const languages = await textsOf<string>((tag) => import(`${ROOT}/${folder}/${tag}.json`, { with: { type: 'json' } }))
  const { en, ...others } = languages
  const placeholdersOf = (text: string | undefined): string[] => (text?.match(PLACEHOLDERS) ?? []).toSorted()
  for (const [tag, texts] of Object.entries(others)) {
    expect(Object.keys(texts), tag).toEqual(Object.keys(en))
    for (const [key, text] of Object.entries(texts)) {
      expect(text.trim(), `${tag} ${key}`).not.toBe('')
      expect(placeholdersOf(text), `${tag} ${key}`).toEqual(placeholdersOf(en[key]))
      if (text.replace(PLACEHOLDERS, '').length >= TRANSLATED) expect(text, `${tag} ${key}`).not.toBe(en[key])
    }
  }
})

test('no line begins with a sign that French or a percentage sets apart by a space', async () => {
  const texts = `{apps,gateway,services}/**/{languages,kiosk,guide}/??.json`
  for await (const file of glob(texts, { cwd: ROOT, exclude: ['**/node_modules'] })) {
    const loose = file.endsWith('/fr.json') ? / [:;?!»]|« |[\d}] %/ : /[\d}] %/
    expect(
      (await readFile(join(ROOT, file), 'utf8')).split('\n').filter((line) => loose.test(line)),
      file,
    ).toEqual([])
  }
})

test('there are catalogues', () => expect(catalogues.length).toBeGreaterThan(5))

test('numbers and times are written as in the region that the browser prefers for the language, English without a region as in Great Britain', () => {
  expect(localeOf('en', ['de-AT', 'en-US', 'en-IE'])).toBe('en-US')
  expect(localeOf('de', ['de', 'de-CH'])).toBe('de-CH')
  expect(localeOf('fr', ['en-US', 'fr'])).toBe('fr')
  expect(localeOf('en', ['en', 'fr-CA'])).toBe('en-GB')
  expect(localeOf('es', ['est-EE'])).toBe('es')
})

test('locale comes first, then ui_locales, the browser’s preference, the account’s language, and English', () => {
  const browser = 'xx;q=1, it;q=0.4, pt-BR;q=0.8, *;q=0.1'
  expect(languageOf(['fr', 'es'], browser, 'nl')).toBe('fr')
  expect(languageOf([undefined, 'tlh es-MX de'], browser, 'nl')).toBe('es')
  expect(languageOf(['xx'], browser, 'nl')).toBe('pt')
  expect(languageOf([], 'xx, yy', 'nl')).toBe('nl')
  expect(languageOf([], undefined, null)).toBe('en')
  expect(languageOf(['FR_ca'], undefined)).toBe('fr')
  expect(languageOf(['__proto__', 'constructor'], 'toString')).toBe('en')
  expect(languageOf([], 'de;q=0, en;q=0.5')).toBe('en')
  expect(languageOf([], `${'x,'.repeat(100_000)}de`)).toBe('en')
})
