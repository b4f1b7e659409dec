import type * as Library from 'oidc-provider'

const library = await quietly(() => import('oidc-provider'))

/** The provider of oidc-provider. Import it from here, so that no process begins with a warning. */
export const Provider = library.Provider
/** @see {@link Provider} */
export type Provider = Library.Provider
/** The errors of oidc-provider. */
export const errors = library.errors

/**
 * While it is loaded oidc-provider warns of every Node release that is not for the long term. That is the release this system is tested with, so
 * there is nothing that the reader of a log could do.
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
