import { Fault, invalid } from '@gatehouse/proto/declaring/faults.ts'
import { type Action, statusOf } from '@gatehouse/proto/declaring/resource.ts'
import { parseJson, readerOf } from '@gatehouse/proto/formats/json-reader.ts'
import { writerOf } from '@gatehouse/proto/formats/json-writer.ts'
import type { WebResponse } from '@gatehouse/proto/pages/exchange.ts'
import type { TSchema } from 'typebox'
import type { UnplacedRequest } from '../oidc/account-request.ts'
import { checkPasskeys } from '../passkeys/checking.ts'
import { passkeyActions } from '../passkeys/handlers.ts'
import { type ConsoleAction, consoleActions, type SignedInActions } from './actions.ts'
import { json } from './answers.ts'
import type { ConsoleDependencies, SignedInDependencies } from './dependencies.ts'
import { session } from './session.ts'

const signedInActions: SignedInActions = { session, ...passkeyActions }

/** Answers what the console's app asks besides the API. Throws its refusals, which the gateway writes as those of the API. */
export async function answerConsole(
  dependencies: ConsoleDependencies,
  { name, id }: { name: ConsoleAction; id: string },
  request: UnplacedRequest,
): Promise<WebResponse> {
  const { headers, address } = request
  if (name === 'signOut') return dependencies.sessions.signOut(headers.cookie, headers.accept, address)
  const signedIn = await dependencies.sessions.at(headers.cookie, name === 'session')
  const account = signedIn && (await dependencies.accounts.get(signedIn.session.account_id))
  if (!account) throw new Fault('unauthorized', 'You are not signed in')
  const asking: SignedInDependencies = { ...dependencies, signedIn, account, address }
  const action: Action = consoleActions[name]
  if (name !== 'session') checkPasskeys(asking, request.method)
  const handle = signedInActions[name] as (asking: SignedInDependencies, call: object) => Promise<unknown>
  const answer = await handle(asking, { params: { id }, body: action.body && bodyOf(action.body, request) })
  return json(statusOf(action), action.reply ? writerOf(action.reply)(answer) : null)
}

/** The body of a request. Throws `unsupported`, `malformed` and `invalid`. */
function bodyOf(schema: TSchema, { headers, body }: UnplacedRequest): unknown {
  if (!/^application\/json\b/i.test(headers['content-type'] ?? '')) throw new Fault('unsupported')
  const { value, errors } = readerOf(schema)(parseJson(Buffer.from(body)))
  if (errors) throw invalid(errors)
  return value
}
