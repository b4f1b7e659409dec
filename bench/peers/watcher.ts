import { createServer, type IncomingMessage, get as openFeed } from 'node:http'
import { listen } from '@gatehouse/test/harness/listening.ts'
import { ready } from './ready.ts'

/*
 * Clients of live feeds that count check-ins. POST opens `count` feeds and answers when each has received its first statistics, so that the
 * first counting is not measured. GET gives the number of check-ins that every feed has received. DELETE closes them. A feed whose connection
 * breaks continues after its last event.
 */

const STATISTICS = 'event: statistics\n'
const CHECK_IN = '\nevent: check_in.created\n'

interface Feed {
  received: number
  close(): void
}

let feeds: Feed[] = []
const server = createServer(async (request, response) => {
  if (request.method === 'POST') {
    const { url, count } = JSON.parse((await request.toArray()).join('')) as { url: string; count: number }
    feeds = await Promise.all(Array.from({ length: count }, () => follow(url)))
  }
  if (request.method === 'DELETE') for (const feed of feeds.splice(0)) feed.close()
  response.end(String(Math.min(...feeds.map(({ received }) => received))))
})

/** Opens a feed; resolves when it has received its first statistics. */
async function follow(url: string): Promise<Feed> {
  const joined = Promise.withResolvers<void>()
  let last: string | undefined
  let isOpen = true
  let answer: IncomingMessage | undefined
  const feed: Feed = {
    received: 0,
    close: () => {
      isOpen = false
      answer?.destroy()
    },
  }
  const open = (): void => {
    openFeed(url, { headers: last === undefined ? {} : { 'last-event-id': last } }, (response) => {
      answer = response
      let rest = ''
      response.setEncoding('latin1').on('data', (piece: string) => {
        const blocks = (rest + piece).split('\n\n')
        rest = blocks.pop() ?? ''
        for (const block of blocks) {
          if (block.startsWith(STATISTICS)) joined.resolve()
          last = /^id: (\d+)$/m.exec(block)?.[1] ?? last
          if (`${block}\n`.includes(CHECK_IN)) feed.received++
        }
      })
      response.once('close', () => isOpen && setTimeout(open, 100))
      response.on('error', () => {})
    }).on('error', () => isOpen && setTimeout(open, 100))
  }
  open()
  await joined.promise
  return feed
}

const { host } = await listen(server)
ready(`http://${host}`)
