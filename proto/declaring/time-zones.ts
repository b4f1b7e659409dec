import { createRequire } from 'node:module'
import type { FieldErrors } from './faults.ts'
import { messageOf } from './messages.ts'

/*
 * Names of time zones: those of the IANA, which Intl knows, those of Rails, which clients of the existing service send, and those of Windows. What
 * was given is kept; whoever shows a time asks here for the name that Intl knows.
 */

/** Names of Rails that are those of cities in the IANA's zones, by region. */
const CITIES: Record<string, string> = {
  Africa: 'Cairo, Casablanca, Harare, Monrovia, Nairobi',
  America:
    'Asuncion, Bogota, Caracas, Chihuahua, La Paz, Lima, Mazatlan, Mexico City, Monterrey, Montevideo, Puerto Rico, Santiago, Tijuana',
  Asia: `Almaty, Baghdad, Baku, Bangkok, Chongqing, Dhaka, Hong Kong, Irkutsk, Jakarta, Jerusalem, Kabul, Kamchatka, Karachi, Kathmandu, Kolkata,
Krasnoyarsk, Kuala Lumpur, Kuwait, Magadan, Muscat, Novosibirsk, Rangoon, Riyadh, Seoul, Singapore, Srednekolymsk, Taipei, Tashkent, Tbilisi,
Tehran, Tokyo, Ulaanbaatar, Urumqi, Vladivostok, Yakutsk, Yerevan`,
  Atlantic: 'Azores',
  Australia: 'Adelaide, Brisbane, Canberra, Darwin, Hobart, Melbourne, Perth, Sydney',
  Europe: `Amsterdam, Athens, Belgrade, Berlin, Bratislava, Brussels, Bucharest, Budapest, Copenhagen, Dublin, Helsinki, Istanbul, Kaliningrad,
Lisbon, Ljubljana, London, Madrid, Minsk, Moscow, Paris, Prague, Riga, Rome, Samara, Sarajevo, Skopje, Sofia, Stockholm, Tallinn, Vienna, Vilnius,
Volgograd, Warsaw, Zagreb, Zurich`,
  Pacific: 'Auckland, Fiji, Guam, Port Moresby',
}

/** The other names of Rails. */
const OTHERS: Record<string, string> = {
  'International Date Line West': 'Etc/GMT+12',
  'Midway Island': 'Pacific/Midway',
  'American Samoa': 'Pacific/Pago_Pago',
  Hawaii: 'Pacific/Honolulu',
  Alaska: 'America/Juneau',
  'Pacific Time (US & Canada)': 'America/Los_Angeles',
  'Mountain Time (US & Canada)': 'America/Denver',
  Arizona: 'America/Phoenix',
  'Central Time (US & Canada)': 'America/Chicago',
  Saskatchewan: 'America/Regina',
  Guadalajara: 'America/Mexico_City',
  'Central America': 'America/Guatemala',
  'Eastern Time (US & Canada)': 'America/New_York',
  'Indiana (East)': 'America/Indiana/Indianapolis',
  Quito: 'America/Lima',
  'Atlantic Time (Canada)': 'America/Halifax',
  Newfoundland: 'America/St_Johns',
  Brasilia: 'America/Sao_Paulo',
  'Buenos Aires': 'America/Argentina/Buenos_Aires',
  Georgetown: 'America/Guyana',
  Greenland: 'America/Godthab',
  'Mid-Atlantic': 'Atlantic/South_Georgia',
  'Cape Verde Is.': 'Atlantic/Cape_Verde',
  Edinburgh: 'Europe/London',
  Bern: 'Europe/Zurich',
  'West Central Africa': 'Africa/Algiers',
  Kyiv: 'Europe/Kiev',
  Pretoria: 'Africa/Johannesburg',
  'St. Petersburg': 'Europe/Moscow',
  'Abu Dhabi': 'Asia/Muscat',
  Ekaterinburg: 'Asia/Yekaterinburg',
  Islamabad: 'Asia/Karachi',
  Chennai: 'Asia/Kolkata',
  Mumbai: 'Asia/Kolkata',
  'New Delhi': 'Asia/Kolkata',
  'Sri Jayawardenepura': 'Asia/Colombo',
  Astana: 'Asia/Almaty',
  Hanoi: 'Asia/Bangkok',
  Beijing: 'Asia/Shanghai',
  Osaka: 'Asia/Tokyo',
  Sapporo: 'Asia/Tokyo',
  'Solomon Is.': 'Pacific/Guadalcanal',
  'New Caledonia': 'Pacific/Noumea',
  'Marshall Is.': 'Pacific/Majuro',
  Wellington: 'Pacific/Auckland',
  "Nuku'alofa": 'Pacific/Tongatapu',
  'Tokelau Is.': 'Pacific/Fakaofo',
  'Chatham Is.': 'Pacific/Chatham',
  Samoa: 'Pacific/Apia',
}

/** The shape of CLDR's table of Windows' names. */
interface WindowsZones {
  supplemental: {
    windowsZones: { mapTimezones: { mapZone: { _other: string; _type: string; _territory: string } }[] }
  }
}

/** The territory whose zone CLDR has for a name of Windows alone. */
const WHOLE_WORLD = '001'

let others: Map<string, string> | undefined

/** The IANA's zones by names of Rails and Windows, in lower case. Read when it is first needed, since most events have a name of the IANA. */
export function otherNames(): Map<string, string> {
  if (others) return others
  const { supplemental } = createRequire(import.meta.url)('cldr-core/supplemental/windowsZones.json') as WindowsZones
  const ofWindows = supplemental.windowsZones.mapTimezones
    .filter(({ mapZone }) => mapZone._territory === WHOLE_WORLD)
    .map(({ mapZone }): [string, string] => [mapZone._other, mapZone._type])
  const ofCities = Object.entries(CITIES).flatMap(([region, names]) =>
    names.split(/,\s+/).map((name): [string, string] => [name, `${region}/${name.replaceAll(' ', '_')}`]),
  )
  const all = [...ofWindows, ...ofCities, ...Object.entries(OTHERS)]
  others = new Map(all.map(([name, zone]) => [name.toLowerCase(), zone]))
  return others
}

/** The name by which Intl knows a time zone; undefined for an unknown one. */
export function zoneOf(name: string): string | undefined {
  return isKnown(name) ? name : otherNames().get(name.trim().toLowerCase())
}

function isKnown(timeZone: string): boolean {
  if (timeZone === 'UTC') return true
  try {
    return Intl.DateTimeFormat('en', { timeZone }) !== undefined
  } catch {
    return false
  }
}

/** The error of a new time zone. The stored one may stay: it may be older than the rule. */
export function timeZoneErrors(given: string | undefined, stored?: string): FieldErrors {
  const isAccepted = given === undefined || given === stored || zoneOf(given) !== undefined
  return isAccepted ? {} : { timezone: [messageOf('invalid_time_zone')] }
}
