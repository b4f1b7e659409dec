import type { IncomingMessage } from 'node:http'
import { Fault, notFound } from '@gatehouse/proto/declaring/faults.ts'
import { MailFolder } from '@gatehouse/proto/process/mail-folder.ts'
import type { FastifyInstance, FastifyReply, onRequestHookHandler } from 'fastify'
import PostalMime, { type Email } from 'postal-mime'
import { type DevPage, listPage, mailPage, partPage } from './pages.ts'

/**
 * The e-mails of a folder, for development: `/dev/mail` lists them, `/dev/mail/<name>` shows one. They hold links and codes which sign people
 * in, so the pages exist where `MAIL_FOLDER` is set, and there for browsers of this machine alone.
 */
export function devMailRoutes(app: FastifyInstance, path: string): void {
  const folder = new MailFolder(path)
  const onRequest: onRequestHookHandler = ({ raw }, _reply, done) =>
    done(isOfThisMachine(raw) ? undefined : nothing(raw))

  async function read(name: string): Promise<{ bytes: Buffer; mail: Email }> {
    const bytes = await folder.read(name)
    if (!bytes) throw notFound()
    return { bytes, mail: await PostalMime.parse(bytes, { attachmentEncoding: 'base64' }) }
  }

  app.get('/dev/mail', { onRequest }, async (_request, reply) => {
    const mails = await Promise.all(
      (await folder.list()).map(async ({ name, at }) => {
        const bytes = await folder.read(name)
        return bytes ? [{ name, at, mail: await PostalMime.parse(bytes) }] : []
      }),
    )
    return send(reply, listPage(mails.flat()))
  })
  app.get<{ Params: { name: string } }>('/dev/mail/:name', { onRequest }, async ({ params: { name } }, reply) => {
    const { bytes, mail } = await read(name)
    return send(reply, mailPage(name, mail, bytes))
  })
  app.get<{ Params: { name: string } }>('/dev/mail/:name/html', { onRequest }, async ({ params: { name } }, reply) => {
    const { mail } = await read(name)
    if (mail.html === undefined) throw notFound()
    return send(reply, partPage(mail))
  })
}

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/
const LOCAL_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i

/**
 * Whether a request comes from this machine and from no proxy on it. The host is looked at since a site which a browser here has open may give
 * its own name the address of this machine, and then read what the gateway answers.
 */
function isOfThisMachine({ socket, headers }: IncomingMessage): boolean {
  const isForwarded = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'].some((name) => headers[name] !== undefined)
  return LOOPBACK.test(socket.remoteAddress ?? '') && LOCAL_HOST.test(headers.host ?? '') && !isForwarded
}

/** What a path is answered which does not exist. */
function nothing({ method }: IncomingMessage): Fault {
  return new Fault('not_found', `There is no such path for ${method}`)
}

function send(reply: FastifyReply, { body, policy }: DevPage): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', policy)
    .header('referrer-policy', 'no-referrer')
    .send(body)
}
