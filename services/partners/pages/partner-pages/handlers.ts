import type { Client } from '@gatehouse/proto/bus/client.ts'
import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import type { Handlers } from '@gatehouse/proto/declaring/resource.ts'
import { isEncoding } from '@gatehouse/proto/formats/lists/encodings.ts'
import { toAnswer, type WebResponse } from '@gatehouse/proto/pages/exchange.ts'
import { languageOf, speakerOf } from '@gatehouse/proto/pages/languages.ts'
import { type HtmlPage, pageHeaders } from '@gatehouse/proto/pages/layout.ts'
import { hashOfToken } from '@gatehouse/proto/storage/tokens.ts'
import { Binary, ObjectId } from 'mongodb'
import { authenticatePartner } from '../../campaigns/partner-access-tokens/authenticate.ts'
import type { PartnerAccessTokenStore } from '../../campaigns/partner-access-tokens/store.ts'
import type { StoredCampaign } from '../../campaigns/partner-campaigns/store.ts'
import type { StoredPartner } from '../../campaigns/partners/store.ts'
import { leftOf, type UsageStore, usageOf } from '../../campaigns/partners/usage-store.ts'
import type { InvitationMails } from '../../delivery/hand-overs/mails.ts'
import type { InvitationMail } from '../../delivery/hand-overs/resource.ts'
import type { InvitationTypeStore } from '../../delivery/invitation-types/store.ts'
import type { acceptAll } from '../../delivery/invitations/handlers.ts'
import { NO_INVITATION } from '../../delivery/invitations/links.ts'
import { states } from '../../delivery/invitations/resource.ts'
import type { InvitationStore, StoredInvitation } from '../../delivery/invitations/store.ts'
import type { accounts, events } from '../../permissions.ts'
import { colourOf } from '../account-colour.ts'
import { failedAddresses } from './failed.ts'
import { languages, type PartnerPageLook } from './languages.ts'
import { checkPage } from './pages/check.ts'
import { gonePage, nothingPage, reportPage } from './pages/ends.ts'
import { newPage, problemOf, problems, type UploadProblem } from './pages/new.ts'
import { MAX_WAITING, overviewPage } from './pages/overview.ts'
import { type partnerPages, tokenOfCookie } from './resource.ts'
import type { PartnerSessions } from './session.ts'
import { type Checked, checkUpload } from './uploads/checking.ts'
import { readUploadForm } from './uploads/multipart.ts'
import { uploadPlaces } from './uploads/places.ts'
import { type ReadChoice, readUpload, type UploadedRows } from './uploads/reading.ts'
import { sendUpload } from './uploads/sending.ts'
import type { StoredUpload, UploadStore } from './uploads/store.ts'

const LINK = /^\/partner\/(gh_partner_[\w-]{43})$/
const PAGE = /^\/partner\/([0-9a-f]{24})(?:\/(new|failed|uploads\/([0-9a-f]{24})(\/message)?))?$/
/** Invitations on a page. */
const PER_PAGE = 50
/** The last page of the list that has an address. */
const LAST_PAGE = 1_000_000
/** Characters of pasted text up to which a form shows it again. */
const MAX_SHOWN = 1_000_000

/** Long links do not widen the frame in which a message is shown. */
const IN_FRAME = '<style>body{overflow-wrap:anywhere}</style>'

/** A browser sends pasted text so. */
const PASTED: ReadChoice = { encoding: 'utf-8' }

type Accepting = Parameters<typeof acceptAll>[0]

interface PartnerPageHandlerOptions extends Accepting {
  invitations: InvitationStore
  tokens: PartnerAccessTokenStore
  types: InvitationTypeStore
  usageStore: UsageStore
  uploads: UploadStore
  mails: InvitationMails
  sessions: PartnerSessions
  events: Client<typeof events>
  accounts: Client<typeof accounts>
}

interface Request {
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
interface Visit extends Request {
  token: string
  account_id: string
  campaign: StoredCampaign
  partner: StoredPartner
  look: PartnerPageLook
  event: string
  place: { path: string; csrf: string }
  query: URLSearchParams
}

/** Handlers of partners' pages. A GET changes nothing: mail scanners open links. */
export function partnerPageHandlers(options: PartnerPageHandlerOptions): Handlers<typeof partnerPages> {
  const { invitations, campaigns, tokens, types, usageStore, uploads, sessions } = options

  async function answer(request: Request): Promise<WebResponse> {
    const [path = '', search = ''] = request.url.split('?', 2)
    const query = new URLSearchParams(search)
    try {
      const [, linked] = LINK.exec(path) ?? []
      if (linked !== undefined) return await enter(linked)
      const [, campaign_id, step, upload_id, isMessage] = PAGE.exec(path) ?? []
      const visit = await visitOf(request, query, campaign_id)
      if (step === undefined) return toAnswer(await overview(visit))
      if (step === 'new' && !request.upload) return await begin(visit)
      const owner = { account_id: visit.account_id, partner_campaign_id: visit.campaign._id }
      return await uploadPlaces.hold(owner, async () => {
        // The token may have been revoked while this waited for its turn.
        const now = await visitOf(request, query, campaign_id)
        if (step === 'failed') return failedAddresses(invitations, now.campaign)
        return step === 'new' ? begin(now) : continueWith(now, upload_id ?? '', isMessage !== undefined)
      })
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'unauthorized') throw error
      const language = languageOf([], request.acceptLanguage)
      return toAnswer(nothingPage({ name: 'Gatehouse', colour: null, language, say: speakerOf(languages[language]) }))
    }
  }

  /** Takes the token out of the address: it stays in a cookie. */
  async function enter(token: string): Promise<WebResponse> {
    const { _id } = await authenticatePartner(tokens, campaigns, token)
    return redirect(sessions.pathOf(_id), { 'set-cookie': sessions.cookieOf(_id, token) })
  }

  /** Throws `unauthorized` without a token that is valid now and for this campaign. */
  async function visitOf(request: Request, query: URLSearchParams, campaign_id: string | undefined): Promise<Visit> {
    const token = tokenOfCookie(request.cookie)
    const campaign = await authenticatePartner(tokens, campaigns, token)
    if (token === undefined || campaign._id !== campaign_id) throw new Fault('unauthorized')
    const { event_id, partner_id } = campaign
    const [partner, event] = await Promise.all([
      usageStore.get({ _id: partner_id, event_id }),
      options.events.campaign_terms({ body: { event_id } }),
    ])
    if (!partner) throw new Fault('unauthorized')
    const language = languageOf([], request.acceptLanguage, event.locale)
    const colour = await colourOf(options.accounts, event.account_id)
    const look = { name: event.organizer || event.title, colour, language, say: speakerOf(languages[language]) }
    const place = { path: sessions.pathOf(campaign._id), csrf: sessions.csrfOf(token) }
    return {
      ...request,
      token,
      account_id: event.account_id,
      campaign,
      partner,
      look,
      event: event.title,
      place,
      query,
    }
  }

  async function overview({ campaign, partner, look, event, place, query }: Visit): Promise<HtmlPage> {
    const state = states.find((each) => each === query.get('state'))
    const number = Math.min(LAST_PAGE, Math.max(1, Math.floor(Number(query.get('page')) || 1)))
    const [type, waiting, items] = await Promise.all([
      types.get(campaign.event_id, campaign.invitation_type_id),
      invitations.countQueued(campaign, MAX_WAITING),
      invitations.page(campaign, { state, page: number, per_page: PER_PAGE }),
    ])
    const shown = items.decoded()
    return overviewPage(look, {
      path: place.path,
      title: type?.name ?? event,
      event,
      partner: partner.name,
      pause: partner.disable_emails ? 'paused' : campaign.paused_at ? 'paused_itself' : undefined,
      usage: usageOf(partner, campaign._id),
      quota: campaign.quota,
      left: leftOf(partner, campaign),
      waiting,
      list: { state, number, items: shown, hasNext: shown.length === PER_PAGE },
      isLive: !query.has('still'),
    })
  }

  /** The form for recipients, and what was sent with it. */
  async function begin(visit: Visit): Promise<WebResponse> {
    const { look, place, query, method, upload } = visit
    const problem = Object.keys(problems).find((each) => each === query.get('problem')) as UploadProblem | undefined
    if (method === 'POST' && upload) return take(visit, upload)
    const stored = await storedOf(visit, query.get('from') ?? '')
    const pasted = stored?.is_pasted ? stored.bytes?.buffer : undefined
    return toAnswer(newPage(look, place, { problem, addresses: shownAgain(pasted) }))
  }

  /** Stores recipients, and leads to the page that checks them. */
  async function take(visit: Visit, { bytes, content_type }: NonNullable<Request['upload']>): Promise<WebResponse> {
    const { look, place, token, account_id } = visit
    const form = await uploadPlaces.parse(account_id, () => readUploadForm(bytes, content_type))
    const { pasted, file } = form ?? {}
    const again = (problem: UploadProblem): WebResponse =>
      toAnswer(newPage(look, place, { problem, addresses: shownAgain(pasted) }))
    if (!form || !sessions.carries(form.fields.get('csrf'), token)) return again('form')
    if (pasted && file) return again('both')
    const content = pasted ?? file
    if (!content?.length) return again('empty')
    const reading = await read(account_id, content, file ? {} : PASTED)
    if ('problem' in reading) return again(reading.problem)
    const _id = new ObjectId().toHexString()
    await uploads.add({
      ...ownerOf(visit),
      _id,
      is_pasted: file === undefined,
      bytes: new Binary(content),
      created_at: new Date(),
    })
    return redirect(`${place.path}/uploads/${_id}`)
  }

  /** An upload before it is sent, its sending, and what came of it. */
  async function continueWith(visit: Visit, _id: string, isMessage: boolean): Promise<WebResponse> {
    const { look, place, campaign, partner, method, form, token } = visit
    const upload = await storedOf(visit, _id)
    if (!upload) return toAnswer(gonePage(look, place.path))
    if (!upload.bytes) {
      return toAnswer(upload.report ? reportPage(look, place.path, upload.report) : gonePage(look, place.path))
    }
    const choice = upload.is_pasted ? undefined : choiceOf(visit.query)
    const reading = await read(visit.account_id, upload.bytes.buffer, choice ?? PASTED)
    if ('problem' in reading) return toAnswer(newPage(look, place, reading))
    const checked = await checkUpload(invitations, campaign, upload, reading, leftOf(partner, campaign))
    if (isMessage) return messageFrame(await messageOf(visit, checked))
    if (method === 'POST' && sessions.carries(form.get('csrf') ?? undefined, token)) {
      await sendUpload(uploads, options, campaign, upload, reading)
      return redirect(`${place.path}/uploads/${_id}`)
    }
    const shown = checkPage(look, place, { _id, checked, choice, message: await messageOf(visit, checked) })
    return toAnswer(method === 'POST' ? { ...shown, status: 403 } : shown)
  }

  /** The message as the first new recipient would get it. Its link leads nowhere, so that a partner cannot answer for its recipients. */
  async function messageOf(
    { partner, campaign }: Visit,
    { fresh, beyond, already }: Checked,
  ): Promise<InvitationMail | undefined> {
    const first = fresh[0] ?? beyond[0] ?? already[0]
    if (!first) return undefined
    const { recipient, address } = first
    const invitation = { _id: NO_INVITATION, event_id: campaign.event_id, address, ...recipient } as StoredInvitation
    const [mail] = await options.mails.of(partner, [{ invitation, campaign }])
    return mail && { ...mail, to: recipient.email }
  }

  /** The rows of an upload, or what is wrong with all of it. */
  async function read(
    account_id: string,
    bytes: Uint8Array,
    choice: ReadChoice,
  ): Promise<UploadedRows | { problem: UploadProblem }> {
    try {
      return await uploadPlaces.parse(account_id, () => readUpload(bytes, choice))
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      if (error.code === 'too_large') return { problem: 'rows' }
      if (error.code === 'invalid') return { problem: problemOf(error.errors?.file?.[0]) }
      throw error
    }
  }

  async function storedOf(visit: Visit, _id: string): Promise<StoredUpload | null> {
    return /^[0-9a-f]{24}$/.test(_id) ? uploads.get(ownerOf(visit), _id) : null
  }

  return {
    async handle({ body: { method, url, headers, body } }) {
      const header = (wanted: string) => headers.find(({ name }) => name === wanted)?.value ?? undefined
      const form = new URLSearchParams(body ?? '')
      return answer({ method, url, form, cookie: header('cookie'), acceptLanguage: header('accept-language') })
    },

    async upload({ query: { url, cookie, accept_language }, upload }) {
      const form = new URLSearchParams()
      return answer({ method: 'POST', url, form, cookie, acceptLanguage: accept_language ?? undefined, upload })
    },
  }
}

function ownerOf({ campaign, token }: Visit): Pick<StoredUpload, 'event_id' | 'partner_campaign_id' | 'token_hash'> {
  return { event_id: campaign.event_id, partner_campaign_id: campaign._id, token_hash: hashOfToken(token) }
}

/** What a partner chose of how a file is read. */
function choiceOf(query: URLSearchParams): ReadChoice {
  const encoding = query.get('encoding') ?? ''
  const sheet = query.get('sheet')
  return { ...(isEncoding(encoding) && { encoding }), ...(sheet !== null && sheet.length <= 255 && { sheet }) }
}

/** Pasted text in the form again: all of it or none, so that no part is lost unseen. */
function shownAgain(pasted?: Uint8Array): string {
  return pasted && pasted.length <= MAX_SHOWN ? new TextDecoder().decode(pasted) : ''
}

function redirect(location: string, headers: Record<string, string> = {}): WebResponse {
  return toAnswer({ status: 303, headers: { ...pageHeaders, ...headers, location }, body: '' })
}

/** The HTML of a message, as a page of its own within the page that shows it: without scripts, and without any right. */
function messageFrame(message: InvitationMail | undefined): WebResponse {
  return toAnswer({
    status: message ? 200 : 404,
    headers: {
      ...pageHeaders,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'self'",
      'x-frame-options': 'SAMEORIGIN',
    },
    body: message ? `${message.html}${IN_FRAME}` : '',
  })
}
