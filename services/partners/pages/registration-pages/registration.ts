import type { HtmlPage } from '@gatehouse/proto/pages/layout.ts'
import { giveAnswer } from '../../delivery/invitations/answers.ts'
import type { PageRegistration, StoredInvitation } from '../../delivery/invitations/store.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { EventTerms } from '../../event-terms.ts'
import type { InvitationPageContext } from '../invitation-pages/languages.ts'
import { categoryOf } from '../registrations/terms.ts'
import { ticketOf } from '../registrations/ticket.ts'
import { complete } from './completing.ts'
import { saidPage, standingPage } from './pages.ts'

/** Somebody at the link of an own registration, from an e-mail. */
interface Visit {
  context: InvitationPageContext
  registration: PageRegistration
  event: EventTerms
  path: string
}

/** Shows where a registration stands, and by its form confirms or cancels it. */
export async function registrationPage(
  dependencies: Dependencies,
  visit: Visit,
  form: URLSearchParams | undefined,
): Promise<HtmlPage> {
  const { registration, event } = visit
  if (!form) return standing(dependencies, visit, registration, 200)
  if (event.archived) return saidPage(visit.context, event, { says: 'register_closed', status: 409 })
  const answer = form.get('answer')
  if (answer === 'accepted') return confirmed(dependencies, visit)
  return answer === 'declined' ? cancelled(dependencies, visit) : standing(dependencies, visit, registration, 400)
}

async function confirmed(dependencies: Dependencies, visit: Visit): Promise<HtmlPage> {
  const { context, registration, event } = visit
  if (registration.registration_state !== 'unconfirmed') return standing(dependencies, visit, registration, 200)
  const category = await categoryOf(dependencies, registration.event_id, registration.guest_category_id)
  // Who registered in time may confirm it afterwards.
  if (!category?.registration_enabled) return saidPage(context, event, { says: 'register_closed', status: 409 })
  const completed = await complete(dependencies, registration, category)
  if (completed === 'full') return saidPage(context, event, { says: 'register_full', status: 409 })
  return standing(dependencies, visit, completed, 200)
}

async function cancelled(dependencies: Dependencies, visit: Visit): Promise<HtmlPage> {
  const { registration, event } = visit
  const isOpen = registration.answer === 'accepted' && registration.registration_state !== 'rejected'
  if (!isOpen || hasBegun(event)) return standing(dependencies, visit, registration, 409)
  const declined = await giveAnswer(dependencies, registration, { answer: 'declined' })
  return standing(dependencies, visit, declined ?? registration, 200)
}

async function standing(
  dependencies: Dependencies,
  { context, event, path }: Visit,
  registration: StoredInvitation,
  status: number,
): Promise<HtmlPage> {
  const ticket = await ticketOf(dependencies, registration)
  const isFinal = event.archived || hasBegun(event)
  return standingPage(context, { registration, event, path: isFinal ? null : path, ticket, status })
}

function hasBegun({ start_date }: EventTerms): boolean {
  return start_date !== null && start_date <= new Date()
}
