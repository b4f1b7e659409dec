import type * as Library from 'oidc-provider'

const library = await quietly(() => import('oidc-provider'))

/** The provider of oidc-provider. Imported from here it logs no warning at the start. */
export const Provider = library.Provider
/** @see {@link Provider} */
export type Provider = Library.Provider
/** The errors of oidc-provider. */
export const errors = library.errors

/**
 * oidc-provider warns of Node releases without long-term support while it is loaded. The system is tested with such a release, so an
 * operator could do nothing about it.
 */
async function quietly<T>(load: () => Promise<T>): Promise<T> {
  const { warn } = console
  console.warn = (...words: unknown[]) => {
    if (!String(words[0]).includes('Unsupported runtime')) warn(...words)
  }
  try {
    return await load()
  } finally {
    console.warn = warn
  }
}
