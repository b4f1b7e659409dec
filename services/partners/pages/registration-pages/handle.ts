import type { RegistrationSettings } from '@gatehouse/guests/resources'
import type { WebRequest } from '@gatehouse/proto/pages/exchange.ts'
import { languageOf } from '@gatehouse/proto/pages/languages.ts'
import type { HtmlPage } from '@gatehouse/proto/pages/layout.ts'
import { isOfPage, type PageKey } from '../../delivery/invitations/store.ts'
import type { Dependencies } from '../../dependencies.ts'
import { type EventTerms, eventTerms } from '../../event-terms.ts'
import * as topics from '../../topics.ts'
import { type InvitationPageContext, languages } from '../invitation-pages/languages.ts'
import { neutralContext, pageContextOf } from '../page-context.ts'
import type { FormField } from '../registrations/form.ts'
import { askedFields, categoryOf } from '../registrations/terms.ts'
import { ticketOf } from '../registrations/ticket.ts'
import { complete } from './completing.ts'
import { emailOf, readRegistration } from './form.ts'
import { openingOf } from './opening.ts'
import { formPage, noPage, saidPage, standingPage } from './pages.ts'

const PATH = /^\/register\/(?<event_id>[0-9a-f]{24})\/(?<guest_category_id>[0-9a-f]{24})$/

/** Somebody on a registration page. */
interface Visit {
  context: InvitationPageContext
  key: PageKey
  event: EventTerms
  category: RegistrationSettings
  path: string
  /** Of the network. */
  address: string
}

/** Answers a request for a registration page. */
export async function pageOf(
  dependencies: Dependencies,
  { method, url, headers, body, address }: WebRequest,
): Promise<HtmlPage> {
  const [path = '', search = ''] = url.split('?', 2)
  const asked = [new URLSearchParams(search).get('locale') ?? undefined]
  const acceptLanguage = headers.find(({ name }) => name === 'accept-language')?.value ?? undefined
  const key = PATH.exec(path)?.groups as PageKey | undefined
  const category = key && (await categoryOf(dependencies, key.event_id, key.guest_category_id))
  if (!category) return noPage(neutralContext(asked, acceptLanguage, languages))
  const event = await eventTerms(dependencies, key.event_id)
  const context = pageContextOf(event, languageOf(asked, acceptLanguage, event.locale), languages)
  const visit = { context, key, event, category, path, address }
  const isPost = method === 'POST'
  const form = new URLSearchParams((isPost && body) || '')
  // Whoever is registered keeps the QR code once the page is closed or full.
  if (form.get('step') === 'send_again' && category.confirmation_email_enabled && !event.archived)
    return sendAgain(dependencies, visit, form)
  const { state } = await openingOf(dependencies, key, category, event.archived ?? false)
  if (state !== 'open') return closedPage(visit, state, isPost ? 409 : 200)
  return isPost ? register(dependencies, visit, form) : shown(dependencies, visit)
}

function closedPage(
  { context, event, category }: Visit,
  state: 'not_open' | 'closed' | 'full',
  status: number,
): HtmlPage {
  const opens = category.registration_opens_at
  if (state === 'not_open' && opens) return saidPage(context, event, { says: 'register_not_open', at: opens, status })
  return saidPage(context, event, { says: state === 'full' ? 'register_full' : 'register_closed', status })
}

async function shown(dependencies: Dependencies, { context, key, event, category, path }: Visit): Promise<HtmlPage> {
  const asked = await askedFields(dependencies, key.event_id)
  const { fields } = readRegistration(context, asked, category.registration_party_max)
  return formPage(context, event, { path, fields, status: 200 })
}

async function register(dependencies: Dependencies, visit: Visit, form: URLSearchParams): Promise<HtmlPage> {
  const { context, key, event, category, path, address } = visit
  const { registrationLimits, registrations, bus } = dependencies
  const asked = await askedFields(dependencies, key.event_id)
  const { fields, given } = readRegistration(context, asked, category.registration_party_max, form)
  if (!given) return formPage(context, event, { path, fields, status: 422 })
  if (!(await registrationLimits.allow(key.event_id, address)))
    return saidPage(context, event, { says: 'register_busy', status: 429 })
  const registration = await registrations.put(key, given)
  const { email } = given
  const again = category.confirmation_email_enabled ? { again: path } : {}
  if (category.registration_confirms_email) {
    if (registration && (await registrations.askToConfirm(registration))) bus.announce(topics.confirmations, '')
    // A stranger must not learn from it who is registered.
    return saidPage(context, event, { says: 'register_sent', email, ...again, status: 200 })
  }
  if (!registration || !isOfPage(registration))
    return saidPage(context, event, { says: 'register_already', email, ...again, status: 409 })
  const completed = await complete(dependencies, registration, category)
  if (completed === 'full') return tooManyPage(dependencies, visit, fields)
  return standingPage(context, {
    registration: completed,
    event,
    path: null,
    ticket: await ticketOf(dependencies, completed),
    status: 200,
  })
}

/** Sends the QR code again to an address that is registered, and says the same of any: nobody learns who is registered. */
async function sendAgain(dependencies: Dependencies, visit: Visit, form: URLSearchParams): Promise<HtmlPage> {
  const { registrationLimits, registrations, bus } = dependencies
  const { context, key, event, address } = visit
  const given = emailOf(form)
  if (!given) return shown(dependencies, visit)
  if (!(await registrationLimits.allow(key.event_id, address)))
    return saidPage(context, event, { says: 'register_busy', status: 429 })
  if (await registrations.sendAgain(key, given.address)) bus.announce(topics.confirmations, '')
  return saidPage(context, event, { says: 'register_sent_again', email: given.email, status: 200 })
}

/** The form of a party for which there are not enough places left, or that there are none. */
async function tooManyPage(dependencies: Dependencies, visit: Visit, fields: FormField[]): Promise<HtmlPage> {
  const { context, key, event, category, path } = visit
  const left = (category.registration_limit ?? 0) - (await dependencies.places.count(key))
  if (left <= 0) return closedPage(visit, 'full', 409)
  const fewer = fields.map((field) =>
    field.name === 'party_size' ? { ...field, max: left, problem: 'places_left' as const } : field,
  )
  return formPage(context, event, { path, fields: fewer, status: 409 })
}
