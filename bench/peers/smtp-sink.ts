import { createServer as createHttpServer } from 'node:http'
import { createServer, type Socket } from 'node:net'
import { listen } from '@gatehouse/test/harness/listening.ts'
import { ready } from './ready.ts'

/*
 * An SMTP server that takes every e-mail and keeps its arrival only. Recipients are `<prefix>-<number>@…`: a GET request with a prefix as its
 * path gives the arrivals by recipient, in ms since the epoch; HEAD gives their number.
 */
const arrivals = new Map<string, Map<string, number>>()
const END = Buffer.from('\r\n.\r\n')
const REPLIES: Record<string, string> = { EHLO: '250 sink', QUIT: '221 bye', DATA: '354 go on' }

function take(recipient: string): void {
  const [prefix = ''] = recipient.split('-', 1)
  const known = arrivals.get(prefix) ?? new Map<string, number>()
  arrivals.set(prefix, known.set(recipient, performance.timeOrigin + performance.now()))
}

/** One connection. Clients of the bench wait for each answer, so a chunk holds commands or a part of one message. */
function serve(socket: Socket): void {
  let recipient = ''
  let message: Buffer | undefined
  socket.write('220 sink\r\n')
  socket.on('data', (chunk: Buffer) => {
    if (message) {
      // Only the end matters; it may come in several chunks.
      message = Buffer.concat([message.subarray(-END.length), chunk])
      if (!message.subarray(-END.length).equals(END)) return
      message = undefined
      take(recipient)
      return void socket.write('250 taken\r\n')
    }
    for (const line of chunk.toString('latin1').split('\r\n').slice(0, -1)) {
      const command = line.slice(0, 4).toUpperCase()
      if (command === 'RCPT') recipient = line.slice(line.indexOf('<') + 1, line.indexOf('>'))
      if (command === 'DATA') message = Buffer.alloc(0)
      socket.write(`${REPLIES[command] ?? '250 ok'}\r\n`)
      if (command === 'QUIT') socket.end()
    }
  })
}

const smtp = await listen(createServer({ noDelay: true }, serve))
const http = await listen(
  createHttpServer(({ method, url = '' }, response) => {
    const known = arrivals.get(url.slice(1))
    response.setHeader('arrivals', known?.size ?? 0)
    response.end(method === 'GET' ? JSON.stringify(Object.fromEntries(known ?? [])) : undefined)
  }),
)
ready(`http://${http.host}?smtp=${new URL(`smtp://${smtp.host}`).port}`)
