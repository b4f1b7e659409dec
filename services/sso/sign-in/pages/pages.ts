import { type HtmlPage, page } from '@gatehouse/proto/pages/layout.ts'
import { html, type Markup } from '@gatehouse/proto/pages/markup.ts'
import { passkeyScript } from '../../passkeys/script.ts'

import type { SignInBranding, SignInText } from './languages.ts'

/** A form of a sign-in: its action, its token, and the origins to which its answer may redirect. */
export interface Form {
  action: string
  csrf: string
  formTargets: string[]
}

const fieldNames = ['account', 'name', 'email', 'password', 'code'] as const
type FormFieldName = (typeof fieldNames)[number]

/** The problems of a form: of its fields, or of the whole form. */
export interface Problems extends Partial<Record<FormFieldName, SignInText>> {
  form?: SignInText
  places?: Record<string, string | number>
  status?: number
}

/** Signs in with e-mail address and password, or with a passkey where a script runs, or requests a code. */
export function loginPage(
  branding: SignInBranding,
  form: Form,
  app: string,
  email: string,
  { sendsCodes, hasPasskeys, problems = {} }: { sendsCodes: boolean; hasPasskeys: boolean; problems?: Problems },
): HtmlPage {
  const { say } = branding
  return page(
    branding,
    say('sign_in'),
    html`<p>${say('sign_in_to', { app })}</p>
${alert(branding, problems)}
<form method="post" action="${form.action}" novalidate>
<input type="hidden" name="csrf" value="${form.csrf}">
${field(branding, problems, 'email', html`type="email" autocomplete="username" inputmode="email" autocapitalize="none" spellcheck="false" maxlength="254" value="${email}"${focus(problems, 'email', email === '')}`)}
${field(branding, problems, 'password', html`type="password" autocomplete="current-password" maxlength="1000"${focus(problems, 'password', email !== '')}`)}
<button type="submit" name="step" value="password">${say('sign_in')}</button>
${hasPasskeys && passkeyButton(branding)}
${sendsCodes && html`<button type="submit" name="step" value="send_code" class="second">${say('send_code')}</button>`}
</form>`,
    {
      ...{ problem: hasProblem(problems), formTargets: form.formTargets, status: problems.status ?? 200 },
      ...(hasPasskeys && { script: passkeyScript(), style: '[hidden]{display:none}' }),
    },
  )
}

/** The script shows the first button, and submits the form by the second. */
function passkeyButton({ say }: SignInBranding): Markup {
  return html`<input type="hidden" name="passkey" value="">
<p class="problem" id="passkey-problem" role="alert" hidden>${say('wrong_passkey')}</p>
<button type="button" id="use-passkey" class="second" hidden>${say('use_passkey')}</button>
<button type="submit" id="send-passkey" name="step" value="passkey" hidden></button>`
}

/** Asks for the code from an e-mail; after a mistake it no longer says that one was just sent. */
export function codePage(
  branding: SignInBranding,
  form: Form,
  { email, minutes }: { email: string; minutes: number },
  problems: Problems = {},
): HtmlPage {
  const { say } = branding
  return page(
    branding,
    say('code'),
    html`${!hasProblem(problems) && html`<p class="notice" role="status">${say('code_sent', { email, minutes })}</p>`}
${alert(branding, problems)}
<form method="post" action="${form.action}" novalidate>
<input type="hidden" name="csrf" value="${form.csrf}">
<input type="hidden" name="email" value="${email}">
${field(branding, problems, 'code', html`type="text" autocomplete="one-time-code" inputmode="numeric" autocapitalize="none" spellcheck="false" maxlength="20"${focus(problems, 'code', true)}`)}
<button type="submit" name="step" value="code">${say('continue')}</button>
<button type="submit" name="step" value="send_code" class="second">${say('new_code')}</button>
<button type="submit" name="step" value="start" class="second">${say('use_password')}</button>
</form>`,
    { problem: hasProblem(problems), formTargets: form.formTargets, status: problems.status ?? 200 },
  )
}

/** Asks whether an app may see what it requests. */
export function consentPage(
  branding: SignInBranding,
  form: Form,
  { app, email, scopes }: { app: string; email: string; scopes: string[] },
): HtmlPage {
  const { say } = branding
  const wishes = scopes.flatMap((scope) => (Object.hasOwn(scopeTexts, scope) ? [scopeTexts[scope] as SignInText] : []))
  return page(
    branding,
    say('allow_title', { app }),
    html`<p>${say('allow_text', { email, app })}</p>
<ul>${wishes.map((wish) => html`<li>${say(wish)}</li>`)}</ul>
<form method="post" action="${form.action}">
<input type="hidden" name="csrf" value="${form.csrf}">
<button type="submit" name="step" value="allow">${say('allow')}</button>
<button type="submit" name="step" value="deny" class="second">${say('deny')}</button>
<button type="submit" name="step" value="switch" class="second">${say('not_you')}</button>
</form>`,
    { formTargets: form.formTargets },
  )
}

const scopeTexts: Record<string, SignInText> = {
  public: 'scope_public',
  openid: 'scope_openid',
  profile: 'scope_profile',
  email: 'scope_email',
  offline_access: 'scope_offline_access',
}

/** An error, with details of the protocol for the operator of the site. */
export function errorPage(branding: SignInBranding, status: number, text: SignInText, details?: string): HtmlPage {
  const { say } = branding
  return page(
    branding,
    say('error_title'),
    html`<p class="alert" role="alert">${say(text)}</p>
${details !== undefined && html`<p class="hint">${say('details')}${say('colon')}<code>${details}</code></p>`}`,
    { status, problem: true },
  )
}

/** Too many tries, with `Retry-After`. */
export function tooManyPage(branding: SignInBranding, seconds: number): HtmlPage {
  const { say } = branding
  const places = { minutes: Math.ceil(seconds / 60) }
  const { headers, ...rest } = page(
    branding,
    say('error_title'),
    html`<p class="alert" role="alert">${say('too_many', places)}</p>`,
    { status: 429, problem: true },
  )
  return { ...rest, headers: { ...headers, 'retry-after': String(seconds) } }
}

/** Signed out. */
export function signedOutPage(branding: SignInBranding): HtmlPage {
  return page(branding, branding.say('signed_out'), html`<p>${branding.say('close_window')}</p>`)
}

/** Signed out, but the redirect address belongs to no app. */
export function signedOutNowherePage(branding: SignInBranding): HtmlPage {
  const { say } = branding
  return page(
    branding,
    say('signed_out'),
    html`<p class="alert" role="alert">${say('error_address')}</p><p>${say('close_window')}</p>`,
    { status: 400, problem: true },
  )
}

/** Asks whether to end the session (RP-initiated logout of OpenID Connect). `form` is oidc-provider's, with the id `op.logoutForm`. */
export function signOutPage(branding: SignInBranding, form: Markup, formTargets: string[]): HtmlPage {
  const { say } = branding
  return page(
    branding,
    say('sign_out_question'),
    html`<p>${say('sign_out_text', { account: branding.name })}</p>
${form}
<button type="submit" form="op.logoutForm" name="logout" value="yes">${say('sign_out')}</button>
<button type="submit" form="op.logoutForm" class="second">${say('stay')}</button>`,
    { formTargets },
  )
}

/** Asks an invited contact for a password. */
export function passwordPage(
  branding: SignInBranding,
  form: Form,
  { email, length }: { email: string; length: number },
  problems: Problems = {},
): HtmlPage {
  const { say } = branding
  return page(
    branding,
    say('choose_password'),
    html`<p>${say('choose_password_for', { email })}</p>
${alert(branding, problems, { password: 'new_password' })}
<form method="post" action="${form.action}" novalidate>
<input type="hidden" name="csrf" value="${form.csrf}">
<input type="hidden" name="username" autocomplete="username" value="${email}">
${field(branding, problems, 'password', html`type="password" autocomplete="new-password" maxlength="1000"${focus(problems, 'password', true)}`, { label: 'new_password', hint: say('password_hint', { length }) })}
<button type="submit">${say('save')}</button>
</form>`,
    { problem: hasProblem(problems), formTargets: form.formTargets, status: problems.status ?? 200 },
  )
}

/** The password is set. */
export function passwordSavedPage(branding: SignInBranding): HtmlPage {
  return page(
    branding,
    branding.say('password_saved'),
    html`<p role="status">${branding.say('password_saved_text')}</p>`,
  )
}

/** A field with its label, hint and problem, linked for screen readers. */
export function field(
  { say }: SignInBranding,
  problems: Problems,
  name: FormFieldName,
  attributes: Markup,
  { label = name, hint }: { label?: SignInText; hint?: string } = {},
): Markup {
  const problem = problems[name]
  const described = [hint !== undefined && `${name}-hint`, problem && `${name}-problem`].filter(Boolean).join(' ')
  return html`<label for="${name}">${say(label)}</label>
<input id="${name}" name="${name}" required aria-invalid="${problem ? 'true' : 'false'}"${described !== '' && html` aria-describedby="${described}"`} ${attributes}>
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${problem && html`<p class="problem" id="${name}-problem">${say(problem, problems.places)}</p>`}`
}

/** The problems at the top, where screen readers read them first; each line links to its field. */
export function alert(
  { say }: SignInBranding,
  problems: Problems,
  labels: Partial<Record<FormFieldName, SignInText>> = {},
): Markup | undefined {
  if (!hasProblem(problems)) return undefined
  const lines = fieldNames.flatMap((name) => {
    const text = problems[name]
    if (!text) return []
    const label = say(labels[name] ?? name)
    return [html`<li><a href="#${name}">${label}${say('colon')}${say(text, problems.places)}</a></li>`]
  })
  return html`<div class="alert" role="alert">${problems.form && say(problems.form, problems.places)}${lines.length > 0 && html`<ul>${lines}</ul>`}</div>`
}

/** The attribute of the field that a person goes on with: the first wrong one, or the first of the form. */
export function focus(problems: Problems, name: FormFieldName, isFirst: boolean): Markup | undefined {
  const wrong = fieldNames.find((each) => problems[each])
  return (wrong ? wrong === name : isFirst) ? html` autofocus` : undefined
}

/** Whether a form has a problem. */
export function hasProblem(problems: Problems): boolean {
  return problems.form !== undefined || fieldNames.some((name) => problems[name])
}
