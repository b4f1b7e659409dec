import { tracingChannel } from 'node:diagnostics_channel'
import type { MongoClient } from 'mongodb'
import { storeDuration } from './metrics.ts'
import { isTraced, isTracing, type OpenSpan, openSpan, type SpanAttributes } from './tracing.ts'

/*
 * What is asked of the stores: how long it takes, and spans within those of requests. They hold names of commands and collections, and nothing of
 * their contents.
 */

/** The options of a client whose commands are observed, if telemetry is on. */
export function observedCommands(): { monitorCommands?: true } {
  return isObserved() ? { monitorCommands: true } : {}
}

function isObserved(): boolean {
  return isTracing() || storeDuration.isOn
}

/** Measures and traces the commands of a MongoDB client. */
export function observeMongo(client: MongoClient): void {
  if (!isObserved()) return
  const open = new Map<number, OpenCommand>()
  const end = (requestId: number, failed?: string): void => {
    open.get(requestId)?.end(failed)
    open.delete(requestId)
  }
  client.on('commandStarted', ({ requestId, commandName, command, databaseName }) => {
    const collection = collectionOf(commandName, command)
    const described = { 'db.namespace': databaseName, ...(collection && { 'db.collection.name': collection }) }
    open.set(requestId, new OpenCommand('mongodb', commandName, described))
  })
  client.on('commandSucceeded', ({ requestId }) => end(requestId))
  client.on('commandFailed', ({ requestId, failure }) => end(requestId, codeOf(failure)))
}

/** The code of an error: its message may hold what nobody is to see. */
function codeOf(error: unknown): string {
  return String((error as { code?: unknown }).code ?? 'error')
}

function collectionOf(name: string, command: Record<string, unknown>): string | undefined {
  const collection = name === 'getMore' ? command.collection : command[name]
  return typeof collection === 'string' ? collection : undefined
}

interface RedisCommand {
  command: string
  error?: unknown
}

/** Measures and traces the commands of all clients of Redis in this process: the client publishes them. */
export function observeRedis(): void {
  const open = new WeakMap<object, OpenCommand>()
  tracingChannel<RedisCommand>('ioredis:command').subscribe({
    start: (message) => void open.set(message, new OpenCommand('redis', message.command)),
    end: () => {},
    asyncStart: () => {},
    asyncEnd: (message) => open.get(message)?.end('error' in message ? 'error' : undefined),
    error: () => {},
  })
}

/** A command that is under way. */
class OpenCommand {
  readonly #begun = performance.now()
  readonly #attributes: { 'db.system.name': string; 'db.operation.name': string }
  readonly #span: OpenSpan | undefined

  constructor(system: string, operation: string, described: SpanAttributes & { 'db.collection.name'?: string } = {}) {
    this.#attributes = { 'db.system.name': system, 'db.operation.name': operation }
    if (!isTraced()) return
    const collection = described['db.collection.name']
    this.#span = openSpan(collection ? `${operation} ${collection}` : operation, {
      kind: 'client',
      attributes: { ...this.#attributes, ...described },
    })
  }

  /** Ends it; `failed` is the code or the kind of its error. */
  end(failed?: string): void {
    const seconds = (performance.now() - this.#begun) / 1_000
    storeDuration.record(
      seconds,
      failed === undefined ? this.#attributes : { ...this.#attributes, 'error.type': failed },
    )
    if (failed !== undefined) this.#span?.fail(failed)
    this.#span?.end()
  }
}
