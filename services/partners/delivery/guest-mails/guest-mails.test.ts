// @module-tag slow
import { type MailServer, startMailServer } from '@gatehouse/test/harness/mail-server.ts'
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { FROM, MailingScene } from '../../testing/test-mailing.ts'

describe('what was written to a guest (docs/interface.md 19.9)', () => {
  let server: MailServer
  let system: System
  let scene: MailingScene

  beforeAll(async () => {
    server = await startMailServer()
    system = await startSystem({
      with: ['promo', 'badges', 'mail', 'partners'],
      mail: { smtp_url: server.url, mail_from: FROM },
    })
  })
  afterAll(async () => {
    await system?.stop()
    await server?.stop()
  })
  beforeEach(async () => {
    scene = await MailingScene.open(system, server)
  })

  const mailsOf = (guest: string) => scene.event.read(`guests/${guest}/mails.json`)

  test('has mailings with their state, and nothing of other guests', async () => {
    const [ada, bob] = [await scene.guest('ada'), await scene.guest('bob')]
    const { _id } = await scene.sent({ subject: 'Welcome {{first_name}}' }, 2)
    await expect.poll(async () => (await mailsOf(ada))[0]?.state).toBe('sent')
    const common = { kind: 'mailing', mailing_id: _id, subject: 'Welcome {{first_name}}', partner_id: null }
    expect(await mailsOf(ada)).toEqual([
      expect.objectContaining({ ...common, reason: null, sent_at: expect.any(String), opened_at: null }),
    ])
    const [[ofAda], [ofBob]] = [await mailsOf(ada), await mailsOf(bob)]
    expect(ofAda._id).not.toBe(ofBob._id)
    await scene.event.remove(`guests/${bob}.json`)
    expect(await scene.event.status('GET', `guests/${bob}/mails.json`)).toBe(404)
  })

  test('has invitations of the address in any case, by partner and invitation type, and their reminders', async () => {
    const { event, category, domain } = scene
    const guest = await scene.guest('eve', { email: `Eve@${domain.toUpperCase()}` })
    const gala = (await event.make('invitation_types.json', { name: 'Gala', guest_category_id: category }))._id
    const recipients = [{ email: `EVE@${domain}` }, { email: `other@${domain}` }]
    await event.make(`invitation_types/${gala}/invitations/batch_create.json`, recipients)
    await expect.poll(async () => (await mailsOf(guest)).map(({ state }: { state: string }) => state)).toEqual(['sent'])
    const invited = { kind: 'invitation', invitation_type_id: gala, partner_id: expect.any(String), answer: null }
    expect(await mailsOf(guest)).toMatchObject([invited])
    expect((await event.api('POST', `invitation_types/${gala}/remind.json`)).status).toBe(200)
    await expect
      .poll(async () => (await mailsOf(guest)).map(({ kind, state }: Record<string, string>) => [kind, state]))
      .toEqual([
        ['reminder', 'sent'],
        ['invitation', 'sent'],
      ])
    expect((await mailsOf(guest))[0]).toMatchObject({ invitation_type_id: gala, mailing_id: expect.any(String) })
  })

  test('has nothing of another event, even with the same address; a guest without an address has none', async () => {
    await scene.guest('ada')
    await scene.sent({}, 1)
    const elsewhere = await MailingScene.open(system, server)
    const same = await elsewhere.guest('ada', { email: `ada@${scene.domain}` })
    expect(await elsewhere.event.read(`guests/${same}/mails.json`)).toEqual([])
    const nobody = await scene.guest('nobody', { email: null })
    expect(await mailsOf(nobody)).toEqual([])
    expect(await scene.event.status('GET', `guests/${same}/mails.json`)).toBe(404)
  })
})
