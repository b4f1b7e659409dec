import { expect, test } from 'vitest'
import { languageOf } from './languages.ts'

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
