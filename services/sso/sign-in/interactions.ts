import type { HtmlPage } from '@gatehouse/proto/pages/layout.ts'
import type { KoaContextWithOIDC } from 'oidc-provider'
import type { AccountDependencies } from '../oidc/account-request.ts'
import { errors } from '../oidc/library.ts'
import type { PageVisitor } from './branding.ts'
import { ConsentStep } from './consent.ts'
import { carries } from './form-token.ts'
import { LoginStep } from './login.ts'
import type { SignInBranding } from './pages/languages.ts'
import { errorPage } from './pages/pages.ts'
import { formOfStep } from './step.ts'

/**
 * Answers a request below `/interaction/<uid>`: a step of a sign-in between an app's request and its answer. Undefined if the answer is in
 * the context. All state is in the store, so any replica can continue.
 */
export async function answerInteraction(
  dependencies: AccountDependencies,
  ctx: KoaContextWithOIDC,
  uid: string,
  form: URLSearchParams | undefined,
  person: PageVisitor,
): Promise<HtmlPage | undefined> {
  const { provider } = dependencies
  let branding: SignInBranding | undefined
  try {
    const interaction = await provider.interactionDetails(ctx.req, ctx.res)
    const client = await provider.Client.find(String(interaction.params.client_id))
    const { locale, ui_locales } = interaction.params
    branding = person.branding(locale, ui_locales)
    if (interaction.uid !== uid) return errorPage(branding, 400, 'error_expired')
    const context = {
      dependencies,
      ctx,
      interaction,
      address: person.address,
      branding,
      form: formOfStep(dependencies, uid, client),
    }
    const app = client?.clientName ?? ''
    const step = interaction.prompt.name === 'consent' ? new ConsentStep(context, app) : new LoginStep(context, app)
    if (!form) return await step.show()
    if (!carries(form, context.form.csrf)) return errorPage(branding, 403, 'error_form')
    return await step.take(form)
  } catch (error) {
    // It expired, or was completed meanwhile by another answer to the same page: a button was clicked twice.
    if (error instanceof errors.SessionNotFound) return errorPage(branding ?? person.branding(), 400, 'error_expired')
    throw error
  }
}
