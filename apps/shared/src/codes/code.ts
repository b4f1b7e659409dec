import { visible } from '@gatehouse/proto/declaring/visible.ts'

/** What a code holds: a guest's uid, or text that only the event's key opens. */
export type ScannedCode = { kind: 'uid'; uid: string; name?: string } | { kind: 'ciphered' }

/** The longest uid of a guest. */
const MAX_UID = 255
/** How the text of a MeCard begins, and that of a ciphered code. */
export const MECARD = 'MECARD:'
export const CIPHERED = 'E:'

/** Reads a code: a MeCard, a ciphered one, or a plain uid. Undefined if it can be no guest's. */
export function readCode(content: string): ScannedCode | undefined {
  const text = visible(content)
  if (text.startsWith(CIPHERED)) return { kind: 'ciphered' }
  const card = text.startsWith(MECARD) ? fieldsOf(text.slice(MECARD.length)) : undefined
  const uid = card ? unescaped(card.get('UID') ?? '') : text
  if (visible(uid) === '' || uid.length > MAX_UID) return undefined
  const name = nameOf(card?.get('N') ?? '')
  return { kind: 'uid', uid, ...(name !== '' && { name }) }
}

/** The fields of a MeCard, as they are written there. */
function fieldsOf(card: string): Map<string, string> {
  const fields = card.match(/[A-Z]+:(?:\\.|[^\\;])*;/g) ?? []
  return new Map(
    fields.map((field) => {
      const colon = field.indexOf(':')
      return [field.slice(0, colon), field.slice(colon + 1, -1)]
    }),
  )
}

/** A name is `last,first` in a MeCard; commas within a part are escaped. */
function nameOf(field: string): string {
  const parts = field.match(/(?:\\.|[^\\,])+/g) ?? []
  return parts.map(unescaped).reverse().join(' ')
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, '$1')
}
