import type { HtmlPage } from '@gatehouse/proto/pages/layout.ts'
import type { Client, KoaContextWithOIDC } from 'oidc-provider'
import type { Account } from '../accounts/store.ts'
import type { AuditStore } from '../audit/store.ts'
import type { ContactStore } from '../contacts/store.ts'
import type { Credentials } from '../credentials/credentials.ts'
import { originsOf } from '../oauth-apps/redirect-uris.ts'
import type { ConsentStore } from '../oidc/consents.ts'
import type { Provider } from '../oidc/library.ts'
import type { Passkeys } from '../passkeys/passkeys.ts'
import type { Throttle } from '../throttle.ts'
import { redirect } from './answers.ts'
import { formToken } from './form-token.ts'
import type { Look } from './pages/languages/languages.ts'
import type { Form } from './pages/pages.ts'

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>

/** The stores and services of interactions, for one account. */
export interface InteractionParts {
  account: Account
  provider: Provider
  /** The account's secret of 32 bytes. */
  secret: Buffer
  /** Path of the issuer. */
  mount: string
  contacts: ContactStore
  consents: ConsentStore
  credentials: Credentials
  passkeys: Passkeys
  audit: AuditStore
  throttle: Throttle
}

/** One request of one interaction. */
export interface StepContext {
  parts: InteractionParts
  ctx: KoaContextWithOIDC
  interaction: Interaction
  /** Network address of the person. */
  address: string
  look: Look
  form: Form
}

/** The form of an interaction's pages. `client` is the app, if it still exists. */
export function formOfStep({ mount, secret }: InteractionParts, uid: string, client: Client | undefined): Form {
  return {
    action: `${mount}/interaction/${uid}`,
    csrf: formToken(secret, `interaction:${uid}`),
    // `form-action` also applies to redirects after the form, so all registered origins are allowed.
    formTargets: originsOf(client?.redirectUris ?? []),
  }
}

/** A step of a sign-in: a page, and what its form does. */
export abstract class Step {
  protected readonly context: StepContext
  /** Name of the app. */
  protected readonly app: string

  constructor(context: StepContext, app: string) {
    this.context = context
    this.app = app
  }

  /** The page of the step. */
  abstract show(): Promise<HtmlPage>

  /** Does what a form of the page asks for. Undefined if the answer, a redirect, is in the context. */
  abstract take(form: URLSearchParams): Promise<HtmlPage | undefined>

  /** Completes the step with a result, and redirects. */
  protected async finish(result: Parameters<Provider['interactionResult']>[2], merge = true): Promise<undefined> {
    const { ctx, parts } = this.context
    const options = { mergeWithLastSubmission: merge }
    this.redirect(await parts.provider.interactionResult(ctx.req, ctx.res, result, options))
  }

  protected redirect(location: string): undefined {
    redirect(this.context.ctx, location)
  }

  /** Ends the session in which the interaction began. The interaction is detached from it first, so it survives a crash in between. */
  protected async endSession(uid: string): Promise<void> {
    const { parts, interaction, address } = this.context
    Object.assign(interaction, { session: undefined })
    await interaction.persist()
    const session = await parts.provider.Session.findByUid(uid)
    if (!session) return
    await session.destroy()
    const { accountId: contact_id } = session
    if (contact_id) await parts.audit.record({ account_id: parts.account._id, kind: 'sign_out', contact_id, address })
  }

  protected get clientId(): string {
    return String(this.context.interaction.params.client_id)
  }
}
