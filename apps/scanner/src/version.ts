// The build puts it in.
declare const __VERSION__: string

/** The version of the app: a hash of its sources. */
export const version = __VERSION__
