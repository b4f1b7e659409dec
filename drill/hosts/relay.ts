import { createSocket } from 'node:dgram'
import { setPriority } from 'node:os'
import { Random } from '@gatehouse/cli/demo/random.ts'
import { cableAddressOf, VXLAN_PORT } from './addresses.ts'
import { type LineChange, Lines } from './lines.ts'

/*
 * The cables between hosts, a process of its own: each host's network card is a VXLAN that ends here, and this passes its frames on, late, or not at
 * all. The kernel could do so itself (tc netem), but many are built without that. Its argument is the seed of what is lost.
 */

/** Bytes of a datagram: after the header of VXLAN a frame begins, with the hardware addresses of its receiver and its sender. */
const FRAME = 8
const TO = FRAME + 5
const FROM = FRAME + 11
/** The first byte of the nodes' addresses; others are those of broadcasts. */
const OURS = 2
const BUFFER_BYTES = 4 * 1024 ** 2
/** A late frame of a busy relay would be a fault that nobody injected. */
const AHEAD_OF_ALL = -15

setPriority(AHEAD_OF_ALL)
const lines = new Lines(new Random(Number(process.argv[2])))
const socket = createSocket({ type: 'udp4', recvBufferSize: BUFFER_BYTES, sendBufferSize: BUFFER_BYTES })
socket.on('message', (datagram) => {
  const [to, from] = [datagram[TO], datagram[FROM]]
  if (datagram[FRAME] !== OURS || to === undefined || from === undefined) return
  const delay = lines.delayOf(from, to)
  const pass = (): void => socket.send(datagram, VXLAN_PORT, cableAddressOf(to), () => {})
  if (delay === 0) pass()
  // In order: timers of the same length end in the order of their beginning.
  else if (delay !== undefined) setTimeout(pass, delay)
})
process.on('message', (changes: LineChange[]) => {
  for (const change of changes) lines.change(change)
  process.send?.('changed')
})
socket.bind(VXLAN_PORT, () => process.send?.('ready'))
