import type { HtmlPage } from '@gatehouse/proto/pages/layout.ts'
import { routes } from '../oidc/endpoints.ts'
import { nextGrantId } from '../oidc/grants.ts'
import { consentPage } from './pages/pages.ts'
import { SignInStep } from './step.ts'

/** The step in which a contact allows an app to see what it asks for. */
export class ConsentStep extends SignInStep {
  async show(): Promise<HtmlPage> {
    const { dependencies, interaction, branding, form } = this.context
    const contact = await dependencies.contacts.get(dependencies.account._id, String(interaction.session?.accountId))
    return consentPage(branding, form, { app: this.app, email: contact?.email ?? '', scopes: this.#scopes })
  }

  async take(form: URLSearchParams): Promise<undefined> {
    const step = form.get('step')
    if (step === 'allow') return this.#allow()
    if (step === 'deny') {
      return this.finish({ error: 'access_denied', error_description: 'the contact did not allow it' })
    }
    return step === 'switch' ? this.#startAgain() : this.redirect(this.context.form.action)
  }

  async #allow(): Promise<undefined> {
    const { dependencies, interaction, address } = this.context
    const { provider, consents, account, audit } = dependencies
    const { session, grantId, prompt } = interaction
    const accountId = String(session?.accountId)
    const signedIn = session && (await provider.Session.findByUid(session.uid))
    // Another window may have got a grant meanwhile.
    const last = signedIn?.grantIdFor(this.clientId) ?? grantId
    const known = last ? await provider.Grant.find(last) : undefined
    const jti = nextGrantId(String(session?.uid), this.clientId, last)
    const grant =
      known?.accountId === accountId ? known : new provider.Grant({ jti, accountId, clientId: this.clientId } as object)
    const { missingOIDCScope = [], missingOIDCClaims = [] } = prompt.details as Record<string, string[] | undefined>
    if (missingOIDCScope.length > 0) grant.addOIDCScope(missingOIDCScope.join(' '))
    if (missingOIDCClaims.length > 0) grant.addOIDCClaims(missingOIDCClaims)
    await consents.add(account._id, accountId, this.clientId, this.#scopes)
    await audit.record({
      account_id: account._id,
      kind: 'consent',
      contact_id: accountId,
      client_id: this.clientId,
      address,
    })
    return this.finish({ consent: { grantId: await grant.save() } })
  }

  /** Repeats the app's request without a session. */
  async #startAgain(): Promise<undefined> {
    const { dependencies, interaction } = this.context
    const { session, params } = interaction
    if (session) await this.endSession(session.uid)
    await interaction.destroy()
    const query = Object.entries(params).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))
    return this.redirect(`${dependencies.mount}${routes.authorization}?${new URLSearchParams(query)}`)
  }

  get #scopes(): string[] {
    const { scope } = this.context.interaction.params
    return String(scope ?? '')
      .split(' ')
      .filter(Boolean)
  }
}
