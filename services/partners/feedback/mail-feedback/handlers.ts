import { notFound } from '@gatehouse/proto/declaring/faults.ts'
import type { Handlers } from '@gatehouse/proto/declaring/resource.ts'
import type { Feedback } from '../mail-events/feedback.ts'
import { mailServerAdapter } from './mail-server.ts'
import { postmarkAdapter } from './postmark.ts'
import type { Adapter } from './report.ts'
import type { mailFeedback, ProviderRequest } from './resource.ts'
import { sendgridAdapter } from './sendgrid.ts'
import { sesAdapter } from './ses.ts'
import type { ProviderConfig } from './settings.ts'
import type { FetchFunction } from './sns.ts'

/** Handlers of what mail providers report. Throws if a setting cannot be right. */
export function mailFeedbackHandlers(
  config: ProviderConfig,
  feedback: Feedback,
  fetchFromAmazon: FetchFunction,
): Handlers<typeof mailFeedback> {
  const made = <T extends string>(setting: T | null, make: (setting: T) => Adapter) =>
    setting ? make(setting) : undefined
  const adapters: Record<ProviderRequest['provider'], Adapter | undefined> = {
    ses: made(config.mail_events_ses_topic, (topic) => sesAdapter(topic, fetchFromAmazon)),
    sendgrid: made(config.mail_events_sendgrid_verification, sendgridAdapter),
    postmark: made(config.mail_events_postmark_login, postmarkAdapter),
    dsn: made(config.mail_events_dsn_secret, mailServerAdapter),
  }
  return {
    async receive({ body: { provider, headers, recipient, body } }) {
      const adapter = adapters[provider]
      if (!adapter) throw notFound()
      const reports = await adapter({
        headers: new Map(headers.map(({ name, value }) => [name, value])),
        recipient,
        body: Buffer.from(body ?? '', 'base64'),
      })
      const known = await feedback.invitations(reports.flatMap(({ invitation_id }) => invitation_id ?? []))
      const recorded = reports.flatMap(({ invitation_id, event }) => {
        const invitation = known.get(invitation_id ?? '')
        if (!invitation) return []
        const own = typeof event === 'function' ? event(invitation.address) : event
        return own ? [{ invitation, event: own }] : []
      })
      await feedback.record(recorded)
      return { recorded: recorded.length }
    },
  }
}
