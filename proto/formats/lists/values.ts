import { visible } from '../../declaring/visible.ts'
import { foldColumnName } from './column-names.ts'

/** Words for the replies of guests, as the console and other systems write them. */
const replies = {
  accepted: `accepted accept yes y true 1 x ok going attending confirmed coming checkedin accepte acceptee oui present zugesagt zusage ja
    angenommen bestatigt aceptado aceptada si confirmado confirmada accettato accettata confermato aceite aceito aceita
    sim geaccepteerd przyjete przyjeto tak potwierdzone tackatja accepterat 参加 はい 出席 承諾`,
  declined: `declined decline no n false 0 notattending notgoing notcoming cannotattend cancelled canceled refunded deleted transferred refuse refusee non absent
    abgesagt absage nein abgelehnt rechazado rechazada rifiutato rifiutata declinado recusado recusada nao afgeslagen
    geweigerd nee odrzucone odrzucono nie tackatnej nej avbojt 欠席 いいえ 不参加 辞退`,
  not_replied: `notreplied noreply noresponse pending invited waiting unknown open sansreponse enattente keineantwort offen
    ausstehend sinrespuesta pendiente nessunarisposta inattesa semresposta pendente geenantwoord brakodpowiedzi ingetsvar
    返事なし 未回答`,
}
/** Words for flags. */
const flags = {
  true: 'true yes y 1 x on oui wahr ja si sim tak vrai verdadero vero verdadeiro はい',
  false: 'false no n 0 off non falsch nein nao nee nie nej faux falso いいえ',
}

/** The reply that a word means; the word itself if it means none. */
export const replyOf = wordReader(replies)
/** The flag that a word means, `true` or `false`; the word itself if it means none. */
export const flagOf = wordReader(flags)

/** What ends or breaks a line, and tabs. */
const BREAKS = /[\t-\r\u0085\u2028\u2029]/

/** A text as one line: breaks within it are blanks. */
export function oneLine(text: string): string {
  if (!BREAKS.test(text)) return text
  const parts = text.split(BREAKS).map(visible)
  return parts.filter((part) => part !== '').join(' ')
}

/** What a spreadsheet makes of a long number (`1.23457E+12`), and of a short one (`126.0`). */
const AS_NUMBER = /^[+-]?\d([.,]\d+)?E\+\d+$|^\d+[.,]0$/i
/** A number of more digits than a spreadsheet keeps: the others are zeros. */
const CUT = /^\d{15}0+$/

/** Whether a code or a telephone number lost digits in a spreadsheet, or was written as a number. */
export function isRounded(value: string): boolean {
  return AS_NUMBER.test(value) || CUT.test(value)
}

function wordReader(words: Readonly<Record<string, string>>): (word: string) => string {
  const meanings = new Map(
    Object.entries(words).flatMap(([meaning, list]) =>
      list.split(/\s+/).map((word) => [foldColumnName(word), meaning] as const),
    ),
  )
  return (word) => meanings.get(foldColumnName(word.slice(0, 50))) ?? word
}

/** A name as people compare it: without case, accents, width and what nobody sees, `Müller` as `Mueller`. */
export function foldName(name: string): string {
  return foldColumnName(name).replaceAll(/([aou])e/g, '$1')
}

/** The name of a thing that a cell refers to: without case, width, blanks around it and what nobody sees within it. */
export function foldReference(name: string): string {
  return name
    .normalize('NFKC')
    .replaceAll(/[\u200b-\u200f\u2060\ufeff]/g, '')
    .trim()
    .replaceAll(/\s+/g, ' ')
    .toLowerCase()
}
