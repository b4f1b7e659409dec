import { tracingChannel } from 'node:diagnostics_channel'
import { type Attributes, SpanKind } from '@opentelemetry/api'
import type { MongoClient } from 'mongodb'
import { instruments, isOn } from './metrics.ts'
import { currentSpan, failSpan, tracer } from './tracing.ts'

/*
 * What is asked of the stores: how long it takes, and spans within those of requests. They hold names of commands and collections, and nothing of
 * their contents.
 */

/** The options of a client whose commands are observed, if telemetry is on. */
export function observedCommands(): { monitorCommands?: true } {
  return isOn ? { monitorCommands: true } : {}
}

/** Measures and traces the commands of a MongoDB client. */
export function observeMongo(client: MongoClient): void {
  if (!isOn) return
  const open = new Map<number, OpenCommand>()
  const end = (requestId: number, failed?: string): void => {
    open.get(requestId)?.(failed)
    open.delete(requestId)
  }
  client.on('commandStarted', ({ requestId, commandName, command, databaseName }) => {
    const collection = commandName === 'getMore' ? command.collection : command[commandName]
    const described = { 'db.namespace': databaseName }
    const named = typeof collection === 'string' ? { ...described, 'db.collection.name': collection } : described
    open.set(requestId, begin('mongodb', commandName, named))
  })
  client.on('commandSucceeded', ({ requestId }) => end(requestId))
  client.on('commandFailed', ({ requestId, failure: { code } }: { requestId: number; failure: { code?: unknown } }) =>
    // Its message may hold what nobody is to see.
    end(requestId, String(code ?? 'error')),
  )
}

/** Measures and traces the commands of all clients of Redis in this process: the client publishes them. */
export function observeRedis(): void {
  const open = new WeakMap<object, OpenCommand>()
  const ignore = (): void => {}
  tracingChannel<{ command: string; error?: unknown }>('ioredis:command').subscribe({
    start: (message) => void open.set(message, begin('redis', message.command)),
    end: ignore,
    asyncStart: ignore,
    asyncEnd: (message) => open.get(message)?.('error' in message ? 'error' : undefined),
    error: ignore,
  })
}

/** Ends a command that is under way; `failed` is the code or the kind of its error. */
type OpenCommand = (failed?: string) => void

function begin(system: string, operation: string, described: Attributes = {}): OpenCommand {
  const begun = performance.now()
  const attributes = { 'db.system.name': system, 'db.operation.name': operation }
  const { 'db.collection.name': collection } = described
  const name = collection ? `${operation} ${collection}` : operation
  const options = { kind: SpanKind.CLIENT, attributes: { ...attributes, ...described } }
  const span = currentSpan() && tracer.startSpan(name, options)
  return (failed) => {
    const ended = failed === undefined ? attributes : { ...attributes, 'error.type': failed }
    instruments.storeDuration.record((performance.now() - begun) / 1_000, ended)
    if (failed !== undefined && span) failSpan(span, failed)
    span?.end()
  }
}
