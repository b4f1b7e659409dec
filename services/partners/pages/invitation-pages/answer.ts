import type { HtmlPage } from '@gatehouse/proto/pages/layout.ts'
import { giveAnswer } from '../../delivery/invitations/answers.ts'
import type { StoredInvitation } from '../../delivery/invitations/store.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { EventTerms } from '../../event-terms.ts'
import { readForm } from '../registrations/form.ts'
import { knownOf } from '../registrations/registration.ts'
import { askedFields, categoryOf } from '../registrations/terms.ts'
import { ticketOf } from '../registrations/ticket.ts'
import type { InvitationPageContext } from './languages.ts'
import { invitationPage } from './pages.ts'

/** A recipient on the page of its invitation. */
interface Visit {
  context: InvitationPageContext
  invitation: StoredInvitation
  event: EventTerms
  path: string
}

/** Shows an invitation. */
export async function shownPage(dependencies: Dependencies, visit: Visit): Promise<HtmlPage> {
  const { shown } = await contentOf(dependencies, visit)
  return invitationPage(visit.context, { ...shown, ticket: await ticketOf(dependencies, visit.invitation) })
}

/** Answers an invitation by the form of its page, and shows it. */
export async function answeredPage(dependencies: Dependencies, visit: Visit, form: URLSearchParams): Promise<HtmlPage> {
  const { context, invitation } = visit
  const { shown, category, isRight, registration } = await contentOf(dependencies, visit, form)
  const answer = form.get('answer')
  if (answer !== 'accepted' && answer !== 'declined') return invitationPage(context, { ...shown, status: 400 })
  const isLate = shown.isFinal && answer !== shown.answer
  if (!category?.rsvp_enabled || shown.registration_state === 'rejected' || isLate)
    return invitationPage(context, { ...shown, status: 409 })
  if (answer === 'accepted' && shown.answer !== 'accepted' && !isRight)
    return invitationPage(context, { ...shown, status: 422 })
  const isModerated = category.moderated_registrations_enabled
  const answered = await giveAnswer(
    dependencies,
    invitation,
    answer === 'declined'
      ? { answer }
      : { answer, registration: { ...registration, language: context.language }, isModerated },
  )
  if (!answered) return invitationPage(context, { ...shown, answer: null, openness: 'closed', status: 409 })
  const isRefused = answered.answer === answer && answered.registration_state === 'rejected'
  const after = { ...shown, ...answerOf(answered), ticket: await ticketOf(dependencies, answered) }
  // Another answer may have come between; its page says so.
  return invitationPage(context, { ...after, status: isRefused ? 409 : 200 })
}

/** What the page shows before an answer is stored, and what the form holds. */
async function contentOf(dependencies: Dependencies, { invitation, event, path }: Visit, form?: URLSearchParams) {
  const { usage, campaigns, types } = dependencies
  const { event_id, partner_id, partner_campaign_id, answer } = invitation
  const [partner, campaign] = await Promise.all([
    usage.get({ _id: partner_id, event_id }),
    campaigns.get(event_id, partner_campaign_id),
  ])
  const type = campaign && (await types.get(event_id, campaign.invitation_type_id))
  const category = partner ? await categoryOf(dependencies, event_id, type?.guest_category_id) : null
  const { fields, isRight, registration } = readForm(
    category?.rsvp_enabled && answer !== 'accepted' ? await askedFields(dependencies, event_id) : [],
    knownOf(invitation),
    form?.get('answer') === 'accepted' ? form : undefined,
  )
  const openness = category?.rsvp_enabled ? ('open' as const) : category ? ('not_asked' as const) : ('closed' as const)
  const shown = {
    event,
    sender:
      partner && campaign ? { name: partner.name, reply_to: campaign.reply_to ?? event.reply_to_email } : undefined,
    path,
    fields,
    ...answerOf(invitation),
    openness,
    isFinal: answer !== null && event.start_date !== null && event.start_date <= new Date(),
  }
  return { shown, category, isRight, registration }
}

/** What an invitation says of its answer. */
function answerOf({ answer, registration_state }: StoredInvitation) {
  // One that is older than answers has none.
  return { answer: answer ?? null, registration_state }
}
