import { type HtmlPage, page } from '@gatehouse/proto/pages/layout.ts'
import { html } from '@gatehouse/proto/pages/markup.ts'
import type { StoredAccount } from '../api/accounts/store.ts'
import type { SignInBranding } from '../sign-in/pages/languages.ts'
import { alert, field, focus, hasProblem, type Problems } from '../sign-in/pages/pages.ts'

/** The branding of an account, or of Gatehouse if it is not known, in the language of the person. */
export type BrandingOf = (account?: StoredAccount | null) => SignInBranding

/** Asks for the account, where the console does not know it. */
export function accountPage(
  branding: SignInBranding,
  consoleUrl: string,
  { to, slug }: { to: string; slug: string },
): HtmlPage {
  const { say } = branding
  const problems: Problems = slug ? { account: 'console_no_account', status: 404 } : {}
  return page(
    branding,
    say('sign_in'),
    html`<p>${say('sign_in_to', { app: 'Gatehouse' })}</p>
${alert(branding, problems)}
<form method="get" action="${consoleUrl}/sign-in" novalidate>
<input type="hidden" name="to" value="${to}">
${field(branding, problems, 'account', html`type="text" autocomplete="organization" autocapitalize="none" spellcheck="false" maxlength="63" value="${slug}"${focus(problems, 'account', true)}`, { hint: say('account_hint') })}
<button type="submit">${say('continue')}</button>
</form>`,
    { problem: hasProblem(problems), status: problems.status ?? 200 },
  )
}

/** A sign-in that this browser has not begun, or which is over. */
export function expiredPage(branding: SignInBranding, consoleUrl: string): HtmlPage {
  const { say } = branding
  return page(
    branding,
    say('error_title'),
    html`<p class="alert" role="alert">${say('console_expired')}</p>
<p><a href="${consoleUrl}/">${say('console_open')}</a></p>`,
    { status: 400, problem: true },
  )
}

/** Who signed in is not staff, or has not joined by the link of the invitation. */
export function noRolePage(branding: SignInBranding, email: string, isInvited: boolean, signOut: string): HtmlPage {
  const { say } = branding
  return page(
    branding,
    say('error_title'),
    html`<p class="alert" role="alert">${say(isInvited ? 'console_not_joined' : 'console_no_role', { email, account: branding.name })}</p>
<p><a href="${signOut}">${say('not_you')}</a></p>`,
    { status: 403, problem: true },
  )
}

/** Asks a staff member for name and password; the first owner for the e-mail address too. */
export function welcomePage(
  branding: SignInBranding,
  { email, name, length, isFirst }: { email: string; name: string; length: number; isFirst: boolean },
  problems: Problems = {},
): HtmlPage {
  const { say } = branding
  const address = html`type="email" autocomplete="username" inputmode="email" autocapitalize="none" spellcheck="false" maxlength="254" value="${email}"`
  const { headers, ...rest } = page(
    branding,
    say('console_welcome'),
    html`${!isFirst && html`<p>${say('choose_password_for', { email })}</p>`}
${alert(branding, problems, { password: 'new_password' })}
<form method="post" novalidate>
${field(branding, problems, 'name', html`type="text" autocomplete="name" maxlength="255" value="${name}"${focus(problems, 'name', true)}`)}
${isFirst ? field(branding, problems, 'email', html`${address}${focus(problems, 'email', false)}`) : html`<input type="hidden" name="email" autocomplete="username" value="${email}">`}
${field(branding, problems, 'password', html`type="password" autocomplete="new-password" maxlength="1000"${focus(problems, 'password', false)}`, { label: 'new_password', hint: say('password_hint', { length }) })}
<button type="submit">${say('console_start')}</button>
</form>`,
    { problem: hasProblem(problems), status: problems.status ?? 200 },
  )
  // Its own form has to come with an `Origin`; the address, which holds the link, stays out of the `Referer` all the same.
  return { ...rest, headers: { ...headers, 'referrer-policy': 'strict-origin' } }
}
