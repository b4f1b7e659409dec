import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import type { HtmlPage } from '@gatehouse/proto/pages/layout.ts'
import { networkOf } from '@gatehouse/proto/process/network.ts'
import { LONGEST, SHORTEST } from '../credentials/passwords.ts'
import type { AccountDependencies } from '../oidc/account-request.ts'
import type { PageVisitor } from './branding.ts'
import { carries, formToken } from './form-token.ts'
import { errorPage, passwordPage, passwordSavedPage } from './pages/pages.ts'

/** Answers `/invitations/<token>`, where an invited contact chooses a password; `form` is the submitted one. Throws `TooManyAttempts`. */
export async function answerInvitation(
  { account, secret, mount, credentials, throttle }: AccountDependencies,
  token: string,
  form: URLSearchParams | undefined,
  { address, branding: brandingOf }: PageVisitor,
): Promise<HtmlPage> {
  await throttle.count(account._id, 'invitation_address', networkOf(address))
  const branding = brandingOf()
  const contact = await credentials.invited(account._id, token)
  if (!contact) return errorPage(branding, 404, 'link_gone')
  const csrf = formToken(secret, `invitation:${token}`)
  const own = { action: `${mount}/invitations/${token}`, csrf, formTargets: [] }
  const details = { email: contact.email, length: SHORTEST }
  if (!form) return passwordPage(branding, own, details)
  if (!carries(form, csrf)) return passwordPage(branding, own, details, { form: 'error_form', status: 403 })
  try {
    const accepted = await credentials.acceptInvitation(account._id, token, form.get('password') ?? '', { address })
    return accepted ? passwordSavedPage(branding) : errorPage(branding, 404, 'link_gone')
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'invalid') throw error
    const places = { length: SHORTEST, most: LONGEST }
    return passwordPage(branding, own, details, { password: 'password_length', places, status: 422 })
  }
}
