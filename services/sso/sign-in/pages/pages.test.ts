import { speakerOf } from '@gatehouse/proto/pages/languages.ts'
import { describe, expect, test } from 'vitest'
import { languages } from './languages.ts'
import { errorPage, loginPage, passwordPage } from './pages.ts'

describe('pages', () => {
  const branding = {
    name: '<b>Evil & "Co"</b>',
    colour: '#123456',
    language: 'en' as const,
    say: speakerOf(languages.en),
  }
  const form = { action: '/sso/x/interaction/1', csrf: 'token', formTargets: ['https://hub.example'] }

  test('values are escaped', () => {
    const { body } = loginPage(branding, form, '<i>app</i>', '"><script>', { sendsCodes: true, hasPasskeys: false })
    expect(body).toContain('&lt;b&gt;Evil &amp; &quot;Co&quot;&lt;/b&gt;')
    expect(body).not.toMatch(/<(b|i|script)>/)
    expect(errorPage(branding, 400, 'error_app', '<u>x</u>').body).not.toContain('<u>')
  })

  test('a page cannot load or run anything, be framed or be cached', () => {
    const { headers, body } = loginPage(branding, form, 'app', '', { sendsCodes: true, hasPasskeys: false })
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
    const { body } = loginPage(branding, form, 'app', 'a@b.example', {
      sendsCodes: false,
      hasPasskeys: false,
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
    const french = { ...branding, language: 'fr' as const, say: speakerOf(languages.fr) }
    const problems = { password: 'password_length', places: { length: 8, most: 1000 } } as const
    const { body } = passwordPage(french, form, { email: 'a@b.example', length: 8 }, problems)
    expect(body).toContain('<label for="password">Nouveau mot de passe</label>')
    expect(body).toContain('<a href="#password">Nouveau mot de passe\u00a0: Le mot de passe doit compter')
    expect(body).toContain('<title>Erreur\u00a0: Choisissez')
    for (const text of Object.values(languages.fr)) expect(text).not.toMatch(/ [:?!;]/)
  })
})
