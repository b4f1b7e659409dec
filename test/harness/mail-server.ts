import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** An e-mail which the server of a test accepted. */
interface TakenMail {
  from: string
  to: string[]
  /** The whole message, with decoded quoted-printable and base64 and unfolded headers. */
  text: string
}

/** A real SMTP server on this machine which keeps accepted e-mails. */
export interface MailServer {
  /** The value for `smtp_url`. */
  url: string
  mails: TakenMail[]
  /** Whether to refuse every e-mail from now on. */
  refuse(refused: boolean): void
  stop(): Promise<void>
}

/** Starts an SMTP server on a free port. */
export async function startMailServer(): Promise<MailServer> {
  const mails: TakenMail[] = []
  let refused = false
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (refused) return done(Object.assign(new Error('Try again later'), { responseCode: 451 }))
        const { mailFrom, rcptTo } = session.envelope
        const from = mailFrom ? mailFrom.address : ''
        mails.push({ from, to: rcptTo.map(({ address }) => address), text: readMessage(Buffer.concat(chunks)) })
        done()
      })
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    refuse: (value) => {
      refused = value
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** Decodes a message of one text part. */
function readMessage(bytes: Buffer): string {
  const [head = '', ...rest] = bytes.toString('latin1').split('\r\n\r\n')
  const headers = head
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .replaceAll(/=\?UTF-8\?([QB])\?([^?]*)\?=( (?==\?))?/gi, (_, kind: string, text: string) =>
      kind.toUpperCase() === 'B' ? Buffer.from(text, 'base64').toString() : quotedPrintable(text.replaceAll('_', ' ')),
    )
  const body = rest.join('\r\n\r\n')
  const encoding = /^content-transfer-encoding: (\S+)/im.exec(headers)?.[1]
  if (encoding === 'base64') return `${headers}\n\n${Buffer.from(body, 'base64').toString()}`
  const text = encoding === 'quoted-printable' ? quotedPrintable(body) : Buffer.from(body, 'latin1').toString()
  return `${headers}\n\n${text}`
}

function quotedPrintable(text: string): string {
  const bytes = text
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
