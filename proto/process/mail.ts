import { createTransport } from 'nodemailer'
import { optionalText } from '../declaring/fields.ts'

/** The settings of a service that sends e-mail. */
export const mailSettings = {
  smtp_url: optionalText({
    maxLength: 2_000,
    description: 'smtp://user:password@host:587, or smtps://; without it no e-mail is sent',
  }),
  mail_from: optionalText({ description: 'The sender of e-mail: Gatehouse <noreply@example.org>' }),
}

/** The settings of such a service, as read. */
export interface MailConfig {
  smtp_url?: string | null
  mail_from?: string | null
}

/** An e-mail as a service hands it over. */
export interface Mail {
  /** The address alone; it is never read as anything else. */
  to: string
  subject: string
  text: string
  html?: string
  /** Who is shown as its sender, with the address of `mail_from`. */
  from_name?: string
  reply_to?: string
  headers?: Record<string, string>
}

/** Longest that a mail server may be silent. */
const TIMEOUT_MS = 10_000

/** Sends e-mail through the SMTP server of the settings. */
export class Mailer {
  readonly #transport: ReturnType<typeof createTransport> | undefined
  readonly #from: { name: string; address: string }

  /** Throws one sentence where only one of the two settings is given. */
  constructor({ smtp_url, mail_from }: MailConfig) {
    if (Boolean(smtp_url) !== Boolean(mail_from)) {
      throw new Error('Configuration: SMTP_URL and MAIL_FROM need each other')
    }
    this.#from = addressOf(mail_from ?? '')
    if (!smtp_url) return
    this.#transport = createTransport({
      url: smtp_url,
      pool: true,
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      // What a template holds is text: no file and no address is read for it.
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  }

  /** Whether there is a mail server to send by. */
  get isConfigured(): boolean {
    return this.#transport !== undefined
  }

  /** Hands an e-mail to the mail server; gives the Message-ID under which it went. Throws when the server does not take it. */
  async send({ to, from_name, reply_to, ...mail }: Mail): Promise<string> {
    if (!this.#transport) throw new Error('No mail server is configured')
    const { messageId } = await this.#transport.sendMail({
      ...mail,
      to: { name: '', address: to },
      from: { ...this.#from, ...(from_name && { name: from_name }) },
      ...(reply_to && { replyTo: { name: '', address: reply_to } }),
    })
    return messageId
  }

  /** Closes the connections to the mail server. */
  close(): void {
    this.#transport?.close()
  }
}

/** `Gatehouse <noreply@example.org>`, or the address alone. */
function addressOf(sender: string): { name: string; address: string } {
  const [, name = '', address = sender] = /^\s*"?([^"<]*?)"?\s*<([^>]+)>\s*$/.exec(sender) ?? []
  return { name, address: address.trim() }
}
