/** A local stack that can't be made or started. The message is one sentence for whoever typed the command. */
export class LocalStackError extends Error {
  override name = 'LocalStackError'
}
