import type { HtmlPage } from '@gatehouse/proto/pages/layout.ts'
import type { KoaContextWithOIDC } from 'oidc-provider'
import type { AccountDependencies } from '../oidc/account-request.ts'
import { sessionCookie } from '../oidc/session-cookie.ts'
import type { PageVisitor } from './branding.ts'
import { signedOutNowherePage, signedOutPage } from './pages/pages.ts'

/** The path for signing contacts out, below the issuer. */
export const SIGN_OUT = '/contacts/sign_out'

/**
 * Answers `GET /contacts/sign_out`: ends the session in any case. Returns the address to redirect to if it is one of the console or belongs
 * to an app of the account (has the origin of one of its redirect URLs), otherwise a page.
 */
export async function answerSignOut(
  { account, provider, apps, audit, consoleUrl }: AccountDependencies,
  ctx: KoaContextWithOIDC,
  wanted: string | null,
  { address, branding }: PageVisitor,
): Promise<HtmlPage | URL> {
  const session = await provider.Session.get(ctx)
  if (session.accountId) {
    await session.destroy()
    await audit.record({ account_id: account._id, kind: 'sign_out', contact_id: session.accountId, address })
  }
  ctx.cookies.set(provider.cookieName('session'), null, sessionCookie)
  if (!wanted) return signedOutPage(branding())
  const target = URL.parse(wanted)
  const isPlain = target && /^https?:$/.test(target.protocol) && !target.username && !target.password
  if (!isPlain) return signedOutNowherePage(branding())
  // Its origin has other pages too, among them this one.
  if (target.href.startsWith(new URL(`${consoleUrl}/`).href)) return target
  const uris = (await apps.ofAccount(account._id)).flatMap(({ redirect_uris }) => redirect_uris)
  return uris.some((uri) => new URL(uri).origin === target.origin) ? target : signedOutNowherePage(branding())
}
