import { encodingChoices, encodingLabel } from '@gatehouse/proto/formats/lists/encodings.ts'
import { isolated } from '@gatehouse/proto/pages/direction.ts'
import { type HtmlPage, page } from '@gatehouse/proto/pages/layout.ts'
import { html, type Markup } from '@gatehouse/proto/pages/markup.ts'
import type { InvitationMail } from '../../../delivery/sending/resource.ts'
import type { PartnerPageContext } from '../languages.ts'
import type { Checked } from '../uploads/checking.ts'
import type { ReadChoice, ReadForm, UploadedRecipient } from '../uploads/reading.ts'
import { type FormContext, numbers, STYLE } from './shared.ts'

/** Rows of each kind of trouble that are shown. */
const SHOWN = 100
/** Recipients to be invited who are shown: the button comes after them. */
const SHOWN_FRESH = 50

/** Shows an upload before it is sent: its rows, those to be invited last, what sends it, and the message as the first new recipient will see it. That scrolls by itself, so it is last. */
export function checkPage(
  context: PartnerPageContext,
  { path, csrf }: FormContext,
  {
    _id,
    checked,
    choice,
    message,
  }: { _id: string; checked: Checked; choice: ReadChoice | undefined; message: InvitationMail | undefined },
): HtmlPage {
  const { say } = context
  const { form, fresh, already, duplicates, bad, beyond, left } = checked
  const recipientOf = ({ line, recipient }: UploadedRecipient): Markup =>
    html`${say('line', { line })}${say('colon')}${recipient.email}`
  const own = `${path}/uploads/${_id}`
  const query = queryOf(choice)
  const here = `${own}${query}`
  return page(
    context,
    say('check_title'),
    html`<p><a href="${path}">${say('overview')}</a></p>
${numbers([
  [say('good'), fresh.length],
  [say('already'), already.length],
  [say('duplicates'), duplicates.length],
  [say('bad'), bad.length],
  [say('beyond'), beyond.length],
])}
${choice && howRead(context, own, form)}
${beyond.length > 0 && html`<p class="notice">${say('beyond_text', { left })}</p>`}
${rows(context, 'beyond', beyond.map(recipientOf))}
${rows(
  context,
  'bad',
  bad.map(
    ({ line, excerpt, problem }) =>
      html`${say('line', { line })}${say('colon')}${say(problem)}<br><span class="hint">${excerpt}</span>`,
  ),
)}
${rows(
  context,
  'duplicates',
  duplicates.map(
    ({ line, email, earlier }) =>
      html`${say('line', { line })}${say('colon')}${email} (${say('as_line', { line: earlier })})`,
  ),
)}
${rows(context, 'already', already.map(recipientOf))}
${rows(context, 'good', fresh.map(personOf), SHOWN_FRESH)}
${
  fresh.length > 0
    ? html`<form method="post" action="${here}">
<input type="hidden" name="csrf" value="${csrf}">
<button type="submit">${say('send', { count: fresh.length })}</button>
</form>`
    : html`<p class="notice">${say('nobody')}</p>`
}
<a class="button" href="${path}/new?from=${_id}">${say('correct')}</a>
${message && messageOf(context, `${own}/message${query}`, message)}`,
    { style: STYLE, hasFrames: true },
  )
}

function queryOf(choice: ReadChoice = {}): string {
  const query = new URLSearchParams(Object.entries(choice)).toString()
  return query && `?${query}`
}

/** How a file was read, what is odd about it, and a form to read it in another way. */
function howRead(context: PartnerPageContext, own: string, { text, workbook, notices }: ReadForm): Markup {
  const { say, language } = context
  const said = notices.flatMap(({ code, values }) =>
    code === 'lines_above_header' || code === 'garbled'
      ? [html`<p class="notice">${say(`notice_${code}`, values)}</p>`]
      : [],
  )
  const sheets = workbook && workbook.sheets.length > 1 ? workbook.sheets : undefined
  if (sheets)
    return html`${said}${choiceForm(
      context,
      own,
      'sheet',
      sheets.map((name) => [name, name]),
      workbook?.sheet,
    )}`
  if (!text) return html`${said}`
  const form = choiceForm(context, own, 'encoding', encodingChoices(language), text.encoding)
  return html`${said}
<details${!text.encoding.startsWith('utf') && html` open`}><summary>${say('read_as', { encoding: encodingLabel(text, language) })}</summary>${form}</details>`
}

function choiceForm(
  { say }: PartnerPageContext,
  own: string,
  name: 'sheet' | 'encoding',
  choices: readonly (readonly [string, string])[],
  chosen: string | undefined,
): Markup {
  return html`<form method="get" action="${own}">
<label for="${name}">${say(name)}</label>
<select id="${name}" name="${name}">${choices.map(([value, label]) => html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>`)}</select>
<button type="submit" class="second">${say('read_again')}</button>
</form>`
}

function rows(
  { say }: PartnerPageContext,
  title: 'beyond' | 'bad' | 'duplicates' | 'already' | 'good',
  items: Markup[],
  shown = SHOWN,
): Markup | undefined {
  if (items.length === 0) return undefined
  const more = items.length - shown
  return html`<h2>${say(title)}</h2>
<ul class="plain">${items.slice(0, shown).map((item) => html`<li>${item}</li>`)}</ul>
${more > 0 && html`<p>${say('more', { count: more })}</p>`}`
}

/** Whom an invitation goes to: the address, and the name if one was given. */
function personOf({ recipient: { email, first_name, last_name } }: UploadedRecipient): Markup {
  const name = [first_name, last_name].filter(Boolean).join(' ')
  return html`${email}${name !== '' && html`<br><span class="hint">${isolated(name)}</span>`}`
}

function messageOf({ say }: PartnerPageContext, frame: string, message: InvitationMail): Markup {
  return html`<h2>${say('message')}</h2>
<p>${say('message_text', { email: message.to })}</p>
<dl class="wide"><dt>${say('from')}</dt><dd>${message.sender_name}</dd>
${message.reply_to !== null && html`<dt>${say('reply_to')}</dt><dd>${message.reply_to}</dd>`}
<dt>${say('subject')}</dt><dd>${message.subject}</dd></dl>
<iframe sandbox title="${say('message')}" src="${frame}"></iframe>
<details><summary>${say('as_text')}</summary><pre>${message.text}</pre></details>`
}
