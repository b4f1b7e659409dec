import { createHash } from 'node:crypto'
import { createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Listening, listen } from '@gatehouse/test/harness/listening.ts'
import { now } from '../record.ts'

/** An attempt to hand an e-mail over, from its recipient on. */
export interface HandOverAttempt {
  kind: 'invitation' | 'confirmation'
  /** The invitation: it is in the sender's address, or in the `Message-ID` of a confirmation; `''` before that is known. */
  id: string
  address: string
  /** In ms since the start. */
  at: number
  /** Whether the server has the e-mail, and delivers it. */
  isTaken: boolean
  /** The server refused it for good, or ended the connection in place of its answer. */
  end?: 'refused' | 'cut'
}

const END = '\r\n.\r\n'
const SLOW_MS = 700
/** How long a client may keep a connection open once it is to be closed. */
const CLOSING_MS = 50

/** The link to unsubscribe of an e-mail that the server took. */
export interface UnsubscribeLink {
  /** The invitation. */
  id: string
  address: string
  url: string
}

/** An SMTP server that treats e-mails by a plan, and remembers every attempt. */
export class FaultyMailServer {
  readonly attempts: HandOverAttempt[] = []
  /** Attempts to hand a confirmation over. */
  readonly confirmations: HandOverAttempt[] = []
  /** Links of e-mails, the oldest first. */
  readonly links: UnsubscribeLink[] = []
  readonly #seed: number
  readonly #server: Server
  #listening: Listening | undefined
  readonly #tries = new Map<string, number>()
  readonly #awaited = new Map<string, () => void>()
  #isAway = false
  #held: Promise<void> | undefined
  readonly #linkOf: number
  #taken = 0

  /** One e-mail of `linkOf` keeps its link to unsubscribe. */
  constructor(seed: number, linkOf = 100) {
    this.#seed = seed
    this.#linkOf = linkOf
    this.#server = createServer({ noDelay: true }, (socket) => this.#serve(socket))
  }

  /** Starts it; returns the settings of a system whose e-mails it takes: what fails is tried again soon. */
  async start(): Promise<{ [name: string]: string }> {
    this.#listening = await listen(this.#server)
    return {
      SMTP_URL: `smtp://${this.#listening.host}`,
      MAIL_FROM: 'Drill <drill@gatehouse.example>',
      // Names the invitation in each attempt.
      MAIL_RETURN_PATH: 'bounces@gatehouse.example',
      MAIL_RETRY_DELAYS: '1,2,4,8,15,30,60',
      // A claim of a process that died ends after this.
      MAIL_CLAIM_MS: '10000',
    }
  }

  async stop(): Promise<void> {
    await this.#listening?.close()
  }

  /** E-mails that it took. */
  get taken(): number {
    return this.#taken
  }

  /** Resolves when it has taken an e-mail to a recipient, whose e-mails it does not refuse. */
  untilTaken(address: string): Promise<void> {
    return new Promise((resolve) => this.#awaited.set(address, resolve))
  }

  /** Drops all connections, and takes no new ones for a while. */
  async away(ms: number, signal: AbortSignal): Promise<void> {
    this.#isAway = true
    this.#listening?.drop()
    await sleep(ms, undefined, { signal }).finally(() => {
      this.#isAway = false
    })
  }

  /** Answers nothing for a while. */
  async silent(ms: number, signal: AbortSignal): Promise<void> {
    const end = Promise.withResolvers<void>()
    this.#held = end.promise
    await sleep(ms, undefined, { signal }).finally(() => {
      this.#held = undefined
      end.resolve()
    })
  }

  #serve(socket: Socket): void {
    if (this.#isAway) return void socket.destroy()
    socket.setEncoding('latin1')
    const answer = async (line: string): Promise<void> => {
      await this.#held
      if (!socket.destroyed) socket.write(`${line}\r\n`)
    }
    let invitation = ''
    let attempt: HandOverAttempt | undefined
    let text: string | undefined
    let line = ''
    socket.on('data', (chunk: string) => {
      if (text !== undefined) {
        text += chunk
        if (!text.endsWith(END)) return
        const message = text
        text = undefined
        if (attempt) this.#message(socket, attempt, message, answer)
        return
      }
      line += chunk
      if (!line.endsWith('\r\n')) return
      const [command, rest] = [line.slice(0, 4).toUpperCase(), line]
      line = ''
      if (command === 'MAIL') invitation = /\+([0-9a-f]{24})@/.exec(rest)?.[1] ?? ''
      if (command === 'RCPT') {
        // A confirmation has no return path of its own.
        const kind = invitation === '' ? 'confirmation' : 'invitation'
        attempt = { kind, id: invitation, address: /<([^>]*)>/.exec(rest)?.[1] ?? '', at: now(), isTaken: false }
        return this.#recipient(socket, attempt, answer)
      }
      if (command === 'DATA') text = ''
      void answer(command === 'DATA' ? '354 go on' : command === 'QUIT' ? '221 bye' : '250 ok')
      if (command === 'QUIT') socket.end()
    })
    void answer('220 drill')
  }

  #recipient(socket: Socket, attempt: HandOverAttempt, answer: (line: string) => Promise<void>): void {
    ;(attempt.kind === 'confirmation' ? this.confirmations : this.attempts).push(attempt)
    const name = nameOf(attempt)
    this.#tries.set(name, (this.#tries.get(name) ?? 0) + 1)
    const treatment = this.#treatmentOf(attempt)
    if (treatment === 'drop the connection before it') return void socket.destroy()
    if (treatment === 'refuse the recipient') {
      attempt.end = 'refused'
      return void answer('550 no such mailbox')
    }
    return void answer(treatment === 'greylist' ? '451 come back later' : '250 ok')
  }

  #message(socket: Socket, attempt: HandOverAttempt, message: string, answer: (line: string) => Promise<void>): void {
    const treatment = this.#treatmentOf(attempt)
    const [, confirmation] = /^Message-ID: <([0-9a-f]{24})\.confirmation@/im.exec(message) ?? []
    if (confirmation) attempt.id = confirmation
    if (treatment === 'refuse the message') {
      attempt.end = 'refused'
      return void answer('550 not wanted')
    }
    if (treatment === 'postpone the message') return void answer('451 come back later')
    if (treatment === 'take slowly') return void sleep(SLOW_MS).then(() => this.#take(attempt, message, answer))
    if (treatment.startsWith('take it and')) {
      attempt.end = 'cut'
      this.#take(attempt, message, async () => {})
      if (treatment.includes('drop')) return void socket.destroy()
      socket.end()
      return void sleep(CLOSING_MS).then(() => socket.destroy())
    }
    this.#take(attempt, message, answer)
  }

  #take(attempt: HandOverAttempt, message: string, answer: (line: string) => Promise<void>): void {
    attempt.isTaken = true
    this.#taken++
    this.#awaited.get(attempt.address)?.()
    this.#awaited.delete(attempt.address)
    if (attempt.kind === 'invitation' && this.#taken % this.#linkOf === 0) {
      const head = message.slice(0, message.indexOf('\r\n\r\n')).replaceAll(/\r\n[ \t]+/g, ' ')
      const [, url] = /^List-Unsubscribe: <([^>]+)>/im.exec(head) ?? []
      if (url) this.links.push({ id: attempt.id, address: attempt.address, url })
    }
    void answer('250 taken')
  }

  #treatmentOf(attempt: HandOverAttempt): PlannedTreatment {
    if (this.#awaited.has(attempt.address)) return 'take'
    const name = nameOf(attempt)
    const tries = this.#tries.get(name) ?? 1
    // Unlike an invitation, a confirmation whose answer is lost is sent again.
    return attempt.kind === 'confirmation' && tries > 1 ? 'take' : treatmentOf(this.#seed, name, tries)
  }
}

/** What the plan knows an e-mail by. */
function nameOf({ kind, address }: HandOverAttempt): string {
  return kind === 'confirmation' ? `confirmation ${address}` : address
}

/** What the mail server does with an e-mail: `twice` and so on say how often before it takes it. */
type PlannedTreatment =
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
function treatmentOf(seed: number, address: string, attempt: number): PlannedTreatment {
  let left = createHash('sha1').update(`${seed} ${address}`).digest().readUInt32BE() % 1_000
  for (const [treatment, share] of SHARES) {
    left -= share
    if (left < 0) return attempt > 1 && ONCE.has(treatment) ? 'take' : treatment
  }
  return 'take'
}
