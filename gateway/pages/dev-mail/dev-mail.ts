import type { IncomingMessage } from 'node:http'
import { Fault, notFound } from '@gatehouse/proto/declaring/faults.ts'
import { MailFolder, mailCookie } from '@gatehouse/proto/process/mail-folder.ts'
import { isSameSecret } from '@gatehouse/proto/storage/tokens.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import PostalMime, { type Email } from 'postal-mime'
import { type DevPage, listPage, mailPage, partPage } from './pages.ts'

/** The e-mails to show at `/dev/mail`. */
export interface DevMail {
  folder: string
  secret: string
}

/**
 * The e-mails of a folder, for development: `/dev/mail` lists them, `/dev/mail/<name>` shows one. They hold links and codes that sign people in,
 * so the pages exist only where a folder and a secret are set, for browsers of this machine, and for users of it who know the secret: it comes in
 * the link that `npm start` prints, and from then on in a cookie.
 */
export function devMailRoutes(app: FastifyInstance, { folder: path, secret }: DevMail): void {
  const folder = new MailFolder(path)
  const onRequest: onRequestHookHandler = (request, reply, done) => {
    if (!isOfThisMachine(request.raw) || !knows(request, secret)) return done(nothing(request.raw))
    reply.header('set-cookie', `${mailCookie(secret)}; Path=/dev/mail; HttpOnly; SameSite=Strict`)
    done()
  }

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

/** Whether a request brings the secret, in its query or in a cookie. */
function knows({ query, headers: { cookie = '' } }: FastifyRequest, secret: string): boolean {
  const { secret: given } = query as { secret?: unknown }
  if (typeof given === 'string' && isSameSecret(given, secret)) return true
  return cookie.split('; ').some((each) => isSameSecret(each, mailCookie(secret)))
}

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/
const LOCAL_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i

/**
 * Whether a request comes from this machine and from no proxy on it. The host is looked at since a site that a browser here has open may give
 * its own name the address of this machine, and then read what the gateway answers.
 */
function isOfThisMachine({ socket, headers }: IncomingMessage): boolean {
  const isForwarded = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'].some((name) => headers[name] !== undefined)
  return LOOPBACK.test(socket.remoteAddress ?? '') && LOCAL_HOST.test(headers.host ?? '') && !isForwarded
}

/** What a path is answered that does not exist. */
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
