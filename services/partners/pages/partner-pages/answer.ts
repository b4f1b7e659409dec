import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import { toAnswer, type WebResponse } from '@gatehouse/proto/pages/exchange.ts'
import { authenticatePartner } from '../../campaigns/partner-access-tokens/authenticate.ts'
import type { Dependencies } from '../../dependencies.ts'
import { neutralContext } from '../page-context.ts'
import { showForm, takeUpload } from './add-recipients.ts'
import { failedAddresses } from './failed.ts'
import { languages } from './languages.ts'
import { nothingPage } from './pages/ends.ts'
import { overview } from './pages/overview.ts'
import { reviewUpload } from './review-upload.ts'
import { uploadLimits } from './uploads/upload-limits.ts'
import { type PageRequest, redirect, visitOf } from './visit.ts'

const LINK = /^\/partner\/(gh_partner_[\w-]{43})$/
const PAGE = /^\/partner\/([0-9a-f]{24})(?:\/(new|failed|uploads\/([0-9a-f]{24})(\/message)?))?$/

/** Answers a request for a page of a campaign, or to the link of an access token. */
export async function answer(dependencies: Dependencies, request: PageRequest): Promise<WebResponse> {
  const [path = ''] = request.url.split('?', 1)
  try {
    const [, token] = LINK.exec(path) ?? []
    if (token !== undefined) return await enter(dependencies, token)
    const [, campaign_id, step, upload_id, isMessage] = PAGE.exec(path) ?? []
    const visit = await visitOf(dependencies, request, campaign_id)
    if (step === undefined) return toAnswer(await overview(dependencies, visit))
    if (step === 'new' && !request.upload) return await showForm(dependencies, visit)
    const owner = { account_id: visit.account_id, partner_campaign_id: visit.campaign._id }
    return await uploadLimits.hold(owner, async () => {
      // The token may have been revoked while this waited.
      const now = await visitOf(dependencies, request, campaign_id)
      if (step === 'failed') return failedAddresses(dependencies, now.campaign)
      if (request.upload) return takeUpload(dependencies, now, request.upload)
      return reviewUpload(dependencies, now, upload_id ?? '', isMessage !== undefined)
    })
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'unauthorized') throw error
    return toAnswer(nothingPage(neutralContext([], request.acceptLanguage, languages)))
  }
}

/** Takes the token out of the address: it stays in a cookie. */
async function enter(dependencies: Dependencies, token: string): Promise<WebResponse> {
  const { sessions } = dependencies
  const { _id } = await authenticatePartner(dependencies, token)
  return redirect(sessions.pathOf(_id), { 'set-cookie': sessions.cookieOf(_id, token) })
}
