import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import { toAnswer, type WebResponse } from '@gatehouse/proto/pages/exchange.ts'
import { languageOf } from '@gatehouse/proto/pages/languages.ts'
import { pageHeaders } from '@gatehouse/proto/pages/layout.ts'
import { hashOfToken } from '@gatehouse/proto/storage/tokens.ts'
import { authenticated } from '../../campaigns/partner-access-tokens/authenticate.ts'
import type { StoredCampaign } from '../../campaigns/partner-campaigns/store.ts'
import type { StoredPartner } from '../../campaigns/partners/store.ts'
import { leftOf } from '../../campaigns/partners/usage-store.ts'
import type { Dependencies } from '../../dependencies.ts'
import { eventTerms } from '../../event-terms.ts'
import type { ShownEvent } from '../invitation-pages/dates.ts'
import { pageContextOf } from '../page-context.ts'
import { languages, type PartnerPageContext } from './languages.ts'
import type { FormContext } from './pages/shared.ts'
import { tokenOfCookie } from './resource.ts'
import type { ReadChoice } from './uploads/reading.ts'
import type { StoredUpload, UploadOwner } from './uploads/store.ts'

/** A browser sends pasted text in this encoding. */
export const PASTED: ReadChoice = { encoding: 'utf-8' }

/** A request for a page. */
export interface PageRequest {
  method: string
  url: string
  cookie: string | null | undefined
  acceptLanguage: string | undefined
  /** The form of a small body. */
  form: URLSearchParams
  /** A form with a file. */
  upload?: { bytes: Uint8Array; content_type: string }
}

/** A request of whoever has a token, on the pages of its campaign. */
export interface Visit extends PageRequest {
  token: string
  account_id: string
  campaign: StoredCampaign
  partner: StoredPartner
  context: PartnerPageContext
  event: ShownEvent
  isArchived: boolean
  place: FormContext
  query: URLSearchParams
}

/** Throws `unauthorized` without a token that is valid now and for this campaign. */
export async function visitOf(
  dependencies: Dependencies,
  request: PageRequest,
  campaign_id: string | undefined,
): Promise<Visit> {
  const { usage, sessions, tokens } = dependencies
  const token = tokenOfCookie(request.cookie)
  const { campaign, known } = await authenticated(dependencies, token)
  if (token === undefined || campaign._id !== campaign_id) throw new Fault('unauthorized')
  const { event_id, partner_id } = campaign
  const [partner, event] = await Promise.all([
    usage.get({ _id: partner_id, event_id }),
    eventTerms(dependencies, event_id),
    tokens.noteOpened(known),
  ])
  if (!partner) throw new Fault('unauthorized')
  const language = languageOf([], request.acceptLanguage, event.locale)
  const [, search = ''] = request.url.split('?', 2)
  return {
    ...request,
    token,
    account_id: event.account_id,
    campaign,
    partner,
    context: pageContextOf(event, language, languages),
    event,
    isArchived: event.archived ?? false,
    place: { path: sessions.pathOf(campaign._id), csrf: sessions.csrfOf(token), left: leftOf(partner, campaign) },
    query: new URLSearchParams(search),
  }
}

/** Returns an upload of a visitor; null if it is too old, or another's. */
export async function storedUpload({ uploads }: Dependencies, visit: Visit, _id: string): Promise<StoredUpload | null> {
  return /^[0-9a-f]{24}$/.test(_id) ? uploads.get(uploadOwner(visit), _id) : null
}

/** Returns what an upload of a visitor is stored under. */
export function uploadOwner({ campaign, token }: Visit): UploadOwner {
  return { event_id: campaign.event_id, partner_campaign_id: campaign._id, token_hash: hashOfToken(token) }
}

/** Returns an answer that leads to another page. */
export function redirect(location: string, headers: Record<string, string> = {}): WebResponse {
  return toAnswer({ status: 303, headers: { ...pageHeaders, ...headers, location }, body: '' })
}
