import type { Static, TObject, TProperties } from 'typebox'
import { record } from '../declaring/fields.ts'
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

/**
 * Reads the configuration of a process from the environment: a field `mongodb_url` is the variable `MONGODB_URL`. Throws one
 * {@link ConfigurationError} which names every missing or invalid variable.
 */
export function readConfig<T extends TProperties>(
  properties: T,
  env: NodeJS.ProcessEnv = process.env,
): Static<TObject<T>> {
  const schema = record(properties)
  const given = Object.keys(properties).flatMap((name) => {
    const value = env[name.toUpperCase()]
    return value === undefined || value === '' ? [] : [[name, value]]
  })
  const { value, errors } = readerOf(schema)(Object.fromEntries(given))
  if (!errors) return value as Static<TObject<T>>
  const problems = Object.entries(errors).map(([name, messages]) => {
    const missing = !given.some(([known]) => known === name)
    return `${name.toUpperCase()} ${missing ? 'is missing' : messages.join(' and ')}`
  })
  throw new ConfigurationError(problems.join('; '))
}
