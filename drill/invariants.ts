/** The invariants of any drill. */
const always = {
  failures: 'a failed request gets 503 with Retry-After, or a closed connection during a fault of its gateway',
  deadline: 'no request takes longer than its deadline',
  recovery: 'everything recovers by itself in time after each fault, and retries get an answer',
  finished: 'the drill comes to its end: nothing is waited for beyond the deadline of its phase',
}

/** The invariants of scans. */
const ofScans = {
  stored: 'every answered check-in is stored as it was answered',
  once: 'a repeated request never counts twice',
  allowed: 'no guest has more granted check-ins than allowed at any moment',
  burnt: 'no access is burnt: refused guests have none left, and accesses left are granted',
  reasons: 'every refusal has the reason of the decision table',
}

/** The invariants that the drill at the doors checks. */
export const INVARIANTS = {
  ...ofScans,
  changes: 'the next scan sees an answered change of rights, guests and privileges',
  moves:
    'each scan of a party is decided by who has come in and out before, walk-ins are let in once, and areas count who is inside',
  counts: 'counts and statistics equal a recount',
  alone:
    'without Redis, and with an empty one, the door makes at least 300 scans/s, or a third of those before, and is fast again by itself',
  ...always,
}

/** The invariants of invitations by e-mail. */
const ofInvitations = {
  quota: 'neither the quota of a campaign nor that of a partner is ever exceeded, and places given back can be used',
  mailedOnce: 'no recipient gets two e-mails of a campaign, and none without being invited',
  accounted: 'every accepted recipient is on the list, once, and comes to a final state',
  outcomes:
    'what the mail server took is what the list says: each one sent, at most once what is unknown, nothing else',
  recounted: 'the counters of campaigns and partners equal a recount of the lists',
}

/** The invariants that the drill with e-mails checks. */
export const MAIL_INVARIANTS = {
  ...ofInvitations,
  stopped: 'after the answer to disable_emails, a block or an unsubscription only what was under way still leaves',
  ...always,
}

/** The invariants that the drill with a mailing checks. */
export const MAILING_INVARIANTS = {
  mailedOnce: 'no guest gets a mailing twice, and nobody gets it who is no guest of the event',
  accounted: 'every guest of the audience comes to an end: sent, refused for good, or unknown',
  outcomes: 'what the mail server took and refused is what the mailing counts, but for those that it counts as unknown',
  ...always,
}

/** The invariants that the drill on a cluster checks, where all services run. */
export const CLUSTER_INVARIANTS = {
  ...INVARIANTS,
  published: 'every stored check-in reaches a webhook',
  kept: 'what was stored of a guest is there, also after going back to an earlier version, and on again',
  ...MAIL_INVARIANTS,
  invited: 'every recipient who accepts is one guest, and nobody else becomes one',
  confirmed:
    'every guest who has accepted gets one confirmation where the category has them; it comes again only where it is unknown whether it was taken',
  badged:
    'every guest whose badge was ordered has one, which shows the guest as it is, and a webhook hears once of each',
}

/** The invariants that the drill of upgrades checks. */
export const UPGRADE_INVARIANTS = {
  ...CLUSTER_INVARIANTS,
  upgraded: 'every guest is found by what the new version searches, whichever version stored it last',
}

/** The invariants that the drill checks that restores a backup. */
export const RESTORE_INVARIANTS = {
  restored: 'what was answered before the moment whose data the backup has is there after the restore',
  links: 'links of e-mails that had left before the backup began work after the restore',
  repeated: 'what a webhook had got before the backup began does not come again',
  ...ofScans,
  counts: INVARIANTS.counts,
  published: CLUSTER_INVARIANTS.published,
  ...ofInvitations,
  ...always,
}

/** The invariants that the drill with scanners checks. */
export const SCANNER_INVARIANTS = {
  shown: 'what a screen has shown of a scan is what the server has recorded, unless the app said that it was not taken',
  answered: 'every scan is answered on the screen in time, with and without a network',
  sent: 'when its network is well again a device sends all it has by itself',
  differences: 'what a device decided otherwise than the server is listed on that device, and by conflicts=true',
  again: 'no device lets more of a party in than allowed, by what it has let in and out itself',
  undone: 'a check-in that was undone on a screen is gone from the server, and counts no more',
  added: 'each walk-in is one guest with one check-in',
  counts: INVARIANTS.counts,
  ...ofScans,
  ...always,
}

/** The invariants that the drill on hosts checks. */
export const HOSTS_INVARIANTS = {
  ...ofScans,
  changes: INVARIANTS.changes,
  moves: INVARIANTS.moves,
  counts: INVARIANTS.counts,
  larger: 'when a host is lost or cut off, doors at the others let guests in again in time, and go on',
  ...always,
}

/** The invariants that the drill with two cells checks. */
export const CELLS_INVARIANTS = {
  ...ofScans,
  changes: INVARIANTS.changes,
  moves: INVARIANTS.moves,
  counts: INVARIANTS.counts,
  moved: 'an account that has moved is in one cell alone, and a move that was killed is completed by another run',
  ...always,
}

/** All invariants of all drills. */
export const ALL_INVARIANTS = {
  ...UPGRADE_INVARIANTS,
  ...RESTORE_INVARIANTS,
  ...SCANNER_INVARIANTS,
  ...HOSTS_INVARIANTS,
  ...CELLS_INVARIANTS,
}

/** What a drill checks. */
export type Invariant = keyof typeof ALL_INVARIANTS

/** The invariants of a drill, each with its sentence. */
export type Invariants = { [name in Invariant]?: string }
