import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { accounts } from '@gatehouse/sso/resources'

/** An account of a test system, with its admin token. */
export interface TestAccount {
  slug: string
  account_id: string
  auth_token: string
}

/** Creates an account, or gives another token of one that exists. */
export async function openAccount(bus: Bus, slug: string): Promise<TestAccount> {
  return { slug, ...(await clientOf(bus, accounts).bootstrap({ body: { slug } })) }
}
