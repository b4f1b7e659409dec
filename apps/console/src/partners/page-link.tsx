import { useEffect, useRef, useState } from 'preact/hooks'
import { QrCode } from '../devices/device-code.tsx'
import { RepliesOfType } from '../mailings/invitation-replies.tsx'
import type { ItemProps } from '../resources/resource.ts'
import { asRefusal, client, type GatehouseError, type Item, newKey, post } from '../server/server.ts'
import { may } from '../session/session.ts'
import { useConsole } from '../view/console.ts'
import { useMayChange } from '../view/event.ts'
import { useLoaded } from '../view/loaded.ts'
import { CopyButton } from '../view/once.tsx'
import { Problem } from '../view/problem.tsx'
import { Skeleton } from '../view/skeleton.tsx'
import { LinkFacts } from './link-facts.tsx'
import { NO_LIMIT, PAGE_LINK } from './links.ts'
import { SendLink } from './send-link.tsx'

interface Props extends ItemProps {
  /** Whether the campaign was just made on this page: then its link is what is looked at next. */
  isNew?: boolean
  /** The partner's e-mail address, where that is known: it may be changed beside this. */
  email?: string | undefined
}

/** The link to the page of a campaign's partner: what is known of it, and the ways to make, send and renew it. */
export function PageLink(props: Props) {
  const { session } = useConsole()
  return may(session, 'organizer') && props.item.quota !== NO_LIMIT ? <Card {...props} /> : null
}

function Card({ params, item, isNew = false, email }: Props) {
  const { say } = useConsole()
  const heading = useRef<HTMLHeadingElement>(null)
  const mayChange = useMayChange()('organizer')
  const [made, setMade] = useState<Item>()
  const [isAsking, setAsking] = useState(false)
  const [refusal, setRefusal] = useState<GatehouseError>()
  const path = {
    event_id: String(params.event_id),
    invitation_type_id: String(item.invitation_type_id),
    partner_campaign_id: String(item._id),
  }
  const { value, error, reload } = useLoaded(
    async (signal) => {
      const one = { event_id: path.event_id, id: String(item.partner_id) }
      const [{ data: link }, { data: partner }] = await Promise.all([
        client.GET(`${PAGE_LINK}.json`, { params: { path }, signal }),
        client.GET('/api/v1/events/{event_id}/partners/{id}.json', { params: { path: one }, signal }),
      ])
      return { link, partner }
    },
    [path.partner_campaign_id],
  )
  const run = async (act: '' | '/renew'): Promise<void> => {
    setAsking(false)
    setRefusal(undefined)
    try {
      setMade(await post(`${PAGE_LINK}${act}.json`, path, undefined, newKey()))
      reload()
    } catch (problem) {
      setRefusal(asRefusal(problem))
    }
  }
  const isThere = value !== undefined
  useEffect(() => {
    if (isNew && isThere) heading.current?.focus()
  }, [isNew, isThere])
  if (error && !value) return <Problem error={error} retry={reload} />
  if (!value) return <Skeleton />
  const { link, partner } = value
  const hasLink = link.link_count > 0
  return (
    <section class="panel">
      <h2 ref={heading} tabIndex={-1}>
        {say('partner_page')}
      </h2>
      <p>{say(hasLink ? 'partner_page_text' : 'partner_page_none')}</p>
      {hasLink && <LinkFacts link={link} />}
      {made && <NewLink made={made} />}
      {mayChange && (
        <>
          <RepliesOfType params={params} id={path.invitation_type_id} />
          <SendLink
            key={email}
            path={`${PAGE_LINK}/send.json`}
            params={path}
            email={email ?? partner.email ?? ''}
            isMain={!made && link.sent_at === null}
            onSent={reload}
          />
          <div class="buttons">
            <button type="button" class="second" onClick={() => void run('')}>
              {say('partner_link_get')}
            </button>
            {hasLink && !isAsking && (
              <button type="button" class="second" onClick={() => setAsking(true)}>
                {say('partner_link_renew')}
              </button>
            )}
            {isAsking && (
              <span class="asking" role="alert">
                {say('partner_link_renew_asks')}
                <button type="button" class="alarming" onClick={() => void run('/renew')}>
                  {say('partner_link_renew')}
                </button>
                <button type="button" class="second" onClick={() => setAsking(false)}>
                  {say('cancel')}
                </button>
              </span>
            )}
          </div>
          {refusal && <Problem error={refusal} />}
          <p class="quiet">
            {say('partner_link_once')}
            {hasLink &&
              ` ${say('partner_link_again', { get: say('partner_link_get'), renew: say('partner_link_renew') })}`}
          </p>
        </>
      )}
    </section>
  )
}

/** A link right after it was made, as an address and as a QR code. */
function NewLink({ made }: { made: Item }) {
  const { say } = useConsole()
  const url = String(made.page_url)
  return (
    <section class="notice device-code" aria-label={say('shown_once')}>
      <div>
        <p>{say('shown_once')}</p>
        <code class="secret">{url}</code>
        <div class="buttons">
          <CopyButton key={url} text={url} label={say('view_copy')} />
          <a class="button second" href={url} target="_blank" rel="noopener">
            {say('partner_page_open')}
          </a>
        </div>
      </div>
      <QrCode svg={String(made.qr_code)} label={say('partner_page')} />
    </section>
  )
}
