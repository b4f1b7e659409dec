import { isolated } from '@gatehouse/proto/pages/direction.ts'
import { html, type Markup } from '@gatehouse/proto/pages/markup.ts'
import type { InvitationPageContext } from '../invitation-pages/languages.ts'
import type { FormField } from './form.ts'

/** A field with its label and problem, linked for screen readers. */
export function input({ say }: InvitationPageContext, field: FormField): Markup {
  const { name, value, options, isRequired, max, type = 'text', autocomplete, problem } = field
  const attributes = html`id="${name}" name="${name}"${isRequired && html` required`} aria-invalid="${problem ? 'true' : 'false'}"${problem && html` aria-describedby="${name}-problem"`}`
  return html`<label for="${name}">${labelOf(say, field)}${isRequired && html` (${say('required')})`}</label>
${
  options
    ? html`<select ${attributes}><option value="">${say('choose')}</option>
${[...new Set(options)].map((option) => html`<option value="${option}"${option.trim() === value && html` selected`}>${option}</option>`)}</select>`
    : html`<input type="${type}" ${attributes}${type === 'number' ? html` min="1" max="${max}"` : html` maxlength="${max}"`}${autocomplete !== undefined && html` autocomplete="${autocomplete}"`} value="${value}">`
}
${problem && html`<p class="problem" id="${name}-problem">${say(problem, { max })}</p>`}
`
}

/** The problems at the top, where screen readers read them first; each line links to its field. */
export function alert({ say }: InvitationPageContext, fields: FormField[]): Markup | undefined {
  const lines = fields.flatMap((field) => {
    const { name, problem, max } = field
    return problem
      ? [html`<li><a href="#${name}">${labelOf(say, field)}${say('colon')}${say(problem, { max })}</a></li>`]
      : []
  })
  return lines.length > 0 ? html`<div class="alert" role="alert"><ul>${lines}</ul></div>` : undefined
}

/** The name of a field: the organizer's, or that of one of the recipient's names. */
function labelOf(say: InvitationPageContext['say'], { name, label }: FormField): string {
  return isolated(label ?? '') || say(name === 'first_name' ? 'first_name' : 'last_name')
}
