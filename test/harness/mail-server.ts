import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** An e-mail that the server of a test accepted. */
interface TakenMail {
  from: string
  to: string[]
  /** The whole message, with decoded quoted-printable and base64 and unfolded headers. */
  text: string
  /** The message as it came. */
  raw: Buffer
}

/**
 * What the server does with an e-mail: takes it; refuses recipient or message, for good (550) or for now (451); drops the connection before it
 * gets the message, or after it has taken it, without an answer; does something once it has the message, and then takes it.
 */
export type Treatment =
  | 'take'
  | 'refuse-recipient'
  | 'refuse-message'
  | 'postpone-recipient'
  | 'postpone-message'
  | 'drop-before'
  | 'drop-after'
  | (() => Promise<void>)

/** A real SMTP server on this machine that keeps accepted e-mails. */
export interface MailServer {
  /** The value for `smtp_url`. */
  url: string
  mails: TakenMail[]
  /** What to do with each e-mail from now on, by its recipient; asked once for each attempt. */
  plan(treat: (to: string) => Treatment): void
  stop(): Promise<void>
}

/** Starts an SMTP server on a free port. */
export async function startMailServer(wantedPort = 0): Promise<MailServer> {
  const mails: TakenMail[] = []
  let treat: (to: string) => Treatment = () => 'take'
  /** By session, of the e-mail that it is at. */
  const treatments = new Map<string, Treatment>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo({ address }, session, done) {
      const treatment = treat(address)
      treatments.set(session.id, treatment)
      if (treatment === 'drop-before') return void socketOf(session)?.destroy()
      done(refusalOf(treatment, 'recipient'))
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        const from = mailFrom ? mailFrom.address : ''
        const to = rcptTo.map(({ address }) => address)
        const treatment = treatments.get(session.id) ?? 'take'
        const refusal = refusalOf(treatment, 'message')
        if (refusal) return done(refusal)
        const raw = Buffer.concat(chunks)
        const take = () => mails.push({ from, to, text: readPart(raw.toString('latin1')), raw })
        if (typeof treatment === 'function')
          return void treatment()
            .then(take)
            .then(() => done())
        take()
        if (treatment === 'drop-after') return void socketOf(session)?.destroy()
        done()
      })
    },
  })
  // Clients may die.
  server.on('error', () => {})
  server.listen(wantedPort, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  // Its sessions do not show their sockets.
  const socketOf = ({ id }: { id: string }) =>
    ([...server.connections] as unknown as { id: string; _socket: Socket }[]).find((each) => each.id === id)?._socket
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    plan: (given) => {
      treat = given
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function refusalOf(treatment: Treatment, what: 'recipient' | 'message'): Error | null {
  if (treatment === `refuse-${what}`) return Object.assign(new Error('No such mailbox'), { responseCode: 550 })
  if (treatment === `postpone-${what}`) return Object.assign(new Error('Greylisted'), { responseCode: 451 })
  return null
}

/** Decodes a message, or a part of one, of one text part or of several, one after the other. */
function readPart(part: string): string {
  const [head = '', ...rest] = part.split('\r\n\r\n')
  const headers = head
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .replaceAll(/=\?UTF-8\?([QB])\?([^?]*)\?=( (?==\?))?/gi, (_, kind: string, text: string) =>
      kind.toUpperCase() === 'B' ? Buffer.from(text, 'base64').toString() : quotedPrintable(text.replaceAll('_', ' ')),
    )
  const body = rest.join('\r\n\r\n')
  const boundary = /^content-type: multipart\/.*boundary="?([^";]+)"?/im.exec(headers)?.[1]
  if (boundary) {
    const parts = body.split(`--${boundary}`).slice(1, -1)
    return `${headers}\n\n${parts.map((each) => readPart(each.replace(/^\r\n/, ''))).join('\n')}`
  }
  const encoding = /^content-transfer-encoding: (\S+)/im.exec(headers)?.[1]
  if (encoding === 'base64') return `${headers}\n\n${Buffer.from(body, 'base64').toString()}`
  const text = encoding === 'quoted-printable' ? quotedPrintable(body) : Buffer.from(body, 'latin1').toString()
  return `${headers}\n\n${text.replaceAll('\r\n', '\n')}`
}

function quotedPrintable(text: string): string {
  const bytes = text
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
