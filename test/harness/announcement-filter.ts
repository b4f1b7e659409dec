import { connect, createServer } from 'node:net'
import { listen } from './listening.ts'

/** A proxy to a NATS server that loses the announcements that the server sends, and passes everything else. */
export interface AnnouncementFilter {
  /** The address of the server, with host and port of the proxy. */
  url: string
  /** How many announcements were lost so far. */
  readonly lost: number
  close(): Promise<void>
}

const LINE_END = '\r\n'

/** Starts a proxy to a NATS server that loses the announcements of a system. */
export async function losingAnnouncements(natsUrl: string, namespace: string): Promise<AnnouncementFilter> {
  const { hostname, port, host } = new URL(natsUrl)
  let lost = 0
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    let left: Buffer = Buffer.alloc(0)
    near.pipe(far)
    far.on('data', (bytes: Buffer) => {
      left = Buffer.concat([left, bytes])
      for (let size = sizeOfFirst(left); size !== undefined && size <= left.length; size = sizeOfFirst(left)) {
        const message = left.subarray(0, size)
        left = left.subarray(size)
        if (message.includes(` ${namespace}.changed.`)) lost++
        else near.write(message)
      }
    })
    far.on('error', () => {})
    far.on('close', () => near.destroy())
    near.on('close', () => far.destroy())
  })
  const own = await listen(server)
  return {
    url: natsUrl.replace(host, own.host),
    get lost() {
      return lost
    },
    close: own.close,
  }
}

/** The bytes of the first message of NATS' protocol: a line, and for MSG and HMSG a payload of the size at its end. */
function sizeOfFirst(bytes: Buffer): number | undefined {
  const end = bytes.indexOf(LINE_END)
  if (end < 0) return undefined
  const line = bytes.toString('latin1', 0, end)
  const size = end + LINE_END.length
  return /^H?MSG /.test(line) ? size + Number(line.slice(line.lastIndexOf(' '))) + LINE_END.length : size
}
