// @module-tag slow
import { createSign, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { withDefaults } from '@gatehouse/proto/process/config.ts'
import type { Running } from '@gatehouse/proto/serving/run.ts'
import { natsUrlOf } from '@gatehouse/test/harness/nats-urls.ts'
import { type Answer, SECRETS_KEY, type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { cases, rounds, slow } from '@gatehouse/test/rounds.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { settings, start } from '../../service.ts'
import { addresses, TestCampaign } from '../../testing/test-campaign.ts'
import { sendAll } from '../../testing/test-sending.ts'
import { certificate, certificateKey } from './test-certificate.ts'
import { complaintOfProvider, complaintOfService, deliveryReport } from './test-reports.ts'

const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:bounces'
const CERTIFICATE_URL = 'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-test.pem'
const SENDGRID = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
const LOGIN = 'postmark:a password of Postmark'
const SECRET = 'secret-of-the-mail-server'

describe('events of mail providers', () => {
  let system: System
  let partners: Running
  let amazon: Awaited<ReturnType<typeof startCertificateServer>>
  /** What was asked of Amazon. */
  const asked: string[] = []

  beforeAll(async () => {
    ;[system, amazon] = await Promise.all([startSystem({ with: ['promo'] }), startCertificateServer()])
    const config = withDefaults(settings, {
      mongodb_url: inject('mongodbUrl'),
      nats_url: natsUrlOf('partners'),
      namespace: system.namespace,
      log_level: process.env.LOG_LEVEL ?? 'silent',
      deadline_ms: 30_000,
      secrets_key: SECRETS_KEY,
      public_url: system.url,
      mail_events_ses_topic: TOPIC,
      mail_events_sendgrid_verification: SENDGRID.publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
      mail_events_postmark_login: LOGIN,
      mail_events_dsn_secret: SECRET,
    })
    partners = await start(config, (address, init) => {
      asked.push(String(address))
      return fetch(`${amazon.url}${new URL(String(address)).pathname}`, init)
    })
  })
  afterAll(async () => {
    await partners?.stop()
    await system?.stop()
    amazon?.server.close()
  })

  const post = async (path: string, body: string, headers: Record<string, string> = {}): Promise<Answer> =>
    system.api('POST', `mail_events/${path}`, body, { token: '', headers })
  /** A campaign that has sent `count` e-mails, and another one beside it. */
  const sentTo = async (count: number) => {
    const [campaign, other] = [await TestCampaign.open(system), await TestCampaign.open(system)]
    await Promise.all([campaign, other].map((each) => each.invite(addresses(count))))
    const ids = await sendAll(campaign)
    await sendAll(other)
    return { campaign, other, ids: ids as [string, ...string[]] }
  }
  const statesOf = async (campaign: TestCampaign, ids: string[]) => {
    const all = new Map((await campaign.invitations()).map(({ _id, state }) => [_id, state]))
    return ids.map((id) => all.get(id))
  }
  const isUntouched = async (campaign: TestCampaign) => {
    const counters = { bounced_recipients: 0, spammed_recipients: 0, unsubscribed_recipients: 0 }
    expect(await campaign.counters()).toMatchObject(counters)
  }

  const expectAll = (answers: Answer[], status: number) =>
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => status))

  describe('Amazon SES', () => {
    const notify = (message: object, changes: object = {}, version: '1' | '2' = '2') =>
      post('ses', snsMessage({ Type: 'Notification', Message: JSON.stringify(message), ...changes }, version))
    const mailOf = (id: string) => ({ source: returnPathOf(id), messageId: 'of SES' })
    const bounceOf = (id: string) => ({
      notificationType: 'Bounce',
      bounce: {
        bounceType: 'Permanent',
        bouncedRecipients: [{ emailAddress: 'guest-0@example.org', diagnosticCode: 'smtp; 550 5.1.1 No such user' }],
        timestamp: '2026-01-27T14:59:38.237Z',
      },
      mail: mailOf(id),
    })

    test(
      'a signed message of the topic counts, by both versions of the signature, once however often it comes',
      slow,
      async () => {
        const { campaign, other, ids } = await sentTo(8)
        const complaintOf = (id: string | undefined, complaint: object) =>
          notify({ eventType: 'Complaint', complaint, mail: mailOf(id ?? '') })
        const bounced = (bounce: object, mail: object) => notify({ notificationType: 'Bounce', bounce, mail })
        const timestamp = '2026-01-27T14:59:38.237Z'
        const header = { name: 'Message-ID', value: `<${ids[6]}@gatehouse.example>` }
        const answers = [
          await notify(bounceOf(ids[0]), { Subject: 'Amazon SES' }, '1'),
          await notify(bounceOf(ids[0]), { Subject: 'Amazon SES' }, '1'),
          await complaintOf(ids[1], { complaintFeedbackType: 'abuse' }),
          await complaintOf(ids[2], { complaintFeedbackType: 'not-spam' }),
          await notify({ eventType: 'Subscription', subscription: {}, mail: mailOf(ids[3] ?? '') }),
          await bounced({ bounceType: 'Transient' }, mailOf(ids[4] ?? '')),
          await notify({ eventType: 'Open', open: { timestamp }, mail: mailOf(ids[5] ?? '') }),
          await bounced(
            { bounceType: 'Permanent', bounceSubType: 'Suppressed' },
            { headers: [header], source: 'a@b.example' },
          ),
          await complaintOf(ids[7], { complaintSubType: 'OnAccountSuppressionList' }),
        ]
        expect(answers.map(({ status, text }) => `${status}${text}`)).toEqual(answers.map(() => '200'))
        const states = ['bounced', 'complained', 'sent', 'unsubscribed', 'sent', 'sent', 'bounced', 'bounced']
        expect(await statesOf(campaign, ids)).toEqual(states)
        const counters = { bounced_recipients: 3, spammed_recipients: 1, unsubscribed_recipients: 1 }
        expect(await campaign.counters()).toMatchObject(counters)
        expect((await campaign.invitations('&state=bounced')).map(({ reason }) => reason)).toContain(
          '550 5.1.1 No such user',
        )
        await isUntouched(other)
        // Kept for all further messages.
        expect(asked.filter((each) => each === CERTIFICATE_URL)).toHaveLength(1)
      },
    )

    test('a message that was changed, or of another topic, or of another version: 401', async () => {
      const { campaign, ids } = await sentTo(1)
      const body = snsMessage({ Type: 'Notification', Message: JSON.stringify(bounceOf(ids[0])) })
      const changed = { ...JSON.parse(body), Message: JSON.stringify({ ...bounceOf(ids[0]), more: 1 }) }
      const refused = await Promise.all([
        post('ses', JSON.stringify(changed)),
        notify(bounceOf(ids[0]), { TopicArn: `${TOPIC}2` }),
        post('ses', JSON.stringify({ ...JSON.parse(body), SignatureVersion: '3' })),
        post('ses', JSON.stringify({ ...JSON.parse(body), SignatureVersion: '1' })),
        post('ses', JSON.stringify({ ...JSON.parse(body), Signature: undefined })),
        post('ses', '[]'),
      ])
      expectAll(refused, 401)
      expect((await post('ses', 'not JSON')).status).toBe(400)
      await isUntouched(campaign)
    })

    test('neither a certificate nor a confirmation is ever asked of another host than that of SNS', async () => {
      const { campaign, ids } = await sentTo(1)
      const before = asked.length
      const urls = [
        'http://sns.eu-west-1.amazonaws.com/a.pem',
        'https://sns.eu-west-1.amazonaws.com:8443/a.pem',
        'https://user@sns.eu-west-1.amazonaws.com/a.pem',
        'https://sns.eu-west-1.amazonaws.com.evil.example/a.pem',
        'https://evil.example/sns.eu-west-1.amazonaws.com/a.pem',
        'https://sns.eu-west-1.amazonaws.com@evil.example/a.pem',
        'https://evil.amazonaws.com/a.pem',
        'https://bucket.sns.eu-west-1.amazonaws.com/a.pem',
        'https://snsXeu-west-1.amazonaws.com/a.pem',
        'https://127.0.0.1/a.pem',
        'nothing',
      ]
      for (const url of urls) {
        expect((await notify(bounceOf(ids[0]), { SigningCertURL: url })).status, url).toBe(401)
        const confirmation = { Type: 'SubscriptionConfirmation', Token: 'token', Message: 'Confirm', SubscribeURL: url }
        expect((await post('ses', snsMessage(confirmation))).status, url).toBe(401)
      }
      // A page of SNS that is no certificate.
      const page = 'https://sns.eu-west-1.amazonaws.com/page'
      expect((await notify(bounceOf(ids[0]), { SigningCertURL: page })).status).toBe(401)
      expect(asked.slice(before).filter((each) => each !== CERTIFICATE_URL)).toEqual([])
      await isUntouched(campaign)
    })

    test('a subscription is confirmed if SNS has signed the wish, and left if it is another topic’s', async () => {
      const SubscribeURL = 'https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=t'
      const wish = { Type: 'SubscriptionConfirmation', Token: 'token', Message: 'Confirm', SubscribeURL }
      expect((await post('ses', snsMessage({ ...wish, TopicArn: `${TOPIC}2` }))).status).toBe(401)
      expect(asked).not.toContain(SubscribeURL)
      expect((await post('ses', snsMessage(wish))).status).toBe(200)
      expect(asked).toContain(SubscribeURL)
    })

    test('while the certificate cannot be had the answer is 503, so that SNS comes again; Amazon is asked once', async () => {
      const { campaign, ids } = await sentTo(1)
      const SigningCertURL = 'https://sns.eu-west-1.amazonaws.com/away.pem'
      const send = () => notify(bounceOf(ids[0]), { SigningCertURL })
      const answers = [await send(), ...(await Promise.all([send(), send(), send()]))]
      expectAll(answers, 503)
      expect(asked.filter((each) => each === SigningCertURL)).toHaveLength(1)
      await isUntouched(campaign)
    })

    test('where Amazon has no certificate, or another thing, the message is refused for good; Amazon is asked once', async () => {
      const { campaign, ids } = await sentTo(1)
      for (const file of ['gone.pem', 'page.pem']) {
        const SigningCertURL = `https://sns.eu-west-1.amazonaws.com/${file}`
        for (let times = 0; times < 3; times++)
          expect((await notify(bounceOf(ids[0]), { SigningCertURL })).status, SigningCertURL).toBe(401)
        expect(asked.filter((each) => each === SigningCertURL)).toHaveLength(1)
      }
      await isUntouched(campaign)
    })

    test('for a message without a signature, or of a certificate with a query, Amazon is not asked', slow, async () => {
      const { campaign, ids } = await sentTo(1)
      const before = asked.length
      const SigningCertURL = 'https://sns.eu-west-1.amazonaws.com/never.pem'
      const message = JSON.parse(
        snsMessage({ Type: 'Notification', Message: JSON.stringify(bounceOf(ids[0])), SigningCertURL }),
      )
      for (const Signature of ['', 'AAAA', 'A'.repeat(10_000), 7])
        expect((await post('ses', JSON.stringify({ ...message, Signature }))).status).toBe(401)
      expect((await notify(bounceOf(ids[0]), { SigningCertURL: `${SigningCertURL}?1.pem` })).status).toBe(401)
      expect(asked).toHaveLength(before)
      await isUntouched(campaign)
    })
  })

  describe('SendGrid', () => {
    const now = () => String(Math.floor(Date.now() / 1_000))
    const headersOf = (body: string, timestamp = now(), key: KeyObject = SENDGRID.privateKey) => ({
      'x-twilio-email-event-webhook-timestamp': timestamp,
      'x-twilio-email-event-webhook-signature': sign('sha256', Buffer.from(timestamp + body), key).toString('base64'),
    })

    test('signed events count once, however often they come', async () => {
      const { campaign, other, ids } = await sentTo(9)
      const said = [
        { event: 'bounce', type: 'bounce', reason: '550 No such user' },
        { event: 'bounce', type: 'blocked', reason: '554 blocked' },
        { event: 'spamreport' },
        { event: 'unsubscribe' },
        { event: 'open', timestamp: 1_767_225_600 },
        { event: 'dropped', reason: 'Bounced Address' },
        { event: 'dropped', reason: 'Spam Content' },
        { event: 'group_unsubscribe' },
        { event: 'processed' },
      ]
      const events = said.map((each, index) => ({ 'smtp-id': `<${ids[index]}@gatehouse.example>`, ...each }))
      const further = [
        { event: 'spamreport', invitation_id: ids[0] },
        { event: 'bounce', 'smtp-id': '<others@host>' },
      ]
      const body = JSON.stringify([...events, ...further])
      const headers = headersOf(body)
      for (let times = 0; times < 2; times++) expect((await post('sendgrid', body, headers)).status).toBe(200)
      const states = 'complained sent complained unsubscribed sent bounced sent unsubscribed sent'
      expect(await statesOf(campaign, ids)).toEqual(states.split(' '))
      const counters = { bounced_recipients: 2, spammed_recipients: 2, unsubscribed_recipients: 2 }
      expect(await campaign.counters()).toMatchObject(counters)
      const opened = (await campaign.invitations()).filter(({ opened_at }) => opened_at)
      expect(opened).toMatchObject([{ _id: ids[4], opened_at: '2026-01-01T00:00:00.000Z' }])
      await isUntouched(other)
    })

    test('without a signature over these very bytes and this time, or with an old one: 401', async () => {
      const { campaign, ids } = await sentTo(1)
      const body = JSON.stringify([{ event: 'spamreport', 'smtp-id': `<${ids[0]}@gatehouse.example>` }])
      const old = String(Math.floor(Date.now() / 1_000) - 26 * 3_600)
      const another = generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey
      const refused = await Promise.all([
        post('sendgrid', body),
        post('sendgrid', ` ${body}`, headersOf(body)),
        post('sendgrid', body, { ...headersOf(body), 'x-twilio-email-event-webhook-timestamp': '1767225600' }),
        post('sendgrid', body, headersOf(body, old)),
        post('sendgrid', body, headersOf(body, String(Number(now()) + 3_600))),
        post('sendgrid', body, headersOf(body, 'Infinity')),
        post('sendgrid', body, headersOf(body, now(), another)),
      ])
      expectAll(refused, 401)
      await isUntouched(campaign)
    })
  })

  describe('Postmark', () => {
    const basic = (login: string) => ({ authorization: `Basic ${Buffer.from(login).toString('base64')}` })
    const send = (said: object, id: string | undefined, login = LOGIN) =>
      post('postmark', JSON.stringify({ ...said, Metadata: { Invitation_id: id } }), basic(login))

    test('events with the right login count once, however often they come', slow, async () => {
      const { campaign, other, ids } = await sentTo(8)
      const said = [
        { RecordType: 'Bounce', Type: 'HardBounce', Details: '550 No such user', BouncedAt: '2026-01-27T14:59:38Z' },
        { RecordType: 'Bounce', Type: 'SoftBounce', Description: 'later' },
        { RecordType: 'SpamComplaint', Type: 'SpamComplaint' },
        { RecordType: 'Bounce', Type: 'SpamComplaint' },
        { RecordType: 'SubscriptionChange', SuppressSending: true, SuppressionReason: 'ManualSuppression' },
        { RecordType: 'SubscriptionChange', SuppressSending: true, SuppressionReason: 'HardBounce' },
        { RecordType: 'Bounce', Type: 'AutoResponder' },
        { RecordType: 'Open', ReceivedAt: '2026-01-01T00:00:00Z' },
      ]
      for (let times = 0; times < 2; times++) {
        for (const [index, each] of said.entries()) expect((await send(each, ids[index])).status).toBe(200)
      }
      expect((await send(said[0] as object, undefined)).status).toBe(200)
      const states = ['bounced', 'sent', 'complained', 'complained', 'unsubscribed', 'sent', 'sent', 'sent']
      expect(await statesOf(campaign, ids)).toEqual(states)
      const counters = { bounced_recipients: 1, spammed_recipients: 2, unsubscribed_recipients: 1 }
      expect(await campaign.counters()).toMatchObject(counters)
      await isUntouched(other)
    })

    test('without the right login: 401', async () => {
      const { campaign, ids } = await sentTo(1)
      const complaint = { RecordType: 'SpamComplaint' }
      const refused = await Promise.all([
        send(complaint, ids[0], `${LOGIN}r`),
        send(complaint, ids[0], LOGIN.slice(0, -1)),
        send(complaint, ids[0], ''),
        post('postmark', JSON.stringify({ ...complaint, Metadata: { invitation_id: ids[0] } })),
        post('postmark', '{}', { authorization: `Bearer ${LOGIN}` }),
      ])
      expectAll(refused, 401)
      await isUntouched(campaign)
    })
  })

  const MESSAGE = { 'content-type': 'message/rfc822', authorization: `Bearer ${SECRET}` }
  const returnPathOf = (id: string | undefined) => `bounces+${id}@gatehouse.example`

  describe('returned e-mails', () => {
    const returned = (fields: Record<string, string>, query = '') =>
      post(`dsn${query}`, deliveryReport(fields), MESSAGE)

    test(
      'a report counts, whichever of its parts names the invitation, once however often it comes',
      slow,
      async () => {
        const { campaign, other, ids } = await sentTo(6)
        const [one, two, three, four, five, six] = ids
        const posts = [
          () => returned({ to: returnPathOf(one) }),
          () => returned({ message_id: `<${two}@gatehouse.example>` }),
          () => returned({}, `?recipient=${encodeURIComponent(returnPathOf(three))}`),
          () => returned({ to: `"Bounces" <${returnPathOf(four)}>`, status: '4.4.7' }),
          () => returned({ to: returnPathOf(five), action: 'delayed', status: '4.4.1' }),
          () => returned({ status: '5.2.2' }, `?recipient=${returnPathOf(six)}`),
        ]
        for (let times = 0; times < 2; times++) for (const each of posts) expect((await each()).status).toBe(200)
        expect(await statesOf(campaign, ids)).toEqual(['bounced', 'bounced', 'bounced', 'sent', 'sent', 'sent'])
        expect(await campaign.counters()).toMatchObject({ bounced_recipients: 3, spammed_recipients: 0 })
        const reasons = (await campaign.invitations()).map(({ reason }) => reason)
        expect(new Set(reasons)).toEqual(new Set(['550 5.1.1 <guest@example.org>: No such user']))
        await isUntouched(other)
      },
    )

    test('an automatic reply, a forwarded report and what cannot be read are taken and ignored', async () => {
      const { campaign, ids } = await sentTo(1)
      const to = `To: bounces+${ids[0]}@gatehouse.example\r\n`
      const forwarded = `${to}Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: message/rfc822\r\n\r\n${deliveryReport({})}\r\n--x--\r\n`
      const mails = [
        `${to}Subject: Out of office\r\nAuto-Submitted: auto-replied\r\n\r\nAction: failed\r\nStatus: 5.1.1\r\n`,
        forwarded,
        '',
        'x'.repeat(10_000),
      ]
      for (const mail of mails) expect((await post('dsn', mail, MESSAGE)).status).toBe(200)
      expect((await post('dsn', deliveryReport({ to: 'bounces@gatehouse.example' }), MESSAGE)).status).toBe(200)
      await isUntouched(campaign)
    })

    test('neither a long e-mail that a report returns nor a long text before it hides what it says', slow, async () => {
      const { campaign, ids } = await sentTo(2)
      const [one, two] = ids.map((id) => deliveryReport({ to: returnPathOf(id) })) as [string, string]
      const lines = 'a\r\n'.repeat(300_000)
      expect((await post('dsn', one.replace('\r\n--B--', `\r\n\r\n${lines}--B--`), MESSAGE)).status).toBe(200)
      expect((await post('dsn', two.replace('I am sorry', `${lines}I am sorry`), MESSAGE)).status).toBe(200)
      expect(await statesOf(campaign, ids)).toEqual(['bounced', 'bounced'])
    })

    test('of a report of several recipients that of the invited one counts', slow, async () => {
      const { campaign, ids } = await sentTo(2)
      const invited = new Map((await campaign.invitations()).map(({ _id, email }) => [_id, email]))
      const lines = (recipient: string | undefined, status: string) =>
        `Final-Recipient: rfc822; ${recipient}\r\nAction: failed\r\nStatus: ${status}\r\n`
      for (const [index, id] of ids.entries()) {
        const [own, other] = index === 0 ? ['5.1.1', '4.4.7'] : ['4.4.7', '5.1.1']
        const report = deliveryReport({ to: returnPathOf(id) }).replace(
          /Final-Recipient[\s\S]*?user\r\n/,
          `${lines('other@example.org', other)}\r\n${lines(invited.get(id), own)}`,
        )
        expect((await post('dsn', report, MESSAGE)).status).toBe(200)
      }
      expect(await statesOf(campaign, ids)).toEqual(['bounced', 'sent'])
    })
  })

  describe('complaints that mailbox providers send', () => {
    test(
      'a report counts, whichever of its parts names the invitation, once however often it comes',
      slow,
      async () => {
        const { campaign, other, ids } = await sentTo(6)
        const [one, two, three, four, five, six] = ids
        const recipient = encodeURIComponent(returnPathOf(five))
        const posts = [
          () => post('dsn', complaintOfProvider({ mail_from: `<${returnPathOf(one)}>` }), MESSAGE),
          () => post('dsn', complaintOfProvider({ message_id: `<${two}@gatehouse.example>` }), MESSAGE),
          () => post('dsn', complaintOfService({ return_path: `<${returnPathOf(three)}>` }), MESSAGE),
          () => post('dsn', complaintOfService({ mail_from: returnPathOf(four) }), MESSAGE),
          () => post(`dsn?recipient=${recipient}`, complaintOfProvider({}), MESSAGE),
          () => post('dsn', complaintOfService({ to: returnPathOf(six) }), MESSAGE),
        ]
        for (let times = 0; times < 2; times++) for (const each of posts) expect((await each()).status).toBe(200)
        expect(await statesOf(campaign, ids)).toEqual(ids.map(() => 'complained'))
        expect(await campaign.counters()).toMatchObject({ spammed_recipients: 6, bounced_recipients: 0 })
        expect((await campaign.invitations()).map(({ reason }) => reason)).toEqual(ids.map(() => 'abuse'))
        const suppressed = await campaign.testEvent.read('suppressions.json')
        expect(suppressed).toMatchObject(ids.map(() => ({ cause: 'complained' })))
        await isUntouched(other)
      },
    )

    test('at once, and together with a returned e-mail and an event of yours, each counts once', slow, async () => {
      const { campaign, ids } = await sentTo(rounds(2, 20))
      const complaint = (id: string) => complaintOfProvider({ mail_from: `<${returnPathOf(id)}>` })
      const posts = ids.flatMap((id) => [
        ...Array.from({ length: 4 }, () => () => post('dsn', complaint(id), MESSAGE)),
        () => post('dsn', deliveryReport({ to: returnPathOf(id) }), MESSAGE),
        () => system.api('POST', 'mail_events.json', [{ invitation_id: id, type: 'complained' }]),
      ])
      const shuffled = fc.sample(fc.shuffledSubarray(posts, { minLength: posts.length }), cases(1, 1)).flat()
      const answers = await Promise.all(shuffled.map((each) => each()))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 201]))
      expect(await statesOf(campaign, ids)).toEqual(ids.map(() => 'complained'))
      const counted = { spammed_recipients: ids.length, bounced_recipients: ids.length }
      expect(await campaign.counters()).toMatchObject(counted)
    })

    test('a report of another type is taken and changes nothing', async () => {
      const { campaign, ids } = await sentTo(1)
      const mail_from = `<${returnPathOf(ids[0])}>`
      for (const type of ['not-spam', 'auth-failure', 'fraud', 'virus', 'other', 'abuse-of-another-kind', ''])
        expect((await post('dsn', complaintOfProvider({ mail_from, type }), MESSAGE)).status, type).toBe(200)
      await isUntouched(campaign)
      expect((await post('dsn', complaintOfProvider({ mail_from, type: 'Abuse' }), MESSAGE)).status).toBe(200)
      expect(await statesOf(campaign, ids)).toEqual(['complained'])
    })

    test('one that is damaged, forwarded, cut off, or of another e-mail is taken and ignored', slow, async () => {
      const { campaign, ids } = await sentTo(1)
      const mail_from = `<${returnPathOf(ids[0])}>`
      const whole = complaintOfProvider({ mail_from })
      const mails = [
        whole.replace('multipart/report', 'multipart/mixed'),
        whole.replace('message/feedback-report', 'text/plain'),
        whole.replace(/Feedback-Type.*\r\n/, ''),
        whole.replace('Feedback-Type: abuse', 'Feedback-Type\r\n abuse'),
        whole.slice(0, whole.indexOf('Feedback-Type')),
        whole.replace(/boundary="[^"]+"/, 'boundary="another"'),
        `Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: message/rfc822\r\n\r\n${whole}\r\n--x--\r\n`,
        complaintOfProvider({ mail_from: '<newsletter@gatehouse.example>' }),
        complaintOfProvider({ mail_from: `<bounces+${ids[0].slice(1)}@gatehouse.example>` }),
        complaintOfProvider({ mail_from: `<${returnPathOf('f'.repeat(24))}>` }),
        complaintOfService({ mail_from: '[redacted]', return_path: '[redacted]' }),
      ]
      for (const [index, mail] of mails.entries())
        expect((await post('dsn', mail, MESSAGE)).status, String(index)).toBe(200)
      await isUntouched(campaign)
    })

    test('one that ends within the e-mail that it returns counts: what it says stands before', async () => {
      const { campaign, ids } = await sentTo(1)
      const whole = complaintOfProvider({ message_id: `<${ids[0]}@gatehouse.example>` })
      const cut = whole.slice(0, whole.indexOf('Dear Ada'))
      expect((await post('dsn', cut, MESSAGE)).status).toBe(200)
      expect(await statesOf(campaign, ids)).toEqual(['complained'])
    })

    test('without the secret, of returned e-mails too: 401; more than 1 MiB: 413', async () => {
      const { campaign, ids } = await sentTo(1)
      const complaint = complaintOfProvider({ mail_from: `<${returnPathOf(ids[0])}>` })
      const wrong = [{}, { authorization: `Bearer ${SECRET}s` }, { authorization: `Basic ${SECRET}` }]
      for (const mail of [complaint, deliveryReport({ to: returnPathOf(ids[0]) })]) {
        for (const headers of wrong) expect((await post('dsn', mail, headers)).status).toBe(401)
        expect((await post('dsn', `${mail}${'x'.repeat(2 ** 20)}`, MESSAGE)).status).toBe(413)
      }
      await isUntouched(campaign)
    })
  })

  test('a provider that is not set up is answered like a path that there is not', slow, async () => {
    const bare = await startSystem({ with: ['partners'] })
    const ask = (path: string) => bare.api('POST', `mail_events/${path}`, '{}', { token: '' })
    const nothing = await ask('nobody')
    for (const path of ['ses', 'sendgrid', 'postmark', 'dsn']) {
      const { status, body } = await ask(path)
      expect([status, body]).toEqual([404, nothing.body])
    }
    await bare.stop()
  })

  test('what cannot be checked, 503, counts as a guess', slow, async () => {
    const without = await startSystem({ checkins: 0, gateway: { rate_limits: 'on', rate_limit_per_stranger: 3 } })
    const statuses: number[] = []
    for (let n = 0; n < 5; n++) {
      statuses.push((await without.api('POST', 'mail_events/ses', '{}', { token: '' })).status)
    }
    await without.stop()
    expect(statuses).toEqual([503, 503, 503, 429, 429])
  })
})

/** What stands in for SNS: certificates end in .pem. */
async function startCertificateServer(): Promise<{ url: string; server: Server }> {
  const server = createServer(({ url = '' }, response) => {
    const status = { '/away.pem': 500, '/gone.pem': 404 }[url] ?? 200
    response.writeHead(status).end(url.endsWith('.pem') && url !== '/page.pem' ? certificate : '<page/>')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

/** A message of SNS with its signature. */
function snsMessage(fields: Record<string, string>, version: '1' | '2' = '2'): string {
  const message: Record<string, string> = {
    MessageId: crypto.randomUUID(),
    Timestamp: '2026-01-27T15:00:00.000Z',
    TopicArn: TOPIC,
    SignatureVersion: version,
    SigningCertURL: CERTIFICATE_URL,
    ...fields,
  }
  const isConfirmation = message.Type === 'SubscriptionConfirmation'
  const names = isConfirmation
    ? ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type']
    : ['Message', 'MessageId', ...('Subject' in message ? ['Subject'] : []), 'Timestamp', 'TopicArn', 'Type']
  const signed = names.map((name) => `${name}\n${message[name]}\n`).join('')
  const signer = createSign(version === '1' ? 'RSA-SHA1' : 'RSA-SHA256').update(signed)
  return JSON.stringify({ ...message, Signature: signer.sign(certificateKey, 'base64') })
}
