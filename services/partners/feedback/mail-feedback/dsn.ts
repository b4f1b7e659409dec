import type { FeedbackEvent } from '../mail-events/recording.ts'
import { isHardBounce, isVague, statusIn } from './bounce-causes.ts'
import { passagesOf } from './bounce-messages.ts'
import { unfolded } from './mails.ts'
import type { Outcome } from './outcomes.ts'
import { eventOf } from './report.ts'

/** Recipients of a report that are looked at; an invitation has one. */
const MAX_RECIPIENTS = 100
const MAX_LINES = 1_000
/** The fields of a recipient (RFC 3464, 2.3) that are read. */
const ADDRESSES = ['original-recipient', 'final-recipient', 'x-actual-recipient']
const READ = [...ADDRESSES, 'action', 'status', 'diagnostic-code']

type Recipient = Map<string, string>

/**
 * What a delivery report (RFC 3464) says of each of its recipients. Many leave the reason out of the part for machines: it stands in the text,
 * the part for people.
 */
export function readDelivery(text: string, at: string, messageText: string): Outcome[] {
  const described = passagesOf(messageText)
  return recipientsIn(text).flatMap((fields) => {
    const addresses = ADDRESSES.flatMap((name) => addressIn(fields.get(name) ?? '') ?? [])
    const status = statusIn(fields.get('status') ?? '')
    const answer = fields.get('diagnostic-code') ?? ''
    const isSilent = (status === undefined || isVague(status)) && statusIn(answer) === undefined
    const event = eventOfRecipient({
      action: actionOf(fields.get('action') ?? '', status),
      status,
      answer,
      explained: isSilent ? (described(addresses) ?? '') : '',
      at,
    })
    return event ? [{ addresses, event }] : []
  })
}

interface Said {
  action: string
  status: string | undefined
  answer: string
  /** What the text for people says, where the answer says too little. */
  explained: string
  at: string
}

function eventOfRecipient({ action, status, answer, explained, at }: Said): FeedbackEvent | undefined {
  const reason = answer || explained || status
  switch (action) {
    case 'failed':
    case 'failure':
      return eventOf('bounced', { isHard: isHardBounce({ status, answers: [answer, explained] }), reason, at })
    case 'delayed':
    case 'expired':
      return eventOf('bounced', { isHard: false, reason, at })
    case 'delivered':
    case 'relayed':
    case 'expanded':
      return eventOf('delivered', { at })
    default:
      return undefined
  }
}

/** What was done: by the first word of the field, since comments may follow; without one by the class of the status. */
function actionOf(given: string, status = ''): string {
  const [word] = /^[a-z]+/i.exec(given) ?? []
  return word?.toLowerCase() ?? { '2': 'delivered', '4': 'delayed', '5': 'failed' }[status.slice(0, 1)] ?? ''
}

/** The fields of each recipient. Some servers put blank lines within them, or none between two recipients. */
function recipientsIn(text: string): Recipient[] {
  const recipients: Recipient[] = []
  let current: Recipient = new Map()
  let isComplete = false
  for (const line of unfolded(text).split(/\r?\n/, MAX_LINES)) {
    const [, name = '', value = ''] = /^([\w-]{1,60})[ \t]*:(.*)/.exec(line) ?? []
    const key = name.toLowerCase()
    if (line.trim() === '') isComplete = ADDRESSES.some((each) => current.has(each)) && current.has('action')
    if (!READ.includes(key)) continue
    const isNext = current.has(key) || (isComplete && (ADDRESSES.includes(key) || key === 'action'))
    if (isNext && key === 'diagnostic-code') {
      current.set(key, `${current.get(key)} ${value.trim()}`)
      continue
    }
    if (isNext) current = new Map()
    if (current.size === 0 && recipients.push(current) > MAX_RECIPIENTS) break
    isComplete &&= !isNext
    current.set(key, value.trim())
  }
  return recipients
}

/** The address in a field, behind its type: `rfc822; guest@example.org`. */
function addressIn(value: string): string | undefined {
  return /([^\s;<>()]{1,64}@[^\s;<>()]{1,255})/.exec(value.slice(0, 1_000))?.[1]
}
