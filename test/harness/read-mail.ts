import PostalMime, { type Email } from 'postal-mime'
import { expect } from 'vitest'
import { unescaped } from './browser-session.ts'

/** Headers that each e-mail has, once. */
const NEEDED = ['from', 'to', 'subject', 'date', 'message-id', 'mime-version', 'content-type']
/** Longer lines are cut or refused on the way (RFC 5321, section 4.5.3.1.6), without the line end. */
const LONGEST_LINE = 998

/** Reads an e-mail as mail programs do. Fails if it is not what every mail server passes on as it is: short lines of ASCII, and all headers. */
export async function readMail(raw: Buffer): Promise<Email> {
  const text = raw.toString('latin1')
  for (const line of text.split('\r\n')) {
    expect(line.length, line.slice(0, 80)).toBeLessThanOrEqual(LONGEST_LINE)
    expect(line).toMatch(/^[\t\x20-\x7e]*$/)
  }
  const mail = await PostalMime.parse(raw)
  const names = mail.headers.map(({ key }) => key)
  for (const name of NEEDED)
    expect(
      names.filter((each) => each === name),
      name,
    ).toHaveLength(1)
  expect(mail.messageId).toMatch(/^<[\w.-]+@[\w.-]+>$/)
  expect(Math.abs(Date.now() - Date.parse(mail.date ?? ''))).toBeLessThan(600_000)
  return mail
}

/** The words that an HTML part shows in its content, without what stands around that. */
export function wordsOfHtml(html: string): string[] {
  const [, content = ''] = /<div class="content">([\s\S]*?)<\/div>/.exec(html) ?? []
  const shown = content.replaceAll(/<\/?(strong|em|a|span)\b[^>]*>/g, '').replaceAll(/<[^>]*>/g, ' ')
  return unescaped(shown).split(/\s+/).filter(Boolean)
}
