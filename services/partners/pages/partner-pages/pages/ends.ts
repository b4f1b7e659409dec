import { type HtmlPage, page } from '@gatehouse/proto/pages/layout.ts'
import { html } from '@gatehouse/proto/pages/markup.ts'
import type { PartnerPageContext } from '../languages.ts'
import type { UploadReport } from '../uploads/store.ts'
import { type FormContext, numbers, STYLE } from './shared.ts'

/** What came of sending an upload. */
export function reportPage(context: PartnerPageContext, { path, left }: FormContext, report: UploadReport): HtmlPage {
  const { say } = context
  return page(
    context,
    say(report.invited > 0 ? 'report_title' : 'report_none'),
    html`<div role="status">${report.invited > 0 && html`<p class="notice done">${say('report_done')}</p>`}
${numbers([
  [say('report_invited'), report.invited],
  [say('already'), report.already],
  [say('duplicates'), report.duplicates],
  [say('bad'), report.bad],
  [say('beyond'), report.beyond],
])}</div>
<p class="hint">${say('report_deleted')} <a href="${path}#invitations">${say('report_each')}</a></p>
<a class="button" href="${path}">${say('overview')}</a>
${left > 0 && html`<a class="button" href="${path}/new">${say('add')}</a>`}`,
    { style: STYLE },
  )
}

/** The page of an upload that is not kept any more. */
export function gonePage(context: PartnerPageContext, path: string): HtmlPage {
  const { say } = context
  return page(
    context,
    say('gone'),
    html`<p>${say('gone_text')}</p>
<a class="button" href="${path}/new">${say('add')}</a>`,
    { style: STYLE, status: 404, problem: true },
  )
}

/** The page of whoever has no valid token. */
export function nothingPage(context: PartnerPageContext): HtmlPage {
  const { say } = context
  return page(context, say('nothing'), html`<p>${say('nothing_text')}</p>`, { status: 404, problem: true })
}
