import type { Send } from '../../../../clients/typescript/retrying.ts'

/**
 * Sends requests as `send` does, and returns an answer when all of it is there. It may take as long as something of it comes: a request is given up
 * when nothing has come for `idleTimeoutMs`.
 */
export function whileItComes(send: Send, idleTimeoutMs: number): Send {
  return async (request, init) => {
    const stalled = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const wait = (): void => {
      clearTimeout(timer)
      timer = setTimeout(() => stalled.abort(new Error('The response stalled')), idleTimeoutMs)
    }
    try {
      wait()
      const signal = AbortSignal.any([init?.signal ?? request.signal, stalled.signal])
      const answer = await send(new Request(request, { signal }), { signal })
      const parts: Uint8Array<ArrayBuffer>[] = []
      const reader = answer.body?.getReader()
      for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
        wait()
        parts.push(part.value)
      }
      return new Response(reader ? new Blob(parts) : null, answer)
    } finally {
      clearTimeout(timer)
    }
  }
}
