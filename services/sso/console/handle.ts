import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import { toAnswer, type WebResponse } from '@gatehouse/proto/pages/exchange.ts'
import type { UnplacedRequest } from '../oidc/account-request.ts'
import { isInTheClear } from '../oidc/exchange.ts'
import { NEEDS_HTTPS, NOBODY, readRequest } from '../oidc/handle.ts'
import { brandingOf } from '../sign-in/branding.ts'
import { errorPage, tooManyPage } from '../sign-in/pages/pages.ts'
import { TooManyAttempts } from '../throttle.ts'
import { consoleActionAt } from './actions.ts'
import { answerConsole } from './answering.ts'
import type { ConsoleDependencies } from './dependencies.ts'
import type { BrandingOf } from './pages.ts'
import type { consolePages } from './resource.ts'
import { beginSignIn, completeSignIn } from './sign-in.ts'
import { answerWelcome } from './welcome.ts'

const WELCOME = /^\/console\/welcome\/([\w-]{1,200})$/

/** Answers a request below `/console/`, other than for the API and the app's files. */
export async function handle(
  dependencies: ConsoleDependencies,
  { body }: Call<(typeof consolePages)['actions']['handle']>,
): Promise<WebResponse> {
  const request = readRequest(body)
  const branding: BrandingOf = (account) =>
    brandingOf({ ...request, account: account ?? NOBODY }, dependencies.issuers.base)
  if (isInTheClear(dependencies.issuers, body.address))
    return toAnswer(errorPage(branding(), 503, 'error_later', NEEDS_HTTPS))
  try {
    return await answer(dependencies, request, branding)
  } catch (error) {
    if (error instanceof TooManyAttempts) return toAnswer(tooManyPage(branding(), error.seconds))
    throw error
  }
}

async function answer(
  dependencies: ConsoleDependencies,
  request: UnplacedRequest,
  branding: BrandingOf,
): Promise<WebResponse> {
  const { method, path } = request
  switch (`${method} ${path}`) {
    case 'GET /console/sign-in':
      return beginSignIn(dependencies, request, branding)
    case 'GET /console/callback':
      return completeSignIn(dependencies, request, branding)
    default: {
      const asked = consoleActionAt(method, path)
      if (asked) return answerConsole(dependencies, asked, request)
      const [, token] = WELCOME.exec(path) ?? []
      return token === undefined
        ? toAnswer(errorPage(branding(), 404, 'error_nothing'))
        : answerWelcome(dependencies, token, request, branding)
    }
  }
}
