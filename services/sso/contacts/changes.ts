import type { Bus } from '@gatehouse/proto/bus.ts'
import type { ContactStore } from './store.ts'

const TOPIC = 'contacts'

/** Announces that a contact of an account came, went or is found by other words. Call it before the caller is answered. */
export function announceChange(bus: Bus, account_id: string): void {
  bus.announce(TOPIC, account_id)
}

/** Has a store hear of every such change, in whatever process. */
export function hearChanges(bus: Bus, store: ContactStore): void {
  bus.listen(TOPIC, (account_id) => store.changed(account_id))
  bus.onReconnect(() => store.changedUnheard())
}
