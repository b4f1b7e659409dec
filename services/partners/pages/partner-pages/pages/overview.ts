import { type HtmlPage, page } from '@gatehouse/proto/pages/layout.ts'
import { html, type Markup } from '@gatehouse/proto/pages/markup.ts'
import type { Usage } from '../../../campaigns/partners/usage.ts'
import { usageOf } from '../../../campaigns/partners/usage-store.ts'
import { states } from '../../../delivery/invitations/resource.ts'
import type { StoredInvitation } from '../../../delivery/invitations/store.ts'
import type { Dependencies } from '../../../dependencies.ts'
import type { PartnerPageContext } from '../languages.ts'
import type { Visit } from '../visit.ts'
import { recipientsForm, SCRIPT_OF_FORM } from './new.ts'
import { numbers, STYLE, whenAndWhere } from './shared.ts'

/** The state of an invitation, as the pages call it. */
type InvitationState = (typeof states)[number]

/** Invitations on a page. */
const PER_PAGE = 50
/** The last page of the list that has an address. */
const LAST_PAGE = 1_000_000
/** The most waiting e-mails that are counted. */
const MAX_WAITING = 100_000

/** Every ten seconds, and without a script. */
const RELOAD = html`<noscript><meta http-equiv="refresh" content="10"></noscript>
`

/** Refreshes numbers, list and what invites more every few seconds while e-mails wait. It leaves alone what has the focus. */
const SCRIPT = `{
const at = (id, of = document) => of.getElementById(id)
const again = () => setTimeout(refresh, 3000)
async function refresh() {
  let waits = true
  try {
    const answer = await fetch(location.href)
    if (answer.status === 404) return location.reload()
    const next = answer.ok && new DOMParser().parseFromString(await answer.text(), 'text/html')
    for (const id of next ? ['waiting', 'more', 'live'] : []) {
      const [now, later] = [at(id), at(id, next)]
      if (now.innerHTML !== later.innerHTML && !now.contains(document.activeElement)) now.innerHTML = later.innerHTML
    }
    if (next) waits = at('live', next).dataset.waits === 'true' || at('live').contains(document.activeElement)
  } catch {}
  if (waits) again()
}
if (at('live').dataset.waits === 'true') again()
}`

/** Shows a campaign with its quota, its numbers and its invitations; as long as there are none, the form for them first. */
export async function overview({ invitations }: Pick<Dependencies, 'invitations'>, visit: Visit): Promise<HtmlPage> {
  const { campaign, partner, context, event, query } = visit
  const { say } = context
  const { path } = visit.place
  const state = states.find((each) => each === query.get('state'))
  const number = Math.min(LAST_PAGE, Math.max(1, Math.floor(Number(query.get('page')) || 1)))
  const [waiting, listed, ...counts] = await Promise.all([
    invitations.count(campaign, 'queued', MAX_WAITING),
    invitations.page(campaign, { state, page: number, per_page: PER_PAGE }),
    ...states.map((each) => invitations.count(campaign, each, 1)),
  ])
  const present = states.filter((each, index) => each === state || counts[index])
  const pause = partner.disable_emails ? 'paused' : campaign.paused_at ? 'paused_itself' : undefined
  const usage = usageOf(partner, campaign._id)
  const { left } = visit.place
  const isWaiting = waiting > 0
  const isFirst = usage.nb_recipients === 0 && usage.reserved === 0 && left > 0
  // A browser without scripts loads the page again by itself, unless its user has stopped that.
  const isLive = isWaiting && !query.has('still')
  return page(
    context,
    event.title,
    html`${whenAndWhere(context, event)}
<p>${say('invites', { partner: partner.name })}</p>
${pause && html`<p class="notice">${say(pause)}</p>`}
<p id="waiting" role="status">${usage.nb_recipients > 0 && waitingWords(say, waiting)}</p>
${isLive && html`<noscript><p class="hint">${say('updates')} <a href="${path}?still=1">${say('stop_updates')}</a></p></noscript>`}
${
  isFirst
    ? html`<h2>${say('add')}</h2>
${recipientsForm(context, visit.place)}`
    : html`<div id="more">${left > 0 ? html`<a class="button main" href="${path}/new">${say('add')}</a>` : html`<p class="notice">${say('all_used')}</p>`}</div>`
}
<div id="live" data-waits="${String(isWaiting)}">
${attention(context, path, usage)}
<h2>${say('numbers')}</h2>
${Number.isFinite(left) && meter(say, usage.reserved, left)}
${deliveryBar(say, usage)}
${numbers([
  ...(Number.isFinite(left)
    ? ([
        [say('quota'), usage.reserved + left],
        [say('used'), usage.reserved],
        [say('left'), left],
      ] as const)
    : []),
  [say('number_invited'), usage.nb_recipients],
  [say('number_sent'), usage.nb_email_sent],
  [say('many_blocked'), usage.blacklisted_recipients],
  [say('many_unsubscribed'), usage.unsubscribed_recipients],
])}
${(usage.nb_recipients > 0 || usage.reserved > 0) && list(context, { path, state, present, number, items: listed.decoded() })}
</div>`,
    { style: STYLE, script: isFirst ? SCRIPT_OF_FORM : SCRIPT, ...(isLive && { head: RELOAD }) },
  )
}

function waitingWords(say: PartnerPageContext['say'], waiting: number): string {
  if (waiting === 0) return say('none_waiting')
  return say('waiting', { count: waiting === MAX_WAITING ? `${waiting}+` : waiting })
}

/** Whom the e-mails did not reach or displeased, each with a link to the list of these; nothing if all is well. */
function attention({ say }: PartnerPageContext, path: string, usage: Usage): Markup | false {
  const troubles = [
    ['rejected', usage.rejected_recipients],
    ['bounced', usage.bounced_recipients],
    ['complained', usage.spammed_recipients],
    ['unknown', usage.unknown_recipients],
  ] as const
  const present = troubles.filter(([, count]) => count > 0)
  if (present.length === 0) return false
  const isDownloadable = usage.rejected_recipients + usage.bounced_recipients > 0
  return html`<h2>${say('attention')}</h2>
${numbers(present.map(([state, count]) => [html`<a href="${path}?state=${state}#invitations">${say(`many_${state}`)}</a>`, count]))}
${isDownloadable && html`<p><a href="${path}/failed">${say('download')}</a></p>`}`
}

/** How much of a quota is used, as a picture beside the numbers. */
function meter(say: PartnerPageContext['say'], used: number, left: number): Markup {
  return html`<p class="hint" aria-hidden="true">${say('used')} ${used} · ${say('left')} ${left}</p><meter min="0" max="${Math.max(1, used + left)}" value="${used}" aria-label="${say('used')}"></meter>`
}

/** What became of the e-mails, as a picture beside the numbers: those that arrived as far as is known, and those that did not. */
function deliveryBar(say: PartnerPageContext['say'], usage: Usage): Markup | false {
  const { nb_email_sent, bounced_recipients, spammed_recipients, rejected_recipients, blacklisted_recipients } = usage
  const back = bounced_recipients + spammed_recipients
  const failed = rejected_recipients + blacklisted_recipients
  const all = nb_email_sent + failed
  if (all === 0) return false
  const parts = [
    { name: say('many_sent'), count: Math.max(0, nb_email_sent - back), of: 'arrived' },
    { name: say('many_bounced'), count: back, of: 'back' },
    { name: say('many_rejected'), count: failed, of: 'failed' },
  ]
  const label = parts.map(({ name, count }) => `${name} ${count}`).join(' · ')
  let x = 0
  const drawn = parts.map(({ count, of }) => {
    const width = (count / all) * 100
    const rect = html`<rect x="${x.toFixed(2)}%" y="0" width="${width.toFixed(2)}%" height="12" class="${of}"/>`
    x += width
    return rect
  })
  return html`<p class="hint" aria-hidden="true">${label}</p><svg class="shares" role="img" aria-label="${label}" width="100%" height="12">${drawn}</svg>`
}

interface List {
  path: string
  /** What was chosen; undefined for all. */
  state: InvitationState | undefined
  /** What can be chosen. */
  present: InvitationState[]
  number: number
  items: StoredInvitation[]
}

function list({ say }: PartnerPageContext, { path, state, present, number, items }: List): Markup {
  const filter = state ? `state=${state}&` : ''
  const choice = (name: string, wanted: InvitationState | undefined): Markup =>
    html`<li><a href="${path}${wanted && `?state=${wanted}`}"${wanted === state && html` aria-current="page"`}>${name}</a></li>`
  return html`<h2 id="invitations">${say('invitations')}</h2>
<nav aria-labelledby="invitations"><ul>${[choice(say('all'), undefined), ...present.map((each) => choice(say(`many_${each}`), each))]}</ul></nav>
${items.length === 0 && html`<p>${say('none')}</p>`}
${items.length > 0 && html`<ul class="plain">${items.map((each) => html`<li>${item(say, each)}</li>`)}</ul>`}
${number > 1 && html`<p><a rel="prev" href="${path}?${filter}page=${number - 1}">${say('previous')}</a></p>`}
${items.length === PER_PAGE && html`<p><a rel="next" href="${path}?${filter}page=${number + 1}">${say('next')}</a></p>`}`
}

function item(say: PartnerPageContext['say'], { email, state, answer, reason }: StoredInvitation): Markup {
  return html`${email}<br><span class="hint">${say(state as InvitationState)}${answer ? html` · ${say(answer)}` : ''}${reason ? html`${say('colon')}<span lang="en">${reason}</span>` : ''}</span>`
}
