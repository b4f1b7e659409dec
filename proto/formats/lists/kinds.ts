import { messageOf } from '../../declaring/messages.ts'
import { refusedFile } from './rows.ts'

/** The first bytes of files that are no lists. */
const SIGNATURES: [number[], string][] = [
  [[0x25, 0x50, 0x44, 0x46], 'PDF'],
  [[0x89, 0x50, 0x4e, 0x47], 'PNG'],
  [[0xff, 0xd8, 0xff], 'JPEG'],
  [[0x47, 0x49, 0x46, 0x38], 'GIF'],
  [[0x1f, 0x8b], 'gzip'],
  [[0x37, 0x7a, 0xbc, 0xaf], '7z'],
  [[0x52, 0x61, 0x72, 0x21], 'RAR'],
  [[0x53, 0x51, 0x4c, 0x69, 0x74, 0x65], 'SQLite'],
]
const ZIP = [0x50, 0x4b, 0x03, 0x04]
const COMPOUND = [0xd0, 0xcf, 0x11, 0xe0]
/** The name of the stream that a compound file with an encrypted workbook has. */
const ENCRYPTED = new TextEncoder().encode('E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e\0')
/** Where a compound file has the names of its streams, at most. */
const NAMES_WITHIN = 65_536

/** The beginnings of texts that are no lists, without blanks before them. */
const TEXTS: [RegExp, string][] = [
  [/^begin:vcard/i, 'vCard'],
  [/^begin:vcalendar/i, 'iCalendar'],
  [/^<(!doctype html|html|head|table|body|meta|style)\b/i, 'HTML'],
  [/^<(\?xml|\w+:\w+ |Workbook\b)/i, 'XML'],
  [/^\{\\rtf/, 'RTF'],
  [/^(\{\s*"|\[\s*[[{])/, 'JSON'],
  [/^(MIME-Version|Return-Path|Received): /, 'e-mail'],
]
/** Which share of control characters no text has. */
const BINARY = 0.05

/** Whether a file is a zip archive, as workbooks are. Throws for what is known to be no list, with what to do instead. */
export function isArchive(bytes: Uint8Array): boolean {
  if (beginsWith(bytes, ZIP)) return true
  if (beginsWith(bytes, COMPOUND)) {
    const isEncrypted = indexOf(bytes.subarray(0, NAMES_WITHIN), ENCRYPTED) >= 0
    throw refusedFile(isEncrypted ? messageOf('password_protected') : messageOf('unsupported_file', { kind: '.xls' }))
  }
  const known = SIGNATURES.find(([signature]) => beginsWith(bytes, signature))
  if (known) throw refusedFile(messageOf('not_a_list', { kind: known[1] }))
  return false
}

/** Throws for a text that is known to be no list. */
export function checkText(beginning: string): void {
  const text = beginning.slice(0, 4_096).replace(/^[\s\ufeff]+/, '')
  const known = TEXTS.find(([pattern]) => pattern.test(text))?.[1]
  if (known === 'vCard') throw refusedFile(messageOf('vcard'))
  if (known === 'HTML' || known === 'XML') throw refusedFile(messageOf('unsupported_file', { kind: known }))
  if (known) throw refusedFile(messageOf('not_a_list', { kind: known }))
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is counted
  const controls = text.match(/[\0-\x08\x0e-\x19\x1b-\x1f\ufffd]/g)?.length ?? 0
  if (controls > 8 && controls > text.length * BINARY) throw refusedFile(messageOf('not_a_list', { kind: 'binary' }))
}

function beginsWith(bytes: Uint8Array, signature: readonly number[]): boolean {
  return signature.every((byte, at) => bytes[at] === byte)
}

function indexOf(bytes: Uint8Array, wanted: Uint8Array): number {
  for (let at = 0; at + wanted.length <= bytes.length; at++) {
    if (wanted.every((byte, offset) => bytes[at + offset] === byte)) return at
  }
  return -1
}
