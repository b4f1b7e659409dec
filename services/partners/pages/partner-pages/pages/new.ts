import type { Message, MessageValues } from '@gatehouse/proto/declaring/messages.ts'
import { localeOf } from '@gatehouse/proto/pages/languages.ts'
import { type HtmlPage, page } from '@gatehouse/proto/pages/layout.ts'
import { html, type Markup } from '@gatehouse/proto/pages/markup.ts'
import type { ShownEvent } from '../../invitation-pages/dates.ts'
import type { PartnerPageContext, PartnerPageText } from '../languages.ts'
import { UPLOAD } from '../resource.ts'
import { MAX_ROWS } from '../uploads/reading.ts'
import { type FormContext, STYLE, whenAndWhere } from './shared.ts'

/** What is wrong with a form, with its status. */
export const problems = {
  empty: { text: 'problem_empty', status: 422 },
  both: { text: 'problem_both', status: 422 },
  large: { text: 'problem_large', status: 413 },
  rows: { text: 'problem_rows', status: 413 },
  unreadable: { text: 'problem_unreadable', status: 422 },
  form: { text: 'problem_form', status: 403 },
} as const satisfies Record<string, { text: PartnerPageText; status: number }>

/** What is wrong with a file, as its reader says it. */
const FILE_PROBLEMS = [
  'unsupported_file',
  'vcard',
  'not_a_list',
  'password_protected',
  'unclosed_quote',
  'wrong_encoding',
] as const

/** What is wrong with an upload: a name of a problem, or what a reader says of a file. */
export type UploadProblem = keyof typeof problems | { code: (typeof FILE_PROBLEMS)[number]; values: MessageValues }

/** What a reader says of a file, where the pages say it too. */
export function problemOf(message: Message | undefined): UploadProblem {
  const code = FILE_PROBLEMS.find((each) => each === message?.code)
  return code ? { code, values: message?.values ?? {} } : 'unreadable'
}

/**
 * Says how many addresses are typed, and whether that is more than may be invited; and that a file is too large before it is sent: browsers may
 * show a broken connection otherwise.
 */
export const SCRIPT_OF_FORM = `{
const [file, addresses, typed] = ['file', 'addresses', 'typed'].map((id) => document.getElementById(id))
const count = () => {
  const { size } = new Set(addresses.value.toLowerCase().match(/[^\\s\\x3c>,;"'()]+@[^\\s\\x3c>,;"'()]+/g))
  const { words, over, left } = typed.dataset
  typed.textContent = size === 0 ? '' : words.replace('#', size) + (size > left ? ' ' + over : '')
}
addresses.addEventListener('input', count)
count()
file.addEventListener('change', () => {
  const isLarge = file.files.length > 0 && file.files[0].size > ${UPLOAD.maxBytes - 4096}
  file.setCustomValidity(isLarge ? file.dataset.large : '')
  if (isLarge) file.reportValidity()
})
}`

/** What the form for recipients shows again. */
interface Again {
  addresses?: string
  problem?: UploadProblem | undefined
}

/** What the page shows besides the form. */
interface Shown {
  context: PartnerPageContext
  /** To what the recipients are invited. */
  event: ShownEvent
  place: FormContext
}

/** Asks for recipients, on a page of its own. */
export function newPage({ context, event, place }: Shown, again: Again = {}): HtmlPage {
  const { say } = context
  const wrong = wrongOf(again.problem)
  // A list that is being corrected stays in sight.
  const isUsed = place.left <= 0 && !wrong && !again.addresses
  return page(
    context,
    say('add'),
    html`<p><a href="${place.path}">${say('overview')}</a></p>
<p><strong>${event.title}</strong></p>
${whenAndWhere(context, event)}
${isUsed ? html`<p class="notice">${say('all_used')}</p>` : recipientsForm(context, place, again)}`,
    { style: STYLE, ...(!isUsed && { script: SCRIPT_OF_FORM }), ...(wrong && { status: wrong.status, problem: true }) },
  )
}

function wrongOf(problem: UploadProblem | undefined) {
  if (typeof problem === 'string') return problems[problem]
  return problem && ({ text: `problem_${problem.code}`, status: 422 } as const)
}

/** The form for recipients: pasted, or as a file. */
export function recipientsForm(
  { say, language }: PartnerPageContext,
  { path, csrf, left }: FormContext,
  { addresses = '', problem }: Again = {},
): Markup {
  const places = { size: UPLOAD.maxBytes / 2 ** 20, rows: MAX_ROWS.toLocaleString(localeOf(language)) }
  const wrong = wrongOf(problem)
  return html`${wrong && html`<p class="alert" role="alert" id="problem">${say(wrong.text, typeof problem === 'object' ? problem.values : places)}</p>`}
<form method="post" action="${path}/new" enctype="multipart/form-data">
<input type="hidden" name="csrf" value="${csrf}">
${Number.isFinite(left) && html`<p>${left > 0 ? say('left_to_send', { count: left }) : say('all_used')}</p>`}
<label for="addresses">${say('paste')}</label>
<p class="hint" id="addresses-hint">${say('paste_hint')}</p>
<textarea id="addresses" name="addresses" rows="5" autocapitalize="none" spellcheck="false" aria-describedby="addresses-hint${wrong && ' problem'}" aria-invalid="${String(Boolean(wrong))}"${wrong && html` autofocus`}>
${addresses}</textarea>
<p class="hint" id="typed" role="status" data-words="${say('typed', { count: '#' })}" data-over="${say('typed_over')}" data-left="${String(left)}"></p>
<details${wrong && html` open`}><summary id="file-name">${say('file')}</summary>
<p class="hint" id="file-hint">${say('file_hint', places)}</p>
<input type="file" id="file" name="file" accept=".csv,.tsv,.txt,.xlsx,.ods,text/csv,text/plain" aria-labelledby="file-name" aria-describedby="file-hint" data-large="${say('problem_large', places)}"></details>
<button type="submit">${say('check')}</button>
<p class="hint">${say('check_hint')}</p>
</form>`
}
