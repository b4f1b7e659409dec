/** The texts of the scanner in English. */
export const en = {
  title: 'Scanner',
  opening: 'Opening…',
  enrol_title: 'Set up this device',
  enrol_text:
    'The organizer makes a device and gets a code of eight characters. Type it here, or scan its QR code with the camera app of this phone.',
  code: 'Code of the device',
  enrol: 'Set up',
  enrol_wrong:
    'This code is not valid: it is mistyped, used, or older than ten minutes. Ask the organizer for a new one.',
  enrol_slow: 'There were too many wrong codes. Try again in a minute.',
  enrol_away: 'The server does not answer. Check the network and try again.',
  revoked_title: 'This device was revoked',
  revoked_text:
    'It can not scan any more, and has forgotten the guest list. To go on, ask the organizer for a new code.',
  revoked_waiting:
    '{count} scans are on this device and not on the server. Nothing of them is lost: save them as a file and give it to the organizer.',
  other_waiting:
    '{count} scans wait here which were made under an earlier code. Save them as a file and give it to the organizer.',
  save_scans: 'Save the scans as a file',
  point_title: 'Where do you scan?',
  point_none: 'There is no check-in point for this device. Ask the organizer.',
  change_point: 'Change the check-in point',
  online: 'Online',
  offline: 'Offline',
  waiting: '{count} waiting',
  conflicts: 'Differences ({count})',
  conflicts_title: 'The server says otherwise',
  conflicts_text:
    'This device has decided these scans by itself, and the server would have decided otherwise. Tell the organizer.',
  conflict_in: 'Was let in here, but the server says: {status}',
  conflict_out: 'Was turned away here, but may enter',
  conflict_problem: 'Is not recorded: {problem}',
  back: 'Back to scanning',
  ready: 'Ready to scan',
  camera_start: 'Start the camera',
  camera_stop: 'Stop the camera',
  camera_denied: 'The camera is not allowed. Allow it for this page in the settings of the browser.',
  camera_none: 'There is no camera which can be used.',
  insecure: 'Browsers give the camera to pages with https only. Ask the organizer for the https address.',
  type_code: 'Type a code',
  check_in: 'Check in',
  search: 'Search by name',
  search_none: 'No guest is found.',
  search_offline: 'Searching needs the network.',
  granted: 'Welcome',
  unconfirmed: 'Let in, not confirmed yet',
  unconfirmed_text: 'This device knows nothing against it. The server has not confirmed it yet.',
  unknown: 'Unknown guest',
  unknown_text: 'No guest of this event has this code.',
  not_authorized: 'Not authorized',
  not_authorized_text: 'This guest may not enter here.',
  too_many: 'Used already',
  too_many_text: 'This guest has entered here as often as allowed.',
  refused_alone: 'So says this device. The server has not confirmed it yet.',
  undecided: 'Not confirmed yet',
  undecided_text:
    'The server does not answer, and this device does not know whether this guest may enter. The scan is kept, and sent later.',
  unread: 'No guest’s code',
  unread_text: 'This is not the code of a guest.',
  full: 'Not scanned',
  full_text: 'The storage of this device is full, so nothing was scanned. Delete photos or apps, then scan again.',
  problem: 'Not recorded',
}

/** The texts of the scanner in one language. */
export type Texts = Record<keyof typeof en, string>
