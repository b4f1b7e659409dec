import { createHash } from 'node:crypto'

/** What the mail server does with an e-mail: `twice` and so on say how often before it takes it. */
export type PlannedTreatment =
  | 'take'
  | 'take slowly'
  | 'refuse the recipient'
  | 'refuse the message'
  | 'greylist'
  | 'postpone the message'
  | 'drop the connection before it'
  | 'take it and drop the connection'
  | 'take it and close the connection'

/** Per mille of the recipients; the others' e-mails are taken. */
const SHARES: [PlannedTreatment, number][] = [
  ['refuse the recipient', 30],
  ['refuse the message', 10],
  ['greylist', 40],
  ['postpone the message', 20],
  ['drop the connection before it', 10],
  ['take it and drop the connection', 3],
  ['take it and close the connection', 3],
  ['take slowly', 5],
]
/** What it does at the first attempt only. */
const ONCE = new Set<PlannedTreatment>(['greylist', 'postpone the message', 'drop the connection before it'])

/** The treatment of an attempt for a recipient, from 1, which the seed determines. */
export function treatmentOf(seed: number, address: string, attempt: number): PlannedTreatment {
  let left = createHash('sha1').update(`${seed} ${address}`).digest().readUInt32BE() % 1_000
  for (const [treatment, share] of SHARES) {
    left -= share
    if (left < 0) return attempt > 1 && ONCE.has(treatment) ? 'take' : treatment
  }
  return 'take'
}
