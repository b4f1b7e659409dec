import { readFileSync } from 'node:fs'
import { createSecureServer, type Http2SecureServer, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'
import type { Certificate } from './certificates.ts'

/** A push as a device would get it. */
interface Push {
  token: string
  topic: string
  body: string
}

/** A server in place of Apple's push notification service, which admits only clients with certificates of an authority. */
export class ApnsServer {
  readonly pushes: Push[] = []
  /** The answers to tokens that are not to be taken. */
  readonly refusals = new Map<string, { status: number; reason: string }>()
  readonly #server: Http2SecureServer

  private constructor(server: Http2SecureServer) {
    this.#server = server
    server.on('stream', (stream: ServerHttp2Stream, headers) => {
      const token = String(headers[':path']).replace('/3/device/', '')
      let body = ''
      stream.setEncoding('utf8')
      stream.on('data', (chunk: string) => {
        body += chunk
      })
      stream.on('end', () => {
        this.pushes.push({ token, topic: String(headers['apns-topic']), body })
        const refusal = this.refusals.get(token)
        stream.respond({ ':status': refusal?.status ?? 200 })
        stream.end(refusal ? JSON.stringify({ reason: refusal.reason }) : '')
      })
    })
  }

  static async start({ cert, key }: Certificate, clientAuthority: string): Promise<ApnsServer> {
    const server = createSecureServer({
      cert: readFileSync(cert),
      key: readFileSync(key),
      ca: readFileSync(clientAuthority),
      requestCert: true,
      rejectUnauthorized: true,
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return new ApnsServer(server)
  }

  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** The pushes to a device. */
  to(token: string): Push[] {
    return this.pushes.filter((push) => push.token === token)
  }

  stop(): void {
    this.#server.close()
  }
}
