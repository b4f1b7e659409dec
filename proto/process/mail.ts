import type { MailMessage, Transporter } from 'nodemailer'
import { optionalText } from '../declaring/fields.ts'
import { type ConfigOf, ConfigurationError } from './config.ts'
import { dkimOf, dkimSettings } from './dkim.ts'
import { MailFolder, mailFolderSettings } from './mail-folder.ts'

/** The settings of a service that sends e-mail. */
export const mailSettings = {
  smtp_url: optionalText({
    maxLength: 2_000,
    description: 'smtp://user:password@host:587, or smtps://; without it no e-mail is sent',
  }),
  mail_from: optionalText({ description: 'The sender of e-mail: Gatehouse <noreply@example.org>' }),
  ...mailFolderSettings,
  ...dkimSettings,
}

/** The settings as read. */
export type MailConfig = Partial<ConfigOf<typeof mailSettings>>

export interface Mail {
  /** The address alone, without a name. */
  to: string
  subject: string
  text: string
  html?: string
  /** The sender's name, shown with the address of `mail_from`. */
  from_name?: string
  reply_to?: string
  /** The part of the Message-ID before the `@`; otherwise it is random. */
  message_id?: string
  /** Where bounces go, if not to the address of `mail_from`. */
  return_path?: string
  /** Fields that programs read. They leave as they are, in ASCII, folded at blanks. */
  headers?: Record<string, string>
  attachments?: Attachment[]
}

/** A file that goes with an e-mail. With a `cid` the HTML part shows it, as `cid:…`. */
export interface Attachment {
  filename: string
  content_type: string
  content: Buffer
  cid?: string
}

const TIMEOUT_MS = 10_000
/** The sender of e-mails that nobody gets; its domain cannot exist (RFC 2606). */
const NO_SENDER = 'Gatehouse <noreply@gatehouse.invalid>'
/** Templates must not read files or addresses. */
const CLOSED = { disableFileAccess: true, disableUrlAccess: true }

/** A message of which the mail server has got a part, or all: if it does not answer, nobody knows whether it took it. */
const BEGUN = Symbol('begun')

/** What came of an attempt to send that failed. */
export type FailedAttempt = 'rejected' | 'later' | 'unknown'

interface SendError {
  code?: string
  command?: string
  responseCode?: number
  [BEGUN]?: boolean
}

/**
 * What an error of {@link Mailer.send} means. Only a refusal of the recipient or of the message is for good: one of the sender or of the login
 * concerns the configuration. Without an answer the message may have been taken if any of it was sent.
 */
export function attemptOf(error: SendError): FailedAttempt {
  const { code, command, responseCode } = error
  if (code === 'EENVELOPE' || code === 'EMESSAGE') {
    const isAboutMail = command !== undefined && ['RCPT TO', 'DATA'].includes(command)
    return isAboutMail && responseCode !== undefined && responseCode >= 500 ? 'rejected' : 'later'
  }
  return error[BEGUN] ? 'unknown' : 'later'
}

/** Whether a message is being read, which the connection does only once the mail server has asked for it. */
interface Reading {
  isBegun(): boolean
}

/** A plugin of nodemailer, which notes how far each message gets. */
function watchReading({ data, message }: MailMessage, done: () => void): void {
  const { reading } = data as { reading?: Reading }
  const create = message.createReadStream.bind(message)
  if (reading) {
    message.createReadStream = (...options) => {
      const stream = create(...options)
      reading.isBegun = () => stream.readableDidRead
      return stream
    }
  }
  done()
}

/** Sends e-mail through the SMTP server of the settings, or keeps it in their folder. */
export class Mailer {
  readonly #options: object | undefined
  readonly #folder: MailFolder | undefined
  readonly #from: { name: string; address: string }
  #transport: Promise<Transporter> | undefined

  /** Throws one sentence if settings do not fit together. */
  constructor({ smtp_url, mail_from, mail_folder, ...dkimConfig }: MailConfig) {
    if (smtp_url && mail_folder) throw new ConfigurationError('SMTP_URL and MAIL_FOLDER exclude each other')
    if (Boolean(smtp_url) !== Boolean(mail_from) && !mail_folder) {
      throw new ConfigurationError('SMTP_URL and MAIL_FROM need each other')
    }
    if (smtp_url && !/^smtps?:\/\/[^/]/.test(smtp_url)) {
      throw new ConfigurationError('SMTP_URL is not an address like smtp://user:password@host:587 or smtps://host')
    }
    this.#from = addressOf(mail_from || NO_SENDER)
    const dkim = dkimOf(dkimConfig)
    const common = { ...CLOSED, ...(dkim && { dkim }) }
    if (mail_folder) {
      this.#folder = new MailFolder(mail_folder)
      this.#options = { streamTransport: true, buffer: true, newline: 'windows', ...common }
    } else if (smtp_url) {
      this.#options = {
        url: smtp_url,
        pool: true,
        connectionTimeout: TIMEOUT_MS,
        greetingTimeout: TIMEOUT_MS,
        socketTimeout: TIMEOUT_MS,
        ...common,
      }
    }
  }

  /** Whether e-mails go anywhere. */
  get isConfigured(): boolean {
    return this.#options !== undefined
  }

  /** Opens the transport, for the first e-mail: to load it would take a fifth of the start of a process. */
  async #open(options: object): Promise<Transporter> {
    const { createTransport } = await import('nodemailer')
    const transport = createTransport(options)
    if (!this.#folder) transport.use('stream', watchReading)
    return transport
  }

  /** Sends an e-mail; returns its Message-ID. Throws when the mail server does not accept it. */
  async send({ headers = {}, attachments = [], ...given }: Mail): Promise<string> {
    const { to, from_name, reply_to, message_id, return_path, ...mail } = given
    if (!this.#options) throw new Error('No mail server is configured')
    this.#transport ??= this.#open(this.#options)
    const transport = await this.#transport
    const { address } = this.#from
    const reading: Reading = { isBegun: () => false }
    // A message that is passed as a variable may have a property that nodemailer does not know.
    const message = {
      ...mail,
      to: { name: '', address: to },
      from: { ...this.#from, ...(from_name && { name: from_name }) },
      ...(reply_to && { replyTo: { name: '', address: reply_to } }),
      ...(message_id && { messageId: `<${message_id}@${address.slice(address.lastIndexOf('@') + 1)}>` }),
      ...(return_path && { envelope: { from: return_path, to } }),
      headers: structured(headers),
      attachments: attachments.map(({ content_type, ...each }) => ({
        ...each,
        contentType: content_type,
        ...(each.cid && { contentDisposition: 'inline' as const }),
      })),
      reading,
    }
    try {
      const sent = await transport.sendMail(message)
      if (this.#folder) await this.#folder.keep(sent.messageId, (sent as unknown as { message: Buffer }).message)
      return sent.messageId
    } catch (error) {
      throw Object.assign(error as Error, { [BEGUN]: reading.isBegun() })
    }
  }

  /** Closes the connections to the mail server. */
  close(): void {
    void this.#transport?.then((transport) => transport.close())
  }
}

/**
 * Fields in a form that keeps nodemailer from writing them as words for people: it encodes every value with a quotation mark, which programs do not
 * decode.
 */
function structured(headers: Record<string, string>) {
  return Object.entries(headers).map(([key, value]) => {
    const plain = value.replaceAll(/[^ -~]+/g, ' ')
    return { key, value: { prepared: true, foldLines: true, value: plain } }
  })
}

/** JSON for the header of an e-mail: in ASCII, with blanks at which it is folded. */
export function headerJson(value: object): string {
  const json = JSON.stringify(value, null, 1).replaceAll(/\n */g, ' ')
  return json.replaceAll(/[^ -~]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** `Gatehouse <noreply@example.org>`, or the address alone. */
function addressOf(sender: string): { name: string; address: string } {
  const [, name = '', address = sender] = /^\s*"?([^"<]*?)"?\s*<([^>]+)>\s*$/.exec(sender) ?? []
  return { name, address: address.trim() }
}
