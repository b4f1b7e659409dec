import { hrefOf } from '../route/route.ts'
import { client, type Item } from '../server/server.ts'
import { useConsole } from '../view/console.ts'
import { useLoaded } from '../view/loaded.ts'

const DELIVERIES = '/api/v1/webhooks/{webhook_id}/deliveries.json'

/** Says so where the latest message of a webhook did not arrive, or not yet after a first attempt. */
export function WebhookStatus({ item }: { item: Item }) {
  const { say } = useConsole()
  const webhook_id = String(item._id)
  const { value: latest } = useLoaded(
    async (signal) => (await client.GET(DELIVERIES, { params: { path: { webhook_id } }, signal })).data.at(0),
    [webhook_id],
  )
  if (!latest?.last_attempt_at || latest.state === 'delivered') return null
  return (
    <p class="notice bad">
      {say('webhook_failing')} <a href={hrefOf('webhooks', webhook_id, 'deliveries')}>{say('page_deliveries')}</a>
    </p>
  )
}
