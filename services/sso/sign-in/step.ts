import type { HtmlPage } from '@gatehouse/proto/pages/layout.ts'
import type { Client, KoaContextWithOIDC } from 'oidc-provider'
import { originsOf } from '../api/oauth-apps/redirect-uris.ts'
import type { AccountDependencies } from '../oidc/account-request.ts'
import type { Provider } from '../oidc/library.ts'
import { redirect } from './answers.ts'
import { formToken } from './form-token.ts'
import type { SignInBranding } from './pages/languages.ts'
import type { Form } from './pages/pages.ts'

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>

/** One request of one interaction. */
export interface StepContext {
  dependencies: AccountDependencies
  ctx: KoaContextWithOIDC
  interaction: Interaction
  /** Network address of the person. */
  address: string
  branding: SignInBranding
  form: Form
}

/** The form of an interaction's pages. `client` is the app, if it still exists. */
export function formOfStep({ mount, secret }: AccountDependencies, uid: string, client: Client | undefined): Form {
  return {
    action: `${mount}/interaction/${uid}`,
    csrf: formToken(secret, `interaction:${uid}`),
    // `form-action` also applies to redirects after the form, so all registered origins are allowed.
    formTargets: originsOf(client?.redirectUris ?? []),
  }
}

/** A step of a sign-in: a page, and what its form does. */
export abstract class SignInStep {
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
    const { ctx, dependencies } = this.context
    const options = { mergeWithLastSubmission: merge }
    this.redirect(await dependencies.provider.interactionResult(ctx.req, ctx.res, result, options))
  }

  protected redirect(location: string): undefined {
    redirect(this.context.ctx, location)
  }

  /** Ends the session in which the interaction began. The interaction is detached from it first, so it survives a crash in between. */
  protected async endSession(uid: string): Promise<void> {
    const { dependencies, interaction, address } = this.context
    Object.assign(interaction, { session: undefined })
    await interaction.persist()
    const session = await dependencies.provider.Session.findByUid(uid)
    if (!session) return
    await session.destroy()
    const { accountId: contact_id } = session
    if (contact_id)
      await dependencies.audit.record({ account_id: dependencies.account._id, kind: 'sign_out', contact_id, address })
  }

  protected get clientId(): string {
    return String(this.context.interaction.params.client_id)
  }
}
