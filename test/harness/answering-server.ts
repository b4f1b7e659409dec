import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'

/** A request that a server was asked. */
export interface Asked {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
  at: number
}

/** How a server answers a request. */
export type Answering = (response: ServerResponse) => void

/** A server that gives answers in turn. */
export interface AnsweringServer {
  url: string
  asked: Asked[]
  close(): void
}

/** Starts a server that gives these answers in turn, the last one again and again. */
export async function startAnswering(answers: Answering[]): Promise<AnsweringServer> {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const at = performance.now()
    const body = (await request.toArray()).join('')
    asked.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body, at })
    answers[Math.min(asked.length, answers.length) - 1]?.(response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const close = (): void => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`, asked, close }
}

/** An answer in JSON. */
export function answer(status: number, body?: unknown, headers: Record<string, string> = {}): Answering {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(body === undefined ? undefined : JSON.stringify(body))
  }
}

/** No answer, and a connection that breaks. */
export const hangUp: Answering = (response) => {
  response.socket?.destroy()
}

/** An answer that breaks off. */
export const hangUpWithin: Answering = (response) => {
  response.writeHead(200, { 'content-length': '100' }).write('[{"_id"', () => response.socket?.destroy())
}

/** No answer. */
export const silence: Answering = () => {}

/** An answer that stops. */
export const stall: Answering = (response) => {
  response.writeHead(200, { 'content-length': '100' }).write('[{"_id"')
}
