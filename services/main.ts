import { constants, setPriority } from 'node:os'
import { text } from '@gatehouse/proto/declaring/fields.ts'
import { readConfig } from '@gatehouse/proto/process/config.ts'
import { run } from '@gatehouse/proto/process/run.ts'
import { isBackground, moduleOf, type ServiceModule, type ServiceName, serviceNames } from './services.ts'

const any = `(?:${serviceNames.join('|')})`
/** The settings of a process of several services, besides those of each. */
const ownSettings = { services: text({ default: serviceNames.join(), pattern: `^${any}(?:,${any})*$` }) }

// The modules of other services are not read, and a name which is none is refused below.
const chosen = process.env.SERVICES?.split(',')
const names = serviceNames.filter((name) => !chosen || chosen.includes(name))
if (names.length > 0 && names.every(isBackground)) setPriority(constants.priority.PRIORITY_LOW)
const modules: [ServiceName, ServiceModule][] = await Promise.all(
  names.map(async (name) => [name, await moduleOf(name)]),
)
const { nats_url, ...shared } = Object.assign({}, ...modules.map(([, { settings }]) => settings))
/** Each service keeps its own user of NATS: `NATS_URL_GUESTS` is the address of guests. */
const natsUrls = Object.fromEntries(names.map((name) => [`nats_url_${name}`, nats_url]))

await run(names.join('+') || 'services', { ...shared, ...natsUrls, ...ownSettings }, async () => {
  const running = await Promise.all(
    modules.map(([name, { settings, start }]) => {
      const NATS_URL = process.env[`NATS_URL_${name.toUpperCase()}`]
      return start(readConfig(settings, { ...process.env, NATS_URL }))
    }),
  )
  return {
    check: async () => {
      await Promise.all(running.map((service) => service.check?.()))
    },
    stop: async () => {
      await Promise.all(running.map((service) => service.stop()))
    },
  }
})
