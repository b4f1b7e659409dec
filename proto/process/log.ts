import { type Logger, pino } from 'pino'
import { currentSpan } from '../telemetry/tracing.ts'
import { escapeControls } from './control-characters.ts'

/** The structured log of a process: JSON lines, without tokens and personal data. */
export type Log = Logger

/** The log of the process called `name`, at `level` (`info`, `warn`, `error`, `debug`, `silent`). Lines about a traced request have its ids. */
export function makeLog(name: string, level: string): Log {
  return pino({
    name,
    level,
    base: { pid: process.pid },
    serializers: { err: describeError },
    // JSON leaves some control characters as they are.
    hooks: { streamWrite: escapeControls },
    mixin: () => {
      const { traceId, spanId } = currentSpan()?.spanContext() ?? {}
      return traceId ? { trace_id: traceId, span_id: spanId } : {}
    },
  })
}

/** The logged fields of an error. Its other fields are dropped: a database's error contains documents. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) }
  const { name, code, stack } = error as Error & { code?: unknown }
  const [message = '', ...frames] = (stack ?? error.message).split('\n')
  return { type: name, message: message.replace(/ dup key: .*/, ''), code, stack: frames.join('\n') }
}
