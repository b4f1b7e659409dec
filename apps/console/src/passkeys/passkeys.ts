import { refusal } from '../../../../clients/typescript/error.ts'

/** Characters of a name, at most. */
export const LONGEST_NAME = 100

/** A passkey of who is signed in. */
export interface Passkey {
  _id: string
  name: string
  created_at: string
  last_used_at: string | null
}

/** The passkeys of who is signed in. */
export function readPasskeys(): Promise<Passkey[]> {
  return ask('GET', 'list.json')
}

/** Has the browser make a passkey, which it asks the person for, and keeps it under a name. */
export async function addPasskey(name: string): Promise<void> {
  const options = await ask<PublicKeyCredentialCreationOptionsJSON>('POST', 'options.json', {})
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
  await ask('POST', 'register.json', { name, response: made.toJSON() })
}

/** Gives a passkey another name. */
export async function renamePasskey(id: string, name: string): Promise<void> {
  await ask('PUT', encodeURIComponent(id), { name })
}

/** Deletes a passkey. */
export async function deletePasskey(id: string): Promise<void> {
  await ask('DELETE', encodeURIComponent(id))
}

/** The typed client has the API alone; passkeys belong to the session, beside it. */
async function ask<Result>(method: string, path: string, body?: object): Promise<Result> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`passkeys/${path}`, { method, ...(body && { headers, body: JSON.stringify(body) }) })
  const text = await answer.text()
  const given = text === '' ? undefined : JSON.parse(text)
  if (!answer.ok) throw refusal(answer, given)
  return given
}
