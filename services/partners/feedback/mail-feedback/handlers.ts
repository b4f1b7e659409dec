import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../../dependencies.ts'
import { mailServerAdapter } from './mail-server.ts'
import { postmarkAdapter } from './postmark.ts'
import { type Adapters, receive } from './receive.ts'
import type { mailFeedback } from './resource.ts'
import { sendgridAdapter } from './sendgrid.ts'
import { sesAdapter } from './ses.ts'
import type { FetchFunction } from './sns.ts'

/** Returns the handler of what mail providers report. Throws if a setting cannot be right. */
export function mailFeedbackHandlers(
  dependencies: Dependencies,
  fetchFromAmazon: FetchFunction,
): Handlers<typeof mailFeedback> {
  const {
    mail_events_ses_topic: topic,
    mail_events_sendgrid_verification: key,
    mail_events_postmark_login: login,
    mail_events_dsn_secret: secret,
  } = dependencies.config
  const adapters: Adapters = {
    ses: topic ? sesAdapter(topic, fetchFromAmazon) : undefined,
    sendgrid: key ? sendgridAdapter(key) : undefined,
    postmark: login ? postmarkAdapter(login) : undefined,
    dsn: secret ? mailServerAdapter(secret) : undefined,
  }
  return handlersOf({ receive }, { ...dependencies, adapters })
}
