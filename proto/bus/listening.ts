import { Fault } from '../declaring/faults.ts'
import { messageReader } from '../formats/message-reader.ts'
import type { Bus } from './bus.ts'

/** Subscribes to the announcements of `topic`, which are JSON of a schema. One which is not is logged by the bus, and ignored. */
export function listenFor<T>(bus: Bus, topic: string, schema: object, listener: (announced: T) => void): void {
  const read = messageReader<T>(schema)
  bus.listen(topic, (text) => {
    const announced = read(Buffer.from(text))
    if (announced === undefined) throw new Fault('malformed')
    listener(announced)
  })
}
