import { describe, expect, test } from 'vitest'
import { luminance } from './colour.ts'
import { mailButton, mailDocument, mailLogoOf, mailQrCode } from './mail-layout.ts'
import { html } from './markup.ts'

const branding = {
  name: 'Fair & Co',
  colour: '#7a1f3d',
  logo: 'https://gate.example/api/v1/logos/66.png',
  language: 'fr',
}
const whole = mailDocument(branding, {
  title: 'Soirée <b>',
  content: html`<p>Bonjour</p>${mailQrCode('cid:qrcode', 'QR "code"', 'ada1815')}${mailButton('#ffd166', 'https://gate.example/rsvp/1', html`Répondre`)}`,
  foot: html`<a href="https://gate.example/stop">Se désabonner</a>`,
})
/** What is left of an e-mail in programs that keep neither style sheets nor classes. */
const stripped = whole.replaceAll(/<style>[\s\S]*?<\/style>| class="[^"]*"/g, '')

describe('the HTML of an e-mail', () => {
  test('keeps colours, width, type and buttons where mail programs drop style sheets', () => {
    for (const part of [
      'background:#7a1f3d',
      'background:#ffffff',
      'color:#1a1d21',
      'max-width:600px',
      'font-size:16px',
      'background:#ffd166;color:#000000',
    ])
      expect(stripped).toContain(part)
  })

  test('has no script, form, link to a style sheet, or anything else that mail programs refuse', () => {
    expect(whole).not.toMatch(/<(script|form|link|iframe|object|svg|input)\b|javascript:|\son\w+=|@import|url\(/i)
    expect(whole).not.toMatch(/position:|float:|display:(flex|grid)/)
  })

  test('is laid out by tables that screen readers pass over, and says its language and title', () => {
    const tables = whole.match(/<table [^>]*>/g) ?? []
    expect(tables.length).toBeGreaterThan(0)
    for (const table of tables) expect(table).toContain('role="presentation"')
    expect(whole).toContain('<html lang="fr">')
    expect(whole).toContain('<title>Soirée &lt;b&gt;</title>')
  })

  test('has a text for each picture; in place of the logo it is the name of the organizer', () => {
    const pictures = whole.match(/<img [^>]*>/g) ?? []
    expect(pictures.map((picture) => /alt="([^"]+)"/.exec(picture)?.[1])).toEqual([
      'Fair &amp; Co',
      'QR &quot;code&quot;',
    ])
    expect(mailDocument({ ...branding, logo: null }, { title: 't', content: html`` })).toContain(
      '<strong>Fair &amp; Co</strong>',
    )
  })

  test('has dark colours that are legible', () => {
    const [, dark = ''] = /prefers-color-scheme:dark\)\{(.*)\}<\/style>/.exec(whole) ?? []
    const [, background = '', , text = ''] =
      /\.card\{background:(#\w+)!important;(border-color:#\w+!important;)color:(#\w+)/.exec(dark) ?? []
    expect((luminance(text) + 0.05) / (luminance(background) + 0.05)).toBeGreaterThan(7)
  })

  test('adds less than 4 kB to what it says: programs cut off what is longer than 102 kB', () => {
    expect(mailDocument(branding, { title: '', content: html`` }).length).toBeLessThan(4_000)
  })

  test('shows a logo of a type that mail programs know, and none other', () => {
    expect(['png', 'jpg', 'svg'].map((type) => mailLogoOf(`https://gate.example/logos/66.${type}`))).toEqual([
      'https://gate.example/logos/66.png',
      'https://gate.example/logos/66.jpg',
      null,
    ])
    expect(mailLogoOf(null)).toBe(null)
  })
})
