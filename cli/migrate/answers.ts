/* What another system answers to a request, and whether a further try may come to more. */

/** An answer, and the page of a list that it says it is. */
export interface Answered<T> {
  body: T
  page: string | null
}

/** What a request comes to: an answer, or what passes. */
export type Tried<T> = Answered<T> | { passing: string; waitMs?: number; isError?: true }

/** Reads an answer. Throws if it is cut off. */
export type Reading<T> = (bytes: Buffer) => T

/** Reads JSON. */
export const jsonOf: Reading<unknown> = (bytes) => JSON.parse(bytes.toString())
/** Reads a file. */
export const bytesOf: Reading<Buffer> = (bytes) => bytes

/** What no further try changes. */
export class RefusedError extends Error {}

/** A part of the other system is away, or it has no such part. The rest answers. */
export class PartAwayError extends Error {}

/** What an answer comes to. */
export async function triedOf<T>(
  answer: Response,
  asked: URL,
  url: URL,
  read: Reading<T>,
): Promise<Tried<T> | undefined> {
  const { status } = answer
  const bytes = Buffer.from(await answer.arrayBuffer())
  if (status === 429) return { passing: 'asks for time', waitMs: retryAfterOf(answer) ?? 5_000 }
  if (status >= 500) {
    const waitMs = retryAfterOf(answer)
    return { passing: `answers ${status}`, isError: true, ...(waitMs !== undefined && { waitMs }) }
  }
  if (status === 404) return undefined
  if (status === 401 || status === 403) throw new RefusedError(`${asked.host} refuses the token at ${asked.pathname}`)
  if (status >= 400) throw new RefusedError(`${asked.host} answers ${status} at ${asked.pathname}`)
  try {
    return { body: read(bytes), page: url.searchParams.get('page') }
  } catch {
    return { passing: 'sent an answer that is cut off' }
  }
}

/** How long an answer asks to wait, in ms. */
function retryAfterOf({ headers }: Response): number | undefined {
  const given = headers.get('retry-after')
  if (given === null) return undefined
  const ms = /^\d+$/.test(given.trim()) ? Number(given) * 1_000 : Date.parse(given) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}
