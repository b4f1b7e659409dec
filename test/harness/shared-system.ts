import { apiOf } from './api.ts'
import { otherNames, type System, startSystem } from './system.ts'

/** All but mail, without which invitations stay as a test left them. */
const services = otherNames.filter((name) => name !== 'mail')

let started: Promise<System> | undefined
let views = 0

/**
 * The system of the test files of a worker, with two gateways and two checkin services, and without a mail service. Each call gives a new first
 * account, and makes other accounts whose slugs end in a number of its own. It goes on until the worker ends, so `stop` does nothing. Tests that
 * stop services, need other settings or look at what is stored of all accounts start a system of their own: {@link startSystem}.
 */
export async function sharedSystem(): Promise<System> {
  started ??= startSystem({ with: services, gateways: 2, checkins: 2 })
  const system = await started
  const view = ++views
  const account = (slug: string) => system.account(`${slug}-${view}`)
  const first = await account('first')
  return { ...system, ...first, account, api: apiOf(system.url, first.auth_token), stop: async () => {} }
}
