import { describe, expect, test } from 'vitest'
import { coloursOf, contrast } from './colour.ts'
import { en } from './languages/en.ts'
import { type Language, languageOf, languages, speaker } from './languages/languages.ts'
import { errorPage, loginPage, passwordPage } from './pages.ts'

describe('languages', () => {
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

  test.each(Object.keys(languages) as Language[])('%s has all texts, with the same places', (language) => {
    const placesOf = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).toSorted()
    for (const [key, text] of Object.entries(languages[language])) {
      expect(text.trim(), key).not.toBe('')
      expect(placesOf(text), key).toEqual(placesOf(en[key as keyof typeof en]))
      if (language !== 'en' && text.length > 25) expect(text, key).not.toBe(en[key as keyof typeof en])
    }
  })
})

describe('colours', () => {
  test('text is readable on any account’s colour', () => {
    for (let n = 0; n < 4096; n += 7) {
      const { background, text } = coloursOf(`#${n.toString(16).padStart(3, '0')}`)
      expect(contrast(background, text), background).toBeGreaterThanOrEqual(4.5)
    }
    expect(coloursOf('#FFCC00')).toEqual({ background: '#ffcc00', text: '#000000' })
    expect(coloursOf('#003366').text).toBe('#ffffff')
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
  })

  test('an invalid colour gives the default one', () => {
    const own = coloursOf(null)
    for (const colour of ['red;}body{display:none', '#12', '', '#gggggg', undefined])
      expect(coloursOf(colour)).toEqual(own)
  })
})

describe('pages', () => {
  const look = { name: '<b>Evil & "Co"</b>', colour: '#123456', language: 'en' as const, say: speaker('en') }
  const form = { action: '/sso/x/interaction/1', csrf: 'token', formTargets: ['https://hub.example'] }

  test('values are escaped', () => {
    const { body } = loginPage(look, form, '<i>app</i>', '"><script>', { sendsCodes: true })
    expect(body).toContain('&lt;b&gt;Evil &amp; &quot;Co&quot;&lt;/b&gt;')
    expect(body).not.toMatch(/<(b|i|script)>/)
    expect(errorPage(look, 400, 'error_app', '<u>x</u>').body).not.toContain('<u>')
  })

  test('a page cannot load or run anything, be framed or be cached', () => {
    const { headers, body } = loginPage(look, form, 'app', '', { sendsCodes: true })
    const policy = headers['content-security-policy']
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; form-action 'self' https:\/\/hub\.example; base-uri 'none'; frame-ancestors 'none'$/,
    )
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    })
    expect(body).not.toMatch(/<script|style="|onclick|src=|http:/)
  })

  test('a problem is in the title, announced, and linked to its field', () => {
    const { body } = loginPage(look, form, 'app', 'a@b.example', {
      sendsCodes: false,
      problems: { password: 'required' },
    })
    expect(body).toContain('<title>Error: Sign in')
    expect(body).toMatch(/role="alert".*<a href="#password">Password: Please fill in this field\.<\/a>/s)
    expect(body).toMatch(
      /<input id="password"[^>]* aria-invalid="true" aria-describedby="password-problem"[^>]* autofocus>/,
    )
    expect(body).toContain('id="password-problem"')
    expect(body).not.toContain('send_code')
  })

  test('a problem names its field by its label, with the punctuation of the language', () => {
    const french = { ...look, language: 'fr' as const, say: speaker('fr') }
    const problems = { password: 'password_length', places: { length: 8, most: 1000 } } as const
    const { body } = passwordPage(french, form, { email: 'a@b.example', length: 8 }, problems)
    expect(body).toContain('<label for="password">Nouveau mot de passe</label>')
    expect(body).toContain('<a href="#password">Nouveau mot de passe\u00a0: Le mot de passe doit compter')
    expect(body).toContain('<title>Erreur\u00a0: Choisissez')
    for (const text of Object.values(languages.fr)) expect(text).not.toMatch(/ [:?!;]/)
  })
})
