import { setTimeout as sleep } from 'node:timers/promises'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { type Client, connect } from '../../clients/typescript/client.ts'
import { accounts } from '../permissions.ts'
import { drawQrCode } from '../qr-code.ts'
import { retried } from '../retry.ts'
import { draw, STOPPED, say, type Terminal } from '../terminal.ts'

const GUEST = { first_name: 'Ada', last_name: 'Lovelace', uid: 'ada1815' }
const POLL_MS = 500

/**
 * Makes an event with one guest and a device, says how to let the guest in with a camera, and waits until that is done. Returns the exit code: 0, or
 * 130 when it was stopped.
 */
export async function runScannerDemo(bus: Bus, url: string, { out, stop }: Terminal): Promise<number> {
  const { account_id, auth_token } = await retried(() => clientOf(bus, accounts).bootstrap({ body: { slug: 'demo' } }))
  const gatehouse = connect({ url, token: auth_token })
  const { event_id, qrcode_url } = await makeEvent(gatehouse, account_id)
  const device = await gatehouse.POST('/api/v1/events/{event_id}/devices.json', {
    params: { path: { event_id } },
    body: { name: 'Demo', accesspoint_ids: [] },
  })
  say(
    out,
    `
1. Open this address in a browser on this machine, within ten minutes:

   ${device.data.url}

2. Press "Start the camera" unless it is on, and allow it. If this browser is already a device, press "Set up" first.

3. Show this QR code to the camera: photograph it with your phone and hold the phone in front of the camera.
`,
  )
  // What the guest's own QR code says too (docs/interface.md 5.13).
  draw(out, await drawQrCode(`MECARD:UID:${GUEST.uid};;`, out))
  say(
    out,
    `   ${qrcode_url ? `To show it on another screen, or to print it: ${qrcode_url}` : ''}
   Without a camera, type ${GUEST.uid} into "Type a code" instead.

To scan with a phone you need https: see docs/scanner-setup.md. Press Ctrl-C to stop.`,
  )
  const name = `${GUEST.first_name} ${GUEST.last_name}`
  if (!(await untilLetIn(gatehouse, event_id, stop))) return STOPPED
  say(out, `\nThe scanner is green: ${name} is in. Remove the code and show it again: it says "Already used".`)
  return 0
}

async function makeEvent(
  gatehouse: Client,
  account_id: string,
): Promise<{ event_id: string; qrcode_url: string | null | undefined }> {
  const event = await gatehouse.POST('/api/v1/events.json', { body: { account_id, title: 'Demo of the scanner' } })
  const event_id = event.data._id
  const params = { path: { event_id } }
  const category = await gatehouse.POST('/api/v1/events/{event_id}/guest_categories.json', {
    params,
    body: { name: 'VIP', device_names_enabled: true },
  })
  const door = await gatehouse.POST('/api/v1/events/{event_id}/accesspoints.json', { params, body: { name: 'Door' } })
  const guest_category_id = category.data._id
  await gatehouse.POST('/api/v1/events/{event_id}/guest_category_accesspoints.json', {
    params,
    body: { guest_category_id, accesspoint_id: door.data._id, max_allowed_accesses: 1 },
  })
  const guest = await gatehouse.POST('/api/v1/events/{event_id}/guests.json', {
    params,
    body: { ...GUEST, guest_category_id },
  })
  return { event_id, qrcode_url: guest.data.qrcode_url }
}

/** Resolves with true when the guest is let in, with false when `stop` is aborted before. */
async function untilLetIn(gatehouse: Client, event_id: string, stop: AbortSignal): Promise<boolean> {
  const query = { guest_uid: GUEST.uid }
  while (!stop.aborted) {
    const { data } = await gatehouse.GET('/api/v1/events/{event_id}/access_controls.json', {
      params: { path: { event_id }, query },
    })
    if (data.some(({ access_status }) => access_status === 0)) return true
    await sleep(POLL_MS, undefined, { signal: stop }).catch(() => {})
  }
  return false
}
