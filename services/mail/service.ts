import { connectBus } from '@gatehouse/proto/bus/bus.ts'
import { optionalEmail } from '@gatehouse/proto/declaring/fields.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import { type MailConfig, Mailer, mailSettings } from '@gatehouse/proto/process/mail.ts'
import type { Running } from '@gatehouse/proto/process/run.ts'
import { type ServiceConfig, serveHealth, serviceSettings } from '@gatehouse/proto/process/service.ts'
import { Confirming } from './confirming.ts'
import { Worker } from './worker.ts'

const { mongodb_url: _, ...common } = serviceSettings

/** The settings of the mail service. It has no database. */
export const settings = {
  ...common,
  ...mailSettings,
  mail_return_path: optionalEmail({
    description:
      'Where bounces of invitations go, with the invitation behind a plus sign; the address of MAIL_FROM where it is not given',
  }),
}

/** The settings as read. */
export interface Config extends Omit<ServiceConfig, 'mongodb_url'>, MailConfig {
  mail_return_path?: string | null
}

/** The mail service: hands partners' invitations to the mail server. Without one it does nothing, and they stay queued. */
export async function start(config: Config): Promise<Running> {
  const log = makeLog('mail', config.log_level)
  const mailer = new Mailer(config)
  const bus = await connectBus({
    servers: config.nats_url,
    namespace: config.namespace,
    name: 'mail',
    log,
    deadlineMs: config.deadline_ms,
  })
  const worker = new Worker({ bus, sending: { mailer, returnPath: config.mail_return_path || null }, log })
  const confirming = new Confirming({ bus, mailer, log })
  if (mailer.isConfigured) {
    worker.start()
    confirming.start()
  }
  serveHealth(bus, 'mail', async () => {})
  await bus.flush()
  log.info('ready')
  return {
    stop: async () => {
      await bus.stop(async () => {
        await Promise.all([worker.stop(), confirming.stop()])
      })
      mailer.close()
      log.info('stopped')
    },
  }
}
