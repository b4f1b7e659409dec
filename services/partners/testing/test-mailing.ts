import type { MailServer } from '@gatehouse/test/harness/mail-server.ts'
import type { Answer } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { expect } from 'vitest'
import type { TestSystem } from './test-campaign.ts'

/** What tests give of a mailing. */
export const givenMailing = {
  name: 'Reminder',
  subject: 'For {{first_name}}',
  message: 'Dear {{first_name}}, {{unsubscribe_link}}',
}
/** The sender of the e-mails. */
export const FROM = 'Gatehouse <noreply@gatehouse.example>'

/** An event with mailings, and the e-mails that its guests got. */
export class MailingScene {
  readonly event: TestEvent
  readonly category: string
  readonly #server: MailServer
  /** The domain of the guests' addresses. */
  readonly domain = `${crypto.randomUUID()}.example`

  constructor(event: TestEvent, category: string, server: MailServer) {
    this.event = event
    this.category = category
    this.#server = server
  }

  static async open(system: TestSystem, server: MailServer): Promise<MailingScene> {
    const event = await TestEvent.open(system, { title: 'Opening' })
    return new MailingScene(event, await event.category(), server)
  }

  guest(name: string, fields: object = {}, category = this.category): Promise<string> {
    return this.event.guest(category, name, { first_name: name, email: `${name}@${this.domain}`, ...fields })
  }

  async guests(count: number): Promise<void> {
    for (let from = 0; from < count; from += 20) {
      const names = Array.from({ length: Math.min(20, count - from) }, (_, index) => `guest-${from + index}`)
      await Promise.all(names.map((name) => this.guest(name)))
    }
  }

  make(fields: object = {}): Promise<Answer['body']> {
    return this.event.make('mailings.json', { ...givenMailing, ...fields })
  }

  async act(id: string, action: 'send' | 'pause' | 'resume'): Promise<Answer['body']> {
    const answer = await this.event.api('POST', `mailings/${id}/${action}.json`)
    expect(answer.status, answer.text).toBe(200)
    return answer.body
  }

  read(id: string): Promise<Answer['body']> {
    return this.event.readRetried(`mailings/${id}.json`)
  }

  /** The mails of the guests, of one mailing if its subject is given. */
  mails(subject = ''): MailServer['mails'] {
    return this.#server.mails.filter(({ to, text }) => to[0]?.endsWith(this.domain) && text.includes(subject))
  }

  /** Who got mails, by the names in their addresses. */
  receivers(subject = ''): string[] {
    return this.mails(subject)
      .map(({ to }) => to[0]?.split('@')[0] ?? '')
      .sort()
  }

  /** Sends a mailing, and waits until it has gone to as many guests. */
  async sent(fields: object, count: number): Promise<Answer['body']> {
    const { _id } = await this.make(fields)
    await this.act(_id, 'send')
    await expect.poll(async () => (await this.read(_id)).nb_email_sent).toBe(count)
    return this.read(_id)
  }
}
