/** A scan as a device sends it. */
export interface ScanBody {
  accesspoint_id: string
  guest_uid: string
  access_stamp: string
}

const scanXml = ({ accesspoint_id, guest_uid, access_stamp }: ScanBody): string =>
  `<access_control><accesspoint_id>${accesspoint_id}</accesspoint_id><guest_uid>${guest_uid}</guest_uid>` +
  `<access_stamp type="datetime">${access_stamp}</access_stamp></access_control>`

const PROLOGUE = '<?xml version="1.0" encoding="UTF-8"?>'

/** Writers of request bodies, by format. */
export const bodies = {
  checkIn: {
    json: (scan: ScanBody) => JSON.stringify(scan),
    xml: (scan: ScanBody) => PROLOGUE + scanXml(scan),
  },
  batch: {
    json: (scans: ScanBody[]) => JSON.stringify(scans),
    xml: (scans: ScanBody[]) =>
      `${PROLOGUE}<access_controls type="array">${scans.map(scanXml).join('')}</access_controls>`,
  },
  guest: (n: number, guest_category_id: string) =>
    JSON.stringify({
      guest_category_id,
      first_name: 'Ada',
      last_name: `Newcomer ${n}`,
      email: `newcomer${n}@example.org`,
      company_name: 'Analytical Engines',
      uid: `NEW${n}`,
    }),
}

/** A recipient of the bench. */
export function recipientOf(name: string): { email: string; first_name: string; last_name: string } {
  return { email: `${name}@example.org`, first_name: 'Ada', last_name: `Visitor ${name}` }
}
