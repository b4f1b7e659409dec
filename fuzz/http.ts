import { connect } from 'node:net'
import { type HttpAnswer, sendRequest } from '@gatehouse/test/load/http.ts'
import type { HttpCase, RawCase } from './case.ts'

/** After so long without a byte nothing more is expected on a connection, in ms. */
const QUIET_MS = 300
/** Bytes of an answer that are kept. */
const KEPT_BYTES = 100_000

/** Sends a case to the gateway at `base`. Rejects without an answer, or after `timeoutMs`. */
export async function sendHttp(
  base: string,
  { method, path, headers, body }: HttpCase,
  timeoutMs: number,
): Promise<HttpAnswer> {
  const named = headers.flatMap(([name, value]) => [name, Buffer.from(value).toString('latin1')])
  const request = { method, url: base + wirePath(path), body }
  const options = { timeoutMs, keptBytes: KEPT_BYTES }
  return sendRequest({ ...request, headers: named }, options).catch((error: NodeJS.ErrnoException) => {
    // The gateway may have closed an idle connection at the very moment, as after a body that it refused unread.
    if (!['ECONNRESET', 'EPIPE'].includes(error.code ?? '')) throw error
    return sendRequest({ ...request, headers: [...named, 'connection', 'close'] }, options)
  })
}

/** Sends bytes to the gateway at `base`; returns all that is answered until it closes the connection. Rejects if it does not within `timeoutMs`. */
export function sendRaw(base: string, { bytes }: RawCase, timeoutMs: number): Promise<string> {
  const { hostname, port } = new URL(base)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    const late = setTimeout(
      () => socket.destroy(new Error(`The connection stays open after ${timeoutMs} ms`)),
      timeoutMs,
    )
    let text = ''
    // Node answers nothing more to a client that has ended its side.
    const quiet = setTimeout(() => socket.end(), QUIET_MS)
    socket.on('data', (chunk) => {
      quiet.refresh()
      if (text.length < KEPT_BYTES) text += chunk.toString('latin1')
    })
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === undefined) reject(error)
    })
    socket.on('close', () => {
      clearTimeout(late)
      clearTimeout(quiet)
      resolve(text)
    })
    socket.write(Buffer.from(bytes, 'latin1'))
  })
}

/** A path as HTTP allows it: other bytes are escaped, which only raw cases send as they are. */
function wirePath(path: string): string {
  const bytes = Buffer.from(path.startsWith('/') ? path : `/${path}`).toString('latin1')
  return bytes.replaceAll(/[^\x21-\x7e]/g, (each) => `%${each.charCodeAt(0).toString(16).padStart(2, '0')}`)
}
