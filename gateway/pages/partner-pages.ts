import { tokenOfCookie, UPLOAD } from '@gatehouse/partners/resources'
import type { Askable, Bus } from '@gatehouse/proto/bus/bus.ts'
import { Fault, type FaultCode } from '@gatehouse/proto/declaring/faults.ts'
import { deadlineOf, subjectOf } from '@gatehouse/proto/declaring/resource.ts'
import { parseJson } from '@gatehouse/proto/formats/json-reader.ts'
import type { WebResponse } from '@gatehouse/proto/pages/exchange.ts'
import { networkOf } from '@gatehouse/proto/process/network.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SecretAdmission } from '../admission/secrets.ts'
import { askCells } from '../admission/strangers.ts'
import { fileReaderOf } from '../forwarding/bodies.ts'
import type { BodyBudget, BodyShare } from '../forwarding/body-budget.ts'
import { drainSlowly } from '../http/connections.ts'
import { mediaTypeOf, traceparentOf } from '../http/request.ts'
import { partnerAccessTokens, partnerPages } from '../permissions.ts'
import { answerWith, headersOf, isNowhere, type PageDependencies, pageHandler, pagesOf } from './pages.ts'

const PASSED_HEADERS = ['accept-language', 'cookie']
const AUTHENTICATOR = subjectOf(partnerAccessTokens, 'authenticate')
const readFile = fileReaderOf(UPLOAD)
/** What the page of the form says to a refusal of its body. Without a valid token there is only one page. */
const PROBLEMS: Partial<Record<FaultCode, string>> = { too_large: 'large', invalid: 'empty', unauthorized: 'form' }

interface PartnerPageOptions extends PageDependencies {
  secrets: SecretAdmission
  /** For uploads: they are batches, which count like those of the API. */
  budget: BodyBudget
}

/** The pages on which partners invite. The partners service answers them (docs/partners.md). */
export function partnerPageRoutes(
  app: FastifyInstance,
  bus: Bus,
  { limiter, gateOf, secrets, budget }: PartnerPageOptions,
): void {
  const handle = pagesOf(bus, partnerPages)
  const pages = gateOf(partnerPages, partnerPages.actions.handle)
  const answerPage = pageHandler({ limiter, gate: pages, headers: PASSED_HEADERS, handle })
  const uploads = gateOf(partnerPages, partnerPages.actions.upload)
  for (const url of ['/partner/:place', '/partner/:place/*'])
    app.route({
      method: ['GET', 'POST'],
      url,
      onRequest: (request, reply, done) => (isUpload(request) ? uploads : pages).hook(request, reply, done),
      handler: async (request, reply) =>
        isUpload(request) ? answerWith(reply, await upload(request, reply)) : answerPage(request, reply),
    })

  /** Passes a form with a file on, if it comes from a partner. What is wrong with all of it, the page of the form says. */
  async function upload(request: FastifyRequest, reply: FastifyReply): Promise<WebResponse> {
    const { originalUrl: url, headers, ip } = request
    const token = tokenOfCookie(headers.cookie) ?? ''
    let share: BodyShare | undefined
    try {
      await secrets.admit(AUTHENTICATOR, token, request, reply)
      const bytes = await readFile(request, () => {
        share = budget.share({ address: networkOf(ip), holder: token })
        return share
      })
      const meta = {
        query: { url, cookie: headers.cookie, accept_language: headers['accept-language'] },
        content_type: headers['content-type'] ?? '',
        budget: deadlineOf(partnerPages.actions.upload, bus.deadlineMs),
        traceparent: traceparentOf(headers.traceparent),
      }
      const ask = async (cell: Askable): Promise<WebResponse> => {
        const { body } = await cell.call(subjectOf(partnerPages, 'upload'), meta, bytes)
        return parseJson(body) as WebResponse
      }
      return await uploads.admit(request, () => askCells(bus, ask, isNowhere))
    } catch (error) {
      const problem = error instanceof Fault ? PROBLEMS[error.code] : undefined
      if (problem === undefined) throw error
      drainSlowly(request.raw)
      const [path] = url.split('?', 1)
      return handle({
        body: {
          method: 'GET',
          url: `${path}?problem=${problem}`,
          headers: headersOf(request, PASSED_HEADERS),
          body: null,
          address: ip,
        },
        traceparent: traceparentOf(headers.traceparent),
      })
    } finally {
      share?.release()
    }
  }
}

function isUpload(request: FastifyRequest): boolean {
  return request.method === 'POST' && UPLOAD.types.includes(mediaTypeOf(request))
}
