import { registerHooks } from 'node:module'

/*
 * With `--import` of this file a process runs the next version of a drill: guests have a further field, `seat`, and their message is searched.
 * Guests who were stored before have no seat, and are not found by their message.
 */

const DECLARATION = '/services/guests/guests/resource.ts'
const CHANGES = [
  ['  rsvp_status: choice(', "  seat: optionalText({ traits: ['searched'] }),\n  rsvp_status: choice("],
  ['  message: optionalText({\n', "  message: optionalText({ traits: ['searched'],\n"],
] as const

registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context)
    if (!url.endsWith(DECLARATION) || !loaded.source) return loaded
    return { ...loaded, source: changed(Buffer.from(loaded.source as Uint8Array).toString()) }
  },
})

function changed(source: string): string {
  return CHANGES.reduce((text, [from, to]) => {
    if (text.split(from).length !== 2) throw new Error(`${DECLARATION} has not one "${from}"`)
    return text.replace(from, to)
  }, source)
}
