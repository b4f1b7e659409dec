import { invitationMail, sendResult } from '@gatehouse/partners/send-jobs'
import { record } from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'

/** How long the mail server may take, in ms, for a client that waits. */
export const LONGEST_MS = 30_000

const { _id: _, ...outcome } = sendResult.properties

/** E-mails that leave while a client waits: those that organizers send to see them, and QR codes. */
export const testSends = resource('mail.test_sends', 'test_send', {
  hand_over: {
    summary: 'Hands an e-mail to the mail server at once, and gives what came of it',
    body: invitationMail,
    reply: record(outcome),
    longestMs: LONGEST_MS,
  },
})
