import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import { adoptEach } from '@gatehouse/proto/storage/adopting.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { partners as resource } from './resource.ts'
import type { Usage } from './usage.ts'
import { NO_USAGE } from './usage-store.ts'
import { cleaned } from './validation.ts'

type Adopt = (typeof resource)['actions']['adopt']

/** Takes over partners of another system. What their campaigns have sent there is used of their quotas here. */
export function adopt(
  { partners }: Dependencies,
  { query: { event_id, compares }, body }: Call<Adopt>,
): Promise<Output<Adopt>> {
  return adoptEach(body, (items) => {
    const given = items.map(({ partner_campaigns, ...item }) => ({
      ...cleaned(item),
      event_id,
      reserved: item.nb_recipients,
      usage: Object.fromEntries(partner_campaigns.map(({ _id, nb_email_sent }) => [_id, usageOf(nb_email_sent)])),
    }))
    return partners.adopt(given, compares)
  })
}

function usageOf(sent: number): Usage {
  return { ...NO_USAGE, reserved: sent, nb_email_sent: sent, nb_recipients: sent, nb_recipients_email_sent: sent }
}
