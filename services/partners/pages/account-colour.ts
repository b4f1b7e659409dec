import type { Client } from '@gatehouse/proto/bus/client.ts'
import type { accounts } from '../permissions.ts'

/** The colour that an account gives its pages; null, for the default one, while the sso service does not answer. */
export async function colourOf(client: Client<typeof accounts>, account_id: string): Promise<string | null> {
  const { color } = await client.look({ body: { account_id } }).catch(() => ({ color: null }))
  return color
}
