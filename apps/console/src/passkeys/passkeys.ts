import { type ConsoleAnswer, consoleClient } from '../server/server.ts'

/** Characters of a name, at most. */
export const LONGEST_NAME = 100

/** A passkey of who is signed in. */
export type Passkey = ConsoleAnswer<'/console/passkeys/list.json'>[number]

/** The passkeys of who is signed in. */
export async function readPasskeys(): Promise<Passkey[]> {
  return (await consoleClient.GET('/console/passkeys/list.json')).data
}

/** Has the browser make a passkey, which it asks the person for, and keeps it under a name. */
export async function addPasskey(name: string): Promise<void> {
  const { data } = await consoleClient.POST('/console/passkeys/options.json')
  const options = data as unknown as PublicKeyCredentialCreationOptionsJSON
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
  const response = { ...made.toJSON() } as Record<string, unknown>
  await consoleClient.POST('/console/passkeys/register.json', { body: { name, response } })
}

/** Returns a passkey another name. */
export async function renamePasskey(id: string, name: string): Promise<void> {
  await consoleClient.PUT('/console/passkeys/{id}', { params: { path: { id } }, body: { name } })
}

/** Deletes a passkey. */
export async function deletePasskey(id: string): Promise<void> {
  await consoleClient.DELETE('/console/passkeys/{id}', { params: { path: { id } } })
}
