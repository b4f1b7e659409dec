import { isHardBounce } from './bounce-causes.ts'
import { fieldOf, type Header } from './mails.ts'
import type { Outcome } from './outcomes.ts'
import { eventOf } from './report.ts'

/** Lines of a message that are read, and recipients in it. */
const MAX_LINES = 500
const MAX_RECIPIENTS = 100
/** Characters of what is said of one recipient. */
const MAX_SAID = 2_000

/** Who returns e-mails. */
const DAEMON =
  /mailer[-_ .]?daemon|postmaster|mail delivery|delivery (sub)?system|system administrator|microsoft exchange/i
/** What automatic replies of people have. */
const REPLIES = ['x-autoreply', 'x-autorespond', 'x-apple-action', 'x-vacation']
const REPLY = /vacation|out of (the )?office|auto(matic)?[- ]?(reply|response)|abwesenheit|absence/i
/** Characters of a message in which it says what it is. */
const MAX_OPENING = 4_000
/** How messages begin that return an e-mail: those of qmail, Exim, OpenSMTPD, Yahoo, Exchange, Domino, Gmail, mail.ru, Zoho, sendmail. */
const RETURNS = [
  /this is the (qmail|mailer-daemon|mail (system|delivery)|postfix)/i,
  /created automatically by (the )?mail delivery software|письмо создано автоматически/i,
  /(unable|wasn't able|not able|not possible|failed) to (be )?deliver(ed)? (your|the|this|a)? ?(message|mail|following)/i,
  /did not reach (some or all of )?the (following|intended) recipient/i,
  /(was not|has not been|could ?n[o']t be|can ?not be|can't be|not yet been) delivered/i,
  /delivery (to the following recipients?|has) (has )?failed|delivery failed|delivery failure|undeliverable/i,
  /(error|trouble|problem) (sending|delivering) your|failure notice|delivery problem|mail failure/i,
  /failure reasons|permanent (fatal )?errors?|returned mail|message delayed|delivery status notification/i,
]
/** What a server tries again, and what it has delivered. */
const DELAYED =
  /has not yet been|not yet been delivered|is delayed|has been delayed|still being retried|will be retried|temporary failure report|delivery.{0,40}delayed|do not need to re-?send/i
const DELIVERED = /(was|has been|were) successfully (delivered|relayed)|successful (mail )?delivery/i
/** Where the e-mail that is returned begins. */
const RETURNED =
  /^.{0,40}(copy of (the|your) |below this line|original message (follows|headers)|returned message|unsent message|message (body|headers?|text) follows?)|^[\s-]{0,20}original message\b|^(received|return-path|message-id|mime-version|dkim-signature) ?:/i
/** An address at the beginning of a line, on which what is said of it begins. */
const ADDRESSED =
  /^([ \t]{0,40})(?:[-*•] ?|to: ?|recipient(?: address)?: ?)?["'<[]?([^\s<>()[\]"',;:]{1,64}@[^\s<>()[\]"',;:]{1,255})[>\]"']?(?:<mailto:[^>]{1,300}>)?(?=[\s:,;.]|$)(.*)/i
const ANYWHERE =
  /(?:to|address|recipients?|user)\b[^@]{0,80}?[\s<"'(]([^\s<>()[\]"',;:]{1,64}@[^\s<>()[\]"',;:]{1,255})/i

/** Whether an e-mail is of a mail server rather than of a person, who may quote anything. */
export function isOfServer(header: Header): boolean {
  return DAEMON.test(fieldOf(header, 'from').slice(0, 1_000)) || header.has('x-failed-recipients')
}

/** Whether a message returns an e-mail: it comes from a mail server and is no automatic reply. */
export function isReturned(header: Header, text: string): boolean {
  if (REPLIES.some((name) => header.has(name)) || REPLY.test(subjectOf(header))) return false
  const isOfNobody = fieldOf(header, 'return-path').replaceAll(/\s/g, '') === '<>'
  const subjectSays = RETURNS.some((form) => form.test(subjectOf(header)))
  if (!isOfServer(header)) return isOfNobody && subjectSays
  return subjectSays || RETURNS.some((form) => form.test(text.slice(0, MAX_OPENING)))
}

function subjectOf(header: Header): string {
  return fieldOf(header, 'subject').slice(0, 1_000)
}

/** What a message says of each recipient. A bounce is hard only if the message says that the address is wrong. */
export function readBounceMessage(header: Header, text: string): Outcome[] {
  const at = fieldOf(header, 'date').slice(0, 100)
  const { said, intro } = passagesIn(text)
  const opening = `${subjectOf(header)}\n${intro}`
  if (DELIVERED.test(opening)) return said.map(({ addresses }) => ({ addresses, event: eventOf('delivered', { at }) }))
  const isDelayed = DELAYED.test(opening)
  return said.map(({ addresses, answer }) => {
    const isHard = !isDelayed && isHardBounce({ status: undefined, answers: [answer] })
    return { addresses, event: eventOf('bounced', { isHard, reason: answer, at }) }
  })
}

interface Passage {
  addresses: string[]
  answer: string
}

/** Returns a function that returns what a message says of one of some addresses, or, if it names only one other, of that. */
export function passagesOf(message: string): (addresses: readonly string[]) => string | undefined {
  const { said } = passagesIn(message)
  const only = said.length === 1 ? said[0]?.answer : undefined
  return (addresses) => said.find((each) => each.addresses.some((one) => addresses.includes(one)))?.answer ?? only
}

/** The passages of a message: each begins with an address, and goes on until the next one or the e-mail that is returned. */
function passagesIn(text: string): { intro: string; said: Passage[] } {
  const passages: (Passage & { indentation: number })[] = []
  const intro: string[] = []
  for (const line of linesOf(text)) {
    const [, blanks = '', address = '', rest = ''] = ADDRESSED.exec(line.slice(0, 1_000)) ?? []
    const current = passages.at(-1)
    const isNew =
      address !== '' && !current?.addresses.includes(address) && blanks.length <= (current?.indentation ?? 40)
    if (isNew) {
      if (passages.length === MAX_RECIPIENTS) break
      passages.push({ addresses: [address], answer: rest.replace(/^[\s:,;]+/, ''), indentation: blanks.length })
    } else if (!current) intro.push(line)
    else if (current.answer.length < MAX_SAID) current.answer = `${current.answer} ${line.trim()}`.trim()
  }
  if (passages.length > 0) return { intro: intro.join('\n'), said: passages }
  const whole = intro.join('\n')
  const [, address] = ANYWHERE.exec(whole.slice(0, MAX_SAID)) ?? []
  return {
    intro: whole,
    said: [{ addresses: address === undefined ? [] : [address], answer: whole.slice(0, MAX_SAID) }],
  }
}

/** The lines of a message before the e-mail that it returns. */
function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/, MAX_LINES)
  const end = returnsAt(lines)
  return end < 0 ? lines : lines.slice(0, end)
}

/** The e-mail that a message returns, from its header on; an empty text without one. */
export function returnedIn(text: string): string {
  const lines = text.split(/\r?\n/, MAX_LINES)
  const end = returnsAt(lines)
  if (end < 0) return ''
  const first = lines.findIndex((line, index) => index >= end && /^[\w-]{1,60} ?:/.test(line))
  return first < 0 ? '' : lines.slice(first).join('\n')
}

/** The line where the returned e-mail begins. The first two lines of a message are about the message. */
function returnsAt(lines: string[]): number {
  return lines.findIndex((line, index) => index > 1 && RETURNED.test(line.slice(0, 200)))
}
