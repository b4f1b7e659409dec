import type { HtmlPage } from '@gatehouse/proto/pages/layout.ts'
import type { KoaContextWithOIDC } from 'oidc-provider'

/** Answers with a page. */
export function sendPage(ctx: KoaContextWithOIDC, { status, body, headers }: HtmlPage): void {
  ctx.set(headers)
  ctx.status = status
  ctx.body = body
}

/** A redirect that is not cached, and does not tell where it came from. */
export function redirectTo(location: string): HtmlPage {
  const headers = { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }
  return { status: 303, headers, body: '' }
}

/** Answers with a redirect. */
export function redirect(ctx: KoaContextWithOIDC, location: string): void {
  sendPage(ctx, redirectTo(location))
}
