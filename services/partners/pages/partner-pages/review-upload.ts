import { isEncoding } from '@gatehouse/proto/formats/lists/encodings.ts'
import { toAnswer, type WebResponse } from '@gatehouse/proto/pages/exchange.ts'
import { pageHeaders } from '@gatehouse/proto/pages/layout.ts'
import { leftOf } from '../../campaigns/partners/usage-store.ts'
import { NO_INVITATION } from '../../delivery/invitations/links.ts'
import type { StoredInvitation } from '../../delivery/invitations/store.ts'
import { mailsOf } from '../../delivery/sending/mails.ts'
import type { InvitationMail } from '../../delivery/sending/resource.ts'
import type { Dependencies } from '../../dependencies.ts'
import { checkPage } from './pages/check.ts'
import { gonePage, reportPage } from './pages/ends.ts'
import { newPage } from './pages/new.ts'
import { type Checked, checkUpload, readRows } from './uploads/checking.ts'
import type { ReadChoice } from './uploads/reading.ts'
import { sendUpload } from './uploads/sending.ts'
import { PASTED, redirect, storedUpload, type Visit } from './visit.ts'

/** Long links do not widen the frame in which a message is shown. */
const IN_FRAME = '<style>body{overflow-wrap:anywhere}</style>'

/** Shows an upload before it is sent, sends it, or shows what came of it. */
export async function reviewUpload(
  dependencies: Dependencies,
  visit: Visit,
  _id: string,
  isMessage: boolean,
): Promise<WebResponse> {
  const { context, place, campaign, partner, method, form, token } = visit
  const upload = await storedUpload(dependencies, visit, _id)
  if (upload?.report && !upload.bytes) return toAnswer(reportPage(context, place, upload.report))
  if (!upload?.bytes) return toAnswer(gonePage(context, place.path))
  const choice = upload.is_pasted ? undefined : choiceOf(visit.query)
  const rows = await readRows(visit.account_id, upload.bytes.buffer, choice ?? PASTED)
  if ('problem' in rows) return toAnswer(newPage(visit, rows))
  const checked = await checkUpload(dependencies, campaign, upload, rows, leftOf(partner, campaign))
  if (isMessage) return messageFrame(await messageOf(dependencies, visit, checked))
  if (method === 'POST' && !visit.isArchived && dependencies.sessions.carries(form.get('csrf') ?? undefined, token)) {
    await sendUpload(dependencies, campaign, upload, rows)
    return redirect(`${place.path}/uploads/${_id}`)
  }
  const message = await messageOf(dependencies, visit, checked)
  const shown = checkPage(context, place, { _id, checked, choice, message })
  return toAnswer(method === 'POST' ? { ...shown, status: visit.isArchived ? 409 : 403 } : shown)
}

/** What a partner chose of how a file is read. */
function choiceOf(query: URLSearchParams): ReadChoice {
  const encoding = query.get('encoding') ?? ''
  const sheet = query.get('sheet')
  return { ...(isEncoding(encoding) && { encoding }), ...(sheet !== null && sheet.length <= 255 && { sheet }) }
}

/** The message as the first new recipient would get it. Its link leads nowhere, so that a partner cannot answer for its recipients. */
async function messageOf(
  dependencies: Dependencies,
  { partner, campaign }: Visit,
  { fresh, beyond, already }: Checked,
): Promise<InvitationMail | undefined> {
  const first = fresh[0] ?? beyond[0] ?? already[0]
  if (!first) return undefined
  const { recipient, address } = first
  const invitation = { _id: NO_INVITATION, event_id: campaign.event_id, address, ...recipient } as StoredInvitation
  const [mail] = await mailsOf(dependencies, partner, [{ invitation, campaign }])
  return mail && { ...mail, to: recipient.email }
}

/** The HTML of a message with the logo, as a page of its own within the page that shows it: without scripts, and without any right. */
function messageFrame(message: InvitationMail | undefined): WebResponse {
  return toAnswer({
    status: message ? 200 : 404,
    headers: {
      ...pageHeaders,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; sandbox; frame-ancestors 'self'",
      'x-frame-options': 'SAMEORIGIN',
    },
    body: message ? `${message.html}${IN_FRAME}` : '',
  })
}
