import type { HtmlPage } from '@gatehouse/proto/pages/layout.ts'
import type { KoaContextWithOIDC } from 'oidc-provider'

/** Answers with a page. */
export function sendPage(ctx: KoaContextWithOIDC, { status, body, headers }: HtmlPage): void {
  ctx.set(headers)
  ctx.status = status
  ctx.body = body
}

/** Answers with a redirect which is not cached. */
export function redirect(ctx: KoaContextWithOIDC, location: string): void {
  ctx.status = 303
  ctx.set('location', location)
  ctx.set('cache-control', 'no-store')
  ctx.body = ''
}
