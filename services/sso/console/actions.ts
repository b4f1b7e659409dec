import {
  choice,
  datetime,
  email,
  flag,
  freeObject,
  identifier,
  list,
  optionalDatetime,
  optionalIdentifier,
  optionalText,
  record,
  text,
} from '@gatehouse/proto/declaring/fields.ts'
import { type Action, type Actions, type Resource, roles } from '@gatehouse/proto/declaring/resource.ts'
import type { SignedInDependencies } from './dependencies.ts'

/** Characters of a passkey's name, at most. */
const LONGEST_NAME = 100

const passkeyName = text({ maxLength: LONGEST_NAME })

const passkey = record({
  _id: identifier(),
  name: passkeyName,
  created_at: datetime(),
  last_used_at: optionalDatetime(),
})

/**
 * What the console's app asks besides the API, with routes below `/console/`: a session is needed and no token will do. They have an OpenAPI
 * document of their own (gateway/openapi/console.ts).
 */
export const consoleActions = {
  session: {
    route: 'GET session.json',
    summary: 'Who is signed in',
    reply: record({
      account_id: identifier(),
      account: text({ description: 'The slug of the account' }),
      account_name: optionalText(),
      staff_member: record({
        _id: identifier(),
        name: optionalText(),
        email: email(),
        role: choice(roles),
        event_id: optionalIdentifier({ description: 'The only event of the staff member' }),
      }),
      expires_at: datetime(),
      passkeys: record({
        available: flag({ description: 'Whether this address can have passkeys' }),
        reason: optionalText({ description: 'Why it can have none' }),
      }),
    }),
  },
  signOut: { route: 'POST sign-out', summary: 'End the session', status: 204 },
  passkeys: {
    route: 'GET passkeys/list.json',
    summary: 'The passkeys of who is signed in',
    reply: list(passkey, 'passkey'),
  },
  passkeyOptions: {
    route: 'POST passkeys/options.json',
    summary: 'What the browser needs to make a passkey: PublicKeyCredentialCreationOptionsJSON of WebAuthn',
    reply: freeObject(),
  },
  createPasskey: {
    route: 'POST passkeys/register.json',
    summary: 'Keep a passkey that the browser has made',
    body: record({ name: passkeyName, response: freeObject({ description: 'RegistrationResponseJSON of WebAuthn' }) }),
    reply: passkey,
    status: 201,
  },
  renamePasskey: {
    route: 'PUT passkeys/:id',
    summary: 'Rename a passkey',
    body: record({ name: passkeyName }),
    status: 204,
  },
  deletePasskey: { route: 'DELETE passkeys/:id', summary: 'Delete a passkey', status: 204 },
} as const satisfies Record<string, Action>

/** The name of an action. */
export type ConsoleAction = keyof typeof consoleActions

/** The actions of who is signed in, as functions. A sign-out needs no session. */
export type SignedInActions = Omit<Actions<Resource<typeof consoleActions>, SignedInDependencies>, 'signOut'>

/** Method and path of an action, with `:id` where an id is. */
export function consoleRouteOf({ route }: (typeof consoleActions)[ConsoleAction]): { method: string; path: string } {
  const [method = '', path] = route.split(' ')
  return { method, path: `/console/${path}` }
}

const routes = Object.entries(consoleActions).map(([name, action]) => {
  const { method, path } = consoleRouteOf(action)
  return {
    name: name as ConsoleAction,
    method,
    form: new RegExp(`^${path.replaceAll('.', '\\.').replace(':id', '([\\w-]+)')}$`),
  }
})

/** The action that a request asks for, with the id in its path; undefined if it is another request. */
export function consoleActionAt(method: string, path: string): { name: ConsoleAction; id: string } | undefined {
  const found = routes.find((each) => each.method === method && each.form.test(path))
  return found && { name: found.name, id: found.form.exec(path)?.[1] ?? '' }
}
