import { constants, setPriority } from 'node:os'
import { text } from '@gatehouse/proto/declaring/fields.ts'
import { readConfig } from '@gatehouse/proto/process/config.ts'
import { run } from '@gatehouse/proto/serving/run.ts'
import { isBackground, moduleOf, type ServiceModule, type ServiceName, serviceNames } from './services.ts'

const any = `(?:${serviceNames.join('|')})`
/** The settings of a process of several services, besides those of each. */
const ownSettings = { services: text({ default: serviceNames.join(), pattern: `^${any}(?:,${any})*$` }) }

// The modules of other services are not read, and a name that is none is refused below.
const chosen = process.env.SERVICES?.split(',')
const names = serviceNames.filter((name) => !chosen || chosen.includes(name))
if (names.length > 0 && names.every(isBackground)) setPriority(constants.priority.PRIORITY_LOW)
const modules: [ServiceName, ServiceModule][] = await Promise.all(
  names.map(async (name) => [name, await moduleOf(name)]),
)
/** Each service keeps its own users of the stores: `NATS_URL_GUESTS` is the address of NATS for guests. */
const stores = ['nats_url', 'mongodb_url', 'redis_url']
const shared = Object.assign({}, ...modules.map(([, { settings }]) => settings))
for (const store of stores) delete shared[store]
const ownUrls = modules.flatMap(([name, { settings }]) =>
  stores.flatMap((store) => {
    const schema = settings[store]
    return schema ? [{ store, own: `${store}_${name}`, schema }] : []
  }),
)
// A store in which all services are the same user has one address.
for (const { store, own } of ownUrls) {
  const common = process.env[store.toUpperCase()]
  if (common) process.env[own.toUpperCase()] ||= common
}
const ownSchemas = Object.fromEntries(ownUrls.map(({ own, schema }) => [own, schema]))

await run(names.join('+') || 'services', { ...shared, ...ownSchemas, ...ownSettings }, async () => {
  const running = await Promise.all(
    modules.map(([name, { settings, start }]) => {
      const urls = stores.map((store) => store.toUpperCase())
      const own = urls.map((url) => [url, process.env[`${url}_${name.toUpperCase()}`]])
      return start(readConfig(settings, { ...process.env, ...Object.fromEntries(own) }))
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
