import { tracingChannel } from 'node:diagnostics_channel'
import type { MongoClient } from 'mongodb'
import { isTraced, isTracing, type OpenSpan, openSpan } from './tracing.ts'

/* Spans of what is asked of the stores, within those of requests: names of commands and collections, and nothing of their contents. */

/** The options of a client whose commands are traced, if tracing is on. */
export function tracedCommands(): { monitorCommands?: true } {
  return isTracing() ? { monitorCommands: true } : {}
}

/** Traces the commands of a MongoDB client. */
export function traceMongo(client: MongoClient): void {
  if (!isTracing()) return
  const open = new Map<number, OpenSpan>()
  const end = (requestId: number, failed?: unknown): void => {
    const span = open.get(requestId)
    if (!span) return
    open.delete(requestId)
    if (failed) span.fail(String((failed as { code?: unknown }).code ?? 'error'))
    span.end()
  }
  client.on('commandStarted', ({ requestId, commandName, command, databaseName }) => {
    if (!isTraced()) return
    const collection = collectionOf(commandName, command)
    const span = openSpan(collection ? `${commandName} ${collection}` : commandName, {
      kind: 'client',
      attributes: {
        'db.system.name': 'mongodb',
        'db.namespace': databaseName,
        'db.operation.name': commandName,
        ...(collection && { 'db.collection.name': collection }),
      },
    })
    if (span) open.set(requestId, span)
  })
  client.on('commandSucceeded', ({ requestId }) => end(requestId))
  client.on('commandFailed', ({ requestId, failure }) => end(requestId, failure))
}

function collectionOf(name: string, command: Record<string, unknown>): string | undefined {
  const collection = name === 'getMore' ? command.collection : command[name]
  return typeof collection === 'string' ? collection : undefined
}

interface RedisCommand {
  command: string
}

/** Traces the commands of all clients of Redis in this process: the client publishes them. */
export function traceRedis(): void {
  const spans = new WeakMap<object, OpenSpan>()
  tracingChannel<RedisCommand>('ioredis:command').subscribe({
    start: (message) => {
      if (!isTraced()) return
      const { command } = message
      const attributes = { 'db.system.name': 'redis', 'db.operation.name': command }
      const span = openSpan(command, { kind: 'client', attributes })
      if (span) spans.set(message, span)
    },
    end: () => {},
    asyncStart: () => {},
    asyncEnd: (message) => spans.get(message)?.end(),
    error: (message) => spans.get(message)?.fail('error'),
  })
}
