import { useState } from 'preact/hooks'
import type { BesideProps, PageProps } from '../resources/resource.ts'
import { asRefusal, type GatehouseError, type Item, newKey, post, read } from '../server/server.ts'
import { may } from '../session/session.ts'
import { useConsole } from '../view/console.ts'
import { Problem } from '../view/problem.tsx'
import { InvitationReplies } from './invitation-replies.tsx'
import { TestMailing } from './test-mailing.tsx'

const TYPE = '/api/v1/events/{event_id}/invitation_types/{invitation_type_id}'
const TOKENS =
  '/api/v1/events/{event_id}/partners/{partner_id}/partner_campaigns/{partner_campaign_id}/partner_access_tokens.json'
/** The campaign of the organizer is the one without a quota. */
const NO_LIMIT = -1

/** What the page of an invitation type has below its form. */
export function InvitationTypeDetails(props: BesideProps) {
  const { session } = useConsole()
  if (!may(session, 'organizer')) return null
  return (
    <>
      <InvitationReplies {...props} />
      <TestMailing {...props} path="/api/v1/events/{event_id}/invitation_types/{id}/test_send.json" />
      <OwnInvitations {...props} />
    </>
  )
}

/** Gives the organizer the page on which partners invite, without a quota. */
function OwnInvitations({ params, item }: PageProps & { item: Item }) {
  const { say } = useConsole()
  const [url, setUrl] = useState<string>()
  const [error, setError] = useState<GatehouseError>()
  const open = async (): Promise<void> => {
    setError(undefined)
    try {
      setUrl(await ownPage({ ...params, invitation_type_id: String(item._id) }))
    } catch (problem) {
      setError(asRefusal(problem))
    }
  }
  return (
    <section class="panel">
      <h2>{say('invite_own')}</h2>
      <p class="quiet">{say('invite_own_text')}</p>
      <div class="buttons">
        {url === undefined ? (
          <button type="button" class="second" onClick={() => void open()}>
            {say('invite_own')}
          </button>
        ) : (
          <a class="button" href={url} target="_blank" rel="noopener">
            {say('invite_own_open')}
          </a>
        )}
      </div>
      {error && <Problem error={error} />}
    </section>
  )
}

/** The address of the organizer's page, whose campaign is made if need be. */
async function ownPage(params: Record<string, string>): Promise<string> {
  await post(`${TYPE}/invitations/batch_create.json`, params, [], newKey())
  for (let page = 1; ; page++) {
    const campaigns = await read<Item[]>(`${TYPE}/partner_campaigns.json`, params, { page: String(page) })
    const own = campaigns.find(({ quota }) => quota === NO_LIMIT)
    if (!own && campaigns.length > 0) continue
    const { partner_id, _id } = own ?? {}
    const of = { ...params, partner_id: String(partner_id), partner_campaign_id: String(_id) }
    const { page_url } = await post(TOKENS, of, {}, newKey())
    return String(page_url)
  }
}
