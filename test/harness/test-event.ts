import { expect } from 'vitest'
import { retried } from './retried.ts'
import type { Answer, System } from './system.ts'

const XML = 'application/xml; charset=utf-8'

type Init = Parameters<System['api']>[3]

/** A new event, and short methods to fill it. Each of them fails the test if its request fails. */
export class TestEvent {
  readonly system: System
  readonly id: string

  constructor(system: System, id: string) {
    this.system = system
    this.id = id
  }

  static async open(system: System, fields: object = {}): Promise<TestEvent> {
    const answer = await system.api('POST', 'events.json', { title: 'Fair', account_id: system.account_id, ...fields })
    expect(answer.status, answer.text).toBe(201)
    return new TestEvent(system, answer.body._id)
  }

  /** Sends a request about this event; `path` follows `events/{id}/`. */
  api(method: string, path: string, body?: unknown, init?: Init): Promise<Answer> {
    return this.system.api(method, `events/${this.id}/${path}`, body, init)
  }

  /** Sends the same request in the spelling without `events/`. */
  short(method: string, path: string, body?: unknown, init?: Init): Promise<Answer> {
    return this.system.api(method, `${this.id}/${path}`, body, init)
  }

  /** Sends the same request with an XML body. */
  xml(method: string, path: string, document?: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.api(method, path, document, { headers: { 'content-type': XML, ...headers } })
  }

  /** Reads a path and returns the body of the answer, which must be 200. */
  async read(path: string): Promise<Answer['body']> {
    const answer = await this.api('GET', path)
    expect(answer.status, answer.text).toBe(200)
    return answer.body
  }

  /** Creates a resource and returns it. */
  async make(path: string, body: unknown): Promise<Answer['body']> {
    const answer = await this.api('POST', path, body)
    expect(answer.status, answer.text).toBe(201)
    return answer.body
  }

  /** Changes a resource. */
  async change(path: string, body: unknown): Promise<void> {
    const answer = await this.api('PUT', path, body)
    expect(answer.status, answer.text).toBe(204)
  }

  /** Deletes a resource. */
  async remove(path: string): Promise<void> {
    const answer = await this.api('DELETE', path)
    expect(answer.status, answer.text).toBe(204)
  }

  /** Sends a request that is refused as invalid, and returns its errors. */
  async refused(path: string, body: unknown, method = 'POST'): Promise<Record<string, string[]>> {
    const answer = await this.api(method, path, body)
    expect(answer.status, answer.text.slice(0, 500)).toBe(422)
    return answer.body.errors
  }

  /** Sends a request and returns the status of the answer. */
  async status(method: string, path: string, body?: unknown, init?: Init): Promise<number> {
    return (await this.api(method, path, body, init)).status
  }

  /** Creates a guest category and returns its id. */
  async category(name = 'Visitors'): Promise<string> {
    return (await this.make('guest_categories.json', { name }))._id
  }

  /** Creates a check-in point and returns its id. */
  async point(name = 'Door'): Promise<string> {
    return (await this.make('accesspoints.json', { name }))._id
  }

  /** Links a category to a check-in point and returns the link's id. */
  async link(
    guest_category_id: string,
    accesspoint_id: string,
    max_allowed_accesses?: number,
    fields: object = {},
  ): Promise<string> {
    const link = { guest_category_id, accesspoint_id, max_allowed_accesses, ...fields }
    return (await this.make('guest_category_accesspoints.json', link)).id
  }

  /** Creates a guest and returns its id. */
  async guest(guest_category_id: string, uid: string, fields: object = {}): Promise<string> {
    return (await this.make('guests.json', { guest_category_id, uid, ...fields }))._id
  }

  /** Scans a guest and returns the stored check-in. */
  async scan(accesspoint_id: string, guest_uid: string, fields: object = {}): Promise<Answer['body']> {
    return this.make('access_controls.json', { accesspoint_id, guest_uid, ...fields })
  }

  /** Reads a path as `read` does, and again while the service is unavailable, as after a kill. */
  async readRetried(path: string): Promise<Answer['body']> {
    const answer = await retried(() => this.api('GET', path))
    expect(answer.status, answer.text).toBe(200)
    return answer.body
  }

  /** Reads a paginated list, page by page until an empty one, each by `read`. */
  async all(path: string, perPage = 500, read = (page: string) => this.read(page)): Promise<Answer['body'][]> {
    const items = []
    for (let page = 1; ; page++) {
      const found = await read(`${path}?page=${page}&per_page=${perPage}`)
      if (found.length === 0) return items
      items.push(...found)
    }
  }
}
