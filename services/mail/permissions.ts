import * as guestsHostMails from '@gatehouse/guests/host-mails'
import * as guestTopics from '@gatehouse/guests/topics'
import * as partnersConfirmations from '@gatehouse/partners/confirmations'
import * as partnersSendJobs from '@gatehouse/partners/send-jobs'
import { SEND_QUEUE, WORKERS } from '@gatehouse/partners/send-queue'
import * as partnerTopics from '@gatehouse/partners/topics'
import { asking, type Permissions } from '@gatehouse/proto/declaring/permissions/permissions.ts'

export const sendJobs = asking(partnersSendJobs.sendJobs, 'claim', 'progress', 'renew')
export const confirmations = asking(partnersConfirmations.confirmations, 'claim', 'end')
export const hostMails = asking(guestsHostMails.hostMails, 'due', 'begin', 'postpone')

/** What mail says and hears on the bus. */
export const permissions = {
  asks: [sendJobs, confirmations, hostMails],
  listens: [partnerTopics.confirmations, guestTopics.hostMails],
  streams: [{ ...SEND_QUEUE, consumes: [WORKERS] }],
} satisfies Permissions
