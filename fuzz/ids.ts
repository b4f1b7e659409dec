import { InvitationLinks } from '@gatehouse/partners/links'
import type { SchemaNode } from '@gatehouse/proto/declaring/fields.ts'
import { SECRETS_KEY } from '@gatehouse/test/harness/secrets-key.ts'
import type { TestAccount } from '@gatehouse/test/harness/system.ts'
import { all } from '@gatehouse/test/tables/rows.ts'
import { fieldsOf, REFERENCE } from '@gatehouse/test/tables/samples.ts'
import type { ActionRow, World } from '@gatehouse/test/tables/world.ts'

/** What only pages need. */
const FURTHER = ['account_id', 'partner_access_token', 'partner_campaign_id', 'message_id', 'badge_secret']

/** Ids of the system under attack, which cases name by placeholders. */
export class Ids {
  readonly #world: World
  readonly #account: TestAccount
  readonly #common: ReadonlyMap<string, string>
  readonly #ofRows = new Map<ActionRow, Promise<ReadonlyMap<string, string>>>()

  private constructor(world: World, account: TestAccount, common: ReadonlyMap<string, string>) {
    this.#world = world
    this.#account = account
    this.#common = common
  }

  /** Those of a new account: cases delete and change what they can reach, so that after a while few would find what they name. */
  static async ofNewAccount(world: World, slug: string): Promise<Ids> {
    const { system } = world
    const account = await world.account(slug)
    const tokenOf = async (scope: string): Promise<string> => {
      const { body } = await system.api('POST', 'tokens.json', { name: scope, scope }, { token: account.auth_token })
      return body.token
    }
    const common = new Map([
      ['slug', slug],
      ['auth_token', account.auth_token],
      ['read_token', await tokenOf('read')],
      ['door_token', await tokenOf('door')],
    ])
    for (const name of referringNames()) {
      // Not each reference is to something that there is from the beginning.
      const value = await world.refer(name, account).catch(() => undefined)
      if (value !== undefined) common.set(name, value)
    }
    const links = new InvitationLinks({ public_url: system.url, secrets_key: SECRETS_KEY })
    const page = links.of(world.eventOf(account), common.get('invitation_id') ?? '')
    common.set('rsvp_secret', page.split('/').at(-1) ?? '')
    return new Ids(world, account, common)
  }

  /** The ids for a case: of an action with the parameters of its path, all of which exist. */
  async for(row: ActionRow | undefined): Promise<ReadonlyMap<string, string>> {
    if (!row) return this.#common
    const known = this.#ofRows.get(row)
    if (known) return known
    const made = this.#world.paramsOf(row, this.#account).then(
      (params) => new Map([...this.#common, ...Object.entries(params)]),
      // An earlier case has deleted what this needs.
      () => this.#common,
    )
    this.#ofRows.set(row, made)
    return made
  }

  /** Notes that a request was granted, which may have deleted what its parameters named. */
  noteGrant(row: ActionRow): void {
    if (row.method === 'DELETE') this.#ofRows.delete(row)
  }
}

function referringNames(): Set<string> {
  const inPaths = all.flatMap(({ action }) =>
    Array.from((action.route ?? '').matchAll(/:(\w+)/g), ([, name = '']) => name),
  )
  const inBodies = all.flatMap(({ action }) =>
    action.body
      ? fieldsOf(action.body as SchemaNode).flatMap((way) => way.filter((step) => typeof step === 'string'))
      : [],
  )
  const names = [...inPaths, ...inBodies.flatMap((name) => [name, name.replace(/s$/, '')])]
  return new Set([...FURTHER, ...names.filter((name) => REFERENCE.test(name) || inPaths.includes(name))])
}
