import PostalMime, { type Attachment, type Email } from 'postal-mime'

/** Reports say little, and returned e-mails are not read: deeper or longer ones are not reports. */
const LIMITS = { maxNestingDepth: 8, maxHeadersSize: 256 * 1024, rfc822Attachments: true, forceRfc822Attachments: true }

/** Reads an e-mail; undefined if it cannot be read, which another attempt would not change. */
export async function readMail(bytes: Buffer | string): Promise<Email | undefined> {
  return PostalMime.parse(bytes, LIMITS).catch(() => undefined)
}

/** The text of the first part of an e-mail which has one of the types. */
export function partOf({ attachments }: Email, types: readonly string[]): string | undefined {
  const part = attachments.find(({ mimeType }) => types.includes(mimeType))
  return part && textIn(part)
}

function textIn({ content }: Attachment): string {
  return typeof content === 'string' ? content : Buffer.from(content as ArrayBuffer).toString()
}

/** The fields of a report by their names in lower case; of several the first. */
export function fieldsIn(text: string): Map<string, string> {
  const fields = new Map<string, string>()
  for (const line of text.replaceAll(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const [, name, value] = /^([\w-]+):(.*)/.exec(line) ?? []
    const key = name?.toLowerCase()
    if (key !== undefined && !fields.has(key)) fields.set(key, (value ?? '').trim())
  }
  return fields
}
