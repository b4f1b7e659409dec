import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import type { StoredCampaign } from '../../../campaigns/partner-campaigns/store.ts'
import { allotted, CHUNK, existingOf } from '../../../delivery/invitations/acceptance.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { problemOf, type UploadProblem } from '../pages/new.ts'
import { type ReadChoice, readUpload, type UploadedRecipient, type UploadedRows } from './reading.ts'
import type { StoredUpload } from './store.ts'
import { uploadLimits } from './upload-limits.ts'

/** Reads the rows of an account's upload. Returns what is wrong with all of it if it cannot be read. */
export async function readRows(
  account_id: string,
  bytes: Uint8Array,
  choice: ReadChoice,
): Promise<UploadedRows | { problem: UploadProblem }> {
  try {
    return await uploadLimits.parse(account_id, () => readUpload(bytes, choice))
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    if (error.code === 'too_large') return { problem: 'rows' }
    if (error.code === 'invalid') return { problem: problemOf(error.errors?.file?.[0]) }
    throw error
  }
}

/** An upload as it would be sent now. */
export interface Checked extends Omit<UploadedRows, 'good'> {
  /** Recipients who are to be invited. */
  fresh: UploadedRecipient[]
  already: UploadedRecipient[]
  /** Recipients whom the quotas leave out. */
  beyond: UploadedRecipient[]
  /** How many the quotas allow. */
  left: number
}

/**
 * Finds out who of an upload is invited already, and whom the quotas leave out. Whom an interrupted sending of the upload itself has invited
 * still counts as one to be invited: sending it again completes the report.
 */
export async function checkUpload(
  dependencies: Dependencies,
  campaign: StoredCampaign,
  { sending_at }: Pick<StoredUpload, 'sending_at'>,
  { good, ...reading }: UploadedRows,
  left: number,
): Promise<Checked> {
  const invitedAt = new Map<string, Date>()
  for (let from = 0; from < good.length; from += CHUNK) {
    const { invited } = await existingOf(dependencies, campaign, good.slice(from, from + CHUNK))
    for (const { address, created_at } of invited.values()) invitedAt.set(address, created_at)
  }
  const isAlready = ({ address }: UploadedRecipient): boolean => {
    const at = invitedAt.get(address)
    return at !== undefined && !(sending_at && at >= sending_at)
  }
  const needing = good.filter(({ address }) => !invitedAt.has(address))
  const { beyond } = allotted(needing, left)
  const leftOut = new Set(beyond)
  return {
    ...reading,
    fresh: good.filter((row) => !isAlready(row) && !leftOut.has(row)),
    already: good.filter(isAlready),
    beyond,
    left,
  }
}
