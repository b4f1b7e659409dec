/** Browsers list none without a city, such as UTC. */
const zones = (): string[] => ['UTC', ...Intl.supportedValuesOf('timeZone').filter((each) => each !== 'UTC')]

/** The time zones in the order of their cities, which people look for, each with the time that it is there now: those of the reader's region first. */
export function timeZones(locale: string): ReadonlyMap<string, string> {
  const near = new Set<string>(new Intl.Locale(locale).maximize().getTimeZones?.())
  const now = Date.now()
  const named = zones()
    .map((zone) => ({ zone, place: placeOf(zone) }))
    .toSorted((one, other) => one.place.localeCompare(other.place, locale))
  const inOrder = [...named.filter(({ zone }) => near.has(zone)), ...named.filter(({ zone }) => !near.has(zone))]
  return new Map(inOrder.map(({ zone, place }) => [zone, `${place} · ${clockIn(locale, zone).format(now)}`]))
}

/** The city of a time zone, and what that lies in: `Buenos Aires (America, Argentina)`. */
function placeOf(zone: string): string {
  const parts = zone.replaceAll('_', ' ').split('/')
  const city = parts.at(-1) ?? zone
  return parts.length === 1 ? city : `${city} (${parts.slice(0, -1).join(', ')})`
}

function clockIn(locale: string, timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone })
}
