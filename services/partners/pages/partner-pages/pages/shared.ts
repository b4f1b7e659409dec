import { html, type Markup } from '@gatehouse/proto/pages/markup.ts'

/** What the forms of a campaign's pages need. */
export interface FormContext {
  /** The path of the campaign's pages. */
  path: string
  csrf: string
}

/** The style of partners' pages besides that of all pages. */
export const STYLE = `
h2{margin:2rem 0 0;font-size:1.125rem;line-height:1.25}h3{margin:1.25rem 0 0;font-size:1rem}
textarea{display:block;width:100%;min-height:10rem;margin-top:.375rem;padding:.5rem .75rem;border:1px solid #6b7280;border-radius:.5rem;background:#fff;color:inherit;font:inherit;overflow-wrap:anywhere}
textarea[aria-invalid=true]{border:2px solid #b00020}
dl{display:grid;grid-template-columns:1fr auto;gap:.25rem 1rem;margin:.75rem 0 0}dt,dd{margin:0;overflow-wrap:anywhere}dd{font-weight:600;text-align:end}
dl.wide{grid-template-columns:minmax(0,1fr)}dl.wide dd{font-weight:400;text-align:start}dl.wide dt{margin-top:.5rem;color:#4b5563;font-size:.875rem}
ul.plain{padding:0;list-style:none}ul.plain li{padding:.5rem 0;border-bottom:1px solid #d5d9df}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1rem;padding:0;list-style:none}
[aria-current]{font-weight:700;color:inherit}
a.button{display:block;min-height:2.875rem;margin-top:1.25rem;padding:.5rem 1rem;border:1px solid #6b7280;border-radius:.5rem;background:#fff;color:#1a1d21;font-weight:600;text-align:center;text-decoration:none}
meter{display:block;width:100%;height:1rem;margin-top:.75rem}.bar{display:block;margin-top:.75rem;border-radius:6px}.bar .arrived{fill:#0a7a3d}.bar .back{fill:#b35c00}.bar .failed{fill:#b00020}
iframe{display:block;width:100%;height:16rem;margin-top:.75rem;border:1px solid #d5d9df;background:#fff}
details{margin-top:.75rem}pre{margin:.75rem 0 0;padding:.75rem;border:1px solid #d5d9df;font-size:.875rem;white-space:pre-wrap;overflow-wrap:anywhere}`

/** Names with their values. */
export function numbers(rows: (readonly [string, number])[]): Markup {
  return html`<dl>${rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`
}
