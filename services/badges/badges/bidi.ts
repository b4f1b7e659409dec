import bidiFactory from 'bidi-js'

/** The Unicode bidirectional algorithm. The library's types describe its CommonJS form only. */
export const bidi = (bidiFactory as unknown as typeof bidiFactory.default)()
