import { html, type Markup } from '@gatehouse/proto/pages/markup.ts'
import { datesOf, type ShownEvent } from '../../invitation-pages/dates.ts'
import type { PartnerPageContext } from '../languages.ts'

/** What the forms of a campaign's pages need. */
export interface FormContext {
  /** The path of the campaign's pages. */
  path: string
  csrf: string
  /** How many invitations may still be sent; infinite without a limit. */
  left: number
}

/** The style of partners' pages besides that of all pages. */
export const STYLE = `
h2{margin:2rem 0 0;font-size:1.125rem;line-height:1.25}h3{margin:1.25rem 0 0;font-size:1rem}
textarea{display:block;width:100%;min-height:7.5rem;margin-top:.375rem;padding:.5rem .75rem;border:1px solid var(--line);border-radius:.5rem;background:var(--field);color:inherit;font:inherit;overflow-wrap:anywhere}
textarea[aria-invalid=true]{border:2px solid var(--bad)}
dl{display:grid;grid-template-columns:1fr auto;gap:.25rem 1rem;margin:.75rem 0 0}dt,dd{margin:0;overflow-wrap:anywhere}dd{font-weight:600;text-align:end}div[role=status]+.hint{margin-top:1rem}
dl.wide{grid-template-columns:minmax(0,1fr)}dl.wide dd{font-weight:400;text-align:left}dl.wide dt{margin-top:.5rem;color:var(--quiet);font-size:.875rem}
ul.plain{padding:0;list-style:none}ul.plain li{padding:.5rem 0;border-bottom:1px solid var(--rule)}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1rem;padding:0;list-style:none}
[aria-current]{font-weight:700;color:inherit}
a.button{display:block;min-height:2.875rem;margin-top:1.25rem;padding:.625rem 1rem;border:1px solid var(--line);border-radius:.5rem;background:var(--field);color:inherit;font-weight:600;text-align:center;text-decoration:none}
meter{display:block;width:100%;height:1rem;margin-top:.25rem}.shares{display:block;margin-top:.25rem;border-radius:6px}.shares .arrived{fill:var(--good)}.shares .back{fill:var(--line)}.shares .failed{fill:var(--bad)}
iframe{display:block;width:100%;height:24rem;margin-top:.75rem;border:1px solid var(--rule);background:var(--page)}
::file-selector-button{margin:0 .75rem 0 0;padding:.125rem .75rem;border:0;border-radius:.375rem;background:var(--rule);color:var(--text);font:inherit;font-weight:600;cursor:pointer}
details{margin-top:.75rem}summary{font-weight:600;cursor:pointer}pre{margin:.75rem 0 0;padding:.75rem;border:1px solid var(--rule);font-size:.875rem;white-space:pre-wrap;overflow-wrap:anywhere}`

/** When and where the event is, as far as it says so. */
export function whenAndWhere({ language }: PartnerPageContext, event: ShownEvent): Markup {
  const dates = datesOf(language, event)
  return html`${dates !== '' && html`<p class="dates">${dates}</p>`}${event.location !== null && html`<p>${event.location}</p>`}`
}

/** Names with their values. */
export function numbers(rows: (readonly [string | Markup, number])[]): Markup {
  return html`<dl>${rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`
}
