/* All addresses are in network namespaces that end with the drill, and none has a route out of them. */

/** The node of the database, which is the namespace of the drill itself. The hosts are nodes from 1. */
export const DATABASE = 4

/** The port of VXLAN, whose datagrams carry the frames of the hosts to the relay. */
export const VXLAN_PORT = 4_789
/** Where the relay is for the nodes. */
export const RELAY_ADDRESS = '10.99.0.100'

/** The address of a node's end of the cable to the relay. */
export function cableAddressOf(node: number): string {
  return `10.99.0.${node}`
}

/** The address at which nodes find each other. */
export function backAddressOf(node: number): string {
  return `10.77.0.${node}`
}

/** The address at which devices at the doors find a host. */
export function frontAddressOf(node: number): string {
  return `10.78.${node}.1`
}

/** The hardware address of a node; the relay reads the node from it. */
export function hardwareAddressOf(node: number): string {
  return `02:00:00:00:00:0${node}`
}
