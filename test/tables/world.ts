import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { PublicLinks } from '@gatehouse/badges/links'
import { badgeTemplates } from '@gatehouse/badges/resources'
import { liveAction } from '@gatehouse/gateway/live'
import { eventArchives, eventImports, events } from '@gatehouse/guests/resources'
import { apps } from '@gatehouse/leads/resources'
import { InvitationLinks } from '@gatehouse/partners/links'
import { pageLinks } from '@gatehouse/partners/resources'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import type { SchemaNode } from '@gatehouse/proto/declaring/fields.ts'
import { type Action, formatsOf, type Resource, routesOf, type Scope } from '@gatehouse/proto/declaring/resource.ts'
import { retried } from '../harness/retried.ts'
import { SECRETS_KEY } from '../harness/secrets-key.ts'
import type { Answer, System, TestAccount } from '../harness/system.ts'
import { sampleOf } from './samples.ts'
import { eventPage, fieldPage } from './sealed-pages.ts'

/** Resources that clients do not create, with the resource whose creation brings them about. */
const MADE_BY: Record<string, string> = {
  audit_records: 'contacts',
  connections: 'guests',
  guest_mails: 'guests',
  partner_invitations: 'partner_access_tokens',
  qr_code_mails: 'guests',
  test_sends: 'invitation_types',
}

/** Resources without a list, with the resource whose list shows their changes. */
const SEEN_IN: Record<string, string> = {
  event_archives: 'guests',
  invitation_decisions: 'partner_invitations',
  licenses: 'exhibitors',
  page_links: 'partner_access_tokens',
  qr_code_mails: 'guests',
  test_sends: 'invitation_types',
  walk_ins: 'guests',
  mail_events: 'partner_invitations',
  personal_documents: 'guests',
}

/** Fields that refer to a new object in each body, so that links, check-ins and campaigns do not collide; `_id` is that of a guest in a batch. */
const NEW_EACH_TIME: Record<string, string> = { _id: 'guests', accesspoint_id: 'accesspoints', partner_id: 'partners' }

/** Makers of valid files, by media type. */
const FILES: Record<string, () => string> = {
  'application/pdf': () => '%PDF-1.7',
  'image/svg+xml': () =>
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><title>${crypto.randomUUID()}</title></svg>`,
  'text/csv': () => `email\nsample-${crypto.randomUUID()}@example.org\n`,
}

/** What deletes an event, and the title of events that it may: the one that everything is in stays. */
const deletesEvent: Action = events.actions.delete
const DOOMED = 'Doomed'

/** What reads the logo of a badge template, which has none at first. */
const readsLogo: Action = badgeTemplates.actions.logo

/** What revokes the tokens of a campaign; that of the one in which everything is stays. */
const renewsLinks: Action = pageLinks.actions.renew

/** What stores pages of archives, which bear a seal. */
const beginsImport: Action = eventImports.actions.create
const addsToImport: Action = eventImports.actions.add
/** What takes an archive of an event out, in which nothing may wait to be sent. */
const takesArchive: Action = eventArchives.actions.download

/** The key of each guest's only file. */
const FILE = 'file'

/** An action with a route, and its resource. */
export interface ActionRow {
  resource: Resource
  name: string
  action: Action
  method: string
}

/** What a world needs of a system. */
type Furnished = Pick<System, keyof TestAccount | 'url' | 'namespace' | 'bus' | 'api' | 'account' | 'stop'>

/** A system with accounts, each with a filled event, for requests of any action. */
export class World {
  readonly system: Furnished
  readonly #rows: ActionRow[]
  /** Ids to which requests refer, by account id. */
  readonly #known = new Map<string, Record<string, string>>()
  readonly #tokens = new Map<string, string>()

  private constructor(system: Furnished, rows: ActionRow[]) {
    this.system = system
    this.#rows = rows
  }

  /** A world of a system with all services. */
  static async of(system: Furnished, rows: ActionRow[]): Promise<World> {
    const world = new World(system, rows)
    await world.#furnish(system)
    return world
  }

  /** Creates another account with a filled event. */
  async account(slug: string): Promise<TestAccount> {
    const account = await this.system.account(slug)
    await this.#furnish(account)
    return account
  }

  async #furnish(account: TestAccount): Promise<void> {
    const { account_id } = account
    const known: Record<string, string> = { account_id, from_account_id: account_id }
    this.#known.set(account.account_id, known)
    known.platform_event_id = await this.#event(account, 'Platform')
    known.event_id = await this.#createOf('events', account)
    known.area_id = await this.#createOf('areas', account)
    known.badge_template_id = await this.#createOf('badge_templates', account)
    known.guest_category_id = await this.#category(account)
    known.promo_code = await this.#promoCode(account)
    const guest = await this.create(this.#row('guests', 'create'), account)
    known.guest_uid = guest.body.uid
    known.guest_id = guest.body._id
    known.guest_email = guest.body.email
    known.secret = /([\w-]+)\.png$/.exec(guest.body.qrcode_url)?.[1] ?? ''
    await this.#badge(account, known)
    await this.#fileField(account)
    known.contact_id = await this.#contact(account)
    known.invitation_type_id = await this.#createOf('invitation_types', account)
    known.not_in_mailing_id = await this.#mailing(account)
    await this.#campaign(account, known)
    await this.#exhibitor(account, known)
    await this.#webhook(account, known)
  }

  /** Creates a mailing with required fields only, to which the audiences of others refer. */
  async #mailing(account: TestAccount): Promise<string> {
    const body = { name: 'First', subject: 'Hello', message: 'Welcome' }
    return (await this.send(this.#row('mailings', 'create'), { account, body })).body._id
  }

  /** Creates a campaign with room for very many recipients, and invites the guest and another one. */
  async #campaign(account: TestAccount, known: Record<string, string>): Promise<void> {
    // E-mails that leave would change counters at any time.
    const fields = { name: 'Without limit', disable_emails: true }
    const partner = await this.send(this.#row('partners', 'create'), { account, body: fields })
    known.partner_id = partner.body._id
    const body = { partner_id: known.partner_id, quota: 1_000_000 }
    const campaign = await this.send(this.#row('partner_campaigns', 'create'), { account, body })
    known.partner_campaign_id = campaign.body._id
    const token = await this.create(this.#row('partner_access_tokens', 'create'), account)
    known.partner_access_token = token.body.token
    await this.send(this.#row('partner_invitations', 'batch_create'), { account, body: [{ email: known.guest_email }] })
    const invitations = await this.create(this.#row('partner_invitations', 'batch_create'), account)
    known.invitation_id = invitations.body[0]._id
    known.message_id = `${known.invitation_id}@example.org`
  }

  /** Invites a recipient who accepts, and gives the invitation. */
  async #registration(account: TestAccount): Promise<string> {
    const { body } = await this.create(this.#row('partner_invitations', 'batch_create'), account)
    const links = new InvitationLinks({ public_url: this.system.url, secrets_key: SECRETS_KEY })
    const [{ _id }] = body
    const given = new URLSearchParams({ answer: 'accepted' })
    const fields = await this.send(this.#row('guest_fields', 'list'), { account })
    for (const field of fields.body) given.set(`field_${field._id}`, field.available_values[0] ?? 'x')
    const page = await fetch(links.of(this.eventOf(account), _id), { method: 'POST', body: given })
    if (page.status !== 200) throw new Error(`An invitation could not be accepted: ${page.status}`)
    return _id
  }

  /** Invites a recipient, reports that the e-mail came back, and gives the suppression of the address. */
  async #suppression(account: TestAccount): Promise<string> {
    const { body: invited } = await this.create(this.#row('partner_invitations', 'batch_create'), account)
    const [{ _id: invitation_id, email }] = invited
    await this.send(this.#row('mail_events', 'batch_create'), { account, body: [{ invitation_id, type: 'bounced' }] })
    const query = `address=${encodeURIComponent(email)}`
    return (await this.send(this.#row('suppressions', 'list'), { account, query })).body[0]._id
  }

  /** Creates an exhibitor with a lead, and the signature of an app for it. */
  async #exhibitor(account: TestAccount, known: Record<string, string>): Promise<void> {
    const { body } = await this.create(this.#row('exhibitors', 'create'), account)
    known.exhibitor_id = body._id
    known.access_token = body.access_token
    known.lead_id = (await this.create(this.#row('connections', 'batch_create'), account)).body[0]._id
    const { signing_secret } = await clientOf(this.system.bus, apps).register({ body: { name: 'Scanner' } })
    const key = signing_secret + known.event_id
    known.signature = createHmac('sha256', key).update(body.access_token).digest('hex')
  }

  /** Creates a webhook whose receiver does not exist, and a delivery to it. */
  async #webhook(account: TestAccount, known: Record<string, string>): Promise<void> {
    const body = { url: 'http://127.0.0.1:9/', event_types: ['guest.created'] }
    const { body: webhook } = await this.send(this.#row('webhooks', 'create'), { account, body })
    known.webhook_id = webhook._id
    await this.create(this.#row('guests', 'create'), account)
    known.delivery_id = await awaited(async () => {
      const { body: deliveries } = await this.send(this.#row('deliveries', 'list'), { account })
      return deliveries[0]?._id
    })
    const params = { id: webhook._id }
    await this.send(this.#row('webhooks', 'update'), { account, params, body: { is_enabled: false } })
  }

  /** Creates a contact who can be invited: samples are blocked. */
  async #contact(account: TestAccount): Promise<string> {
    const id = await this.#createOf('contacts', account)
    const row = this.#row('contacts', 'update')
    await this.send(row, { params: { id }, body: { is_blocked: false }, account })
    return id
  }

  /** Creates a category without badges, since making them would change guests at any time; who accepts an invitation waits for the organizer. */
  async #category(account: TestAccount): Promise<string> {
    const body = { name: 'Guests', rsvp_enabled: true, moderated_registrations_enabled: true, walk_in_enabled: true }
    return (await this.send(this.#row('guest_categories', 'create'), { account, body })).body._id
  }

  /** Creates a guest of a category with badges, and waits for the badge. */
  async #badge(account: TestAccount, known: Record<string, string>): Promise<void> {
    const category = this.#row('guest_categories', 'create')
    const { body } = await this.send(category, { account, body: { name: 'Badges', badge_enabled: true } })
    const sent = { guest_category_id: body._id, last_name: 'Lovelace' }
    const guest = await this.send(this.#row('guests', 'create'), { account, body: sent })
    const params = { event_id: this.eventOf(account), id: guest.body._id }
    known.badged_guest_id = guest.body._id
    known.badge_secret = await awaited(async () => {
      const { body: found } = await this.send(this.#row('guests', 'read'), { account, params })
      return /([\w-]+)\.pdf$/.exec(found.badge_url ?? '')?.[1]
    })
  }

  /** Creates a guest field for files. */
  async #fileField(account: TestAccount): Promise<void> {
    await this.send(this.#row('guest_fields', 'create'), { account, body: { key: FILE, type: 'file' } })
  }

  /** Stores a file of the guest and gives its key. */
  async #file(account: TestAccount): Promise<string> {
    const { event_id, guest_id } = this.#known.get(account.account_id) ?? {}
    const url = `events/${event_id}/guests/${guest_id}/files/${FILE}.json`
    const options = { token: account.auth_token, headers: { 'content-type': 'application/pdf' } }
    const answer = await retried(() => this.system.api('PUT', url, FILES['application/pdf']?.(), options))
    if (answer.status !== 200) throw new Error(`A file could not be stored: ${answer.status} ${answer.text}`)
    return FILE
  }

  /** Creates an event with required fields only. */
  async #event(account: TestAccount, title: string): Promise<string> {
    const { account_id } = account
    const answer = await this.send(this.#row('events', 'create'), { account, body: { title, account_id } })
    return answer.body._id
  }

  /** Creates a discount code without limits and gives its text. */
  async #promoCode(account: TestAccount): Promise<string> {
    const { body } = await this.send(this.#row('promo_codes', 'create'), { account, body: { text: 'ANY', amount: 1 } })
    return body.text
  }

  #row(many: string, name: string): ActionRow {
    const row = this.#rows.find((each) => each.resource.many === many && each.name === name)
    if (!row) throw new Error(`The table tests need ${many}.${name}: see #furnish() in ${import.meta.filename}`)
    return row
  }

  async #createOf(many: string, account: TestAccount): Promise<string> {
    return (await this.create(this.#row(MADE_BY[many] ?? many, 'create'), account)).body._id
  }

  /** The account's event. */
  eventOf(account: TestAccount = this.system): string {
    return this.#known.get(account.account_id)?.event_id as string
  }

  /** An existing value for a field that refers to something of an account. */
  async refer(field: string, account: TestAccount): Promise<string> {
    if (field === 'key') return this.#file(account)
    if (field === 'phone_code') return (await this.send(this.#row('exhibitors', 'create_code'))).body.code
    if (field === 'logo_id') return this.#logo(account)
    if (field === 'code') return (await this.create(this.#row('devices', 'create'), account)).body.code
    const many = NEW_EACH_TIME[field]
    if (many) return this.#createOf(many, account)
    const value = this.#known.get(account.account_id)?.[field]
    if (!value) {
      throw new Error(
        `${field} refers to something which the table tests do not create: add it to refer() or #furnish() of ${import.meta.filename}`,
      )
    }
    return value
  }

  /** Stores a logo and gives its id. */
  async #logo(account: TestAccount): Promise<string> {
    const { body } = await this.send(this.#row('accounts', 'upload_logo'), { account })
    return /(\w+)\.svg$/.exec(body.logo_url)?.[1] ?? ''
  }

  /** A valid body of an action, distinct from all others, or a valid file. */
  async bodyOf({ action }: ActionRow, account: TestAccount = this.system): Promise<unknown> {
    if (action.upload) return FILES[fileTypeOf(action)]?.()
    if (!action.body) return undefined
    if (action === beginsImport) return eventPage(account.account_id)
    if (action === addsToImport) return fieldPage(account.account_id, await this.#createOf('event_imports', account))
    return sampleOf(action.body as SchemaNode, 'body', (field) => this.refer(field, account))
  }

  /** Creates an object and gives the answer, which must be 201. */
  async create(row: ActionRow, account: TestAccount = this.system): Promise<Answer> {
    const answer = await retried(async () => this.send(row, { body: await this.bodyOf(row, account), account }))
    if (answer.status !== 201)
      throw new Error(`${labelOf(row)} with a valid body answered ${answer.status} ${answer.text}`)
    return answer
  }

  /** Creates an object of a resource and gives the value of `:id` in its paths. */
  async fresh(resource: Resource, account: TestAccount = this.system): Promise<string> {
    if (['registrations', 'invitation_decisions'].includes(resource.many)) return this.#registration(account)
    if (resource.many === 'suppressions') return this.#suppression(account)
    if (resource.many === 'connections') return this.#known.get(account.account_id)?.lead_id as string
    if (resource.many === 'deliveries') return this.#known.get(account.account_id)?.delivery_id as string
    return resource.many === 'files' ? this.#file(account) : this.#createOf(resource.many, account)
  }

  /** Ids to which the paths of a resource refer. */
  #knownTo({ many }: Resource, account: TestAccount): Record<string, string> {
    const known = this.#known.get(account.account_id) ?? {}
    const { badged_guest_id = '', badge_secret = '' } = known
    if (many === 'wallet_passes') {
      const links = new PublicLinks({ public_url: this.system.url, secrets_key: SECRETS_KEY })
      return { ...known, secret: links.secretOf('wallet', known.event_id ?? '', known.guest_id ?? '') }
    }
    return many === 'badges' ? { ...known, guest_id: badged_guest_id, secret: badge_secret } : known
  }

  /** The parameters of an action's path, with a new object for `:id`. */
  async paramsOf({ resource, action }: ActionRow, account: TestAccount = this.system): Promise<Record<string, string>> {
    if (action === takesArchive) return { event_id: await this.refer('platform_event_id', account) }
    if (action === deletesEvent) return { event_id: await this.#event(account, DOOMED) }
    const params: Record<string, string> = {}
    const known = this.#knownTo(resource, account)
    for (const [, name = ''] of (action.route ?? '').matchAll(/:(\w+)/g)) {
      params[name] =
        name === 'id' ? await this.fresh(resource, account) : (known[name] ?? (await this.refer(name, account)))
    }
    if (action === renewsLinks) params.partner_campaign_id = await this.#createOf('partner_campaigns', account)
    if (action === readsLogo) await this.send(this.#row('badge_templates', 'upload_logo'), { account, params })
    return params
  }

  /** The path of an action, without suffix; `spelling` picks one of its spellings. */
  async pathOf(row: ActionRow, params?: Record<string, string>, spelling = 0): Promise<string> {
    const given = params ?? (await this.paramsOf(row))
    const path = routesOf(row.action)?.paths[spelling] ?? ''
    return (
      path
        // Relative to `/api/v1/`.
        .replace(/^\/(api\/v1\/)?/, (start) => (start === '/' ? '../../' : ''))
        .replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(given[name] ?? ''))
    )
  }

  /**
   * Sends a request of an action. All that `request` does not give is taken from a valid request, in JSON if possible, with
   * `Prefer: return=representation`.
   */
  async send(row: ActionRow, request: Request = {}): Promise<Answer> {
    const account = request.account ?? this.system
    const params = request.params ?? (await this.paramsOf(row, account))
    const path = await this.pathOf(row, params, request.spelling)
    const query = await this.#query(row.action, request.query ?? '', account)
    const body = 'body' in request ? request.body : await this.bodyOf(row, account)
    return this.system.api(row.method, `${path}${request.suffix ?? suffixesOf(row)[0]}${query}`, body, {
      token: request.token ?? account.auth_token,
      headers: {
        prefer: 'return=representation',
        ...(row.action.upload && { 'content-type': fileTypeOf(row.action) }),
        ...this.#bearer(row.action, params, request.spelling),
        ...request.headers,
      },
    })
  }

  /** The secret as a header, where the path of a spelling has no place for it. */
  #bearer(action: Action, params: Record<string, string>, spelling = 0): Record<string, string> {
    const { secret } = action
    const path = routesOf(action)?.paths[spelling] ?? ''
    const isLeftOut = secret !== undefined && params[secret] !== undefined && !path.includes(`:${secret}`)
    return isLeftOut ? { authorization: `Bearer ${params[secret]}` } : {}
  }

  /** The query string, with the secret added if it is a parameter and not given. */
  async #query(action: Action, given: string, account: TestAccount): Promise<string> {
    const { secret, route } = action
    const isAsked =
      secret !== undefined && !route?.includes(`:${secret}`) && !new RegExp(`(^|&)${secret}\\b`).test(given)
    const confirms = action === deletesEvent && !/(^|&)title\b/.test(given)
    const parts = [
      given,
      ...(isAsked ? [`${secret}=${await this.refer(secret, account)}`] : []),
      ...(confirms ? [`title=${DOOMED}`] : []),
    ].filter(Boolean)
    return parts.length > 0 ? `?${parts.join('&')}` : ''
  }

  /** The list of a resource as an account sees it, as text, to detect changes. */
  async snapshot(resource: Resource, account: TestAccount = this.system): Promise<string> {
    const elsewhere = SEEN_IN[resource.many]
    if (elsewhere) return this.snapshot(this.#row(elsewhere, 'list').resource, account)
    // Resources that exist once in an account have `read` instead of `list`.
    const [name, list] = Object.entries(resource.actions).find(([each]) => each === 'list' || each === 'read') ?? []
    if (!name || !list?.route || list.route.includes(':id'))
      throw new Error(`${resource.name} has no list which shows changes: add it to SEEN_IN of ${import.meta.filename}`)
    const { text, body } = await this.send({ resource, name, action: list, method: 'GET' }, { account })
    // Only devices report: times of earlier scans in Gatehouse come in a while after their answers.
    if (resource.many === 'scan_times')
      return JSON.stringify(
        body.by_device
          .map((each: { at_device: { scan_count: number } }) => each.at_device.scan_count)
          .toSorted()
          .filter(Boolean),
      )
    // The second pass of an erasure changes its report, whenever it comes.
    return resource.many === 'erasures' ? JSON.stringify(body.map(({ _id }: { _id: string }) => _id)) : text
  }

  /** A token of the first account with a scope, bound to an event or not. */
  async token(scope: Scope, event_id: string | null = null): Promise<string> {
    const key = `${scope} ${event_id}`
    const known = this.#tokens.get(key)
    if (known) return known
    const { body } = await this.system.api('POST', 'tokens.json', { name: key, scope, event_id })
    this.#tokens.set(key, body.token)
    return body.token
  }
}

/** The differences from a valid request. */
export interface Request {
  account?: TestAccount
  params?: Record<string, string>
  body?: unknown
  suffix?: string
  query?: string
  spelling?: number
  token?: string
  headers?: Record<string, string>
}

/** The suffixes of the paths of an action; the live feed has none. */
export function suffixesOf({ action }: ActionRow): string[] {
  return action === (liveAction as Action) ? [''] : formatsOf(action).map((format) => `.${format}`)
}

/** Waits for something that is made in the background. */
async function awaited(look: () => Promise<string | undefined>): Promise<string> {
  const last = performance.now() + 45_000
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (performance.now() > last) throw new Error('What a service makes in the background did not come')
    await sleep(50)
  }
}

/** A media type that an action accepts, and of which there is a sample. */
function fileTypeOf({ upload }: Action): string {
  const type = upload?.types.find((each) => FILES[each])
  if (!type)
    throw new Error(`The table tests have no file of ${upload?.types.join(', ')}: see FILES of ${import.meta.filename}`)
  return type
}

/** Whether an action takes only bodies with a seal, which no example can have. */
export function isSealed({ action }: ActionRow): boolean {
  return action === beginsImport || action === addsToImport
}

/** The name of an action in test names. */
export function labelOf({ resource, name, action }: ActionRow): string {
  return `${resource.many}.${name} (${action.route})`
}
