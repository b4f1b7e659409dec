import { createTransport } from 'nodemailer'
import { optionalText } from '../declaring/fields.ts'
import { ConfigurationError } from './config.ts'

/** The settings of a service that sends e-mail. */
export const mailSettings = {
  smtp_url: optionalText({
    maxLength: 2_000,
    description: 'smtp://user:password@host:587, or smtps://; without it no e-mail is sent',
  }),
  mail_from: optionalText({ description: 'The sender of e-mail: Gatehouse <noreply@example.org>' }),
}

/** The settings as read. */
export interface MailConfig {
  smtp_url?: string | null
  mail_from?: string | null
}

export interface Mail {
  /** The address alone, without a name. */
  to: string
  subject: string
  text: string
  html?: string
  /** The sender's name, shown with the address of `mail_from`. */
  from_name?: string
  reply_to?: string
  headers?: Record<string, string>
}

const TIMEOUT_MS = 10_000

/** Sends e-mail through the SMTP server of the settings. */
export class Mailer {
  readonly #transport: ReturnType<typeof createTransport> | undefined
  readonly #from: { name: string; address: string }

  /** Throws one sentence if only one of the two settings is given. */
  constructor({ smtp_url, mail_from }: MailConfig) {
    if (Boolean(smtp_url) !== Boolean(mail_from)) {
      throw new ConfigurationError('SMTP_URL and MAIL_FROM need each other')
    }
    this.#from = addressOf(mail_from ?? '')
    if (!smtp_url) return
    this.#transport = createTransport({
      url: smtp_url,
      pool: true,
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      // Templates must not read files or addresses.
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  }

  /** Whether a mail server is configured. */
  get isConfigured(): boolean {
    return this.#transport !== undefined
  }

  /** Sends an e-mail; gives its Message-ID. Throws when the mail server does not accept it. */
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
