import { retried } from '@gatehouse/test/harness/retried.ts'
import type { Answer, System } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'

const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
/** The lists of an event, those of which each comes, changes and goes. */
const LISTS = [
  'guest_fields',
  'accesspoints',
  'guest_categories',
  'guests',
  'promo_codes',
  'access_controls',
  'signatures',
  'partners',
  'invitation_types',
  'exhibitors',
] as const

/** An event with something of each kind that a takeover brings. */
export class FilledEvent extends TestEvent {
  #changes = 0
  /** What goes again, by its path. */
  #passing: string[] = []
  /** What changes, by its path, and how. */
  readonly #lasting: [string, (name: string) => object][] = []
  #category = ''
  #door = ''
  #guest = ''

  static override async open(system: System): Promise<FilledEvent> {
    const { id } = await TestEvent.open(system)
    const event = new FilledEvent(system, id)
    await event.#fill()
    return event
  }

  /** Sends a request as clients do: again while the service is unavailable, as on a busy machine. */
  override api(...[method, path, body, init]: Parameters<TestEvent['api']>): Promise<Answer> {
    const headers = { 'idempotency-key': crypto.randomUUID(), ...(init?.headers as object) }
    return retried(() => super.api(method, path, body, { ...init, headers }))
  }

  /** The same event in another system. */
  in(system: System): FilledEvent {
    return new FilledEvent(system, this.id)
  }

  async #fill(): Promise<void> {
    const category = await this.category('VIP')
    const door = await this.point()
    await this.link(category, door, 1)
    const field = await this.make('guest_fields.json', { key: 'photo', label: 'Photo', type: 'file' })
    const code = await this.make('promo_codes.json', { text: 'early', max_usage: 5, amount: 10 })
    const ada = await this.guest(category, 'ada', { last_name: 'Lovelace', promo_code: 'early' })
    await this.guest(category, 'bob', { last_name: 'Byron' })
    ;[this.#category, this.#door, this.#guest] = [category, door, ada]
    await this.#photo('some')
    for (const uid of ['ada', 'ada', 'nobody']) await this.scan(door, uid)
    await this.#sign()
    const partner = await this.make('partners.json', { name: 'Acme', recipients_quota: 5 })
    const type = await this.make('invitation_types.json', { name: 'Evening', guest_category_id: category })
    await this.make(`invitation_types/${type._id}/partner_campaigns.json`, { partner_id: partner._id, quota: 5 })
    const exhibitor = await this.make('exhibitors.json', { name: 'Stand 7', email: 'stand@example.org' })
    await this.#meet(exhibitor.access_token, 'ada')
    this.#lasting.push(
      [`guest_fields/${field._id}`, (label) => ({ label })],
      [`accesspoints/${door}`, (name) => ({ name })],
      [`guest_categories/${category}`, (name) => ({ name })],
      [`guests/${ada}`, (last_name) => ({ last_name })],
      [`promo_codes/${code._id}`, (text) => ({ promo_code: { text } })],
      [`partners/${partner._id}`, (name) => ({ name })],
      [`invitation_types/${type._id}`, (name) => ({ name })],
      [`exhibitors/${exhibitor._id}`, (name) => ({ name })],
    )
  }

  /** Changes a thing of each kind. */
  async changeAll(): Promise<void> {
    const name = `changed-${++this.#changes}`
    for (const [path, fields] of this.#lasting) await this.change(`${path}.json`, fields(name))
    await this.#photo(name)
  }

  /** Makes a thing of each kind, in place of those that the last call made. */
  async replaceSome(): Promise<void> {
    for (const path of this.#passing.splice(0)) await this.remove(`${path}.json`)
    const name = `passing-${++this.#changes}`
    const make = async (list: string, fields: object): Promise<void> => {
      this.#passing.unshift(`${list}/${(await this.make(`${list}.json`, fields))._id}`)
    }
    await make('accesspoints', { name })
    await make('guest_categories', { name })
    await make('promo_codes', { text: name, max_usage: 5, amount: 10 })
    this.#passing.unshift(`guests/${await this.guest(this.#category, name)}`)
    this.#passing.unshift(`access_controls/${(await this.scan(this.#door, name))._id}`)
  }

  /** The ids of what it has, by list. */
  async ids(): Promise<Record<string, string[]>> {
    const lists = LISTS.map(async (list) => {
      const things: { _id: string }[] = await this.read(`${list}.json`)
      return [list, things.map(({ _id }) => _id).sort()]
    })
    return Object.fromEntries(await Promise.all(lists))
  }

  async #photo(text: string): Promise<void> {
    const body = Buffer.concat([PNG, Buffer.from(text)])
    const answer = await this.api('PUT', `guests/${this.#guest}/files/photo.json`, body, {
      headers: { 'content-type': 'image/png' },
    })
    if (answer.status >= 300) throw new Error(answer.text)
  }

  async #sign(): Promise<void> {
    const points = { width: '9', height: '9', lines: [{ x1: '1', y1: '2', x2: '3', y2: '4' }] }
    await this.make('signatures.json', { accesspoint_id: this.#door, guest_uid: 'ada', points })
  }

  async #meet(token: string, guest_uid: string): Promise<void> {
    const path = `devices/${token}/connections/batch_create.json`
    await this.system.api('POST', path, [{ guest_uid, author: 'Eve' }], { token: '' })
  }
}
