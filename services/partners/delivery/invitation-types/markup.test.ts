import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contentOf } from '../sending/mails.ts'
import { hasLink, htmlOf, readMessage, textOf, unknownLinks } from './markup.ts'
import type { PlaceholderValues } from './placeholders.ts'

const LINK = 'https://gate.example/rsvp/a/b?c=1&d'
const values: PlaceholderValues = {
  first_name: 'Zoë',
  last_name: 'Day',
  email: 'zoe@example.org',
  event_title: 'Opening night',
  event_dates: '4 May 2030, 20:00 CEST',
  event_location: 'Somerset House',
  partner_name: 'Acme',
  link: LINK,
}

const UNSUBSCRIBE = 'https://gate.example/rsvp/a/b/unsubscribe'
const recipient = { ...values, unsubscribe_link: UNSUBSCRIBE }

const event = {
  ...{ organizer: null, title: 'Opening night', colour: null, mail_logo: null, locale: 'en' },
  ...{ start_date: null, end_date: null, timezone: 'Europe/Paris', location: null },
}

/** The HTML of a message. */
function bodyOf(message: string, given: Partial<PlaceholderValues> = {}): string {
  return htmlOf(readMessage(message), { ...values, ...given }).text
}

const plain = (message: string, given: Partial<PlaceholderValues> = {}): string =>
  textOf(readMessage(message), { ...values, ...given })

describe('the markup of messages', () => {
  test('paragraphs, lines, lists, bold, italic and links are HTML, and plain text without their signs', () => {
    const message = `Dear **{{first_name}} {{last_name}}**,\r\nwelcome to *{{event_title}}*:
- *free* entry
- a **tour**

[Answer here]({{link}}), or [tell **us**]({{ link }}).
Bye`
    expect(bodyOf(message)).toBe(`<p dir="ltr">Dear <strong>Zoë Day</strong>,<br>
welcome to <em>Opening night</em>:</p>
<ul dir="ltr">
<li><em>free</em> entry</li>
<li>a <strong>tour</strong></li>
</ul>
<p dir="ltr"><a href="https://gate.example/rsvp/a/b?c=1&amp;d">Answer here</a>, or <a href="https://gate.example/rsvp/a/b?c=1&amp;d">tell <strong>us</strong></a>.<br>
Bye</p>
`)
    expect(plain(message)).toBe(`Dear Zoë Day,\nwelcome to Opening night:

- free entry
- a tour

Answer here <${LINK}>, or tell us <${LINK}>.
Bye
`)
  })

  test('a placeholder may say what stands for a missing value: it is text, and not for others', () => {
    const message = 'Dear {{first_name|guest <b>}} {{ last_name | x }}, {{email|nobody}}'
    expect(plain(message, { first_name: '', last_name: 'Day' })).toBe('Dear guest <b> Day, zoe@example.org\n')
    expect(bodyOf(message, { first_name: '' })).toContain('Dear guest &lt;b&gt; Day')
    const { subject } = contentOf(
      { subject: '{{first_name|You}}, please come', message: null, sender_name: null },
      { ...recipient, first_name: '' },
      event,
    )
    expect(subject).toBe('You, please come')
  })

  test.each([
    ['5*3*2 = 30, and 2 * 3', '5*3*2 = 30, and 2 * 3'],
    ['**never ended, *nor this', '**never ended, *nor this'],
    ['a ** b ** c', 'a ** b ** c'],
    [String.raw`\*\*plain\*\* and \[text](x)`, '**plain** and [text](x)'],
    [String.raw`\- no list`, '- no list'],
    ['-5 degrees', '-5 degrees'],
    ['{{unknown}} {{first_name', '{{unknown}} {{first_name'],
    ['[text](http://evil.example) [x](javascript:alert(1))', '[text](http://evil.example) [x](javascript:alert(1))'],
    ['[a](data:text/html,x) [b]({{email}})', '[a](data:text/html,x) [b](zoe@example.org)'],
    ['日本**太字**です', '日本太字です'],
  ])('%s stands for %s', (message, text) => {
    expect(plain(message)).toBe(`${text}\n`)
    expect(bodyOf(message)).not.toContain('<a')
  })

  test.each([
    '<b>x</b>',
    '**x**',
    '*x*',
    '[x](http://evil)',
    '[x](https://y)',
    '{{email}}',
    '- x',
    String.raw`\*`,
    '&amp;',
  ])('a value is shown as it is typed: %s', (value) => {
    const message = '{{first_name}}: **{{first_name}}**\n- {{first_name}}\n\n[{{first_name}}]({{link}})'
    const typed = value.replaceAll(/:/g, '$&\u2060')
    const text = plain(message, { first_name: value })
    expect(text).toBe(`${typed}: ${typed}\n\n- ${typed}\n\n${typed} <${LINK}>\n`)
    const written = typed.replaceAll(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] ?? sign)
    expect(bodyOf(message, { first_name: value })).toContain(`<p dir="ltr">${written}: <strong>${written}</strong></p>`)
  })

  test('paragraphs and lists run in the direction of what the organizer wrote, whoever gets them', () => {
    const name = { first_name: 'محمد' }
    expect(bodyOf('{{first_name}}, welcome!', name)).toBe('<p dir="ltr">\u2068محمد\u2069, welcome!</p>\n')
    expect(plain('{{first_name}}, welcome!', name)).toBe('\u2068محمد\u2069, welcome!\n')
    expect(plain('Dear {{first_name}} {{last_name}}', { ...name, last_name: 'علي' })).toBe(
      'Dear \u2068محمد علي\u2069\n',
    )
    const arabic = bodyOf('مرحبا {{first_name}}\n- 18:00\n\n{{email}}\n\nWelcome')
    expect(arabic.match(/<(p|ul) dir="\w+">/g)).toEqual(
      ['p', 'ul', 'p'].map((tag) => `<${tag} dir="rtl">`).concat('<p dir="ltr">'),
    )
  })

  test('a name that looks like an address is no link in a mail program: an invisible sign parts it', () => {
    for (const name of ['evil.example', 'http://evil.example/x', 'me@evil.example', '王。com', 'www.evil.example']) {
      for (const shown of [plain('{{last_name}}', { last_name: name }), bodyOf('{{last_name}}', { last_name: name })]) {
        expect(shown).not.toMatch(/[\p{L}\p{N}][.:@。][\p{L}\p{N}/]/u)
        expect(shown.replaceAll('\u2060', '')).toContain(name)
      }
    }
    // An initial is not touched, nor are the link and the recipient's own address.
    expect(plain('{{last_name}} {{email}} {{link}}', { last_name: 'J. Day' })).toBe(`J. Day zoe@example.org ${LINK}\n`)
  })

  test('whatever a message and its values are, HTML has tags of the markup alone and links to the invitation alone', () => {
    const sign = fc.constantFrom(
      ...'*[]()\\-{}<>"&\' \n',
      '**',
      '{{link}}',
      '{{last_name}}',
      'https://x.example/',
      'http://',
      'a',
      'é',
      '😀',
    )
    const anything = fc.array(sign, { maxLength: 40 }).map((signs) => signs.join(''))
    fc.assert(
      fc.property(anything, anything, (message, last_name) => {
        const body = bodyOf(message, { last_name: last_name.replaceAll('\n', ' ') })
        const tags = body.match(/<[^>]*>/g) ?? []
        for (const tag of tags) {
          expect(tag).toMatch(
            /^<(\/?(p|ul|li|strong|em|a)|(p|ul) dir="ltr"|br|a href="https:\/\/gate\.example\/[^"<>]*")>$/,
          )
        }
        expect(body.replaceAll(/<[^>]*>/g, '')).not.toMatch(/[<>"']/)
      }),
      { numRuns: 2_000 },
    )
  })

  test('very long messages are read at once, whatever signs they repeat', () => {
    for (const sign of ['*', '**', '**a ', '*a ', '[', '[a](', '{{', '\\', '- ', '\n', '[a]({{link}})']) {
      const message = sign.repeat(Math.floor(10_000 / sign.length))
      bodyOf(message)
      unknownLinks(message)
    }
  })

  test('links that may not be are named, others are not', () => {
    const message =
      '[a]({{ link }}) [b](https://x.example) [c](http://y) [d](javascript:x) \\[e](http://z) [f](https://)'
    expect(unknownLinks(message)).toEqual(['https://x.example', 'http://y', 'javascript:x', 'https://'])
  })

  test('the content of an e-mail has the link, once, wherever the message puts it, at its foot the one to unsubscribe, and nothing but one line in its subject', () => {
    for (const message of ['Come!', '**Come** [here]({{link}})', 'Come: {{link}}', null]) {
      const { text, html } = contentOf({ subject: null, message, sender_name: null }, recipient, event)
      expect(text.split(LINK)).toHaveLength(2)
      expect(text).toMatch(/\n\nUnsubscribe\n.*\/unsubscribe\n$/)
      expect(html.match(/(?<=<a href=")[^"]*/g)).toEqual([LINK.replace('&', '&amp;'), UNSUBSCRIBE])
    }
    expect(hasLink(readMessage('- **[x]({{link}})**'))).toBe(true)
    const { subject, sender_name } = contentOf(
      { subject: '{{first_name}}\n**x**', message: null, sender_name: 'a\r\nBcc: b' },
      { ...recipient, first_name: 'a\r\nb' },
      event,
    )
    expect([subject, sender_name]).toEqual(['a b **x**', 'a Bcc: b'])
  })

  test('a type that says nothing says who invites, to what, when in the time zone of the event, and where, in the language of the recipient', () => {
    const held = {
      ...event,
      start_date: new Date('2030-05-04T18:00:00Z'),
      end_date: new Date('2030-05-04T20:00:00Z'),
      location: '<b>Somerset</b> House',
    }
    const { text, html, subject } = contentOf(null, { ...recipient, locale: 'de-AT' }, { ...held, locale: 'fr' })
    expect(subject).toBe('Acme lädt Sie ein: Opening night')
    expect(text).toBe(`Acme lädt Sie ein: Opening night

4.\u00a0Mai\u00a02030, 20:00–22:00\u00a0Uhr\u00a0MESZ
<b>Somerset</b> House

Bitte antworten Sie hier:

${LINK}

E-Mails abbestellen
${UNSUBSCRIBE}
`)
    expect(html).toContain('<html lang="de">')
    expect(html).toMatch(
      /4\.\u00a0Mai\u00a02030, 20:00–22:00\u00a0Uhr\u00a0MESZ<br>\n&lt;b&gt;Somerset&lt;\/b&gt; House<\/p>/,
    )
    const own = contentOf(
      { subject: null, message: 'Venez !', sender_name: null },
      { ...recipient, locale: 'de' },
      held,
    )
    expect([own.subject, own.text]).toEqual([
      'Acme invites you to Opening night',
      `Venez !\n\n${LINK}\n\nUnsubscribe\n${UNSUBSCRIBE}\n`,
    ])
    const undated = contentOf(null, { ...recipient, locale: 'it' }, { ...held, start_date: null, location: ' ' })
    expect(undated.text).toBe(
      `Acme La invita: Opening night\n\nPuò rispondere qui:\n\n${LINK}\n\nNon ricevere più e-mail\n${UNSUBSCRIBE}\n`,
    )
  })

  test('there is a subject also where that of the type is empty for a recipient', () => {
    for (const subject of ['{{last_name}}', ' ', '', null]) {
      const content = contentOf({ subject, message: null, sender_name: null }, { ...recipient, last_name: '' }, event)
      expect(content.subject).toBe('Acme invites you to Opening night')
    }
  })
})
