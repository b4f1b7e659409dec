import type { Handlers } from '@gatehouse/proto/declaring/resource.ts'
import { toAnswer, type WebResponse } from '@gatehouse/proto/pages/exchange.ts'
import { nameOf } from '../api/contacts/names.ts'
import type { UnplacedRequest } from '../oidc/account-request.ts'
import { isInTheClear } from '../oidc/exchange.ts'
import { NEEDS_HTTPS, NOBODY, readRequest } from '../oidc/handlers.ts'
import { answerPasskeys } from '../passkeys/handlers.ts'
import { lookOf } from '../sign-in/look.ts'
import { errorPage, tooManyPage } from '../sign-in/pages/pages.ts'
import { TooManyAttempts } from '../throttle.ts'
import { json } from './answers.ts'
import type { LookOf } from './pages.ts'
import type { ConsoleParts } from './parts.ts'
import type { consolePages } from './resource.ts'
import { beginSignIn, completeSignIn } from './sign-in.ts'
import { answerWelcome } from './welcome.ts'

const WELCOME = /^\/console\/welcome\/([\w-]{1,200})$/
const PASSKEYS = '/console/passkeys/'
const NOT_SIGNED_IN = { error: 'You are not signed in' }

/** The handlers of what the console needs besides the API. */
export function consoleHandlers(parts: ConsoleParts): Handlers<typeof consolePages> {
  const { accounts, sessions, sessionStore, issuers } = parts

  async function answer(request: UnplacedRequest, look: LookOf): Promise<WebResponse> {
    const { method, path, headers, address } = request
    const [, token] = WELCOME.exec(path) ?? []
    switch (`${method} ${path}`) {
      case 'GET /console/sign-in':
        return beginSignIn(parts, request, look)
      case 'GET /console/callback':
        return completeSignIn(parts, request, look)
      case 'POST /console/sign-out':
        return sessions.signOut(headers.cookie, headers.accept, address)
      case 'GET /console/session.json':
        return sessionOf(headers.cookie)
      default:
        if (path.startsWith(PASSKEYS)) return ownPasskeys(request)
        return token === undefined
          ? toAnswer(errorPage(look(), 404, 'error_nothing'))
          : answerWelcome(parts, token, request, look)
    }
  }

  async function ownPasskeys(request: UnplacedRequest): Promise<WebResponse> {
    const signedIn = await sessions.at(request.headers.cookie)
    const account = signedIn && (await accounts.get(signedIn.session.account_id))
    return account ? answerPasskeys(parts, request, signedIn, account) : json(401, NOT_SIGNED_IN)
  }

  async function sessionOf(cookie: string | undefined): Promise<WebResponse> {
    const signedIn = await sessions.at(cookie, true)
    const account = signedIn && (await accounts.get(signedIn.session.account_id))
    if (!account) return json(401, NOT_SIGNED_IN)
    const { member, contact } = signedIn
    const { _id, role, event_id } = member
    const { obstacle } = parts.passkeys
    return json(200, {
      account_id: account._id,
      account: account.slug,
      account_name: account.name ?? null,
      staff_member: { _id, name: nameOf(contact), email: contact.email, role, event_id },
      expires_at: new Date(sessionStore.endOf(signedIn.session)),
      passkeys: { available: obstacle === undefined, ...(obstacle !== undefined && { reason: obstacle }) },
    })
  }

  return {
    async handle({ body }) {
      const request = readRequest(body)
      const look: LookOf = (account) => lookOf({ ...request, account: account ?? NOBODY })
      if (isInTheClear(issuers, body.address)) return toAnswer(errorPage(look(), 503, 'error_later', NEEDS_HTTPS))
      try {
        return await answer(request, look)
      } catch (error) {
        if (error instanceof TooManyAttempts) return toAnswer(tooManyPage(look(), error.seconds))
        throw error
      }
    },
  }
}
