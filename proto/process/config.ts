import type { Static, TObject, TProperties } from 'typebox'
import { defaultsOf, record } from '../declaring/fields.ts'
import { readerOf } from '../formats/json-reader.ts'

/** The exit code of a process whose settings or arguments are wrong, as in shells: another start would end the same. */
export const MISUSED = 2

/** A wrong or missing setting. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError'

  constructor(problem: string) {
    super(`Configuration: ${problem}`)
  }
}

/** The configuration of a process with these settings: every setting has a value, its default where none is given. */
export type ConfigOf<T extends TProperties> = Static<TObject<T>>

/**
 * Reads the configuration of a process from the environment: a field `mongodb_url` is the variable `MONGODB_URL`. Throws one
 * {@link ConfigurationError} which names every missing or invalid variable.
 */
export function readConfig<T extends TProperties>(properties: T, env: NodeJS.ProcessEnv = process.env): ConfigOf<T> {
  const schema = record(properties)
  const given = Object.keys(properties).flatMap((name) => {
    const value = env[name.toUpperCase()]
    return value === undefined || value === '' ? [] : [[name, value]]
  })
  const { value, errors } = readerOf(schema)(Object.fromEntries(given))
  if (!errors) return value as ConfigOf<T>
  const problems = Object.entries(errors).map(([name, messages]) => {
    const missing = !given.some(([known]) => known === name)
    return `${name.toUpperCase()} ${missing ? 'is missing' : messages.join(' and ')}`
  })
  throw new ConfigurationError(problems.join('; '))
}

/** The configuration of a process that is started from code: the given values, and the defaults of all other settings. */
export function withDefaults<T extends TProperties>(properties: T, given: Partial<ConfigOf<T>>): ConfigOf<T> {
  return { ...defaultsOf(properties), ...given } as ConfigOf<T>
}
