import type { HttpAnswer } from '@gatehouse/test/load/http.ts'
import type { BusAnswer } from './bus-client.ts'
import type { HttpCase } from './case.ts'

/** What an answer is worth. */
export interface Verdict {
  /** Its kind in a few words, for the summary. */
  said: string
  /** Why no case may be answered so; undefined if it may. */
  problem?: string
  /** Whether a limit refused the case (503). */
  isLimited: boolean
}

/** Parts of refusals that only a limit gives, or a service that is late to say that it is well: the system is not broken, but busy. */
const LIMITS = ['Too many requests in progress', 'Too many large requests in progress', '{"status":"unavailable"']
/** Characters of an answer that a problem quotes. */
const QUOTED = 300

/** Judges the answer to a request. Asked by `HEAD` whether it is ready, a system that is busy says so without the text of `LIMITS`. */
export function judgeHttp({ status, headers, text, isWhole }: HttpAnswer, { method, path }: HttpCase): Verdict {
  const isText = isWhole && headers['content-encoding'] === undefined
  const said = `HTTP ${status}`
  const isLimit = (method === 'HEAD' && path.startsWith('/readyz')) || LIMITS.some((each) => text.includes(each))
  if (status === 503 && isLimit) return { said, isLimited: true }
  if (status >= 500 || status < 200) return { said, problem: `${status} ${text.slice(0, QUOTED)}`, isLimited: false }
  if (isText && headers['content-type']?.includes('json') && !isJson(text))
    return { said, problem: `no JSON: ${text.slice(0, QUOTED)}`, isLimited: false }
  return { said, isLimited: false }
}

/** Judges all that came back on one connection. */
export function judgeRaw(text: string): Verdict {
  const statuses = Array.from(text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm), ([, status]) => Number(status))
  const broken = statuses.find((status) => status >= 500)
  const said = `raw ${statuses.length === 0 ? 'closed' : statuses.at(-1)}`
  return { said, ...(broken && { problem: `${broken} in ${text.slice(0, QUOTED)}` }), isLimited: false }
}

export function judgeBus({ fault, text }: BusAnswer): Verdict {
  const said = `bus ${fault ?? 'reply'}`
  if (fault !== 'unavailable' && fault !== 'no responders') return { said, isLimited: false }
  const isLimited = LIMITS.some((each) => text.includes(each))
  return { said, ...(!isLimited && { problem: `${fault} ${text.slice(0, QUOTED)}` }), isLimited }
}

function isJson(text: string): boolean {
  if (text === '') return true
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
