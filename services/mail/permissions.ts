import * as partnersConfirmations from '@gatehouse/partners/confirmations'
import * as partnersHandOvers from '@gatehouse/partners/hand-overs'
import * as partnerTopics from '@gatehouse/partners/topics'
import { TURNS, WORKERS } from '@gatehouse/partners/turns'
import { asking, type Permissions } from '@gatehouse/proto/declaring/permissions/permissions.ts'

export const handOvers = asking(partnersHandOvers.handOvers, 'claim', 'progress', 'renew')
export const confirmations = asking(partnersConfirmations.confirmations, 'claim', 'end')

/** What mail says and hears on the bus. */
export const permissions = {
  asks: [handOvers, confirmations],
  listens: [partnerTopics.confirmations],
  streams: [{ ...TURNS, consumes: [WORKERS] }],
} satisfies Permissions
