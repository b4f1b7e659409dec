import { randomBytes } from 'node:crypto'
import { PASS_TYPE } from '@gatehouse/test/harness/pass-certificates.ts'
import { filesOfPass } from '@gatehouse/test/harness/pass-files.ts'
import type { TestEvent } from '@gatehouse/test/harness/test-event.ts'

/** A phone that holds the pass of a guest. */
export class Phone {
  readonly device = randomBytes(16).toString('hex')
  readonly token = randomBytes(32).toString('hex')
  readonly #url: string
  readonly #secret: string
  readonly #guest: string

  /** One that has just got the pass of a guest. */
  static async of(event: TestEvent, guest_id: string): Promise<Phone> {
    const { apple_url } = await event.read(`guests/${guest_id}/wallet.json`)
    const files = await filesOfPass(Buffer.from(await (await fetch(apple_url)).arrayBuffer()))
    return new Phone(JSON.parse(String(files['pass.json'])))
  }

  constructor(pass: { webServiceURL: string; authenticationToken: string; serialNumber: string }) {
    this.#url = `${pass.webServiceURL}/v1`
    this.#secret = pass.authenticationToken
    this.#guest = pass.serialNumber
  }

  async ask(method: string, path: string, body?: string, secret = this.#secret, headers: object = {}) {
    const authorization = `ApplePass ${secret}`
    return fetch(`${this.#url}/${path}`, {
      method,
      headers: { authorization, ...headers },
      ...(body !== undefined && { body }),
    })
  }

  async register(body = JSON.stringify({ pushToken: this.token }), secret = this.#secret, type = PASS_TYPE) {
    return (await this.ask('POST', this.#registration(type), body, secret)).status
  }

  async unregister(secret = this.#secret): Promise<number> {
    return (await this.ask('DELETE', this.#registration(), undefined, secret)).status
  }

  /** Which passes changed since a tag; undefined if none did. */
  async changed(since?: string): Promise<{ serialNumbers: string[]; lastUpdated: string } | undefined> {
    const query = since === undefined ? '' : `?passesUpdatedSince=${since}`
    const answer = await this.ask('GET', `devices/${this.device}/registrations/${PASS_TYPE}${query}`)
    return answer.status === 204
      ? undefined
      : ((await answer.json()) as { serialNumbers: string[]; lastUpdated: string })
  }

  async latest(headers: Record<string, string> = {}) {
    const answer = await this.ask('GET', `passes/${PASS_TYPE}/${this.#guest}`, undefined, this.#secret, headers)
    if (answer.status !== 200) return { status: answer.status, pass: undefined, modified: '' }
    const files = await filesOfPass(Buffer.from(await answer.arrayBuffer()))
    return {
      status: answer.status,
      pass: JSON.parse(String(files['pass.json'])),
      modified: answer.headers.get('last-modified') ?? '',
    }
  }

  #registration(type = PASS_TYPE): string {
    return `devices/${this.device}/registrations/${type}/${this.#guest}`
  }
}

/** The guest's first name on a pass. */
export function nameOn(pass: {
  eventTicket: { auxiliaryFields: { key: string; value: string }[] }
}): string | undefined {
  return pass.eventTicket.auxiliaryFields?.find(({ key }) => key === 'guest')?.value
}
