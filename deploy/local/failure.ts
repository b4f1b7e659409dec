/** The local stack cannot be set up or started. The message is one sentence for the user. */
export class LocalStackError extends Error {
  override name = 'LocalStackError'
}
