import { Fault, notFound } from '@gatehouse/proto/declaring/faults.ts'
import type { Output } from '@gatehouse/proto/declaring/resource.ts'
import type { WebRequest } from '@gatehouse/proto/pages/exchange.ts'
import { isSameSecret } from '@gatehouse/proto/storage/tokens.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { Owner } from '../../owners.ts'
import { applePassOf, voidedPassOf } from '../apple-pass.ts'
import { versionOf } from '../content.ts'
import type { walletPages } from '../resource.ts'
import type { ApplePasses } from '../settings.ts'

type Answer = Output<(typeof walletPages)['actions']['handle']>

/** What a device asks, as Apple's "Adding a Web Service to Update Passes" lays it down. */
interface Asked {
  all: Dependencies
  signing: ApplePasses
  event_id: string
  request: WebRequest
}

const REGISTRATION = /^\/v1\/devices\/([\w-]{1,128})\/registrations\/([\w.-]{1,255})\/([0-9a-f]{24})$/
const DEVICE = /^\/v1\/devices\/([\w-]{1,128})\/registrations\/([\w.-]{1,255})$/
const PASS = /^\/v1\/passes\/([\w.-]{1,255})\/([0-9a-f]{24})$/
const PUSH_TOKEN = /^[0-9a-fA-F]{16,256}$/

/** Answers a device about the passes of an event. `path` is what follows the address that the pass names. */
export async function answerDevice(asked: Asked, path: string, query: URLSearchParams): Promise<Answer> {
  const { method } = asked.request
  // Devices report problems here. What they write may name persons, so none of it is kept.
  if (method === 'POST' && path === '/v1/log') return plain(200)
  const [, device_id = '', type, guest_id = ''] = REGISTRATION.exec(path) ?? []
  if (type !== undefined && method === 'POST') return register(asked, opened(asked, type, guest_id), device_id)
  if (type !== undefined && method === 'DELETE') {
    await asked.all.heldPasses.unregister(opened(asked, type, guest_id), device_id)
    return plain(200)
  }
  const [, device = '', ofType] = DEVICE.exec(path) ?? []
  if (ofType !== undefined && method === 'GET') return changed(asked, ofType, device, query)
  const [, typeOfPass, serial = ''] = PASS.exec(path) ?? []
  if (typeOfPass !== undefined && method === 'GET') return latest(asked, opened(asked, typeOfPass, serial))
  throw notFound()
}

/** The pass that a request names. Throws `unauthorized` unless it has the pass's token. */
function opened({ all, signing, event_id, request }: Asked, type: string, guest_id: string): Owner {
  const [, token = ''] = /^ApplePass (\S+)$/.exec(headerOf(request, 'authorization')) ?? []
  const isRight = isSameSecret(token, all.updateSources.tokenOf(event_id, guest_id))
  if (!isRight || type !== signing.passTypeIdentifier) throw new Fault('unauthorized')
  return { event_id, guest_id }
}

async function register({ all, request }: Asked, owner: Owner, device_id: string): Promise<Answer> {
  const push_token = pushTokenIn(request.body)
  const guest = await all.guests.printed(owner.event_id, owner.guest_id)
  const { content } = await all.tracking.current(owner)
  if (!guest || !content) throw notFound()
  const outcome = await all.heldPasses.register(owner, device_id, push_token)
  if (outcome === 'full') throw new Fault('too_many')
  await all.heldPasses.hold(owner, guest.uid, versionOf(content), 'apple')
  return plain(outcome === 'new' ? 201 : 200)
}

function pushTokenIn(body: string | null): string {
  try {
    const { pushToken } = JSON.parse(body ?? '') as { pushToken?: unknown }
    if (typeof pushToken === 'string' && PUSH_TOKEN.test(pushToken)) return pushToken
  } catch {
    // As with any other body that has no token.
  }
  throw new Fault('malformed')
}

/** Which passes of a device have changed. The device's id is known to it and to us alone. */
async function changed({ all, signing, event_id }: Asked, type: string, device_id: string, query: URLSearchParams) {
  const since = Number(query.get('passesUpdatedSince') ?? 0)
  if (type !== signing.passTypeIdentifier || !Number.isSafeInteger(since) || since < 0) return plain(204)
  const passes = await all.heldPasses.changedOn(event_id, device_id, new Date(since))
  if (passes.length === 0) return plain(204)
  const lastUpdated = String(Math.max(...passes.map(({ updated_at }) => updated_at.getTime())))
  const bytes = Buffer.from(JSON.stringify({ serialNumbers: passes.map(({ guest_id }) => guest_id), lastUpdated }))
  return answerOf(200, 'application/json', bytes)
}

async function latest({ all, signing, request }: Asked, owner: Owner): Promise<Answer> {
  const { content, updated_at } = await all.tracking.current(owner)
  const known = Date.parse(headerOf(request, 'if-modified-since'))
  const modified = updated_at && Math.floor(updated_at.getTime() / 1_000) * 1_000
  if (modified !== undefined && modified <= known) return plain(304)
  const source = all.updateSources.of(owner.event_id, owner.guest_id)
  const bytes = content
    ? await applePassOf(signing, content, await all.passEvents.png(content.logo_url), source)
    : await voidedPassOf(signing, owner.guest_id, source)
  const answer = answerOf(200, 'application/vnd.apple.pkpass', bytes)
  const value = new Date(modified ?? Date.now()).toUTCString()
  return { ...answer, headers: [...answer.headers, { name: 'last-modified', value }] }
}

function headerOf({ headers }: WebRequest, name: string): string {
  return headers.find((header) => header.name === name)?.value ?? ''
}

function plain(status: number): Answer {
  return { status, headers: [], body: null }
}

function answerOf(status: number, type: string, bytes: Uint8Array): Answer {
  return { status, headers: [{ name: 'content-type', value: type }], body: Buffer.from(bytes).toString('base64') }
}
