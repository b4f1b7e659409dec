import { optionalEmail } from '@gatehouse/proto/declaring/fields.ts'
import type { ConfigOf } from '@gatehouse/proto/process/config.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import { Mailer, mailSettings } from '@gatehouse/proto/process/mail.ts'
import { busSettings, connectProcess } from '@gatehouse/proto/serving/bus-settings.ts'
import type { Running } from '@gatehouse/proto/serving/run.ts'
import { serveHealth } from '@gatehouse/proto/serving/service.ts'
import { serveResource } from '@gatehouse/proto/serving/serving.ts'
import { confirming } from './confirming.ts'
import { hostMailing } from './host-mailing.ts'
import { permissions } from './permissions.ts'
import { Rates, rateSettings } from './rates.ts'
import * as resources from './resources.ts'
import { testSendHandlers } from './test-sends/handlers.ts'
import { SendWorker } from './worker.ts'

/** The settings of the mail service. It has no database. */
export const settings = {
  ...busSettings,
  ...mailSettings,
  ...rateSettings,
  mail_return_path: optionalEmail({
    description:
      'Where bounces of invitations go, with the invitation behind a plus sign; the address of MAIL_FROM where it is not given',
  }),
}

/** The settings as read. */
export type MailServiceConfig = ConfigOf<typeof settings>

/** The mail service: hands partners' invitations to the mail server, or to the folder. Without either it does nothing, and they stay queued. */
export async function start(config: MailServiceConfig): Promise<Running> {
  const log = makeLog('mail', config.log_level)
  const mailer = new Mailer(config)
  const rates = new Rates(config, config.namespace, log)
  const bus = await connectProcess('mail', permissions, config, log)
  await rates.connect()
  const sending = { mailer, returnPath: config.mail_return_path || null }
  const worker = new SendWorker({ bus, sending, rates, log })
  const due = [confirming({ bus, mailer, log }), hostMailing({ bus, mailer, log })]
  if (mailer.isConfigured) {
    worker.start()
    for (const each of due) each.start()
  }
  serveResource(bus, resources.testSends, testSendHandlers(sending))
  serveHealth(bus, 'mail', async () => {})
  await bus.subscribed()
  log.info('ready')
  return {
    check: async () => bus.check(),
    stop: async () => {
      await bus.stop(async () => {
        await Promise.all([worker, ...due].map((each) => each.stop()))
      })
      rates.close()
      mailer.close()
      log.info('stopped')
    },
  }
}
